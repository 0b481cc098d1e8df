"""Profile, finances and statements over a real ledger."""

import dataclasses
import uuid
from datetime import timedelta
from fractions import Fraction

import msgspec
import pytest

from conftest import MakeContext, MakeMember
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import DAY_MS, Clock, business_day, day_start_ms
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House, Member
from kalos.domains.overview import service
from kalos.domains.overview.rules import DIVIDENDS, FEES, SOURCES, Statement
from kalos.ledger import purse
from kalos.ledger.postings import Move, Open, Posting, Resolve

OUTSIDE = {USDT: purse.Purpose.CHAIN, KLS: purse.Purpose.ISSUANCE}


async def move(house: House, member: Member, units: int, asset: Asset = USDT, kind: str = "test.move") -> None:
    """Bring `units` in from outside, or out where they are negative."""
    outside = purse.outside(OUTSIDE[asset], asset)
    ends = (outside, purse.available(member.id, asset))
    source, target = ends if units > 0 else ends[::-1]
    await house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[Move(kind, source, target, abs(units))]))


async def hold(house: House, member: Member, units: int, asset: Asset = USDT) -> None:
    account = purse.available(member.id, asset)
    await house.ledger.post(Posting(key=uuid.uuid4().bytes * 2, opens=[Open("test.hold", account, units)]))


async def test_new_member_has_nothing_and_a_history_of_nothing(ctx: MakeContext, member: MakeMember) -> None:
    me = await member()
    finances = await service.show_finances(ctx(me))
    assert (finances.total, finances.change) == (0, 0)
    assert [(row.holding.available, row.holding.held, row.value) for row in finances.rows] == [(0, 0, 0)] * 2
    assert len(finances.history) == 30
    assert {total for _, total in finances.history} == {0}
    assert finances.history[-1][0] == business_day(ctx(me).now)


async def test_total_counts_what_is_held_and_values_kls_at_the_price(ctx: MakeContext, member: MakeMember) -> None:
    me = await member(usdt="100", kls="3.00000003")
    await hold(ctx().house, me, 40_000_000)
    finances = await service.show_finances(ctx(me))
    assert finances.total == 101_500_000
    assert [(row.holding.available, row.holding.held, row.value) for row in finances.rows] == [
        (60_000_000, 40_000_000, 100_000_000),
        (300_000_003, 0, 1_500_000),
    ]
    assert (finances.price.rate, finances.price.source) == (Fraction(1, 2), "ref_first")
    assert finances.change == 101_500_000


async def test_change_and_history_follow_business_time(ctx: MakeContext, member: MakeMember, clock: Clock) -> None:
    me = await member(usdt="100")
    clock.offset_ms += DAY_MS
    await move(ctx().house, me, -30_000_000)
    clock.offset_ms += DAY_MS // 4
    await move(ctx().house, me, 2 * 10**8, KLS)
    finances = await service.show_finances(ctx(me))
    assert (finances.total, finances.change) == (71_000_000, -29_000_000)
    clock.offset_ms += 3 * DAY_MS
    later = await service.show_finances(ctx(me))
    assert (later.total, later.change) == (71_000_000, 0)
    assert [total for _, total in later.history[-3:]] == [71_000_000] * 3
    assert later.history[-6][1] in (0, 100_000_000)
    assert {total for _, total in later.history} <= {0, 100_000_000, 70_000_000, 71_000_000}
    clock.offset_ms += 40 * DAY_MS
    assert {total for _, total in (await service.show_finances(ctx(me))).history} == {71_000_000}


async def test_income_is_of_today_yesterday_and_ever(ctx: MakeContext, member: MakeMember, clock: Clock) -> None:
    me = await member(usdt="100")
    for units, asset, days in ((5, USDT, 2), (70, USDT, 1), (2 * 10**8, KLS, 0), (300, USDT, 0)):
        clock.offset_ms += 1
        await move(ctx().house, me, units, asset, kind="game.prize")
        clock.offset_ms += days * DAY_MS
    await move(ctx().house, me, 10**6, kind="game.refund")
    assert await game_income(ctx(me)) == (1_000_300, 70, 1_000_375)
    clock.offset_ms += DAY_MS
    assert await game_income(ctx(me)) == (0, 1_000_300, 1_000_375)
    assert await game_income(ctx(await member(usdt="5"))) == (0, 0, 0)
    assert (await service.show_income(ctx(me))).price.rate == Fraction(1, 2)


async def game_income(ctx: Context) -> tuple[int, int, int]:
    """Today, yesterday, ever; no other source has any."""
    found = await service.show_income(ctx)
    for income in (found.today, found.yesterday, found.total):
        assert income == dict.fromkeys(SOURCES, 0) | {"game": income["game"]}
    return found.today["game"], found.yesterday["game"], found.total["game"]


async def test_income_turns_with_the_business_day(ctx: MakeContext, member: MakeMember, clock: Clock) -> None:
    me = await member()
    midnight = day_start_ms(business_day(ctx().now) + timedelta(days=1))
    clock.offset_ms += midnight - ctx().now - 60_000
    await move(ctx().house, me, 3, kind="game.prize")
    clock.offset_ms += midnight - ctx().now
    await move(ctx().house, me, 40, kind="game.prize")
    assert await game_income(ctx(me)) == (40, 3, 43)


async def test_stakes_count_when_they_are_lost_and_then_as_less_income(ctx: MakeContext, member: MakeMember) -> None:
    me, house = await member(usdt="100"), ctx().house
    account, bankroll = purse.available(me.id, USDT), purse.house(purse.Purpose.BANKROLL, USDT)
    placed = await house.ledger.post(
        Posting(key=uuid.uuid4().bytes * 2, opens=[Open("test.hold", account, units) for units in (10, 7, 4)])
    )
    lost, won = placed.id << 3, placed.id << 3 | 1
    assert await game_income(ctx(me)) == (0, 0, 0)
    settled = Posting(
        key=uuid.uuid4().bytes * 2,
        resolves=[Resolve("game.lost", lost, bankroll), Resolve("game.stake_back", won, account)],
        moves=[Move("game.prize", bankroll, account, 6)],
    )
    await house.ledger.post(settled)
    assert await game_income(ctx(me)) == (-4, 0, -4)


async def test_statement_shows_the_moves_of_available_newest_first(
    ctx: MakeContext, member: MakeMember, clock: Clock
) -> None:
    me, other = await member(usdt="100"), await member(usdt="5")
    clock.offset_ms += DAY_MS
    started = ctx().now
    await move(ctx().house, me, -30_000_000, kind="test.out")
    await hold(ctx().house, me, 1_000_000)
    page = await service.list_statement(ctx(me), Statement(USDT), PageQuery(10))
    assert [(row.kind, row.amount, row.balance) for row in page.rows] == [
        ("test.hold", -1_000_000, 69_000_000),
        ("test.out", -30_000_000, 70_000_000),
        ("test.fund", 100_000_000, 100_000_000),
    ]
    assert (page.total, page.next) == (3, None)
    since = await service.list_statement(ctx(me), Statement(USDT), PageQuery(10), start=started)
    assert [row.kind for row in since.rows] == ["test.hold", "test.out"]
    until = await service.list_statement(ctx(me), Statement(USDT), PageQuery(10), end=started - 1)
    assert [row.kind for row in until.rows] == ["test.fund"]
    one = await service.list_statement(ctx(me), Statement(USDT), PageQuery(10), kind="test.out")
    assert [row.kind for row in one.rows] == ["test.out"]
    theirs = await service.list_statement(ctx(other), Statement(USDT), PageQuery(10))
    assert [row.amount for row in theirs.rows] == [5_000_000]
    assert (await service.list_statement(ctx(me), Statement(KLS), PageQuery(10))).rows == []


async def test_a_statement_of_fees_or_dividends_has_those_kinds_alone(ctx: MakeContext, member: MakeMember) -> None:
    me = await member(usdt="100")
    for kind, units in (("test.fee", -1), ("test.coffee", -2), ("test.dividend", 3), ("test.other.fee", -4)):
        await move(ctx().house, me, units, kind=kind)
    fees = await service.list_statement(ctx(me), Statement(USDT, ending=FEES), PageQuery(10))
    assert ([row.amount for row in fees.rows], fees.total) == ([-4, -1], 2)
    dividends = await service.list_statement(ctx(me), Statement(USDT, ending=DIVIDENDS), PageQuery(10))
    assert ([row.amount for row in dividends.rows], dividends.total) == ([3], 1)
    one = await service.list_statement(ctx(me), Statement(USDT, ending=FEES), PageQuery(10), kind="test.fee")
    assert [row.amount for row in one.rows] == [-1]
    other = await service.list_statement(ctx(me), Statement(USDT, ending=FEES), PageQuery(10), kind="test.coffee")
    assert (other.rows, other.total, other.next) == ([], 0, None)


async def test_a_further_asset_counts_at_its_value_once_the_member_had_it(ctx: MakeContext, member: MakeMember) -> None:
    me = await member(usdt="1", usa="2.5", bwc="7")
    finances = await service.show_finances(ctx(me))
    assert [(str(row.holding.asset), row.holding.available, row.value) for row in finances.rows] == [
        ("USDT", 1_000_000, 1_000_000),
        ("KLS", 0, 0),
        ("USA", 2_500_000, 2_500_000),
        ("BWC", 700_000_000, 0),
    ]
    assert finances.total == finances.change == 3_500_000


async def test_profile_shows_the_inviter_and_hides_the_address(
    ctx: MakeContext, member: MakeMember, database_url: str
) -> None:
    me = await member(usdt="1")
    house = dataclasses.replace(ctx().house, page_url="https://kalos.example")
    profile = await service.show_profile(msgspec.structs.replace(ctx(me), house=house))
    assert (profile.account, profile.superior) == (me.account, None)
    assert profile.email.endswith("@test.example")
    assert "***" in profile.email
    assert profile.invite_link == f"https://kalos.example/register?code={profile.invite_code}"
    assert [(holding.asset, holding.available) for holding in profile.holdings] == [(USDT, 1_000_000), (KLS, 0)]


@pytest.mark.parametrize("asset", [USDT, KLS])
async def test_nothing_shown_changes_anything(ctx: MakeContext, member: MakeMember, asset: Asset) -> None:
    me = await member(usdt="1")
    before = await ctx().db.value("SELECT last_move FROM ledger_tail")
    await service.show_finances(ctx(me))
    await service.show_profile(ctx(me))
    await service.list_statement(ctx(me), Statement(asset), PageQuery(10))
    assert await ctx().db.value("SELECT last_move FROM ledger_tail") == before
