"""Rows of accounts and quotas are padded until their first change: pages then have room and are seldom pruned."""

import itertools
from typing import Final

import asyncpg
import pytest

from kalos.ledger.postings import Move, Take
from kalos.ledger.writer import Writer
from support.ledger import BANKROLL, funded, new_owner, posting

ROWS: Final = 60
"""About a page of accounts, and some of quotas."""
CHANGES: Final = 20


@pytest.mark.parametrize("table", ["accounts", "quotas"])
async def test_a_row_is_padded_until_its_first_change(table: str, writer: Writer, owner: asyncpg.Connection) -> None:
    row = await _made(writer)
    assert await _width(owner, table, row) >= 16
    before = await owner.fetchval(f"SELECT pg_column_size(t) FROM {table} t WHERE id = $1", row[table])
    await _change(writer, row)
    after = await owner.fetchval(f"SELECT pg_column_size(t) FROM {table} t WHERE id = $1", row[table])
    assert await _width(owner, table, row) == 0
    assert before >= 1.2 * after, "the page gains too little room"


@pytest.mark.parametrize("table", ["accounts", "quotas"])
async def test_a_row_changes_in_its_page_which_is_seldom_pruned(
    table: str, writer: Writer, owner: asyncpg.Connection
) -> None:
    rows = [await _made(writer) for _ in range(ROWS)]
    for row in rows:
        await _change(writer, row)
    pruned = []
    for row in rows[ROWS // 6 :: ROWS // 3]:
        places = [await _place(owner, table, row)]
        for _ in range(CHANGES):
            await _change(writer, row)
            places.append(await _place(owner, table, row))
        assert len({page for page, _ in places}) == 1, "a change left its page"
        pruned.append(sum(after <= before for before, after in itertools.pairwise(places)))
    # Of three: one may stand in a page of other tests' rows, that vacuum has made room in.
    assert min(pruned) <= CHANGES // 4, f"of {CHANGES} changes so many found their page pruned: {pruned}"


Row = dict[str, int | str]


async def _made(writer: Writer) -> Row:
    """A member's account and a quota, with one move and one take each."""
    account = await funded(writer, 1_000_000)
    quota = f"padding {new_owner()}"
    await writer.post(posting(takes=[Take(quota, (1,) * 10, first=(10**9,) * 10)]))
    return {"accounts": account, "quotas": quota}


async def _change(writer: Writer, row: Row) -> None:
    move = Move("test.pay", int(row["accounts"]), BANKROLL, 1)
    await writer.post(posting(move, takes=[Take(str(row["quotas"]), (1,) * 10)]))


async def _width(owner: asyncpg.Connection, table: str, row: Row) -> int:
    padding: str | None = await owner.fetchval(f"SELECT padding FROM {table} WHERE id = $1", row[table])
    return len(padding or "")


async def _place(owner: asyncpg.Connection, table: str, row: Row) -> tuple[int, int]:
    """Its page, and its number there."""
    page, number = await owner.fetchval(f"SELECT ctid FROM {table} WHERE id = $1", row[table])
    return page, number
