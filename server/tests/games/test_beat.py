"""The beat of rounds: a height that waits is told of and slows nothing."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pytest

from conftest import MakeMember
from games.stage import Stage, turn_well
from kalos.app.repeat import repeat
from kalos.app.runs import Runs
from kalos.core.errors import Outage
from kalos.core.ports import Block
from kalos.domains.games import jobs
from kalos.domains.games.jobs import turn_rounds
from kalos.domains.games.queries import list_unsettled
from kalos.domains.games.service import RoundView
from kalos.ledger.postings import Ledger, Posted, Posting, key_of
from kalos.operator.desk_queries import list_runs


async def sealed_with_next(stage: Stage, first: RoundView) -> RoundView:
    """Seal a round's height; returns the round after it."""
    await stage.seal(first)
    stage.advance(1)
    stage.tick()
    await stage.turn()
    return await stage.current()


async def test_height_that_always_fails_slows_no_other_one_and_is_told_of(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await stage.begin()
    second = await sealed_with_next(stage, first)
    honest, turns, done = stage.chain.block, 0, asyncio.Event()

    async def disagreed(number: int) -> Block | None:
        if number == first.height.height:
            raise Outage("2 chain endpoints disagree")
        return await honest(number)

    async def turn() -> Exception | None:
        nonlocal turns
        turns += 1
        if turns == 10:
            done.set()
        return await turn_rounds(stage.house)

    runs = Runs()
    with monkeypatch.context() as patch:
        patch.setattr(stage.chain, "block", disagreed)
        while await stage.chain.head() < second.height.height - second.height.margin:
            stage.tick()
        beat = asyncio.create_task(repeat("rounds", 0.05, turn, runs))
        with suppress(TimeoutError):  # where each turn counted as an outage, the pauses would be longer
            await asyncio.wait_for(done.wait(), 20)
        beat.cancel()
        with suppress(asyncio.CancelledError):
            await beat
    assert turns >= 10
    assert (await stage.height(first)).state == "sealed"
    assert (await stage.height(second)).state == "sealed"
    await runs.tell(stage.house.db)
    (run,) = [run for run in await list_runs(stage.house.db) if run.name == "rounds"]
    assert (run.result, run.error) == ("waits", "Outage: 2 chain endpoints disagree")


async def test_chain_whose_head_is_not_known_slows_the_beat(stage: Stage) -> None:
    stage.chain.away = True
    with pytest.raises(Outage):
        await turn_rounds(stage.house)
    stage.chain.away = False


async def test_one_node_that_tells_of_later_blocks_makes_no_round_final(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look begins at a block that most have; then one that answers alone is far ahead."""
    view = await stage.begin()
    await stage.seal(view)
    stage.mine_to(view, 7)
    heads = iter([await stage.chain.head()])

    async def ahead() -> int:
        return next(heads, view.height.height + 50)

    with monkeypatch.context() as patch:
        patch.setattr(stage.chain, "head", ahead)
        await turn_rounds(stage.house)
        assert await stage.chain.head() == view.height.height + 50
    assert ((await stage.height(view)).state, (await stage.height(view)).final_at) == ("drawn", None)
    await stage.confirm()
    assert (await stage.height(view)).state == "settled"


class Refusing:
    """The real ledger, to which some postings never come."""

    def __init__(self, ledger: Ledger, keys: set[bytes]) -> None:
        self.ledger, self.keys = ledger, keys

    async def post(self, posting: Posting) -> Posted:
        return await self.ledger.post(posting)

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        if self.keys.isdisjoint({one.key for one in postings}):
            return await self.ledger.post_many(postings)
        return [Outage("no answer") for _ in postings]


async def test_heights_that_can_not_be_paid_take_no_others_place(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_SLICES_A_LOOK", 1)
    first = await stage.begin()
    alice = await member(usdt="100")
    stuck = await stage.bet(alice, first, amount="1")
    second = await sealed_with_next(stage, first)
    paid = await stage.bet(alice, second, amount="1")
    await stage.seal(second)
    stage.mine_to(first, 1)
    stage.mine_to(second, 1)
    for _ in range(3):
        stage.chain.mine()
    refusing = Refusing(stage.house.ledger, {key_of("game.settle", stuck.bet.id)})
    with suppress(Exception):
        await turn_rounds(replace(stage.house, ledger=refusing))
    assert (await stage.bet_row(paid)).status == "won"
    assert (await stage.bet_row(stuck)).status == "awaiting_draw"
    await stage.turn()
    assert (await stage.bet_row(stuck)).status == "won"


class Heard:
    """The real ledger, with what it is given noted: the T of each slice of bets, and keys of single postings.

    At the first slice of bets, business time moves on to `at_first_slice`.
    """

    def __init__(self, stage: Stage, bets: dict[bytes, int], *, at_first_slice: int | None = None) -> None:
        self.ledger: Ledger = stage.house.ledger
        self.stage, self.bets, self.at_first_slice = stage, bets, at_first_slice
        self.done: list[int | bytes] = []

    async def post(self, posting: Posting) -> Posted:
        self.done.append(posting.key)
        return await self.ledger.post(posting)

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        self.done.append(self.bets[postings[0].key])
        if self.at_first_slice is not None:
            self.stage.to(self.at_first_slice)
            self.at_first_slice = None
        return await self.ledger.post_many(postings)


async def test_a_height_with_many_bets_keeps_no_other_one_open(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SLICE", 1)
    monkeypatch.setattr(jobs, "_SLICES_A_LOOK", 3)
    first = await stage.begin()
    alice = await member(usdt="100")
    big = [await stage.bet(alice, first, amount="1") for _ in range(12)]
    while await stage.chain.head() < first.height.height - first.height.margin - 1:
        stage.tick()
    second = await sealed_with_next(stage, first)
    assert second.height.closes_at > first.height.closes_at
    small = await stage.bet(alice, second, amount="1")
    stage.mine_to(first, 1)
    for _ in range(3):
        stage.chain.mine()
    paid = {key_of("game.settle", bet.bet.id): first.height.closes_at for bet in big}
    seal, root = key_of("game.seal", second.height.closes_at), key_of("game.root", second.round.number)

    heard = Heard(stage, paid, at_first_slice=second.height.closes_at)
    await turn_well(replace(stage.house, ledger=heard))
    assert {seal, root} <= set(heard.done)
    assert heard.done.index(seal) < heard.done.index(root)
    assert heard.done[: heard.done.index(seal)].count(first.height.closes_at) == 3
    assert heard.done[heard.done.index(root) :].count(first.height.closes_at) == 9
    assert (await stage.height(first)).state == "settled"
    stage.mine_to(second, 1)
    await stage.turn()
    await stage.confirm()
    assert (await stage.bet_row(small)).status == "won"


async def test_all_that_is_due_is_sealed_before_any_root_is_made(stage: Stage) -> None:
    first = await stage.begin()
    while await stage.chain.head() < first.height.height - first.height.margin - 2:
        stage.tick()
    stage.to(first.height.closes_at - 4_000)
    stage.tick()
    await stage.turn()
    (second,) = await stage.house.db.rows(
        "SELECT number, closes_at FROM rounds WHERE closes_at > $1 ORDER BY number LIMIT 1", first.height.closes_at
    )
    stage.to(second["closes_at"])
    heard = Heard(stage, {})
    await turn_well(replace(stage.house, ledger=heard))
    seals = [key_of("game.seal", closes_at) for closes_at in (first.height.closes_at, second["closes_at"])]
    roots = [key_of("game.root", number) for number in (first.round.number, second["number"])]
    assert max(map(heard.done.index, seals)) < min(map(heard.done.index, roots))


async def test_heights_are_paid_a_slice_of_each_in_turn(
    stage: Stage, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SLICE", 2)
    first = await stage.begin()
    alice = await member(usdt="100")
    big = [await stage.bet(alice, first, amount="1") for _ in range(9)]
    second = await sealed_with_next(stage, first)
    small = [await stage.bet(alice, second, amount="1") for _ in range(4)]
    await stage.seal(second)
    stage.mine_to(first, 1)
    stage.mine_to(second, 1)
    for _ in range(3):
        stage.chain.mine()
    both = (first, big), (second, small)
    paid = {key_of("game.settle", bet.bet.id): view.height.closes_at for view, bets in both for bet in bets}
    heard = Heard(stage, paid)
    await turn_well(replace(stage.house, ledger=heard))
    one, other = first.height.closes_at, second.height.closes_at
    assert [done for done in heard.done if isinstance(done, int)] == [one, other, one, other, one, one, one]
    assert [(await stage.height(view)).state for view in (first, second)] == ["settled", "settled"]
    assert {(await stage.bet_row(bet)).status for bet in (*big, *small)} == {"won"}


async def test_open_heights_are_looked_at_first_however_many_wait(stage: Stage) -> None:
    first = await stage.begin()
    await stage.seal(first)
    stage.advance(1)
    stage.tick()
    await stage.turn()
    (height,) = await list_unsettled(stage.house.db, 1)
    assert height.state == "open"
    assert height.closes_at > first.height.closes_at
    await stage.settle_all()


@pytest.mark.parametrize(("seconds", "steps"), [(60, 1), (60, 12), (12, 1), (12, 12), (4, 1), (4, 4)])
async def test_a_clock_that_jumps_voids_by_what_it_adds_up_to_before_the_block(
    stage: Stage, seconds: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chain's tick goes on every two seconds: its stamps tell how far time was moved, in however many steps."""
    view = await stage.begin()
    jumps, now = steps, stage.now
    monkeypatch.setattr(stage.house.clock, "now", lambda: now)  # however long the turns take
    while (await stage.height(view)).final_at is None:
        if jumps:
            jumps -= 1
            now += 1000 * (seconds // steps)
        now += 2000
        stage.tick()
        await stage.turn()
    found = await stage.height(view)
    assert (found.state, found.void_reason) == (("settled", None) if seconds == 4 else ("void", "late_block"))


@pytest.mark.parametrize("when", ["asked", "told"])
async def test_a_height_is_counted_from_the_head_of_the_moment_that_it_is_published_at(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """However long the answer takes, and whenever blocks come meanwhile: who checks the round finds it true."""
    before = await stage.begin()
    stage.to(before.height.closes_at - 4_000)
    for _ in range(20):  # else the next one's block would be this one's
        stage.tick()
    honest = stage.chain.head

    async def slow() -> int:
        patch.undo()
        head = await honest()
        for _ in range(3):
            stage.advance(2)
            stage.tick()
        return head if when == "asked" else await honest()

    with monkeypatch.context() as patch:
        patch.setattr(stage.chain, "head", slow)
        await turn_rounds(stage.house)
    height = (await stage.current()).height
    assert height.closes_at == before.height.closes_at + 60_000
    published, following = [await stage.chain.block(height.published_head + blocks) for blocks in (0, 1)]
    assert published is not None
    assert published.time * 1000 <= height.published_at
    if when == "asked":
        assert following is not None
        assert (following.time + height.block_seconds) * 1000 >= height.published_at
    else:
        assert published.number == await stage.chain.head()


async def test_a_height_is_sealed_at_its_time_though_the_head_was_asked_for_before(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = await stage.begin()
    honest = stage.chain.head
    stage.to(view.height.closes_at - 1_000)

    async def slow() -> int:
        patch.undo()
        stage.advance(2)
        return await honest()

    with monkeypatch.context() as patch:
        patch.setattr(stage.chain, "head", slow)
        await turn_rounds(stage.house)
    assert (await stage.height(view)).state == "sealed"
