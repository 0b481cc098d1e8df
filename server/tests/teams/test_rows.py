"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.domains.teams.tables import ROWS
from support.members import make_member


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    query = "SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position"
    assert [row["column_name"] for row in await db.rows(query, table)] == [field.name for field in fields(ROWS[table])]


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ({"own_units": -1}, "teams_own_units_check"),
        ({"team_units": -1, "large_units": -1}, "teams_"),
        ({"large_units": -1}, "teams_large_units_check"),
        ({"large_units": 1}, "teams_line"),
        ({"month": -1}, "teams_month_check"),
        ({"own_month_units": -1}, "teams_own_month_units_check"),
        ({"team_month_units": -1}, "teams_team_month_units_check"),
        ({"direct_users": -1}, "teams_direct_users_check"),
        ({"direct_users": 1}, "teams_users"),
    ],
)
async def test_a_row_out_of_form_is_refused(
    database_url: str, db: Database, change: Mapping[str, int], constraint: str
) -> None:
    member = await make_member(database_url)
    columns = ", ".join(f"{name} = {value}" for name, value in change.items())
    with pytest.raises(asyncpg.CheckViolationError) as refused:
        await db.execute(f"UPDATE teams SET {columns} WHERE member = $1", member.id)
    assert str(refused.value.constraint_name).startswith(constraint)


async def test_a_day_without_turnover_is_no_row(database_url: str, db: Database) -> None:
    member = await make_member(database_url)
    with pytest.raises(asyncpg.CheckViolationError):
        await db.execute("INSERT INTO turnover_days VALUES ($1, $2, 0)", date(2026, 1, 1), member.id)


@pytest.mark.parametrize(
    "change",
    [
        {"first_move": 0, "last_move": 0},
        {"last_move": 6},
        {"numerator": 0},
        {"denominator": 0},
        {"source": ""},
    ],
)
async def test_a_price_out_of_form_is_refused(db: Database, change: Mapping[str, object]) -> None:
    row = {"first_move": 7, "last_move": 7, "asset": "KLS", "numerator": 1, "denominator": 2, "at": 1, "source": "x"}
    values = (row | dict(change)).values()
    with pytest.raises(asyncpg.CheckViolationError):
        await db.execute("INSERT INTO turnover_prices VALUES ($1, $2, $3, $4, $5, $6, $7)", *values)


async def test_a_member_comes_with_a_row_that_waits_to_be_counted(database_url: str, db: Database) -> None:
    top = await make_member(database_url)
    member = await make_member(database_url, inviter=top.id)
    row = await db.row("SELECT inviter, is_counted FROM teams WHERE member = $1", member.id)
    assert tuple(row or ()) == (top.id, False)


async def test_an_inviter_never_changes(database_url: str, db: Database) -> None:
    top, other = await make_member(database_url), await make_member(database_url)
    member = await make_member(database_url, inviter=top.id)
    for inviter in (other.id, None):
        with pytest.raises(asyncpg.RaiseError, match="an inviter never changes"):
            await db.execute("UPDATE members SET inviter = $2 WHERE id = $1", member.id, inviter)
    assert await db.value("SELECT inviter FROM members WHERE id = $1", member.id) == top.id


async def test_a_cycle_cannot_be_made(database_url: str) -> None:
    """An inviter is older than the invited, so a line never comes back to where it began."""
    younger = await make_member(database_url)
    for inviter in (younger.id + 1, younger.id + 2):  # himself, and one who isn't there yet
        with pytest.raises((asyncpg.CheckViolationError, asyncpg.ForeignKeyViolationError)):
            await make_member(database_url, inviter=inviter)


async def test_the_cursor_never_goes_back(db: Database) -> None:
    await db.execute("UPDATE teams_cursor SET last_move = 5")
    with pytest.raises(asyncpg.RaiseError, match="never goes back"):
        await db.execute("UPDATE teams_cursor SET last_move = 4")
    assert await db.value("SELECT last_move FROM teams_cursor") == 5
