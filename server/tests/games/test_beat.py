"""The beat of rounds: a height that waits is told of and slows nothing."""

import asyncio
from contextlib import suppress

import pytest

from games.stage import Stage
from kalos.app.repeat import repeat
from kalos.app.runs import Runs
from kalos.core.errors import Outage
from kalos.core.ports import Block
from kalos.domains.games.jobs import turn_rounds
from kalos.operator.desk_queries import list_runs


async def test_height_that_always_fails_slows_no_other_one_and_is_told_of(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await stage.begin()
    await stage.seal(first)
    stage.advance(1)
    stage.tick()
    await stage.turn()
    second = await stage.current()
    honest, turns, done = stage.chain.block, 0, asyncio.Event()

    async def disagreed(number: int) -> Block | None:
        if number == first.height.height:
            raise Outage("2 chain endpoints disagree")
        return await honest(number)

    async def turn() -> Exception | None:
        nonlocal turns
        turns += 1
        if turns == 9:
            done.set()
        return await turn_rounds(stage.house)

    runs = Runs()
    with monkeypatch.context() as patch:
        patch.setattr(stage.chain, "block", disagreed)
        while await stage.chain.head() < second.height.height - second.height.margin:
            stage.tick()
        beat = asyncio.create_task(repeat("rounds", 0.05, turn, runs))
        with suppress(TimeoutError):  # where each turn counted as an outage, the eighth pause alone would be longer
            await asyncio.wait_for(done.wait(), 6)
        beat.cancel()
        with suppress(asyncio.CancelledError):
            await beat
    assert turns >= 9
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
