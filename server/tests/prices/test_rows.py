"""The row type and the table agree; what the table itself refuses."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.domains.prices.tables import ROWS

GOOD: Final[Mapping[str, Any]] = {
    "asset": "KLS",
    "numerator": 1,
    "denominator": 2,
    "at": 1,
    "staff": 1,
    "command": 1,
    "ordered_by": "o",
    "reason": "r",
}


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(owner: asyncpg.Connection, changed: Mapping[str, Any]) -> None:
    row = {**GOOD, **changed}
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    transaction = owner.transaction()
    await transaction.start()
    try:
        await owner.execute(f"INSERT INTO price_orders ({', '.join(row)}) VALUES ({places})", *row.values())
    finally:
        await transaction.rollback()


@pytest.mark.parametrize(
    "changed",
    [
        {"asset": "USDT"},
        {"numerator": 0},
        {"numerator": -1},
        {"denominator": 0},
        {"at": 0},
        {"staff": None},
        {"command": None},
        {"staff": None, "command": None},
        {"ordered_by": ""},
        {"ordered_by": "o" * 101},
        {"reason": ""},
        {"reason": "r" * 501},
    ],
)
async def test_a_row_out_of_form_is_refused(database_url: str, changed: Mapping[str, Any]) -> None:
    owner = await asyncpg.connect(database_url)
    try:
        await insert(owner, {})
        with pytest.raises(asyncpg.CheckViolationError):
            await insert(owner, changed)
    finally:
        await owner.close()


@pytest.mark.parametrize("statement", ["UPDATE price_orders SET numerator = 1", "DELETE FROM price_orders"])
async def test_no_role_of_ours_changes_what_was_ordered(db: Database, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute(statement)
