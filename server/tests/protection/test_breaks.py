"""Breaks and exclusions: however often they are asked for, a member has one row of each kind, and its end moves on."""

import asyncio
import runpy
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from conftest import MakeContext, MakeMember
from kalos.core.database import Database
from kalos.domains.protection import service
from kalos.domains.protection.queries import put_break
from kalos.domains.protection.tables import BreakRow

# With the row's version: also what is written as it was is seen.
_ROWS: Final = (
    "SELECT kind, from_at, until_at, xmin::text AS version FROM player_breaks WHERE member = $1 ORDER BY kind"
)
_MIGRATION: Final = Path(__file__).parents[2] / "migrations/versions/0066_one_break.py"


async def test_breaks_at_once_and_one_by_one_leave_the_longest_of_each_kind(
    member: MakeMember, ctx: MakeContext, db: Database
) -> None:
    someone = await member()
    here = ctx(someone)
    ends = await asyncio.gather(*(service.take_break(here, days=days) for days in (1, 9, 3, 9, 2, 5)))
    until = await service.take_break(here, days=9)
    excluded = await service.exclude(here, months=6)
    assert max(ends) <= until < excluded
    rows = await db.rows(_ROWS, someone.id)
    assert [(row["kind"], row["until_at"]) for row in rows] == [("break", until), ("exclusion", excluded)]


async def test_a_break_that_ends_no_later_is_answered_and_writes_nothing(
    member: MakeMember, ctx: MakeContext, db: Database
) -> None:
    someone = await member()
    until = await service.take_break(ctx(someone), days=9)
    before = await db.rows(_ROWS, someone.id)
    assert await service.take_break(ctx(someone), days=8) == until
    async with db.transaction() as step:
        await put_break(step, BreakRow(someone.id, "break", 1, until))
    assert await db.rows(_ROWS, someone.id) == before


async def test_whose_account_is_closed_takes_no_break(member: MakeMember, db: Database, database_url: str) -> None:
    someone = await member()
    await by_owner(database_url, "UPDATE members SET closed_at = 1 WHERE id = $1", someone.id)
    async with db.transaction() as step:
        await put_break(step, BreakRow(someone.id, "break", 1, 2))
    assert await db.rows(_ROWS, someone.id) == []


async def test_nobody_shortens_a_break(member: MakeMember, ctx: MakeContext, db: Database, database_url: str) -> None:
    someone = await member()
    await service.take_break(ctx(someone), days=1)
    before = await db.rows(_ROWS, someone.id)
    with pytest.raises(asyncpg.RaiseError, match="nothing shortens a break"):
        await by_owner(database_url, "UPDATE player_breaks SET until_at = until_at - 1 WHERE member = $1", someone.id)
    assert await db.rows(_ROWS, someone.id) == before


async def test_of_earlier_rows_the_latest_end_of_each_kind_stays(database_url: str) -> None:
    """What the migration does once, to a table of this connection alone, which stands before the real one."""
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute(
            """
            CREATE TEMPORARY TABLE player_breaks (id bigint, member bigint, kind text, from_at bigint, until_at bigint);
            CREATE INDEX player_breaks_member ON player_breaks (member, until_at);
            INSERT INTO player_breaks VALUES (1, 7, 'break', 1, 5), (2, 7, 'break', 2, 9), (3, 7, 'break', 3, 9),
                (4, 7, 'break', 4, 8), (5, 7, 'exclusion', 1, 3), (6, 8, 'break', 1, 2);
            """
        )
        for statement in runpy.run_path(str(_MIGRATION))["STATEMENTS"][:5]:
            await owner.execute(statement)
        rows = await owner.fetch("SELECT * FROM player_breaks ORDER BY member, kind")
        assert [tuple(row) for row in rows] == [(7, "break", 2, 9), (7, "exclusion", 1, 3), (8, "break", 1, 2)]
    finally:
        await owner.close()


async def by_owner(url: str, statement: str, *values: Any) -> None:
    owner = await asyncpg.connect(url)
    try:
        await owner.execute(statement, *values)
    finally:
        await owner.close()
