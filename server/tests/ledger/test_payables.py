"""What the house owes because an account ran dry: paid oldest first, never twice, and nobody passes the line."""

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.app import midnight
from kalos.core.assets import USDT
from kalos.core.clock import business_day
from kalos.core.database import Database
from kalos.core.errors import Outage, StateChanged
from kalos.core.pages import PageQuery
from kalos.domains.context import House
from kalos.ledger import days, grants_release, payables, payables_settle, purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.grants import Plan
from kalos.ledger.payables import MOST, Debt, OlderPayables, Payable, in_turn, owe, quota_of
from kalos.ledger.payables_settle import NotSettled, settle, shares
from kalos.ledger.postings import Ledger, Move
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import quotas_left
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, close, new_owner, posting, refusing
from support.nights import DAY, opened_many, pass_days, received

OWED = "test.owed"
ENDED = date(2026, 1, 1)
"""A day long ago, of which each test's account may pay a part."""

# Each test has a house account of its own, so that nobody else's line is before its own.
_PURPOSES = iter(
    [Purpose.MARKETING, Purpose.PRIZE_POOL, Purpose.JACKPOT, Purpose.QUIZ_POOL, Purpose.RACER_POOL, Purpose.REVENUE,
     Purpose.CONSUMER_POOL, Purpose.DIVIDEND_POOL, Purpose.LENDING_POOL, Purpose.INSURANCE_POOL, Purpose.TICKET_TRUST,
     Purpose.SHOP_ESCROW, Purpose.DIVVY_PENDING, Purpose.BANKROLL, Purpose.KLS_STOCK, Purpose.INSURANCE_RESERVED,
     Purpose.BANKROLL_RESERVED]
)  # fmt: skip


@pytest.fixture
def account() -> int:
    return purse.house(next(_PURPOSES), USDT)


async def fund(ledger: Ledger, account: int, units: int) -> None:
    await ledger.post(posting(Move("test.fund", CHAIN, account, units)))


async def owing(house: House, account: int, *units: int, **fields: Any) -> list[int]:
    """Owe members so much, in this order. Returns their accounts."""
    targets = [purse.available(new_owner(), USDT) for _ in units]
    debts = [Debt(OWED, target, amount, 7) for target, amount in zip(targets, units, strict=True)]
    takes, riders = owe(account, debts, business_day(house.clock.now()), **fields)
    await house.ledger.post(posting(takes=takes, riders=riders))
    return targets


async def amounts(db: Database, targets: Sequence[int]) -> list[int]:
    have = await received(db, targets)
    return [have[target] for target in targets]


async def left(db: Database, account: int) -> list[int]:
    return [one.left_units for one in (await payables.list_of_account(db, account, PageQuery(100))).rows]


@given(units=st.lists(st.integers(1, 10**12), max_size=20), funds=st.integers(0, 10**13), in_part=st.booleans())
def test_shares_go_to_the_oldest_and_never_pass_the_funds(units: list[int], funds: int, in_part: bool) -> None:
    paid = list(shares(units, funds, in_part=in_part))
    whole = [index for index, amount in enumerate(paid) if amount == units[index]]
    assert whole == list(range(len(whole)))
    assert len(paid) - len(whole) in ((0, 1) if in_part else (0,))
    assert all(0 < amount <= units[index] for index, amount in enumerate(paid))
    if in_part:
        assert sum(paid) == min(funds, sum(units))
    else:
        assert sum(paid) <= funds
        assert len(paid) == len(units) or sum(units[: len(paid) + 1]) > funds


async def test_a_source_that_runs_dry_owes_and_pays_the_oldest_first_when_it_is_funded(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    today = pass_days(house.clock)
    await fund(writer, account, 25)
    plans = await opened_many(writer, [Plan.by_amount(30, 10, today) for _ in range(4)], source=account)
    pass_days(house.clock)
    await midnight.turn(house)
    assert await amounts(db, list(plans)) == [0, 0, 0, 0]
    assert await left(db, account) == [10] * 4
    assert await db.value("SELECT sum(released) FROM grants WHERE source = $1", account) == 40
    await midnight.turn(house)
    assert sorted(await amounts(db, list(plans))) == [0, 0, 10, 10]
    line = (await payables.list_of_account(db, account, PageQuery(100))).rows
    assert [one.left_units for one in line] == [10, 10]
    pass_days(house.clock)
    await midnight.turn(house)  # 5 are left: the oldest gets them before the new day's four stand in line
    assert await left(db, account) == [5, 10, 10, 10, 10, 10]
    assert (await received(db, list(plans)))[line[0].target] == 5
    await fund(writer, account, 14)
    await midnight.turn(house)
    assert await left(db, account) == [10] * 5
    await fund(writer, account, 41)
    pass_days(house.clock)
    await midnight.turn(house)
    assert await left(db, account) == [10] * 4
    await fund(writer, account, 40)
    await midnight.turn(house)
    assert await amounts(db, list(plans)) == [30] * 4
    assert await left(db, account) == []
    assert await quotas_left(db, [quota_of(account)]) == {quota_of(account): (MOST,)}


async def test_nobody_is_paid_directly_while_older_ones_wait(house: House, writer: Writer, account: int) -> None:
    direct = posting(Move("test.pay", account, purse.available(new_owner(), USDT), 1), takes=in_turn(account))
    await fund(writer, account, 5)
    assert (await writer.post(direct)).balances[account] == 4
    await owing(house, account, 10)
    refused = posting(Move("test.pay", account, purse.available(new_owner(), USDT), 1), takes=in_turn(account))
    with pytest.raises(OlderPayables):
        await writer.post(refused)
    await fund(writer, account, 6)
    await settle(house.db, writer)
    with pytest.raises(Exception, match="insufficient_balance"):
        await writer.post(refused)
    await fund(writer, account, 1)
    assert (await writer.post(refused)).balances[account] == 0


async def test_a_new_release_stands_in_line_behind_older_payables_whatever_the_account_has(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    today = pass_days(house.clock)
    (older,) = await owing(house, account, 50)
    (target,) = await opened_many(writer, [Plan.by_amount(10, 10, today)], source=account)
    pass_days(house.clock)
    await fund(writer, account, 20)
    await grants_release.release(db, writer, today)
    assert await amounts(db, [older, target]) == [0, 0]
    assert await left(db, account) == [50, 10]
    await fund(writer, account, 35)
    await settle(db, writer, part_of=ENDED)
    assert await amounts(db, [older, target]) == [50, 5]


async def test_between_midnights_only_whole_ones_are_paid(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    targets = await owing(house, account, 10, 3, 2)
    await fund(writer, account, 9)
    await settle(db, writer)
    assert await amounts(db, targets) == [0, 0, 0]
    await fund(writer, account, 4)
    await settle(db, writer)
    assert await amounts(db, targets) == [10, 3, 0]
    await fund(writer, account, 1)
    await settle(db, writer, part_of=ENDED)
    assert await amounts(db, targets) == [10, 3, 1]
    # Of the move that paid them: a list of what is owed and what was paid goes on by both.
    rows = await db.rows("SELECT settled_at FROM payables WHERE account = $1 ORDER BY id", account)
    paid_at = await db.value("SELECT at FROM journal WHERE to_id = $1", targets[0])
    assert [row["settled_at"] for row in rows] == [paid_at, paid_at, None]
    await fund(writer, account, 1)
    await settle(db, writer)
    assert await amounts(db, targets) == [10, 3, 2]


async def test_more_than_a_slice_is_settled_in_one_turn(
    db: Database, house: House, writer: Writer, account: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payables_settle, "SLICE", 3)
    targets = await owing(house, account, *range(1, 11))
    await fund(writer, account, 50)
    await settle(db, writer, part_of=ENDED)
    assert await amounts(db, targets) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 5]


async def test_many_workers_settle_each_once(db: Database, house: House, writer: Writer, account: int) -> None:
    targets = await owing(house, account, *[10] * 60)
    for number in range(6):
        await fund(writer, account, 105)
        parts = [None, ENDED + number * DAY] * 2
        await asyncio.gather(*(settle(db, writer, part_of=part_of) for part_of in parts))
        paid = await amounts(db, targets)
        assert paid == sorted(paid, reverse=True), "a younger one was paid before an older one"
    await settle(db, writer)
    assert await amounts(db, targets) == [10] * 60
    assert (await db.value("SELECT balance FROM accounts WHERE id = $1", account)) == 630 - 600
    moved = await db.value("SELECT sum(amount) FROM journal WHERE to_id = ANY($1::bigint[])", targets)
    assert moved == 600


async def test_a_payment_that_was_read_before_another_was_made_moves_nothing(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    targets = await owing(house, account, 10, 5)
    await fund(writer, account, 30)
    oldest = (await payables.list_of_account(db, account, PageQuery(1))).rows
    stale = payables_settle._payment(account, oldest, [10], None)
    await settle(db, writer)
    with pytest.raises(StateChanged):
        await writer.post(stale)
    assert await amounts(db, targets) == [10, 5]
    assert (await db.value("SELECT balance FROM accounts WHERE id = $1", account)) == 15


async def test_a_payable_that_cannot_be_posted_keeps_those_behind_it_waiting_and_no_other_line(
    db: Database, house: House, writer: Writer, owner: asyncpg.Connection, account: int
) -> None:
    account, other = sorted([account, purse.house(next(_PURPOSES), USDT)])
    line, beside = await owing(house, account, *[10] * 12), await owing(house, other, 10, 10)
    bad = (await payables.list_of_account(db, account, PageQuery(100))).rows[8].id
    await fund(writer, account, 200)
    await fund(writer, other, 30)
    async with refusing(owner, "payables", f"id <> {bad} OR left_units = units"):
        for part_of in (None, ENDED):
            with pytest.raises(NotSettled, match=rf"^1 accounts wait: account {account} for payable {bad}: BadPosting"):
                await settle(db, writer, part_of=part_of)
            assert await amounts(db, line) == [10] * 8 + [0] * 4
            assert await amounts(db, beside) == [10, 10]
    await settle(db, writer)
    assert await amounts(db, line) == [10] * 12
    assert await received(db, [account, other]) == {account: 80, other: 10}


@pytest.mark.parametrize("funds", [30, 5])
async def test_a_line_that_waits_for_somebody_to_look_keeps_no_grant_waiting(
    db: Database, house: House, writer: Writer, account: int, funds: int
) -> None:
    today = pass_days(house.clock)
    await midnight.turn(house)
    bad, behind = await owing(house, account, 10, 10)
    await close(writer, bad)
    await fund(writer, account, funds)
    plans = await opened_many(writer, [Plan.by_amount(10, 10, today) for _ in range(3)])
    pass_days(house.clock)
    for _ in range(2):
        with pytest.raises(NotSettled, match=rf"account {account} for payable \d+: WrongState"):
            await midnight.turn(house)
    assert await amounts(db, [*plans, bad, behind]) == [10, 10, 10, 0, 0]
    assert "" in await days.done(db, grants_release.JOB, today)
    assert "" not in await days.done(db, days.MIDNIGHT, today)
    await writer.post(posting(Move("test.fund", account, CHAIN, funds)))  # nothing is to be paid now
    await midnight.turn(house)
    assert "" in await days.done(db, days.MIDNIGHT, today)
    assert await amounts(db, [*plans, bad, behind]) == [10, 10, 10, 0, 0]


async def test_a_day_that_stays_open_pays_one_part_and_no_more(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    other = purse.house(next(_PURPOSES), USDT)
    pass_days(house.clock)
    await midnight.turn(house)
    (bad,), (paid,) = await owing(house, account, 10), await owing(house, other, 100)
    await close(writer, bad)
    await fund(writer, account, 30)
    pass_days(house.clock)
    for _ in range(3):
        await fund(writer, other, 10)
        with pytest.raises(NotSettled):
            await midnight.turn(house)
    assert await amounts(db, [paid]) == [10]
    pass_days(house.clock)
    await writer.post(posting(Move("test.fund", account, CHAIN, 30)))  # nothing is to be paid of the line that waits
    await midnight.turn(house)
    assert await amounts(db, [paid]) == [30]


async def test_behind_a_part_of_its_day_an_account_pays_whole_ones_alone(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    targets = await owing(house, account, 10, 10, 10)
    for funds, day, paid in [(4, ENDED, [4, 0, 0]), (19, ENDED, [10, 10, 0]), (0, ENDED + DAY, [10, 10, 3])]:
        if funds:
            await fund(writer, account, funds)
        await settle(db, writer, part_of=day)
        assert await amounts(db, targets) == paid


async def test_a_writer_that_is_away_ends_the_settling(
    db: Database, house: House, writer: Writer, account: int, tmp_path: Path
) -> None:
    targets = await owing(house, account, 10, 10)
    await fund(writer, account, 20)
    with pytest.raises(Outage):
        await settle(db, LedgerClient(tmp_path / "nobody.sock"))
    assert await amounts(db, targets) == [0, 0]
    await settle(db, writer)
    assert await amounts(db, targets) == [10, 10]


async def test_the_distribution_alone_pays_what_is_owed_from_it(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    pot = purse.house(Purpose.NFT_POOL, USDT)
    today = business_day(house.clock.now())
    takes, riders = owe(account, [Debt("test.pot", pot, 50, 1)], today, "distribution")
    await writer.post(posting(takes=takes, riders=riders))
    (target,) = await owing(house, account, 10)
    await fund(writer, account, 100)
    await settle(db, writer, part_of=ENDED)
    assert await amounts(db, [target]) == [10]
    (waiting,) = (await payables.list_of_account(db, account, PageQuery(5))).rows
    assert (waiting.target, waiting.left_units, waiting.day) == (pot, 50, today)
    assert (await writer.post(posting(Move("test.pay", account, target, 1), takes=in_turn(account)))).id


async def test_member_and_operator_see_what_is_owed_and_how_old_it_is(
    db: Database, house: House, writer: Writer, account: int
) -> None:
    first, second = await owing(house, account, 10, 20)
    line = await payables.list_of_account(db, account, PageQuery(1))
    assert ([one.target for one in line.rows], line.total) == ([first], 2)
    rest = await payables.list_of_account(db, account, PageQuery(1, after=line.next))
    assert ([one.target for one in rest.rows], rest.next) == ([second], None)
    house.clock.offset_ms += 3_600_000
    (mine,) = (await payables.list_of_member(db, purse.owner_of(second), PageQuery(5))).rows
    assert isinstance(mine, Payable)
    assert (mine.units, mine.left_units, mine.kind, mine.reference, mine.settled_at) == (20, 20, OWED, 7, None)
    assert 3_600_000 <= mine.age_ms(house.clock.now()) < 3_660_000
    await fund(writer, account, 30)
    await settle(db, writer)
    (mine,) = (await payables.list_of_member(db, purse.owner_of(second), PageQuery(5))).rows
    assert (mine.left_units, mine.settled_at is not None) == (0, True)
    assert mine.age_ms(house.clock.now() + 10**9) < 3_660_000
    assert (await payables.list_of_account(db, account, PageQuery(5))).rows == []
