"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import asyncpg
import pytest

from conftest import MakeMember
from kalos.core.database import Database
from kalos.domains.context import Member
from kalos.domains.protection.tables import ROWS

GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "switches": {"name": "games", "country": "VN", "is_on": True, "reason": "r", "ordered_by": "o", "at": 1},
    "number_orders": {"name": "age_min", "country": "VN", "value": 21, "reason": "r", "ordered_by": "o", "at": 1},
    "notices_accepted": {"feature": "games", "version": 1, "lang": "en", "text_hash": b"h" * 32, "at": 1},
    "player_limits": {"kind": "stake", "value": 5, "next_value": 6, "next_from": 2, "changed_at": 1},
    "player_breaks": {"kind": "break", "from_at": 1, "until_at": 2},
    "player_steps": {"step": 1},
}


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(owner: asyncpg.Connection, table: str, member: Member, changed: Mapping[str, Any]) -> None:
    row = {**GOOD[table], **changed}
    if table not in ("switches", "number_orders"):
        row = {"member": member.id, **row}
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    transaction = owner.transaction()
    await transaction.start()
    try:
        await owner.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())
    finally:
        await transaction.rollback()


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("switches", {"name": "No Name"}),
        ("switches", {"country": "vn"}),
        ("switches", {"country": "VNM"}),
        ("switches", {"reason": ""}),
        ("switches", {"reason": "r" * 501}),
        ("switches", {"ordered_by": ""}),
        ("number_orders", {"name": "No Name"}),
        ("number_orders", {"name": "security_hold"}),
        ("number_orders", {"country": "vn"}),
        ("number_orders", {"value": -1}),
        ("number_orders", {"reason": ""}),
        ("number_orders", {"reason": "r" * 501}),
        ("number_orders", {"ordered_by": ""}),
        ("notices_accepted", {"feature": "G"}),
        ("notices_accepted", {"version": 0}),
        ("notices_accepted", {"lang": "xx"}),
        ("notices_accepted", {"text_hash": b"short"}),
        ("player_limits", {"kind": "bets"}),
        ("player_limits", {"value": -1}),
        ("player_limits", {"value": None, "next_value": -1}),
        ("player_limits", {"next_value": 5}),
        ("player_limits", {"next_from": 1}),
        ("player_limits", {"next_from": None}),
        ("player_breaks", {"kind": "holiday"}),
        ("player_breaks", {"until_at": 1}),
        ("player_steps", {"step": 0}),
    ],
)
async def test_a_row_out_of_form_is_refused(
    database_url: str, member: MakeMember, table: str, changed: Mapping[str, Any]
) -> None:
    someone, owner = await member(), await asyncpg.connect(database_url)
    try:
        await insert(owner, table, someone, {})
        with pytest.raises(asyncpg.CheckViolationError):
            await insert(owner, table, someone, changed)
    finally:
        await owner.close()
