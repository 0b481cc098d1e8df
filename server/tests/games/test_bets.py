"""Placing bets: what is accepted, what is refused, and that a refusal moves nothing."""

import asyncio
import uuid
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import MakeMember
from games.stage import LIMIT, Stage, usdt
from kalos.core.assets import KLS, USDT
from kalos.core.errors import (
    BelowMinimum,
    InsufficientBalance,
    InvalidAmount,
    InvalidInput,
    LimitReached,
    NotFound,
    Refusal,
    RequestConflict,
)
from kalos.core.ports import Closed
from kalos.domains.games import rules
from kalos.domains.games.errors import BettingClosed, RoundClosed
from kalos.domains.games.rules import ODD_EVEN
from kalos.domains.games.service import STAKE, RoundView, show_hall, show_placed, show_scene
from kalos.domains.games.tables import quota_of_height
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose, available, house
from kalos.ledger.statements import quotas_left
from support.ledger import crowd

SHARE = LIMIT // 5


async def test_a_bet_holds_its_stake_and_names_its_block(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100", kls="10")
    placed = await stage.bet(alice, view, "even", "12.5")
    assert (placed.bet.units, placed.bet.option, placed.bet.status) == (12_500_000, "even", "awaiting_draw")
    assert placed.balance_units == 87_500_000
    assert (placed.round_id, placed.height) == (view.id, view.height.height)
    assert await stage.bet_row(placed) == placed.bet
    money = await stage.money(alice)
    assert (money.available, money.held) == (87_500_000, 12_500_000)
    await stage.bet(alice, view, "odd", "2", asset="KLS")
    coins = await stage.money(alice, KLS)
    assert (coins.available, coins.held) == (8 * 10**8, 2 * 10**8)


async def refused(stage: Stage, view: RoundView, refusal: type[Refusal], who: Any, **bet: Any) -> Refusal:
    before, money = await stage.counts(), await stage.money(who)
    with pytest.raises(refusal) as caught:
        await stage.bet(who, view, **bet)
    assert await stage.counts() == before
    assert await stage.money(who) == money
    return caught.value


NO_AMOUNTS = (
    *("", "0.0000001", "1e3", "-1", "+5", " 5", "5 ", "1_000", "NaN", "Infinity", "05", "5.", ".5", "１０", "0x10"),
    *("1,000", "1000000000000000000", "1" * 30, "1000000000001", True, "5.1234567"),
)
NO_AMOUNTS_OF_KLS = ("2.000000001", "1000000001", "2.0000000000")


@pytest.mark.parametrize("amount", NO_AMOUNTS)
async def test_an_amount_that_is_none_is_refused(stage: Stage, member: MakeMember, amount: Any) -> None:
    view = await shared(stage)
    await refused(stage, view, InvalidAmount, await member(usdt="100"), amount=amount)


@pytest.mark.parametrize("amount", NO_AMOUNTS_OF_KLS)
async def test_an_amount_of_kls_has_eight_decimals_at_most(stage: Stage, member: MakeMember, amount: str) -> None:
    view = await shared(stage)
    await refused(stage, view, InvalidAmount, await member(kls="100"), amount=amount, asset="KLS")


@pytest.mark.parametrize(
    ("bet", "refusal"),
    [
        ({"amount": "0"}, BelowMinimum),
        ({"amount": "0.999999"}, BelowMinimum),
        ({"amount": "1.99999999", "asset": "KLS"}, BelowMinimum),
        ({"amount": "100.000001"}, InsufficientBalance),
        ({"amount": "2", "asset": "KLS"}, InsufficientBalance),
        ({"option": "six"}, InvalidInput),
        ({"option": "Odd"}, InvalidInput),
        ({"asset": "USA"}, InvalidInput),
        ({"asset": "usdt"}, InvalidInput),
        ({"asset": "usdt", "scene_id": "lucky_6-60"}, InvalidInput),
        ({"amount": -1, "scene_id": "lucky_6-60"}, InvalidAmount),
        ({"scene_id": "odd_even-180"}, NotFound),
        ({"scene_id": "odd_even-61"}, NotFound),
        ({"scene_id": "lucky_6-60"}, NotFound),
        ({"round_id": "odd_even-60-600"}, NotFound),
        ({"round_id": "'; DROP TABLE bets; --"}, NotFound),
        ({"round_id": "1"}, NotFound),
    ],
)
async def test_a_bad_bet_moves_nothing(
    stage: Stage, member: MakeMember, bet: dict[str, Any], refusal: type[Refusal]
) -> None:
    view = await shared(stage)
    told = await refused(stage, view, refusal, await member(usdt="100"), **bet)
    assert all(fault["reason"] == "invalid" for fault in told.fields.get("errors", ()))


@pytest.mark.parametrize("why", ["chain", "clock"])
async def test_a_bet_while_chain_or_clocks_disagree_moves_nothing(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch, why: Closed
) -> None:
    view, alice = await shared(stage), await member(usdt="100")
    assert (await show_hall(stage.context(alice))).closed is None
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(stage.house.pulse, "_closed", why)
        await refused(stage, view, BettingClosed, alice)
        assert (await show_hall(stage.context(alice))).closed == why
        assert (await show_scene(stage.context(alice), view.scene.id)).closed == why
    await stage.bet(alice, view)


async def test_a_round_of_another_scene_is_not_found(stage: Stage, member: MakeMember) -> None:
    view = await shared(stage)
    other = await stage.current("odd_even-180")
    await refused(stage, view, NotFound, await member(usdt="100"), round_id=other.id)


async def test_the_members_share_is_the_limit_of_one_member(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100000")
    most = (await show_scene(stage.context(alice), view.scene.id)).maximum[USDT]
    assert most == rules.room(ODD_EVEN, "odd", (SHARE,) * 10, ODD_EVEN.multiple(stage.house.terms))
    over = await refused(stage, view, LimitReached, alice, amount=usdt(most + 1))
    assert over.fields == {"asset": "USDT", "room": {"odd": usdt(most), "even": usdt(most)}}
    await stage.bet(alice, view, "odd", usdt(most))
    full = await refused(stage, view, LimitReached, alice, option="odd", amount="1")
    assert full.fields["room"]["odd"] == "0.000001"  # whose profit is rounded down to nothing
    room = (await show_scene(stage.context(alice), view.scene.id)).room
    assert room["odd"][USDT] == 1
    assert usdt(room["even"][USDT]) == full.fields["room"]["even"]
    await stage.bet(alice, view, "even", full.fields["room"]["even"])


async def test_the_height_is_the_limit_of_all_members(stage: Stage, member: MakeMember) -> None:
    most = rules.room(ODD_EVEN, "odd", (SHARE,) * 10, ODD_EVEN.multiple(stage.house.terms))
    *others, last, alice = [await member(usdt="20000") for _ in range(6)]
    view = await stage.begin()
    for other in others:
        await stage.bet(other, view, "odd", usdt(most - 1_000_000))
    room = (await show_scene(stage.context(last), view.scene.id)).room["odd"][USDT]
    await stage.bet(last, view, "odd", usdt(room - 1_000_000))
    over = await refused(stage, view, LimitReached, alice, option="odd", amount=usdt(most))
    left = (await quotas_left(stage.house.db, [quota_of_height(view.height.closes_at, USDT)])).popitem()[1]
    free = rules.room(ODD_EVEN, "odd", left, ODD_EVEN.multiple(stage.house.terms))
    assert over.fields["room"] == {"odd": usdt(free), "even": usdt(most)}
    await stage.bet(alice, view, "odd", usdt(free))
    await stage.play(view, 1)
    assert (await stage.height(view)).state == "settled"


async def test_64_bets_at_once_stay_within_the_limit(stage: Stage, member: MakeMember) -> None:
    most = rules.room(ODD_EVEN, "odd", (SHARE,) * 10, ODD_EVEN.multiple(stage.house.terms))
    people = [await member(usdt=usdt(most)) for _ in range(64)]
    view = await stage.begin()
    results = await asyncio.gather(*(stage.bet(who, view, "odd", usdt(most)) for who in people), return_exceptions=True)
    accepted = [result for result in results if not isinstance(result, BaseException)]
    assert {type(result) for result in results if isinstance(result, BaseException)} == {LimitReached}
    assert len(accepted) == 5  # five shares make the limit
    owed = sum(most * 195 // 100 - most for _ in accepted)
    assert LIMIT - most * 95 // 100 < owed <= LIMIT
    held = await stage.house.db.value("SELECT sum(units)::bigint FROM bets WHERE round = $1", view.round.number)
    assert held == most * 5
    await stage.play(view, 3)
    assert (await stage.height(view)).state == "settled"


async def test_the_same_request_64_times_is_one_bet(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    request = uuid.uuid4().hex
    results = await asyncio.gather(*(stage.bet(alice, view, request_id=request) for _ in range(64)))
    assert len({result.bet for result in results}) == 1
    assert {result.balance_units for result in results} == {90_000_000}
    await stage.play(view, 2)
    again = await stage.bet(alice, view, request_id=request)  # also when the round is long over
    assert again.bet.id == results[0].bet.id
    assert again.balance_units == 90_000_000
    assert (await stage.money(alice)).available == 90_000_000


async def test_a_bets_balance_is_found_among_any_number_of_moves_of_its_millisecond(
    stage: Stage, member: MakeMember
) -> None:
    view = await stage.begin()
    alice, request = await member(usdt="100"), uuid.uuid4().hex
    placed = await stage.bet(alice, view, request_id=request)
    await crowd(stage.house.ledger, stage.house.clock, available(alice.id, USDT), STAKE)
    again = await stage.bet(alice, view, request_id=request)
    assert (again.bet.id, again.balance_units) == (placed.bet.id, 90_000_000)


async def test_a_request_is_found_once_it_was_posted(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    request, body = uuid.uuid4().hex, b"a" * 32
    ctx = stage.context(alice, fingerprint=body)
    assert await ctx.find_posted(request) is None
    placed = await stage.bet(alice, view, request_id=request, fingerprint=body)
    await stage.play(view, 2)
    posted = await ctx.find_posted(request)
    assert posted is not None
    again = await show_placed(ctx, posted)
    assert (again.bet.id, again.balance_units) == (placed.bet.id, placed.balance_units)
    assert await stage.context(bob, fingerprint=body).find_posted(request) is None
    with pytest.raises(RequestConflict):
        await stage.context(alice, fingerprint=b"b" * 32).find_posted(request)


async def test_a_request_that_is_under_way_is_waited_for(stage: Stage, member: MakeMember) -> None:
    alice = await member(usdt="100")
    ctx, request = stage.context(alice), uuid.uuid4().hex
    aside = Move("test.aside", available(alice.id, USDT), house(Purpose.MARKETING, USDT), 1)
    first = asyncio.create_task(ctx.ledger.post(Posting(ctx.key(request), [aside], member=alice.id)))
    asked = asyncio.create_task(ctx.find_posted(request))  # it waits beside the first, in the same turn
    posted = await asked
    assert posted is not None
    assert posted.id == (await first).id


async def test_a_request_is_posted_though_it_was_asked_for_before(stage: Stage, member: MakeMember) -> None:
    """The question stands in the writer's line when the first try comes."""
    alice = await member(usdt="100")
    ctx, request = stage.context(alice), uuid.uuid4().hex
    aside = Move("test.aside", available(alice.id, USDT), house(Purpose.MARKETING, USDT), 1)
    asked = asyncio.create_task(ctx.find_posted(request))
    first = asyncio.create_task(ctx.ledger.post(Posting(ctx.key(request), [aside], member=alice.id)))
    assert await asked is None
    assert not (await first).replayed


async def test_a_request_id_with_another_body_is_a_conflict(stage: Stage, member: MakeMember) -> None:
    view = await shared(stage)
    alice, bob = await member(usdt="100"), await member(usdt="100")
    request = uuid.uuid4().hex
    await stage.bet(alice, view, request_id=request, fingerprint=b"a" * 32)
    await refused(stage, view, RequestConflict, alice, request_id=request, fingerprint=b"b" * 32)
    await stage.bet(bob, view, request_id=request, fingerprint=b"b" * 32)  # another member's id is another key


async def test_a_bet_at_t_is_late(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    stage.to(view.height.closes_at - 20_000)
    last = await stage.bet(alice, view)
    assert last.bet.at < view.height.closes_at
    stage.to(view.height.closes_at)
    await refused(stage, view, RoundClosed, alice)  # nobody has sealed it yet
    await stage.turn()
    await refused(stage, view, RoundClosed, alice)
    await stage.play(view, 1)
    await refused(stage, view, RoundClosed, alice)


async def test_bets_against_a_seal_stand_before_or_after_it(stage: Stage, member: MakeMember) -> None:
    """The quota is closed in the ledger's order: every accepted bet is in the root, no refused one is."""
    people = [await member(usdt="100") for _ in range(30)]
    view = await stage.begin()
    while await stage.chain.head() < view.height.height - view.height.margin:
        stage.tick()

    async def bet(who: Any, after: float) -> Any:
        await asyncio.sleep(after)
        return await stage.bet(who, view)

    tries = [bet(who, place / 1000) for place, who in enumerate(people)]
    *results, _ = await asyncio.gather(*tries, stage.turn(), return_exceptions=True)
    accepted = [result for result in results if not isinstance(result, BaseException)]
    assert {type(result) for result in results if isinstance(result, BaseException)} <= {RoundClosed}
    count = await stage.house.db.value("SELECT bet_count FROM rounds WHERE number = $1", view.round.number)
    assert count == len(accepted)


async def shared(stage: Stage) -> RoundView:
    """An open round with enough time left for a refusal."""
    found = await stage.current_or_none()
    if found is not None and found.state == "open" and found.height.closes_at - stage.now > 10_000:
        return found
    return await stage.begin()


@given(st.integers(1, 10**12), st.sampled_from(ODD_EVEN.options))
def test_the_room_is_the_largest_stake_that_fits(units: int, option: str) -> None:
    multiple = Fraction(195, 100)
    left = (units,) * 10
    most = rules.room(ODD_EVEN, option, left, multiple)
    assert max(rules.exposure(ODD_EVEN, option, most, multiple)) <= units
    assert max(rules.exposure(ODD_EVEN, option, most + 1, multiple)) > units
