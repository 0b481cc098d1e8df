"""The life of a round: opened, sealed, drawn, settled; and every way to be void."""

import asyncio

import pytest

from conftest import MakeMember
from games.stage import LIMIT, Stage
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Outage
from kalos.core.ports import Block
from kalos.domains.games import queries, rules
from kalos.domains.games.errors import BettingClosed, BlockProcessing, RoundClosed
from kalos.domains.games.service import show_round, show_scene


async def test_a_winner_gets_stake_and_profit_and_a_loser_nothing(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100", kls="50")
    house = await stage.money(alice)
    won = await stage.bet(alice, view, "odd", "10.000001")
    lost = await stage.bet(bob, view, "even", "3")
    coins = await stage.bet(bob, view, "odd", "2.00000001", asset="KLS")
    assert won.balance_units == 89_999_999
    await stage.play(view, 7)
    rows = [await stage.bet_row(bet) for bet in (won, lost, coins)]
    assert [(row.status, row.prize_units) for row in rows] == [
        ("won", 19_500_001),
        ("not_won", 0),
        ("won", 390_000_001),
    ]
    after = await stage.money(alice)
    assert (after.available, after.held) == (109_500_000, 0)
    assert after.bankroll + after.reserved == house.bankroll + house.reserved + 3_000_000 - 9_500_000
    assert (await stage.money(bob)).available == 97_000_000
    assert (await stage.money(bob, KLS)).available == 50 * 10**8 + 190_000_000
    assert (await stage.height(view)).state == "settled"


async def test_every_scene_has_an_open_round_at_any_moment(stage: Stage) -> None:
    await stage.begin()
    for _ in range(20):
        stage.advance(7)
        stage.tick()
        await stage.turn()
        for scene in rules.scenes(stage.house.terms):
            view = await stage.current(scene.id)
            assert view.state == "open"
            assert view.height.closes_at % (scene.seconds * 1000) == 0


async def test_the_height_is_published_with_what_it_follows_from(stage: Stage) -> None:
    view = await stage.begin()
    height = view.height
    assert height.height == rules.deciding_height(
        head=height.published_head,
        now=height.published_at,
        closes_at=height.closes_at,
        block_seconds=height.block_seconds,
        margin=height.margin,
    )
    assert height.published_head == await stage.chain.head()
    long = await stage.current("odd_even-180")
    stage.to(long.height.closes_at - 59_000)
    stage.tick()
    await stage.turn()
    short = await stage.current()
    assert short.height.closes_at == long.height.closes_at
    assert short.height.height == long.height.height
    assert (await stage.height(short)).rounds == 2


async def test_what_is_reserved_is_the_limits_of_unsettled_heights(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    start = await stage.money(alice)
    limits = await queries.list_limits(stage.house.db, [view.height.closes_at])
    assert limits[view.height.closes_at]["USDT"] == LIMIT
    assert start.reserved == await stage.sum_limits(USDT)
    await stage.bet(alice, view, "even", "10")
    await stage.play(view, 3)
    after = await stage.money(alice)
    assert after.reserved == await stage.sum_limits(USDT)
    assert after.bankroll + after.reserved == start.bankroll + start.reserved + 10_000_000


async def test_heights_that_do_not_fit_into_all_reservations_stay_closed(stage: Stage, member: MakeMember) -> None:
    await stage.begin()
    with stage.confirmations(10_000):  # nothing gets final, so every height keeps its limit
        for _ in range(300):
            stage.advance(2)
            stage.tick()
            await stage.turn() if stage.now // 1000 % 20 < 2 else None
            bankroll, reserved = await stage.bankroll(USDT)
            assert reserved <= (bankroll + reserved) // 10
        view = await stage.current()
        assert view.state == "drawn"
        assert reserved > 6 * LIMIT
        with pytest.raises(RoundClosed):
            await stage.bet(await member(usdt="10"), view)
    await stage.turn()
    assert await stage.sum_limits(USDT) < 4 * LIMIT


async def test_a_scene_without_a_limit_for_the_asset_is_closed(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    stage.advance(1_000)
    await stage.settle_all()
    async with stage.without_bankroll(KLS):
        stage.to(stage.now // 180_000 * 180_000 + 181_000)
        stage.tick()
        await stage.turn()
        view = await stage.current()
        with pytest.raises(BettingClosed):
            await stage.bet(await member(kls="10"), view, asset="KLS", amount="2")
        player = await member(usdt="10")
        await stage.bet(player, view, amount="2")
        assert (await show_scene(stage.context(player), view.scene.id)).maximum[KLS] == 0


async def test_a_late_chain_opens_no_round(stage: Stage) -> None:
    view = await stage.begin()
    stage.advance(90)  # no block since
    await stage.turn()
    assert (await stage.current()).id == view.id


async def test_betting_ends_early_where_the_chain_runs_ahead(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = await stage.begin()
    monkeypatch.setattr(stage.house.clock, "now", lambda: view.height.published_at)  # however long the turns take
    while await stage.chain.head() < view.height.height - view.height.margin:
        stage.tick()
    await stage.turn(2)
    assert (await stage.height(view)).state == "sealed"
    with pytest.raises(RoundClosed):
        await stage.bet(await member(usdt="10"), view)
    following = await stage.current()
    assert following.state == "open"
    # T + 60 s would have the block that the 180 s scene waits for: one block decides one T only.
    assert following.height.closes_at == view.height.closes_at + 120_000


async def test_a_bet_after_the_blocks_own_time_is_refunded_alone(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    early = await stage.bet(alice, view, "odd", "10")
    stage.advance(2)
    while len(stage.chain._blocks) < view.height.height:
        stage.tick()
    stage.tick(digit=2)
    late_loser = await stage.bet(bob, view, "odd", "10")
    late_winner = await stage.bet(bob, view, "even", "10")
    await stage.turn()
    await stage.confirm()
    assert [(await stage.bet_row(bet)).status for bet in (early, late_loser, late_winner)] == [
        "not_won",
        "void",
        "void",
    ]
    assert (await stage.money(bob)).available == 100_000_000
    assert (await stage.height(view)).state == "settled"


async def test_a_sealed_round_asks_for_patience_until_its_block_is_there(stage: Stage) -> None:
    view = await stage.begin()
    assert (await show_round(stage.context(None), view.id)).state == "open"
    stage.to(view.height.closes_at)
    with pytest.raises(BlockProcessing):
        await show_round(stage.context(None), view.id)
    await stage.turn()
    with pytest.raises(BlockProcessing):
        await show_round(stage.context(None), view.id)
    block = stage.mine_to(view, 4)
    await stage.turn()
    drawn = await show_round(stage.context(None), view.id)
    assert (drawn.state, drawn.outcome, drawn.height.final_at) == ("drawn", "even", None)
    assert drawn.block == block


@pytest.mark.parametrize("late_seconds", [11, 12, 500])
async def test_a_block_over_15_s_after_t_voids_the_round(stage: Stage, member: MakeMember, late_seconds: int) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    bets = [await stage.bet(alice, view, option, "10") for option in ("odd", "even")]
    await stage.seal(view)
    stage.mine_to(view, 1, late_seconds=late_seconds)  # T + 4 s + late
    await stage.confirm()
    height = await stage.height(view)
    in_time = late_seconds == 11
    assert (height.state, height.void_reason) == (("settled", None) if in_time else ("void", "late_block"))
    rows = [await stage.bet_row(bet) for bet in bets]
    if not in_time:
        assert {(row.status, row.prize_units) for row in rows} == {("void", 10_000_000)}
        assert (await stage.money(alice)).available == 100_000_000


async def test_a_hash_without_digit_voids_the_round(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    await stage.bet(alice, view, "odd", "10")
    await stage.play(view, None)
    height = await stage.height(view)
    assert (height.state, height.void_reason, height.digit) == ("void", "no_digit", None)
    assert (await stage.money(alice)).available == 100_000_000


async def test_a_height_that_never_comes_voids_the_round_after_ten_minutes(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    await stage.bet(alice, view, "odd", "10")
    await stage.seal(view)
    stage.to(view.height.closes_at + 600_000 - 20_000)
    stage.tick()
    await stage.turn()
    assert (await stage.height(view)).state == "sealed"
    stage.to(view.height.closes_at + 600_000)
    stage.tick()
    await stage.turn()
    height = await stage.height(view)
    assert (height.state, height.void_reason, height.block_hash) == ("void", "no_block", None)
    assert (await stage.money(alice)).available == 100_000_000


async def test_an_outage_of_the_operator_voids_nothing(stage: Stage, member: MakeMember) -> None:
    """The chain went on without us for a day: the round is drawn late from its old block."""
    view = await stage.begin()
    alice = await member(usdt="100")
    bet = await stage.bet(alice, view, "odd", "10")
    stage.mine_to(view, 9)
    stage.chain.away = True
    stage.to(view.height.closes_at)
    with pytest.raises(Outage):
        await stage.turn()
    assert (await stage.height(view)).state == "sealed"
    stage.advance(86_400)
    with pytest.raises(Outage):
        await stage.turn()
    assert (await stage.height(view)).state == "sealed"
    stage.chain.away = False
    await stage.confirm()
    assert (await stage.bet_row(bet)).status == "won"


async def test_a_node_that_lags_voids_nothing(stage: Stage, member: MakeMember) -> None:
    """Our node stands still before the deciding block while the chain goes on: nobody may choose a void that way."""
    view = await stage.begin()
    alice = await member(usdt="100")
    bet = await stage.bet(alice, view, "odd", "10")
    await stage.seal(view)
    stage.advance(86_400)
    await stage.turn(2)
    assert (await stage.height(view)).state == "sealed"
    stage.mine_to(view, 9)
    await stage.confirm()
    assert (await stage.bet_row(bet)).status == "won"


async def test_a_height_that_goes_wrong_keeps_no_other_one_open(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, member: MakeMember
) -> None:
    first = await stage.begin()
    await stage.bet(await member(usdt="100"), first, "odd", "10")
    await stage.seal(first)
    stage.advance(1)
    stage.tick()
    await stage.turn()
    second = await stage.current()
    assert second.height.closes_at > first.height.closes_at
    honest = stage.chain.block

    async def disagreed(number: int) -> Block | None:
        if number == first.height.height:
            raise Outage("2 chain endpoints disagree")
        return await honest(number)

    with monkeypatch.context() as patch:
        patch.setattr(stage.chain, "block", disagreed)
        while await stage.chain.head() < second.height.height - second.height.margin:
            stage.tick()
        with pytest.raises(Outage):
            await stage.turn()
    assert (await stage.height(first)).state == "sealed"
    assert (await stage.height(second)).state == "sealed"


async def test_a_jump_of_the_clock_voids_open_rounds_and_invents_none(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    bet = await stage.bet(alice, view, "odd", "10")
    stage.advance(3_600)
    stage.tick()
    await stage.turn()
    assert (await stage.bet_row(bet)).status == "void"
    assert (await stage.money(alice)).available == 100_000_000
    between = await stage.house.db.value(
        "SELECT count(*) FROM rounds WHERE closes_at > $1 AND closes_at < $2",
        (await stage.current("odd_even-180")).height.closes_at - 3_400_000,
        stage.now,
    )
    assert between == 0
    assert (await stage.current()).state == "open"


async def test_a_reorganisation_before_the_end_changes_the_result(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    bet = await stage.bet(alice, view, "odd", "10")
    await stage.seal(view)
    stage.mine_to(view, 1)
    stage.chain.mine()
    await stage.turn()
    assert (await stage.height(view)).digit == 1
    stage.chain.reorganise(2, regrow=False)
    await stage.turn()
    back = await stage.height(view)
    assert (back.state, back.block_hash, back.digit) == ("sealed", None, None)
    stage.mine_to(view, 2)
    await stage.turn()
    assert (await stage.height(view)).digit == 2
    stage.chain.reorganise(1, regrow=False)
    block = stage.mine_to(view, 3)
    await stage.confirm()
    height = await stage.height(view)
    assert (height.digit, height.block_hash, height.state) == (3, block.hash, "settled")
    assert (await stage.bet_row(bet)).status == "won"


async def test_a_reorganisation_after_the_end_changes_nothing(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice = await member(usdt="100")
    await stage.bet(alice, view, "odd", "10")
    await stage.play(view, 5)
    before, money = await stage.height(view), await stage.money(alice)
    stage.chain.reorganise(4)
    await stage.turn(3)
    assert await stage.height(view) == before
    assert (await stage.money(alice)).available == money.available


async def test_two_workers_at_once_settle_once(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    alice, bob = await member(usdt="100"), await member(usdt="100")
    for _ in range(5):
        await stage.bet(alice, view, "odd", "10")
        await stage.bet(bob, view, "even", "10")
    stage.to(view.height.closes_at)
    await asyncio.gather(*(stage.turn() for _ in range(4)))
    stage.mine_to(view, 8)
    await asyncio.gather(*(stage.turn() for _ in range(4)))
    for _ in range(3):
        stage.chain.mine()
    await asyncio.gather(*(stage.turn() for _ in range(4)))
    await stage.turn()
    assert (await stage.height(view)).state == "settled"
    assert (await stage.money(alice)).available == 50_000_000
    assert (await stage.money(bob)).available == 100_000_000 + 5 * 9_500_000


async def test_two_workers_at_once_open_each_round_once(stage: Stage) -> None:
    await stage.begin()
    stage.advance(1_000)
    stage.tick()
    await stage.settle_all()
    stage.advance(180)
    stage.tick()
    await asyncio.gather(*(stage.turn() for _ in range(6)))
    await stage.turn()
    row = await stage.house.db.row(
        "SELECT count(*) AS heights, max(serial) AS serial, count(DISTINCT height) AS blocks FROM heights"
    )
    assert row is not None
    assert row["heights"] == row["serial"] == row["blocks"]
    for scene in rules.scenes(stage.house.terms):
        assert (await stage.current(scene.id)).state == "open"


async def test_every_change_is_told(stage: Stage, member: MakeMember) -> None:
    view = await stage.begin()
    await stage.play(view, 6)
    rows = await stage.house.db.rows(
        "SELECT body->>'state' AS state, body->>'outcome' AS outcome, body->>'digit' AS digit FROM outbox"
        " WHERE topic = 'rounds' AND body->>'round' = $1 ORDER BY id",
        view.id,
    )
    assert [tuple(row) for row in rows] == [
        ("open", None, None),
        ("sealed", None, None),
        ("sealed", None, None),
        ("drawn", "even", "6"),
        ("drawn", "even", "6"),
        ("settled", "even", "6"),
    ]
