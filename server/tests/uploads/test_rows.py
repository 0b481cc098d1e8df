"""The row type and the table agree; what the table itself refuses."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import asyncpg
import pytest

from conftest import MakeMember
from kalos.core.database import Database
from kalos.domains.uploads.tables import ROWS


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


KEPT = {"state": "kept", "kept_bytes": 1, "kept_sha256": b"k" * 32, "width": 1, "height": 1, "kept_at": 1}


async def insert(db: Database, owner: int, changed: Mapping[str, Any]) -> None:
    row = {
        "id": "i" * 22,
        "owner": owner,
        "purpose": "picture",
        "kind": "image/png",
        "state": "receiving",
        "sent_bytes": 1,
        "sent_sha256": b"s" * 32,
        "name": "0" * 32,
        "created_at": 1,
        **changed,
    }
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    await db.execute(f"INSERT INTO uploads ({', '.join(row)}) VALUES ({places})", *row.values())


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "short"},
        {"purpose": "avatar"},
        {"kind": "text/html"},
        {"state": "there"},
        {"sent_bytes": 0},
        {"sent_bytes": 10_000_001},
        {"sent_sha256": b"short"},
        {"name": "../" + "0" * 29},
        {"name": "0" * 31},
        {"state": "granted"},
        {"grant_hash": b"g" * 32},
        {"until_at": 1},
        {"grant_hash": b"short", "until_at": 1},
        {"state": "kept"},
        KEPT | {"width": None},
        KEPT | {"width": 0},
        KEPT | {"kept_bytes": 20_000_001},
        KEPT | {"kept_sha256": b"short"},
        KEPT | {"state": "refused"},
        KEPT | {"used_at": 1, "used_by": "deposit 7"},
        KEPT | {"state": "used"},
        KEPT | {"state": "used", "used_at": 1},
        KEPT | {"state": "used", "used_at": 1, "used_by": ""},
    ],
)
async def test_an_upload_out_of_form_is_refused_by_the_table(
    db: Database, member: MakeMember, changed: Mapping[str, Any]
) -> None:
    owner = (await member()).id
    with pytest.raises(asyncpg.CheckViolationError):
        await insert(db, owner, changed)


async def test_what_the_form_allows_is_taken_and_no_name_twice(db: Database, member: MakeMember) -> None:
    owner = (await member()).id
    await insert(db, owner, {})
    await insert(db, owner, KEPT | {"id": "k" * 22, "name": "1" * 32})
    await insert(db, owner, KEPT | {"id": "u" * 22, "name": "2" * 32, "state": "used", "used_at": 1, "used_by": "x"})
    await insert(
        db, owner, {"id": "g" * 22, "name": "3" * 32, "state": "granted", "grant_hash": b"g" * 32, "until_at": 1}
    )
    for twice in ({"id": "a" * 22}, {"id": "a" * 22, "name": "4" * 32, "grant_hash": b"g" * 32, "until_at": 1}):
        with pytest.raises(asyncpg.UniqueViolationError):
            await insert(db, owner, twice)
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await insert(db, 10**12, {"id": "a" * 22, "name": "4" * 32})
