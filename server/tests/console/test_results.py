"""Turnover and what games gave back: exact, counted once, and honest about what isn't settled."""

import asyncio
from datetime import timedelta
from fractions import Fraction

import pytest

from conftest import MakeMember
from console.conftest import Hire
from console.scene import desk_of, log_in
from games.stage import Stage
from kalos.core import failpoints
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import HOUR_MS, business_day, day_start_ms
from kalos.domains.context import House
from kalos.operator import results
from kalos.operator.results import GameReturn, Results, Returned
from support.plain import Plain

ONE = 10**6
_SCANNED = """
    SELECT b.game, b.asset, count(*), sum(b.units), sum(b.prize_units)
    FROM bets b JOIN rounds r ON r.number = b.round JOIN heights h ON h.closes_at = r.closes_at
    WHERE h.settled_at IS NOT NULL AND b.status IN ('won', 'not_won') GROUP BY 1, 2 ORDER BY 1, 2
"""
_KEPT = """
    SELECT game, asset, sum(bets)::bigint, sum(staked_units), sum(paid_units) FROM game_returns
    GROUP BY 1, 2 ORDER BY 1, 2
"""


@pytest.fixture(scope="module")
def stage(house: House) -> Stage:
    return Stage(house)


@pytest.fixture
async def morning(stage: Stage) -> Stage:
    """A new business day, one hour old, with nothing on it yet: all of before is counted."""
    stage.to(day_start_ms(business_day(stage.now) + timedelta(days=1)) + HOUR_MS)
    await stage.begin()
    await count(stage.house)
    return stage


async def count(house: House) -> None:
    while await results.count(house):
        pass


async def shown(house: House) -> Results:
    return await results.show(desk_of(house))


def of(found: Results, asset: Asset = USDT, game: str = "odd_even") -> GameReturn:
    return next(one for one in found.returns if (one.game, one.asset) == (game, asset))


def turned(found: Results, product: str, asset: Asset = USDT) -> tuple[int, int]:
    return next((one.today, one.month) for one in found.turnover if (one.product, one.asset) == (product, asset))


async def is_what_bets_say(house: House) -> bool:
    return [tuple(row) for row in await house.db.rows(_KEPT)] == [tuple(row) for row in await house.db.rows(_SCANNED)]


async def test_settled_bets_are_summed_exactly_and_open_ones_are_told_apart(
    morning: Stage, house: House, member: MakeMember
) -> None:
    view, alice, before = await morning.current(), await member(usdt="1000", kls="1000"), await shown(house)
    for option, amount in (("odd", "10"), ("odd", "1.234567"), ("even", "20")):
        await morning.bet(alice, view, option, amount)
    await morning.bet(alice, view, "even", "5", asset="KLS")
    placed = await shown(house)
    assert of(placed) == of(before)
    assert turned(placed, "games") == turned(before, "games")
    waiting = {asset: placed.open_stakes[asset] - before.open_stakes[asset] for asset in (USDT, KLS)}
    assert waiting == {USDT: 31_234_567, KLS: 5 * 10**KLS.scale}
    await morning.play(view, 1)
    late = await shown(house)
    assert late.behind > 0
    assert of(late) == of(before)
    await count(house)
    after = await shown(house)
    won = 10 * ONE * 195 // 100 + 1_234_567 * 195 // 100
    assert of(after).today == Returned(3, 31_234_567, won)
    assert of(after, KLS).today == Returned(1, 5 * 10**KLS.scale, 0)
    assert (of(after).today.rate, of(after).promised) == (Fraction(won, 31_234_567), Fraction(39, 40))
    assert of(after).month.bets == of(before).month.bets + 3
    assert turned(after, "games") == (31_234_567, turned(before, "games")[1] + 31_234_567)
    assert (after.open_stakes, after.behind) == (before.open_stakes, 0)
    assert after.counted_at is not None
    assert business_day(after.counted_at) == after.day
    assert await is_what_bets_say(house)


async def test_a_void_round_is_no_turnover_and_returns_nothing(
    morning: Stage, house: House, member: MakeMember
) -> None:
    view, alice, before = await morning.current(), await member(usdt="100"), await shown(house)
    await morning.bet(alice, view, "odd", "10")
    await morning.play(view, None)
    await count(house)
    after = await shown(house)
    assert (of(after), turned(after, "games")) == (of(before), turned(before, "games"))
    assert after.open_stakes == before.open_stakes
    assert await is_what_bets_say(house)


async def test_a_day_later_today_is_empty_and_after_thirty_days_the_month(
    morning: Stage, house: House, member: MakeMember
) -> None:
    view, alice = await morning.current(), await member(usdt="100")
    await morning.bet(alice, view, "odd", "10")
    await morning.play(view, 1)
    await count(house)
    month = (await shown(house)).day
    morning.to(day_start_ms(month + timedelta(days=1)) + HOUR_MS)
    next_day = await shown(house)
    assert (of(next_day).today, turned(next_day, "games")[0]) == (Returned(), 0)
    assert of(next_day).today.rate is None
    assert of(next_day).month.bets > 0
    morning.to(day_start_ms(month + timedelta(days=29)))
    last = await shown(house)
    assert (of(last).month, turned(last, "games")[1]) == (Returned(1, 10 * ONE, 19_500_000), 10 * ONE)
    morning.to(day_start_ms(month + timedelta(days=30)))
    gone = await shown(house)
    assert (of(gone).month, turned(gone, "games")[1]) == (Returned(), 0)


async def test_many_workers_and_one_that_dies_count_each_round_once(
    morning: Stage, house: House, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, alice = await morning.current(), await member(usdt="100")
    await morning.bet(alice, view, "odd", "10")
    await morning.play(view, 1)

    class Killed(BaseException):
        """The worker is gone."""

    def die(name: str) -> None:
        if name == "outbox_done":
            raise Killed

    monkeypatch.setattr("kalos.ledger.outbox.reach", die)
    with pytest.raises(Killed):
        await results.count(house)
    monkeypatch.setattr("kalos.ledger.outbox.reach", failpoints.reach)
    await asyncio.gather(*(results.count(house) for _ in range(6)))
    await count(house)
    assert of(await shown(house)).today == Returned(1, 10 * ONE, 19_500_000)
    assert await is_what_bets_say(house)


async def test_a_round_past_its_time_is_told_until_it_is_settled(morning: Stage, house: House) -> None:
    view, before = await morning.current(), await shown(house)
    await morning.seal(view)
    waiting = await shown(house)
    assert waiting.open_rounds > before.open_rounds
    assert waiting.open_since is not None
    assert waiting.open_since <= view.height.closes_at
    await morning.settle_all()
    assert (await shown(house)).open_rounds == 0


async def test_the_dashboard_has_each_figure_with_its_time(morning: Stage, api: Plain, hire: Hire) -> None:
    token = (await log_in(morning.house, await hire("treasurer"))).token
    found = (await api.data("/api/operator/dashboard", {}, token=token))["results"]
    assert found["day"] == business_day(morning.now).isoformat()
    assert [(row["product"], row["asset"]) for row in found["turnover"]][:3] == [
        ("games", "USDT"), ("games", "KLS"), ("top_ups", "USDT"),
    ]  # fmt: skip
    assert found["turnover_at"] <= morning.now
    (usdt,) = [row for row in found["returns"] if row["asset"] == "USDT"]
    assert (usdt["game"], usdt["promised"]) == ("odd_even", "0.9750")
    assert usdt["today"] == {"bets": 0, "staked": "0.000000", "paid": "0.000000", "rate": None}
