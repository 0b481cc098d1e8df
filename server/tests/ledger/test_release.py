"""Grants: what a plan releases, and that the database holds each day to it."""

import asyncio
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random

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
from kalos.ledger import days, grants, grants_release, payables, purse
from kalos.ledger.checks import BadPosting
from kalos.ledger.client import LedgerClient
from kalos.ledger.days import MIDNIGHT, mark
from kalos.ledger.grants import Plan, open_grant, stop_grant
from kalos.ledger.grants_release import NotReleased
from kalos.ledger.postings import Move, Take
from kalos.ledger.purse import Purpose
from kalos.ledger.verdicts import Element
from kalos.ledger.writer import Writer
from support.budget import seed
from support.ledger import CHAIN, close, new_owner, posting, refusing
from support.nights import DAY, ISSUANCE, KIND, opened, opened_many, pass_days, received

FIRST = date(2026, 1, 1)
totals = st.integers(1, 10**18)
rates = st.fractions(Fraction(1, 400), 1, max_denominator=10_000)


@given(total=totals, rate=rates)
def test_the_days_of_a_rate_sum_to_the_total(total: int, rate: Fraction) -> None:
    _check(Plan.by_rate(total, rate, FIRST))


@given(daily=st.integers(1, 10**15), days=st.integers(1, 400), data=st.data())
def test_the_days_of_an_amount_sum_to_the_total(daily: int, days: int, data: st.DataObject) -> None:
    total = data.draw(st.integers(daily * (days - 1) + 1, daily * days))
    plan = Plan.by_amount(total, daily, FIRST)
    assert (plan.last_day - FIRST).days + 1 == days
    _check(plan)


def _check(plan: Plan) -> None:
    """Equal days, the rest on the last, none before or after; what was released never passes the total."""
    days = [plan.first_day + number * DAY for number in range((plan.last_day - plan.first_day).days + 1)]
    units = [plan.units_on(day) for day in days]
    assert sum(units) == plan.total
    assert set(units[:-1]) <= {plan.daily}
    assert units[-1] == plan.total - plan.daily * (len(days) - 1) >= 0
    assert plan.units_on(plan.first_day - DAY) == plan.units_on(plan.last_day + DAY) == 0
    assert [plan.released_by(day) for day in days] == [sum(units[: number + 1]) for number in range(len(days))]
    assert plan.released_by(plan.first_day - DAY) == 0


def test_the_nft_releases_ten_of_two_thousand_on_two_hundred_days() -> None:
    plan = Plan.by_rate(2000 * 10**8, Fraction(5, 1000), FIRST)
    assert (plan.daily, (plan.last_day - FIRST).days + 1, plan.units_on(plan.last_day)) == (10 * 10**8, 200, 10 * 10**8)


@pytest.mark.parametrize(
    ("total", "rate", "daily", "days", "last"),
    [
        (7, Fraction(1, 200), 0, 200, 7),  # less than a unit a day: all of it on the last
        (1_000, Fraction(1, 3), 333, 3, 334),
        (1_000, Fraction(3, 10), 300, 4, 100),
        (5, Fraction(1), 5, 1, 5),
    ],
)
def test_a_rate_is_rounded_down_and_the_last_day_has_the_rest(
    total: int, rate: Fraction, daily: int, days: int, last: int
) -> None:
    plan = Plan.by_rate(total, rate, FIRST)
    assert (plan.daily, (plan.last_day - FIRST).days + 1, plan.units_on(plan.last_day)) == (daily, days, last)


async def test_every_midnight_releases_what_the_plans_say(db: Database, house: House, writer: Writer) -> None:
    today, chance = pass_days(house.clock), Random(seed())
    plans = [
        Plan.by_rate(chance.randint(1, 10**9), Fraction(1, chance.randint(1, 5)), today + chance.randint(0, 2) * DAY)
        for _ in range(40)
    ]
    targets = await opened_many(writer, plans)
    await opened(writer, Plan.by_rate(3, Fraction(1, 4), today))
    for _ in range(8):
        ended = business_day(house.clock.now())
        pass_days(house.clock)
        await midnight.turn(house)
        expected = {target: plan.released_by(ended) for target, plan in targets.items()}
        assert await received(db, list(targets)) == expected
        rows = await db.rows("SELECT target, released, status FROM grants WHERE target = ANY($1)", list(targets))
        assert {row["target"]: row["released"] for row in rows} == expected
        assert all((row["status"] == "ended") == (targets[row["target"]].last_day <= ended) for row in rows)
    assert await db.value("SELECT count(*) FROM grants WHERE status = 'running'") == 0


async def test_a_grant_is_first_paid_at_the_midnight_that_ends_its_first_day(
    db: Database, house: House, writer: Writer
) -> None:
    today = business_day(house.clock.now())
    nft = await opened(writer, Plan.by_amount(20, 10, today))
    other = await opened(writer, Plan.by_amount(20, 10, today + DAY))
    await midnight.turn(house)
    assert await received(db, [nft, other]) == {nft: 0, other: 0}
    pass_days(house.clock)
    await midnight.turn(house)
    assert await received(db, [nft, other]) == {nft: 10, other: 0}
    pass_days(house.clock)
    await midnight.turn(house)
    assert await received(db, [nft, other]) == {nft: 20, other: 10}


async def test_a_release_stands_in_the_statement_with_its_kind_and_reference(
    db: Database, house: House, writer: Writer
) -> None:
    target = purse.available(new_owner(), USDT)
    plan = Plan.by_amount(9, 5, business_day(house.clock.now()))
    grant = open_grant(plan, kind="test.voucher", source=ISSUANCE, target=target)
    posted = await writer.post(posting(riders=[grant]))
    pass_days(house.clock, 2)
    await midnight.turn(house)
    rows = await db.rows(
        "SELECT amount, reference, name FROM journal j JOIN kinds k ON k.id = j.kind WHERE to_id = $1 ORDER BY j.id",
        target,
    )
    assert [tuple(row) for row in rows] == [(5, posted.id, "test.voucher"), (4, posted.id, "test.voucher")]


async def test_a_stopped_grant_releases_nothing_more(db: Database, house: House, writer: Writer) -> None:
    target = await opened(writer, Plan.by_amount(30, 10, business_day(house.clock.now())))
    pass_days(house.clock)
    await midnight.turn(house)
    (grant,) = (await grants.list_of_member(db, purse.owner_of(target), PageQuery(5))).rows
    await writer.post(posting(riders=[stop_grant(grant)]))
    pass_days(house.clock, 2)
    await midnight.turn(house)
    assert await received(db, [target]) == {target: 10}
    assert (await grants.list_of_member(db, grant.member, PageQuery(5))).rows[0].status == "stopped"


async def test_a_grant_that_was_released_meanwhile_is_not_stopped(db: Database, house: House, writer: Writer) -> None:
    target = await opened(writer, Plan.by_amount(30, 10, business_day(house.clock.now())))
    (grant,) = (await grants.list_of_member(db, purse.owner_of(target), PageQuery(5))).rows
    pass_days(house.clock)
    await midnight.turn(house)
    with pytest.raises(StateChanged):
        await writer.post(posting(riders=[stop_grant(grant)]))
    assert (await grants.list_of_member(db, grant.member, PageQuery(5))).rows[0].status == "running"


async def test_a_refused_opening_leaves_no_grant(db: Database, house: House, writer: Writer) -> None:
    """The cap of an issuance is taken in the posting that opens the grant."""
    plan = Plan.by_amount(60, 1, business_day(house.clock.now()))
    first, second = (open_grant(plan, kind=KIND, source=ISSUANCE, target=one) for one in _targets(2))
    cap = Take(f"issuance.test {new_owner()}", (60,), first=(100,))
    await writer.post(posting(riders=[first], takes=[cap]))
    with pytest.raises(Exception, match="wrong_state"):
        await writer.post(posting(riders=[second], takes=[cap]))
    assert await db.value("SELECT count(*) FROM grants WHERE target = $1", first.row["target"]) == 1
    assert await db.value("SELECT count(*) FROM grants WHERE target = $1", second.row["target"]) == 0


def _targets(count: int) -> list[int]:
    return [purse.available(new_owner(), USDT) for _ in range(count)]


async def test_a_member_reads_grants_newest_first(db: Database, house: House, writer: Writer) -> None:
    target = purse.available(new_owner(), USDT)
    plans = [Plan.by_amount(total, 1, business_day(house.clock.now())) for total in (3, 4, 5)]
    for plan in plans:
        await writer.post(posting(riders=[open_grant(plan, kind=KIND, source=ISSUANCE, target=target)]))
    page = await grants.list_of_member(db, purse.owner_of(target), PageQuery(2))
    assert ([one.total for one in page.rows], page.total) == ([5, 4], 3)
    rest = await grants.list_of_member(db, purse.owner_of(target), PageQuery(2, after=page.next))
    assert ([one.total for one in rest.rows], rest.next) == ([3], None)


async def test_a_member_source_that_is_short_keeps_the_day_open_and_pays_nobody_twice(
    db: Database, house: House, writer: Writer
) -> None:
    """Money that was set aside is there; where it isn't, somebody must look."""
    member = new_owner()
    locked, target = purse.account(member, USDT, Purpose.LOCKED), purse.available(member, USDT)
    plan = Plan.by_amount(20, 10, business_day(house.clock.now()))
    posted = await writer.post(posting(riders=[open_grant(plan, kind=KIND, source=locked, target=target)]))
    other = await opened(writer, plan)
    pass_days(house.clock)
    for _ in range(2):
        with pytest.raises(NotReleased, match=rf"first {posted.id}: InsufficientBalance"):
            await midnight.turn(house)
    (grant,) = (await grants.list_of_member(db, member, PageQuery(1))).rows
    assert (grant.id, grant.released) == (posted.id, 0)
    ended = business_day(house.clock.now()) - DAY
    assert await db.value("SELECT max(day) FROM day_runs WHERE job = $1", MIDNIGHT) == ended - DAY
    await writer.post(posting(riders=[stop_grant(grant)]))
    await midnight.turn(house)
    assert await received(db, [target, other]) == {target: 0, other: 10}


async def test_a_grant_that_cannot_be_posted_keeps_no_other_waiting(db: Database, house: House, writer: Writer) -> None:
    """All others have their day, once, and the day is done when somebody has looked."""
    today = pass_days(house.clock)
    plans = await opened_many(writer, [Plan.by_amount(20, 10, today) for _ in range(251)])
    bad = list(plans)[120]
    await close(writer, bad)
    (grant,) = (await grants.list_of_member(db, purse.owner_of(bad), PageQuery(1))).rows
    pass_days(house.clock)
    for _ in range(2):
        before = writer.figures.refusals.get(Element.CLOSED, 0)
        with pytest.raises(NotReleased, match=rf"^1 of the grants of {today}, first {grant.id}: WrongState"):
            await midnight.turn(house)
        assert writer.figures.refusals[Element.CLOSED] == before + 2, "with its slice and alone, then no more"
        assert await received(db, list(plans)) == dict.fromkeys(plans, 10) | {bad: 0}
        assert await _done(db, today) == (False, False)
    await writer.post(posting(riders=[stop_grant(grant)]))
    await midnight.turn(house)
    assert await _done(db, today) == (True, True)
    assert await received(db, list(plans)) == dict.fromkeys(plans, 10) | {bad: 0}
    pass_days(house.clock)
    await midnight.turn(house)
    assert await received(db, list(plans)) == dict.fromkeys(plans, 20) | {bad: 0}
    assert await db.value("SELECT count(*) FROM journal WHERE to_id = ANY($1)", list(plans.keys() - {bad})) == 500


async def _done(db: Database, day: date) -> tuple[bool, bool]:
    """Whether the grants of a day are released, and its midnight is finished."""
    return "" in await days.done(db, grants_release.JOB, day), "" in await days.done(db, MIDNIGHT, day)


async def test_workers_at_once_release_all_that_can_be_and_the_rest_once_it_is_mended(
    db: Database, house: House, writer: Writer, owner: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grants_release, "SLICE", 9)
    today = pass_days(house.clock)
    plans = await opened_many(writer, [Plan.by_amount(10, 10, today) for _ in range(100)])
    rows = await db.rows("SELECT id, target FROM grants WHERE target = ANY($1) ORDER BY id", list(plans))
    bad = {row["target"]: row["id"] for row in rows[20:60:6]}
    pass_days(house.clock)
    async with refusing(owner, "grants", f"id NOT IN {(*bad.values(),)} OR released = 0"):
        ended = await asyncio.gather(*(midnight.turn(house) for _ in range(4)), return_exceptions=True)
    first = ", ".join(map(str, list(bad.values())[:5]))
    assert [type(one) for one in ended] == [NotReleased] * 4
    assert {str(one).partition(": ")[0] for one in ended} == {f"7 of the grants of {today}, first {first}"}
    assert "BadPosting" in str(ended[0])
    assert await received(db, list(plans)) == dict.fromkeys(plans, 10) | dict.fromkeys(bad, 0)
    assert await _done(db, today) == (False, False)
    await asyncio.gather(*(midnight.turn(house) for _ in range(4)))
    assert await _done(db, today) == (True, True)
    assert await received(db, list(plans)) == dict.fromkeys(plans, 10)
    assert await db.value("SELECT count(*) FROM journal WHERE to_id = ANY($1)", list(plans)) == 100


async def test_one_by_one_too_a_house_account_owes_what_it_cannot_pay(
    db: Database, house: House, writer: Writer
) -> None:
    today, source = pass_days(house.clock), purse.house(Purpose.RACER_POOL, USDT)
    await writer.post(posting(Move("test.fund", CHAIN, source, 25)))
    plans = await opened_many(writer, [Plan.by_amount(10, 10, today) for _ in range(4)], source=source)
    first, second, bad, last = plans
    await close(writer, bad)
    (grant,) = (await grants.list_of_member(db, purse.owner_of(bad), PageQuery(1))).rows
    pass_days(house.clock)
    with pytest.raises(NotReleased, match=rf"first {grant.id}: WrongState"):
        await grants_release.release(db, writer, today)
    assert await received(db, list(plans)) == {first: 10, second: 10, bad: 0, last: 0}
    assert await _owed(db, source) == [(last, 10)]
    await writer.post(posting(riders=[stop_grant(grant)]))
    await writer.post(posting(Move("test.fund", CHAIN, source, 5)))
    await midnight.turn(house)
    assert await received(db, [*plans, source]) == {first: 10, second: 10, bad: 0, last: 10, source: 0}
    assert await _owed(db, source) == []


async def _owed(db: Database, account: int) -> Sequence[tuple[int, int]]:
    return [(one.target, one.left_units) for one in (await payables.list_of_account(db, account, PageQuery(9))).rows]


async def test_a_writer_that_is_away_ends_the_release(
    db: Database, house: House, writer: Writer, tmp_path: Path
) -> None:
    today = pass_days(house.clock)
    target = await opened(writer, Plan.by_amount(10, 10, today))
    pass_days(house.clock)
    with pytest.raises(Outage):
        await grants_release.release(db, LedgerClient(tmp_path / "nobody.sock"), today)
    assert await received(db, [target]) == {target: 0}
    await midnight.turn(house)
    assert await received(db, [target]) == {target: 10}


async def test_a_slice_that_was_read_before_another_worker_released_it_moves_nothing(
    db: Database, house: House, writer: Writer
) -> None:
    today = business_day(house.clock.now())
    plans = await opened_many(writer, [Plan.by_amount(30, 10, today) for _ in range(3)])
    ids = [row["id"] for row in await db.rows("SELECT id FROM grants WHERE target = ANY($1)", list(plans))]
    # All but the last: another slice than the night's.
    groups = await db.rows(grants_release._DUE, today, min(ids), max(ids), 500)
    stale = grants_release._payment(today, 0, groups)
    pass_days(house.clock)
    await midnight.turn(house)
    with pytest.raises(StateChanged):
        await writer.post(stale)
    assert await received(db, list(plans)) == dict.fromkeys(plans, 10)


async def test_a_slice_that_was_read_before_a_grant_was_stopped_moves_nothing(
    db: Database, house: House, writer: Writer
) -> None:
    target = await opened(writer, Plan.by_amount(30, 10, business_day(house.clock.now())))
    (grant,) = (await grants.list_of_member(db, purse.owner_of(target), PageQuery(1))).rows
    groups = await db.rows(grants_release._DUE, grant.first_day, grant.id, grant.id + 1, 500)
    await writer.post(posting(riders=[stop_grant(grant)]))
    with pytest.raises(StateChanged):
        await writer.post(grants_release._payment(grant.first_day, 0, groups))
    assert await received(db, [target]) == {target: 0}


async def test_a_day_is_done_only_after_it(house: House, writer: Writer) -> None:
    with pytest.raises(BadPosting, match="day_runs_after_the_day"):
        await writer.post(posting(riders=[mark("test", "", business_day(house.clock.now()))]))
