"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import asyncpg
import pytest

from conftest import MakeMember
from kalos.core.database import Database
from kalos.domains.factors.tables import ROWS

GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "out_passwords": {"password_hash": "$argon2id$x", "wrong_at": [1], "locked_at": None, "set_at": 1},
    "authenticators": {"sealed_secret": b"s" * 48, "bound_at": 1, "last_step": 0, "until_at": None},
    "recovery_codes": {"code_hash": b"h" * 32},
}


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(db: Database, table: str, member: int, changed: Mapping[str, Any]) -> None:
    row = {"member": member, **GOOD[table], **changed}
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    await db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("out_passwords", {"password_hash": "246810"}),
        ("out_passwords", {"wrong_at": [1] * 101}),
        ("authenticators", {"sealed_secret": b"s" * 20}),
        ("authenticators", {"last_step": -1}),
        ("authenticators", {"until_at": 1}),
        ("authenticators", {"bound_at": None}),
        ("recovery_codes", {"code_hash": b"short"}),
    ],
)
async def test_row_out_of_form_is_refused_by_the_table(
    db: Database, member: MakeMember, table: str, changed: Mapping[str, Any]
) -> None:
    who = (await member()).id
    if table == "recovery_codes":
        await insert(db, "authenticators", who, {})
    with pytest.raises(asyncpg.CheckViolationError):
        await insert(db, table, who, changed)
    await insert(db, table, who, {})


async def test_recovery_codes_are_of_an_authenticator_and_go_with_it(db: Database, member: MakeMember) -> None:
    who = (await member()).id
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await insert(db, "recovery_codes", who, {})
    await insert(db, "authenticators", who, {})
    await insert(db, "recovery_codes", who, {})
    with pytest.raises(asyncpg.UniqueViolationError):
        await insert(db, "recovery_codes", who, {})
    await db.execute("DELETE FROM authenticators WHERE member = $1", who)
    assert await db.value("SELECT count(*) FROM recovery_codes WHERE member = $1", who) == 0


async def test_a_recovery_code_is_never_given_to_another(db: Database) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("UPDATE recovery_codes SET member = member")
