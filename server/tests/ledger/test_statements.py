"""Statements: any depth, any span, any kind, and the running balance of every row."""

import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.pages import PageQuery
from kalos.ledger import purse, statements
from kalos.ledger.postings import Move, Posted
from kalos.ledger.statements import StatementRow, balances, page
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, FEES, new_owner, posting


async def history(writer: Writer, clock: Clock) -> tuple[int, list[Posted]]:
    """An account with 30 moves, a minute of business time apart: in 10, out 3, out 2, again and again."""
    account = purse.available(new_owner(), USDT)
    posted = []
    for _ in range(10):
        for move in (
            Move("test.in", CHAIN, account, 10),
            Move("test.stake", account, FEES, 3),
            Move("test.fee", account, FEES, 2),
        ):
            clock.offset_ms += 60_000
            posted.append(await writer.post(posting(move)))
    return account, posted


async def walk(db: Database, account: int, size: int, **filters: object) -> list[StatementRow]:
    rows: list[StatementRow] = []
    query = PageQuery(size)
    while True:
        found = await page(db, account, query, **filters)  # type: ignore[arg-type]
        rows += found.rows
        if found.next is None:
            return rows
        query = PageQuery(size, after=found.next)


async def test_pages_tell_the_whole_history_once(writer: Writer, db: Database, clock: Clock) -> None:
    account, posted = await history(writer, clock)
    for size in (1, 7, 10, 30, 100):
        rows = await walk(db, account, size)
        assert [row.posting for row in rows] == [one.id for one in reversed(posted)]
        assert [row.balance for row in rows] == [one.balances[account] for one in reversed(posted)]
        assert [row.amount for row in rows] == [-2, -3, 10] * 10
        assert [row.version for row in rows] == list(range(30, 0, -1))
    assert {row.kind for row in rows} == {"test.in", "test.stake", "test.fee"}
    assert {row.other for row in rows} == {CHAIN, FEES}
    assert all(row.reference == row.posting for row in rows)


async def test_pages_may_be_counted_instead(writer: Writer, db: Database, clock: Clock) -> None:
    account, _ = await history(writer, clock)
    third = await page(db, account, PageQuery(7, skip=14))
    assert [row.version for row in third.rows] == list(range(16, 9, -1))
    assert (third.total, third.next) == (30, 10)
    last = await page(db, account, PageQuery(7, skip=28))
    assert ([row.version for row in last.rows], last.total, last.next) == ([2, 1], 30, None)
    assert (await page(db, account, PageQuery(7, skip=35))).rows == []


@pytest.mark.parametrize(("first", "last"), [(0, 29), (5, 9), (7, 7), (29, 29), (0, 0)])
async def test_a_span_of_time_has_both_its_ends(
    writer: Writer, db: Database, clock: Clock, first: int, last: int
) -> None:
    account, posted = await history(writer, clock)
    start, end = posted[first].at, posted[last].at
    found = await page(db, account, PageQuery(100), start=start, end=end)
    assert [row.posting for row in found.rows] == [one.id for one in reversed(posted[first : last + 1])]
    assert found.total == last - first + 1
    assert (await walk(db, account, 2, start=start, end=end)) == found.rows
    outside = await page(db, account, PageQuery(100), start=posted[-1].at + 1)
    assert (outside.rows, outside.total, outside.next) == ([], 0, None)


async def test_a_kind_is_found_wherever_it_stands(writer: Writer, db: Database, clock: Clock) -> None:
    account, posted = await history(writer, clock)
    fees = await walk(db, account, 3, kind="test.fee")
    assert [row.posting for row in fees] == [one.id for one in reversed(posted[2::3])]
    assert (await page(db, account, PageQuery(3), kind="test.fee")).total == 10
    some = await page(db, account, PageQuery(3, skip=3), kind="test.in", end=posted[-4].at)
    assert [row.posting for row in some.rows] == [one.id for one in reversed(posted[9:18:3])]
    assert some.total == 9
    assert (await page(db, account, PageQuery(3), kind="test.never")).total == 0


async def test_a_dear_count_stops_at_its_bound(
    writer: Writer, db: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, _ = await history(writer, clock)
    monkeypatch.setattr(statements, "MOST_COUNTED", 9)
    found = await page(db, account, PageQuery(3), kind="test.fee")
    assert (found.total, found.more) == (9, True)


async def test_an_account_never_touched_has_an_empty_statement(db: Database, writer: Writer) -> None:
    account = purse.available(new_owner(), KLS)
    for filters in ({}, {"start": 5}, {"end": 5}, {"kind": "test.in"}):
        found = await page(db, account, PageQuery(10), **filters)
        assert (found.rows, found.total, found.next) == ([], 0, None)
    assert await balances(db, [purse.owner_of(account)]) == {}


async def test_balances_are_of_all_accounts_of_the_owners(writer: Writer, db: Database, clock: Clock) -> None:
    (one, _), (other, _) = await history(writer, clock), await history(writer, clock)
    found = await balances(db, [purse.owner_of(one), purse.owner_of(other)])
    assert found == {one: 50, other: 50}
