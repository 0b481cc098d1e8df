"""What the ledger has committed reaches everybody above once: in steps, at once, killed on the way."""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import asyncpg
import pytest

from kalos.core.assets import KLS, Asset
from kalos.core.clock import DAY_MS, Clock, business_day
from kalos.core.database import Database
from kalos.core.errors import Outage, PriceUnavailable
from kalos.core.failpoints import VARIABLE
from kalos.core.ports import Price
from kalos.domains.context import House
from kalos.domains.teams import jobs, queries, rules
from kalos.ledger.postings import Ledger
from support.members import make_member
from teams import counter
from teams.scene import figures, line, turn_over


class Told:
    """A price as somebody told it."""

    def __init__(self, price: Price) -> None:
        self._price = price

    async def price(self, asset: Asset) -> Price:
        assert asset is self._price.asset
        return self._price

    last = price


class NoPrices:
    async def price(self, asset: Asset) -> Price:
        raise PriceUnavailable(asset=asset.code)

    last = price


async def test_a_stake_reaches_everybody_above_and_nobody_else(house: House, database_url: str) -> None:
    top, middle, low = await line(database_url, 3)
    (other,) = await line(database_url, 1, top)
    await turn_over(house.ledger, low, 100)
    await turn_over(house.ledger, middle, 20)
    await turn_over(house.ledger, other, 7, kind="game.stake_back")
    await jobs.follow(house)
    assert await figures(house.db, top) == {"own": 0, "team": 127, "large": 120, "users": 3}
    assert await figures(house.db, middle) == {"own": 20, "team": 100, "large": 100, "users": 1}
    assert await figures(house.db, low) == {"own": 100, "team": 0, "large": 0, "users": 0}
    assert await figures(house.db, other) == {"own": 7, "team": 0, "large": 0, "users": 0}
    assert await queries.sum_volume(house.db, low.id, [business_day(house.clock.now())]) == 100


async def test_a_line_that_overtakes_is_the_large_zone(house: House, database_url: str) -> None:
    (top,) = await line(database_url, 1)
    (first,), (second, below) = await line(database_url, 1, top), await line(database_url, 2, top)
    for member, units, large in ((first, 10, 10), (below, 8, 10), (second, 5, 13), (first, 4, 14)):
        await turn_over(house.ledger, member, units)
        await jobs.follow(house)
        assert (await figures(house.db, top))["large"] == large
    assert rules.small_zone(await queries.find_team(house.db, top.id)) == 13


async def test_coins_count_at_their_value_and_refunds_not_at_all(house: House, database_url: str) -> None:
    top, low = await line(database_url, 2)
    await turn_over(house.ledger, low, 3_00000001, KLS)
    await turn_over(house.ledger, low, 1_000, kind="game.refund")
    await jobs.follow(house)
    assert (await figures(house.db, top))["team"] == 1_500_000


async def test_a_later_month_begins_at_nothing(house: House, database_url: str, clock: Clock) -> None:
    top, low = await line(database_url, 2)
    await turn_over(house.ledger, low, 5)
    await jobs.follow(house)
    clock.offset_ms += 31 * DAY_MS
    assert rules.of_month(await queries.find_team(house.db, top.id), business_day(clock.now())) == (0, 0)
    await turn_over(house.ledger, low, 2)
    await jobs.follow(house)
    row = await queries.find_team(house.db, top.id)
    assert (row.team_units, *rules.of_month(row, business_day(clock.now()))) == (7, 0, 2)


async def test_it_is_written_down_which_moves_counted_at_which_price(house: House, database_url: str) -> None:
    """Each price as it was told, with its time and source; moves that follow at the same one go on in its row."""
    (low,) = await line(database_url, 1)
    await turn_over(house.ledger, low, 1)
    await jobs.follow(house)
    before = await house.db.rows("SELECT * FROM turnover_prices ORDER BY first_move")
    told = [("0.5", 1_000), ("0.5", 1_000), ("0.5", 2_000), ("0.51", 2_000), ("0.51", 2_000)]
    for rate, at in told:
        await turn_over(house.ledger, low, 1_00000000, KLS)
        await jobs.follow(replace(house, prices=Told(Price(KLS, Fraction(rate), at, "operator"))))
    rows = await house.db.rows("SELECT * FROM turnover_prices ORDER BY first_move OFFSET $1", len(before))
    assert [(row["asset"], row["numerator"], row["denominator"], row["at"], row["source"]) for row in rows] == [
        ("KLS", 1, 2, 1_000, "operator"), ("KLS", 1, 2, 2_000, "operator"), ("KLS", 51, 100, 2_000, "operator"),
    ]  # fmt: skip
    # None is left out, and none stands twice.
    assert [row["first_move"] for row in rows] == [row["last_move"] + 1 for row in [before[-1], *rows[:-1]]]
    assert rows[-1]["last_move"] == await house.db.value("SELECT last_move FROM teams_cursor")
    assert (await figures(house.db, low))["own"] == 1 + 500_000 * 3 + 510_000 * 2


async def test_what_nobody_ordered_is_one_price_however_often_it_is_asked(house: House, database_url: str) -> None:
    (low,) = await line(database_url, 1)
    await jobs.follow(house)
    for at in (1_000, 2_000, 3_000):
        await turn_over(house.ledger, low, 1)
        await jobs.follow(replace(house, prices=Told(Price(KLS, Fraction(3, 5), at, "ref_first"))))
    rows = await house.db.rows("SELECT at, source FROM turnover_prices WHERE numerator = 3")
    assert [tuple(row) for row in rows] == [(1_000, "ref_first")]


async def test_without_a_price_nothing_is_counted_and_nothing_lost(house: House, database_url: str) -> None:
    top, low = await line(database_url, 2)
    await jobs.follow(house)
    await turn_over(house.ledger, low, 100)
    before = await house.db.rows("SELECT * FROM teams_cursor")
    with pytest.raises(Outage):
        await jobs.follow(replace(house, prices=NoPrices()))
    assert await house.db.rows("SELECT * FROM teams_cursor") == before
    assert (await figures(house.db, top))["team"] == 0
    await jobs.follow(house)
    assert (await figures(house.db, top))["team"] == 100


async def test_of_many_workers_each_stake_is_counted_once(house: House, database_url: str) -> None:
    members = await line(database_url, 5)
    for member in members * 3:
        await turn_over(house.ledger, member, 1)
    await asyncio.gather(*(jobs.follow(house, most=2) for _ in range(6)))
    await jobs.follow(house)
    assert await jobs.follow(house) == 0
    assert [(await figures(house.db, member))["team"] for member in members] == [12, 9, 6, 3, 0]


async def test_who_joins_in_one_order_and_is_seen_in_another_is_counted(house: House, database_url: str) -> None:
    """A number is given before its row is committed: a younger member may be there first."""
    (top,) = await line(database_url, 1)
    owner = await asyncpg.connect(database_url)
    late = owner.transaction()
    await late.start()
    columns = "(account, email, invite_code, password_hash, registered_at, inviter)"
    await owner.execute(
        f"INSERT INTO members {columns} VALUES ('99000001', 'late@test.example', 'LATE0001', '$argon2id$', 1, $1)",
        top.id,
    )
    younger = await make_member(database_url, inviter=top.id)
    await jobs.follow(house)
    assert (await queries.find_team(house.db, younger.id)).is_counted
    assert (await queries.find_team(house.db, top.id)).direct_users == 1
    await late.commit()
    await owner.close()
    await jobs.follow(house)
    assert (await queries.find_team(house.db, top.id)).direct_users == 2


async def test_who_is_no_member_is_left_out(house: House, ledger_owner: int, writer: Ledger) -> None:
    from kalos.domains.context import Member

    await turn_over(writer, Member(ledger_owner, "none"), 5)
    assert await jobs.follow(house) > 0
    assert await queries.sum_volume(house.db, ledger_owner, [business_day(house.clock.now())]) == 0


async def test_a_worker_that_is_killed_leaves_nothing_half_and_nothing_twice(
    house: House, db: Database, database_url: str
) -> None:
    members = await line(database_url, 4)
    await jobs.follow(house)
    for member in members * 6:
        await turn_over(house.ledger, member, 1)
    for point, expected in (("teams_counted:2", -signal.SIGKILL), ("teams_counted:1", -signal.SIGKILL), ("", 0)):
        process = await asyncio.create_subprocess_exec(
            sys.executable, counter.__file__, database_url,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), VARIABLE: point},
        )  # fmt: skip
        assert await asyncio.wait_for(process.wait(), 30) == expected
    assert [(await figures(db, member))["team"] for member in members] == [18, 12, 6, 0]


async def test_days_that_no_level_asks_for_go(house: House, database_url: str) -> None:
    (member,) = await line(database_url, 1)
    kept = rules.volume_days(business_day(house.clock.now()))
    days = {(kept[0] - timedelta(days=2), member.id): 5, (kept[0], member.id): 6, (kept[-1], member.id): 7}
    async with house.db.transaction() as step:
        await queries.add_days(step, days)
    assert await jobs.sweep(house) >= 1
    assert await house.db.value("SELECT min(day) FROM turnover_days") >= kept[0] - timedelta(days=1)
    assert await jobs.sweep(house) == 0
    assert await queries.sum_volume(house.db, member.id, [day for day, _ in days]) == 13


@pytest.fixture
def ledger_owner() -> int:
    """An owner of accounts who isn't a member."""
    return 987_654_321
