"""What a member waits for: open payables first, then what came to be claimed, in one list."""

from typing import Any

import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock, business_day
from kalos.core.database import Database
from kalos.core.pages import Page, PageQuery
from kalos.ledger import purse, statements
from kalos.ledger.payables import Debt, owe
from kalos.ledger.payables_settle import settle
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import StatementRow
from kalos.ledger.waiting import FIRST_OWED, LARGEST_KEY, PLACES, page
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, new_owner, posting

NFT_POOL = purse.house(Purpose.NFT_POOL, USDT)


async def waiting(writer: Writer, clock: Clock) -> tuple[int, list[int]]:
    """A member to whom 5, 6 and 7 are owed and 1 to 4 came. Returns the account and the points in time."""
    owner = new_owner()
    account = purse.account(owner, USDT, Purpose.CLAIMABLE)
    times = []
    for units in range(1, 5):
        clock.offset_ms += 1_000
        times.append((await writer.post(posting(Move("test.prize", CHAIN, account, units)))).at)
    for units in range(5, 8):
        clock.offset_ms += 1_000
        debts = [Debt("test.debt" if units < 7 else "test.other", account, units, units)]
        takes, riders = owe(NFT_POOL, debts, business_day(clock.now()))
        times.append((await writer.post(posting(takes=takes, riders=riders))).at)
    return account, times


async def walk(db: Database, account: int, size: int, **filters: Any) -> list[StatementRow]:
    rows: list[StatementRow] = []
    found = await page(db, account, PageQuery(size), **filters)
    while True:
        rows += found.rows
        if found.next is None:
            return rows
        assert len(found.rows) == size
        found = await page(db, account, PageQuery(size, after=found.next), **filters)


async def test_what_is_owed_stands_before_what_came(writer: Writer, db: Database, clock: Clock) -> None:
    account, times = await waiting(writer, clock)
    for size in (1, 2, 3, 4, 7, 100):
        rows = await walk(db, account, size)
        assert [row.amount for row in rows] == [7, 6, 5, 4, 3, 2, 1]
        assert [row.balance for row in rows] == [18, 11, 5, 10, 6, 3, 1]
        assert [row.at for row in rows] == times[::-1]
    assert [row.kind for row in rows[:3]] == ["test.other", "test.debt", "test.debt"]
    assert [row.id == row.version > FIRST_OWED for row in rows] == [True] * 3 + [False] * 4
    assert {(row.other, row.reference == row.amount) for row in rows[:3]} == {(NFT_POOL, True)}
    counted = [await page(db, account, PageQuery(2, skip=skip)) for skip in (0, 2, 4, 6, 8)]
    assert [[row.amount for row in one.rows] for one in counted] == [[7, 6], [5, 4], [3, 2], [1], []]
    assert {(one.total, one.more) for one in counted} == {(7, False)}


async def test_filters_are_those_of_every_statement(writer: Writer, db: Database, clock: Clock) -> None:
    account, times = await waiting(writer, clock)
    for size in (1, 2, 100):
        assert [row.amount for row in await walk(db, account, size, start=times[2], end=times[5])] == [6, 5, 4, 3]
        assert [row.amount for row in await walk(db, account, size, kind="test.debt")] == [6, 5]
        assert [row.amount for row in await walk(db, account, size, kind="test.prize")] == [4, 3, 2, 1]
    assert (await page(db, account, PageQuery(1), kind="test.never")).total == 0
    assert (await page(db, account, PageQuery(1), end=times[0] - 1)).rows == []


async def test_others_and_other_assets_are_left_out(writer: Writer, db: Database, clock: Clock) -> None:
    account, _ = await waiting(writer, clock)
    owner = purse.owner_of(account)
    for other in (
        purse.account(owner, KLS, Purpose.CLAIMABLE),
        purse.account(new_owner(), USDT, Purpose.CLAIMABLE),
    ):
        found = await page(db, other, PageQuery(10))
        assert (found.rows, found.total, found.next) == ([], 0, None)


@pytest.mark.parametrize("pages", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
async def test_a_list_that_grows_and_settles_between_its_pages_stays_that_of_the_first(
    writer: Writer, db: Database, clock: Clock, size: int, pages: int
) -> None:
    """Whether all that is owed has been shown by then, or some of it, or none."""
    account, _ = await waiting(writer, clock)
    before = await walk(db, account, 100)
    found = await page(db, account, PageQuery(size))
    rows, turn = list(found.rows), 1
    while found.next is not None:
        clock.offset_ms += 1_000
        takes, riders = owe(NFT_POOL, [Debt("test.debt", account, 9, 9)], business_day(clock.now()))
        await writer.post(posting(takes=takes, riders=riders))
        if turn >= pages:
            await writer.post(posting(Move("test.fund", CHAIN, NFT_POOL, 10_000)))
            await settle(db, writer)
            await writer.post(posting(Move("test.prize", CHAIN, account, 11)))
        found = await page(db, account, PageQuery(size, after=found.next))
        rows, turn = [*rows, *found.rows], turn + 1
    assert rows == before
    assert [row.amount for row in rows] == [7, 6, 5, 4, 3, 2, 1]
    now = await walk(db, account, size)
    assert len({row.id for row in now}) == len(now) > 7


async def test_what_is_paid_while_a_page_is_read_shows_once(
    writer: Writer, db: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is owed has been read by then, and the moves haven't."""
    account, _ = await waiting(writer, clock)
    read_moves = statements.page

    async def paying_first(*asked: Any, **filters: Any) -> Page[StatementRow]:
        await writer.post(posting(Move("test.fund", CHAIN, NFT_POOL, 10_000)))
        await settle(db, writer)
        return await read_moves(*asked, **filters)

    monkeypatch.setattr(statements, "page", paying_first)
    assert [row.amount for row in (await page(db, account, PageQuery(100))).rows] == [7, 6, 5, 4, 3, 2, 1]


async def test_what_was_paid_before_the_list_is_a_move_alone(writer: Writer, db: Database, clock: Clock) -> None:
    account, _ = await waiting(writer, clock)
    await writer.post(posting(Move("test.fund", CHAIN, NFT_POOL, 10_000)))
    await settle(db, writer)
    for size in (1, 3, 100):
        rows = await walk(db, account, size)
        assert [row.amount for row in rows] == [7, 6, 5, 4, 3, 2, 1]
        assert {row.id < FIRST_OWED for row in rows} == {True}


async def test_what_is_paid_before_anything_came_shows_once(writer: Writer, db: Database, clock: Clock) -> None:
    account = purse.account(new_owner(), USDT, Purpose.CLAIMABLE)
    takes, riders = owe(
        NFT_POOL, [Debt("test.debt", account, units, units) for units in (5, 6)], business_day(clock.now())
    )
    await writer.post(posting(takes=takes, riders=riders))
    first = await page(db, account, PageQuery(1))
    await writer.post(posting(Move("test.fund", CHAIN, NFT_POOL, 10_000)))
    await settle(db, writer)
    second = await page(db, account, PageQuery(1, after=first.next))
    assert [row.amount for row in (*first.rows, *second.rows)] == [6, 5]
    assert second.next is None


@pytest.mark.parametrize("after", [0, 1, FIRST_OWED, 2**63, PLACES - 1, PLACES, 5 * PLACES - 1, LARGEST_KEY - 1])
async def test_a_key_that_was_never_given_shows_nothing_twice(
    writer: Writer, db: Database, clock: Clock, after: int
) -> None:
    account, _ = await waiting(writer, clock)
    amounts = [row.amount for row in (await page(db, account, PageQuery(100, after=after))).rows]
    expected = {0: [], 1: [], PLACES: [], 5 * PLACES - 1: [7, 6, 5, 3, 2, 1], LARGEST_KEY - 1: [7, 6, 5, 4, 3, 2, 1]}
    assert amounts == expected.get(after, [4, 3, 2, 1])
