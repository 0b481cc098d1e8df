"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import asyncpg
import pytest

from kalos.core.database import Connection, Database
from kalos.domains.content.tables import ROWS

UPLOAD = "u" * 22
GOOD: Mapping[str, Mapping[str, Any]] = {
    "bulletins": {"name": "a", "kind": "notice", "pinned": False, "pictures": [], "from_at": 1, "changed_at": 1},
    "bulletin_texts": {"lang": "en", "title": "t", "summary": "s", "source": "s", "blocks": "[{}]"},
}
PICTURE = {"picture": UPLOAD, "width": 1, "height": 1}


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(step: Connection, table: str, **changed: Any) -> Any:
    row = {**GOOD[table], **changed}
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    return await step.fetchval(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places}) RETURNING 1", *row.values())


async def bulletin(step: Connection, **changed: Any) -> int:
    await insert(step, "bulletins", **changed)
    number: int = await step.fetchval("SELECT max(id) FROM bulletins")
    return number


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "No name"},
        {"name": "a" * 65},
        {"kind": "advert"},
        {"kind": "banner"},
        {"link": ""},
        {"link": "l" * 1_001},
        PICTURE | {"width": None},
        PICTURE | {"width": 0},
        PICTURE | {"height": 0},
        {"from_at": -1},
        {"from_at": 5, "until_at": 5},
    ],
)
async def test_a_bulletin_out_of_form_is_refused(db: Database, changed: Mapping[str, Any]) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        async with db.transaction() as step:
            await bulletin(step, **changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"lang": "vn"},
        {"title": ""},
        {"title": "t" * 121},
        {"summary": ""},
        {"summary": "s" * 201},
        {"source": ""},
        {"source": "s" * 20_001},
        {"blocks": "[]"},
    ],
)
async def test_a_text_out_of_form_is_refused(db: Database, changed: Mapping[str, Any]) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        async with db.transaction() as step:
            await insert(step, "bulletin_texts", bulletin=await bulletin(step), **changed)


async def test_what_the_forms_allow_is_taken_and_nothing_twice(db: Database) -> None:
    async with db.transaction() as step:
        number = await bulletin(step, name="taken", until_at=2, retracted_at=1)
        await bulletin(step, name="banner", kind="banner", link="/help")
        await insert(step, "bulletin_texts", bulletin=number)
        await insert(step, "bulletin_texts", bulletin=number, lang="tw")
    texts: Mapping[str, Any] = {"bulletin": number}
    for table, changed in (("bulletins", {"name": "taken"}), ("bulletin_texts", texts)):
        with pytest.raises(asyncpg.UniqueViolationError):
            async with db.transaction() as step:
                await insert(step, table, **changed)


@pytest.mark.parametrize(("table", "changed"), [("bulletins", PICTURE), ("bulletin_texts", {"bulletin": 10**12})])
async def test_what_it_belongs_to_must_be_there(db: Database, table: str, changed: Mapping[str, Any]) -> None:
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        async with db.transaction() as step:
            await insert(step, table, **changed)
