"""Midnights: each business day wholly before the next, each thing of it once, whoever is killed meanwhile."""

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from random import Random

import pytest

from kalos.app import midnight
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock, business_day, day_start_ms
from kalos.core.database import Database
from kalos.core.failpoints import VARIABLE
from kalos.core.terms import Terms
from kalos.domains.context import House
from kalos.ledger import days, grants_release, purse
from kalos.ledger.checks import BadPosting
from kalos.ledger.client import LedgerClient
from kalos.ledger.grants import Plan
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.ledger.writer import Writer
from support.budget import count, seed
from support.doors import house_of
from support.force import Writers, books_of, insist
from support.ledger import BANKROLL, CHAIN, FEES, clients, posting
from support.nights import DAY, Workers, opened, opened_many, pass_days, received

_MIXED = """
    SELECT count(*) FROM (
        SELECT place, min(id) AS first, lag(max(id)) OVER (ORDER BY place) AS before FROM (
            SELECT id, row_number() OVER (PARTITION BY to_id ORDER BY id) AS place
            FROM journal WHERE to_id = ANY($1::bigint[])
        ) AS moves GROUP BY place
    ) AS days WHERE first < before
"""
_RELEASED = "SELECT sum(released)::bigint FROM grants"
_PAID = """
    SELECT NOT EXISTS (SELECT FROM grants WHERE status = 'running')
        AND NOT EXISTS (SELECT FROM payables WHERE left_units > 0)
"""
_MOVES = "SELECT to_id, count(*) FROM journal WHERE to_id = ANY($1::bigint[]) GROUP BY to_id"


async def done(db: Database, job: str) -> list[date]:
    return [row["day"] for row in await db.rows("SELECT day FROM day_runs WHERE job = $1 ORDER BY at, day", job)]


async def check(db: Database, plans: dict[int, Plan]) -> None:
    """Every grant is paid to the unit, in one move for each of its days."""
    targets = list(plans)
    assert await received(db, targets) == {target: plan.total for target, plan in plans.items()}
    moves = {row["to_id"]: row["count"] for row in await db.rows(_MOVES, targets)}
    assert moves == {target: (plan.last_day - plan.first_day).days + 1 for target, plan in plans.items()}


async def test_missed_days_are_caught_up_in_order(db: Database, house: House, writer: Writer) -> None:
    today = pass_days(house.clock)
    plans = await opened_many(writer, [Plan.by_amount(30, 10, today) for _ in range(30)])
    pass_days(house.clock, 3)
    await midnight.turn(house)
    await check(db, plans)
    assert await db.value(_MIXED, list(plans)) == 0, "a day began before the one before it was over"
    missed = [today + number * DAY for number in range(3)]
    assert (await done(db, "grants"))[-3:] == (await done(db, days.MIDNIGHT))[-3:] == missed


async def test_a_turn_again_changes_nothing(db: Database, house: House, writer: Writer) -> None:
    pass_days(house.clock)
    await midnight.turn(house)
    before = await db.value("SELECT last_posting FROM ledger_tail")
    await midnight.turn(house)
    assert await db.value("SELECT last_posting FROM ledger_tail") == before


async def test_a_clock_that_jumps_a_week_has_seven_midnights(db: Database, house: House, writer: Writer) -> None:
    today = pass_days(house.clock)
    plans = await opened_many(writer, [Plan.by_amount(100 + rest, 17, today) for rest in (1, 2)])
    pass_days(house.clock, 7)
    await midnight.turn(house)
    await check(db, plans)
    assert (await done(db, days.MIDNIGHT))[-7:] == [today + number * DAY for number in range(7)]


async def test_four_workers_at_once_release_each_day_once(
    db: Database, house: House, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grants_release, "SLICE", 9)
    today, chance = pass_days(house.clock), Random(seed())
    wanted = [Plan.by_amount(chance.randint(1, 99), chance.randint(20, 50), today) for _ in range(100)]
    plans = await opened_many(writer, wanted)
    pass_days(house.clock, 5)
    await asyncio.gather(*(midnight.turn(house) for _ in range(4)))
    await check(db, plans)
    assert await db.value(_MIXED, list(plans)) == 0


async def test_fees_go_where_they_belong_without_those_of_later_days(
    db: Database, house: House, writer: Writer
) -> None:
    stock, kls_fees = purse.house(Purpose.KLS_STOCK, KLS), purse.house(Purpose.FEES, KLS)
    today = pass_days(house.clock)
    await midnight.turn(house)
    before = await received(db, [BANKROLL, stock])
    await writer.post(posting(Move("test.fee", CHAIN, FEES, 10)))
    await writer.post(posting(Move("test.fee", purse.outside(Purpose.ISSUANCE, KLS), kls_fees, 7)))
    pass_days(house.clock)
    await writer.post(posting(Move("test.fee", CHAIN, FEES, 5)))
    await writer.post(posting(Move("test.journal", FEES, purse.house(Purpose.REVENUE, USDT), 4)))
    await midnight.turn(house)
    assert await received(db, [BANKROLL, FEES]) == {BANKROLL: before[BANKROLL] + 6, FEES: 5}
    assert await received(db, [stock, kls_fees]) == {stock: before[stock] + 7, kls_fees: 0}
    assert await days.done(db, "fees", today) == {"USDT", "KLS"}
    pass_days(house.clock, 3)
    await midnight.turn(house)
    assert await received(db, [BANKROLL, FEES]) == {BANKROLL: before[BANKROLL] + 11, FEES: 0}


async def test_a_day_that_the_writer_still_writes_is_not_over(
    db: Database, house: House, writer: Writer, terms: Terms
) -> None:
    """A worker whose clock is ahead of the writer's waits for it: nothing can be added to a day that is done."""
    pass_days(house.clock)
    await midnight.turn(house)
    ahead = house_of(db, writer, Clock(house.clock.offset_ms + 86_400_000), terms)
    before = await done(db, days.MIDNIGHT)
    await midnight.turn(ahead)
    assert await done(db, days.MIDNIGHT) == before
    pass_days(house.clock)
    await midnight.turn(ahead)
    assert len(await done(db, days.MIDNIGHT)) == len(before) + 1


async def test_a_grant_cannot_begin_before_the_day_of_its_posting(house: House, writer: Writer) -> None:
    plan = Plan.by_amount(2, 1, business_day(house.clock.now()) - DAY)
    with pytest.raises(BadPosting, match="grants_days"):
        await opened(writer, plan)


@asynccontextmanager
async def installation(url: str, folder: Path) -> AsyncIterator[tuple[Writers, Workers]]:
    writers = Writers(url, folder)
    workers = Workers(url, writers.socket)
    try:
        await writers.keep()
        yield writers, workers
    finally:
        await workers.close()
        await writers.close()


@pytest.mark.parametrize("point", ["grant_slice", "payable_settled"])
async def test_a_worker_that_ends_between_two_postings_leaves_each_paid_once(
    durable_url: str, tmp_path: Path, terms: Terms, point: str
) -> None:
    chance, source = Random(seed()), purse.house(Purpose.PRIZE_POOL, USDT)
    async with installation(durable_url, tmp_path) as (writers, workers), books_of(durable_url) as db:
        async with clients(writers.socket, 1) as (client,):
            await advance(db, 1)
            house = house_of(db, client, Clock(await db.value("SELECT offset_ms FROM clock")), terms)
            await followed(client, db)
            today = business_day(house.clock.now())
            plans = await opened_many(client, [Plan.by_amount(30, 10, today) for _ in range(150)], source=source)
            await advance(db, 3)
            house.clock.offset_ms = await db.value("SELECT offset_ms FROM clock")
            if point == "payable_settled":
                await followed(client, db)
                await midnight.turn(house)
            await insist(client, posting(Move("test.fund", CHAIN, source, 4_500)))
            for _ in range(count("faults.failpoint.kills")):
                one = await workers.begin(**{VARIABLE: f"{point}:{chance.randint(1, 2)}"})
                assert await asyncio.wait_for(one.wait(), 30) == -signal.SIGKILL
            await midnight.turn(house)
        assert await received(db, list(plans)) == dict.fromkeys(plans, 30)
        if point == "grant_slice":
            await check(db, plans)


async def advance(db: Database, number: int) -> None:
    """Business time of all processes: noon, so many days on."""
    clock = Clock(await db.value("SELECT offset_ms FROM clock"))
    pass_days(clock, number)
    await db.execute("UPDATE clock SET offset_ms = greatest(offset_ms, $1)", clock.offset_ms)


async def followed(client: LedgerClient, db: Database) -> None:
    """Wait until the writer posts at the stored business time."""
    now = Clock(await db.value("SELECT offset_ms FROM clock")).now()
    async with asyncio.timeout(15):
        while (await insist(client, posting())).at < now:
            await asyncio.sleep(0.02)


async def test_whoever_is_killed_each_grant_and_day_is_paid_once(durable_url: str, tmp_path: Path) -> None:
    """Workers and the writer, at random points; half of the grants from a house account that is funded too late."""
    chance, source, kills = Random(seed()), purse.house(Purpose.MARKETING, USDT), count("ledger.midnight.kills")
    async with installation(durable_url, tmp_path) as (writers, workers), books_of(durable_url) as db:
        async with clients(writers.socket, 1) as (client,):
            await advance(db, 1)
            await followed(client, db)
            today = business_day(Clock(await db.value("SELECT offset_ms FROM clock")).now())
            lasting = 2 * kills
            sure = await opened_many(client, _plans(chance, today, lasting))
            late = await opened_many(client, _plans(chance, today, lasting), source=source)
            needed, given, passed = sum(plan.total for plan in late.values()), 0, 0
            for number in range(kills):
                released = await db.value(_RELEASED)
                step = chance.randint(1, 2)
                passed += step
                await advance(db, step)
                await workers.keep(2 + chance.randrange(3))
                if number:
                    part = chance.randint(1, needed // (2 * kills))
                    await insist(client, posting(Move("test.fund", CHAIN, source, part)))
                    given += part
                await _until(db, f"SELECT ({_RELEASED}) > {released}")
                await asyncio.sleep(chance.uniform(0, 0.2))
                await (writers.kill() if number % 3 == 2 else workers.kill(chance))
            await writers.keep()
            await workers.keep(2)
            await insist(client, posting(Move("test.fund", CHAIN, source, needed - given + 1)))
            await advance(db, max(0, lasting + 1 - passed))
            await _until(db, _PAID)
        await check(db, sure)
        assert await db.value(_MIXED, list(sure)) == 0
        assert await received(db, list(late)) == {target: plan.total for target, plan in late.items()}
        assert await db.value("SELECT balance FROM accounts WHERE id = $1", source) == 1
        owed = await db.row("SELECT count(*), count(DISTINCT (target, day)), sum(left_units) FROM payables")
        assert owed is not None
        assert owed[0] == owed[1] > 0
        assert owed[2] == 0
        midnights = [day for day in await done(db, days.MIDNIGHT) if day >= today]
        assert midnights == [today + number * DAY for number in range(len(midnights))]


def _plans(chance: Random, today: date, lasting: int) -> Sequence[Plan]:
    """Grants that end on days of their own within `lasting`."""
    plans = []
    for _ in range(150):
        number, daily = chance.randint(1, lasting), chance.randint(5, 10**6)
        plans.append(Plan.by_amount(daily * number - chance.randrange(daily), daily, today))
    return plans


async def _until(db: Database, question: str) -> None:
    async with asyncio.timeout(60):
        while not await db.value(question):
            await asyncio.sleep(0.01)


def test_noon_is_half_a_day_after_midnight() -> None:
    clock = Clock()
    assert day_start_ms(pass_days(clock)) + 43_200_000 <= clock.now() < day_start_ms(business_day(clock.now()) + DAY)
