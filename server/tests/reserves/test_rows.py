"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.domains.reserves.tables import ROWS

GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "reserves": {"asset": "USDT", "place": "hot", "units": 0, "block": 0, "at": 0},
    "reserve_checks": {
        "asset": "USDT", "owed": 0, "expected": 0, "missing": 0, "hot_mark": None, "block": 0, "at": 0
    },
    "reserve_addresses": {"address": "0x52908400098527886E0F7030069857D2E4169EE7", "asset": "USDT", "units": 1},
    "reserve_state": {
        "one": True, "begun_at": 0, "at": None, "block": -1, "deposit": 0, "gas_gwei": None, "is_gas_low": False
    },
}  # fmt: skip


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(owner: asyncpg.Connection, table: str, **changed: object) -> None:
    """One row in a transaction that leaves nothing."""
    transaction = owner.transaction()
    await transaction.start()
    try:
        await owner.execute(f"DELETE FROM {table}")
        row = {**GOOD[table], **changed}
        places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
        await owner.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())
    finally:
        await transaction.rollback()


@pytest.mark.parametrize("table", ROWS)
async def test_a_good_row_is_taken(owner: asyncpg.Connection, table: str) -> None:
    await insert(owner, table)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("reserves", "place", "pocket"),
        ("reserves", "units", -1),
        ("reserve_checks", "missing", -1),
        ("reserve_checks", "hot_mark", "warm"),
        ("reserve_addresses", "address", "0x1"),
        ("reserve_addresses", "units", 0),
        ("reserve_state", "one", False),
        ("reserve_state", "block", -2),
        ("reserve_state", "gas_gwei", -1),
    ],
)
async def test_a_row_that_can_not_be_is_refused(
    owner: asyncpg.Connection, table: str, column: str, value: object
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        await insert(owner, table, **{column: value})
