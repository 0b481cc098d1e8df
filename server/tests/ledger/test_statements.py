"""Statements: any depth, any span, any kind, and the running balance of every row; balances of the past; sums."""

import itertools
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import asyncpg
import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock, business_day
from kalos.core.database import Database
from kalos.core.pages import PageQuery
from kalos.ledger import purse, statements
from kalos.ledger.postings import Move, Posted
from kalos.ledger.statements import (
    DaySum,
    StatementRow,
    balances,
    balances_before,
    find_last_move,
    page,
    sum_of_day,
    sums_between,
)
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, FEES, crowd, new_owner, posting

DAY_MS: Final = 86_400_000
OFTEN: Final = {"test.often": -3001, "test.often.fee": -3002}


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


async def test_a_list_that_grows_between_pages_shows_each_once_and_leaves_none_out(
    writer: Writer, db: Database, clock: Clock
) -> None:
    account, posted = await history(writer, clock)
    for kind, expected in ((None, [one.id for one in reversed(posted)]), ("test.in", None)):
        before = await walk(db, account, 100, kind=kind)
        found = await page(db, account, PageQuery(4), kind=kind)
        rows = list(found.rows)
        while found.next is not None:
            await writer.post(posting(Move("test.in", CHAIN, account, 1)))
            found = await page(db, account, PageQuery(4, after=found.next), kind=kind)
            rows += found.rows
        assert rows == before
        assert expected in (None, [row.posting for row in rows])


async def test_pages_may_be_counted_instead(writer: Writer, db: Database, clock: Clock) -> None:
    account, _ = await history(writer, clock)
    third = await page(db, account, PageQuery(7, skip=14))
    assert [row.version for row in third.rows] == list(range(16, 9, -1))
    assert (third.total, third.next) == (30, 10)
    last = await page(db, account, PageQuery(7, skip=28))
    assert ([row.version for row in last.rows], last.total, last.next) == ([2, 1], 30, None)
    assert (await page(db, account, PageQuery(7, skip=35))).rows == []


async def test_a_postings_own_move_is_found_among_any_number_of_its_millisecond(
    writer: Writer, db: Database, clock: Clock
) -> None:
    account, before = await history(writer, clock)
    clock.offset_ms += 60_000
    there, back = Move("test.in", CHAIN, account, 7), Move("test.fee", account, FEES, 3)
    elsewhere = await writer.post(posting(Move("test.in", CHAIN, FEES, 1)))
    both = await writer.post(posting(there, back))
    last = await crowd(writer, clock, account, "test.in")
    assert last.at == both.at
    for one, amount, version in ((both, -3, 32), (last, 1, 182), (before[0], 10, 1), (before[-1], -2, 30)):
        found = await find_last_move(db, account, one.id)
        assert found is not None
        assert (found.posting, found.amount, found.version) == (one.id, amount, version)
        assert found.balance == one.balances[account]
    assert await find_last_move(db, account, elsewhere.id) is None
    assert await find_last_move(db, account, before[0].id - 1) is None
    assert await find_last_move(db, purse.available(new_owner(), USDT), both.id) is None


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


@pytest.fixture(scope="module")
async def often(database_url: str) -> None:
    """Two kinds are frequent ones: their moves stand in no index by kind."""
    owner = await asyncpg.connect(database_url)
    for name, number in OFTEN.items():
        await owner.execute("INSERT INTO kinds (id, name) OVERRIDING SYSTEM VALUE VALUES ($1, $2)", number, name)
    await owner.close()


async def mixed(writer: Writer, clock: Clock) -> tuple[int, list[str]]:
    """An account with 90 moves of frequent and rare kinds by turns, each kind in and out. Returns the kinds."""
    account = purse.available(new_owner(), USDT)
    await writer.post(posting(Move("test.in", CHAIN, account, 1_000)))
    kinds = ["test.in"]
    chance = random.Random(11)
    for kind in chance.choices((*OFTEN, "test.rare", "test.fee"), (6, 1, 2, 1), k=89):
        clock.offset_ms += 60_000
        ends = (CHAIN, account) if chance.random() < 0.5 else (account, FEES)
        await writer.post(posting(Move(kind, *ends, 1)))
        kinds.append(kind)
    return account, kinds


def versions(kinds: Sequence[str], *wanted: str) -> list[int]:
    """The versions of these kinds, newest first."""
    return [version for version, kind in reversed(list(enumerate(kinds, 1))) if kind in wanted]


@pytest.mark.usefixtures("often")
async def test_a_frequent_kind_is_found_wherever_it_stands(writer: Writer, db: Database, clock: Clock) -> None:
    account, kinds = await mixed(writer, clock)
    whole = await walk(db, account, 100)
    assert [row.kind for row in reversed(whole)] == kinds
    for kind in set(kinds):
        for size in (1, 7, 100):
            assert await walk(db, account, size, kind=kind) == [row for row in whole if row.kind == kind]
        assert (await page(db, account, PageQuery(1), kind=kind)).total == kinds.count(kind)
    some = await page(db, account, PageQuery(5, skip=5), kind="test.often")
    assert [row.version for row in some.rows] == versions(kinds, "test.often")[5:10]
    start, end = whole[70].at, whole[20].at
    within = await page(db, account, PageQuery(100), kind="test.often", start=start, end=end)
    wanted = [row for row in whole[20:71] if row.kind == "test.often"]
    assert (within.rows, within.total, within.next, within.more) == (wanted, len(wanted), None, False)


@pytest.mark.usefixtures("often")
async def test_an_ending_takes_frequent_and_rare_kinds_together(writer: Writer, db: Database, clock: Clock) -> None:
    account, kinds = await mixed(writer, clock)
    wanted = versions(kinds, "test.often.fee", "test.fee")
    for size in (1, 4, 100):
        assert [row.version for row in await walk(db, account, size, ending=".fee")] == wanted
    found = await page(db, account, PageQuery(1), ending=".fee", kind="test.fee")
    assert (found.total, found.rows[0].version) == (kinds.count("test.fee"), versions(kinds, "test.fee")[0])
    assert (await page(db, account, PageQuery(1), ending=".fee", kind="test.rare")).total == 0


@pytest.mark.usefixtures("often")
async def test_a_page_of_a_frequent_kind_ends_early_and_goes_on(
    writer: Writer, db: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, kinds = await mixed(writer, clock)
    monkeypatch.setattr(statements, "MOST_WALKED", 10)
    every = versions(kinds, "test.often")
    seen = [version for version in every if version > 90 - 10 * statements.MOST_STEPS]
    counted = [await page(db, account, PageQuery(7, skip=skip), kind="test.often") for skip in range(0, 49, 7)]
    assert [row.version for one in counted for row in one.rows] == seen, "pages by number leave none out"
    monkeypatch.setattr(statements, "MOST_STEPS", 1)
    first = await page(db, account, PageQuery(20), kind="test.often")
    last_ten = [version for version in every if version > 80]
    assert [row.version for row in first.rows] == last_ten
    assert (first.total, first.next, first.more) == (len(last_ten), 81, True)
    again = await page(db, account, PageQuery(20, after=61), kind="test.often")
    assert [row.version for row in again.rows] == [version for version in every if 50 < version < 61]
    assert (again.next, again.more) == (51, True)
    for size in (1, 3, 20):
        assert [row.version for row in await walk(db, account, size, kind="test.often")] == versions(
            kinds, "test.often"
        )
    assert len(await walk(db, account, 20, kind="test.rare")) == kinds.count("test.rare")
    monkeypatch.setattr(statements, "MOST_COUNTED", 3)
    assert (await page(db, account, PageQuery(20), kind="test.often")).total == 3


@pytest.mark.usefixtures("often")
async def test_a_page_of_a_frequent_kind_walks_on_until_it_finds_some_and_never_counts_less_than_it_shows(
    writer: Writer, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = purse.available(new_owner(), USDT)
    for kind, moves in (("test.often", 3), ("test.often.fee", 57)):
        for _ in range(moves):
            await writer.post(posting(Move(kind, CHAIN, account, 1)))
    monkeypatch.setattr(statements, "MOST_WALKED", 10)
    monkeypatch.setattr(statements, "MOST_STEPS", 6)
    found = await page(db, account, PageQuery(20), kind="test.often")
    assert ([row.version for row in found.rows], found.total, found.next, found.more) == ([3, 2, 1], 3, None, False)
    found = await page(db, account, PageQuery(2), kind="test.often")
    assert ([row.version for row in found.rows], found.total, found.next, found.more) == ([3, 2], 2, 2, True)
    found = await page(db, account, PageQuery(2, skip=2), kind="test.often")
    assert ([row.version for row in found.rows], found.total, found.next, found.more) == ([1], 3, None, False)
    found = await page(db, account, PageQuery(2, after=2), kind="test.often")
    assert ([row.version for row in found.rows], found.total, found.next, found.more) == ([1], 1, None, True)
    found = await page(db, account, PageQuery(20), kind="test.often", start=0)
    assert (len(found.rows), found.total) == (3, 3)
    monkeypatch.setattr(statements, "MOST_STEPS", 3)
    found = await page(db, account, PageQuery(20), kind="test.often")
    assert (found.rows, found.total, found.next, found.more) == ([], 0, 31, True)
    assert [row.version for row in await walk(db, account, 2, kind="test.often")] == [3, 2, 1]


async def test_past_balances_equal_the_sum_of_all_moves_before(writer: Writer, db: Database, clock: Clock) -> None:
    chance = random.Random(7)
    accounts = [purse.available(new_owner(), USDT) for _ in range(3)]
    edges = [clock.now() - 1]
    for account in accounts:
        await writer.post(posting(Move("test.in", CHAIN, account, 1_000)))
    for _ in range(60):
        clock.offset_ms += chance.choice((0, 1, 1_000, DAY_MS // 3))
        source, target = chance.sample([*accounts, FEES], 2)
        ends = (CHAIN, target) if source == FEES else (source, target)
        posted = await writer.post(posting(Move("test.move", *ends, chance.randrange(1, 9))))
        edges.append(posted.at + chance.choice((0, 1)))
    found = await balances_before(db, accounts, edges)
    for account, edge in itertools.product(accounts, set(edges)):
        summed = await db.value(
            """
            SELECT coalesce(sum(CASE WHEN to_id = $1 THEN amount ELSE -amount END), 0)::bigint
            FROM journal WHERE (from_id = $1 OR to_id = $1) AND at < $2
            """,
            account,
            edge,
        )
        assert found.get((account, edge), 0) == summed, (account, edge)


async def test_sums_of_a_day_are_those_of_its_moves(writer: Writer, db: Database, clock: Clock) -> None:
    account = purse.available(new_owner(), USDT)
    clock.offset_ms += 3 * DAY_MS
    today = business_day(clock.now())
    for _ in range(5):
        await writer.post(posting(Move("test.sum_in", CHAIN, account, 2**61)))
        await writer.post(posting(Move("test.sum_out", account, CHAIN, 2**61)))
    await writer.post(posting(Move("test.sum_in", CHAIN, account, 4), Move("test.sum_in", CHAIN, account, 5)))
    clock.offset_ms += DAY_MS
    await writer.post(posting(Move("test.sum_out", account, CHAIN, 3)))
    assert await sum_of_day(db, today, USDT, ["test.sum_in"]) == 5 * 2**61 + 9
    assert await sum_of_day(db, today, USDT, ["test.sum_in", "test.sum_out", "test.never"]) == 5 * 2**62 + 9
    assert await sum_of_day(db, today, KLS, ["test.sum_in"]) == 0
    tomorrow = today + timedelta(days=1)
    assert await sums_between(db, today, tomorrow, USDT) == [
        DaySum(today, "test.sum_in", 5 * 2**61 + 9, 7),
        DaySum(today, "test.sum_out", 5 * 2**61, 5),
        DaySum(tomorrow, "test.sum_out", 3, 1),
    ]
    assert await sums_between(db, tomorrow + timedelta(days=1), tomorrow + timedelta(days=9), USDT) == []
