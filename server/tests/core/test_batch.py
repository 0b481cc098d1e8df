"""What is asked at once goes together; whose answer it is, is never mixed up."""

import asyncio
from collections.abc import Sequence

import pytest

from kalos.core.batch import Batch


class Statements:
    """Doubles what it is given; `runs` are the items of each run, `most` is how many ran at one time."""

    def __init__(self) -> None:
        self.runs: list[list[int]] = []
        self.running = self.most = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def run(self, items: Sequence[int]) -> list[int]:
        self.runs.append(list(items))
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0.001)
        await self.gate.wait()
        self.running -= 1
        if 13 in items:
            raise ValueError("13")
        return [2 * item for item in items]


async def test_those_who_ask_at_once_share_a_statement() -> None:
    statements = Statements()
    batch: Batch[int, int] = Batch(statements.run)
    assert await asyncio.gather(*map(batch.ask, range(20, 60))) == [2 * item for item in range(20, 60)]
    assert statements.runs == [[*range(20, 60)]]


@pytest.mark.parametrize(
    ("asked", "runs"), [(31, [range(31)]), (32, [range(16), range(16, 32)]), (65, [range(33), range(33, 65)])]
)
async def test_many_who_ask_at_once_are_shared_between_two_statements(asked: int, runs: list[range]) -> None:
    statements = Statements()
    batch: Batch[int, int] = Batch(statements.run, at_once=2)
    for turn in (1, 2):
        assert await asyncio.gather(*(batch.ask(100 + item) for item in range(asked))) == [
            2 * (100 + item) for item in range(asked)
        ]
        assert statements.runs == turn * [[100 + item for item in run] for run in runs]
        assert statements.most == len(runs)


@pytest.mark.parametrize("at_once", [1, 2])
async def test_no_more_statements_than_allowed_run_at_one_time(at_once: int) -> None:
    statements = Statements()
    batch: Batch[int, int] = Batch(statements.run, at_once=at_once)

    async def ask_often(first: int) -> None:
        for item in range(first, first + 10):
            assert await batch.ask(item) == 2 * item
            await asyncio.sleep(0.0003 * (item % 3))

    await asyncio.gather(*(ask_often(100 * first) for first in range(1, 9)))
    assert statements.most <= at_once
    assert sorted(item for run in statements.runs for item in run) == [
        100 * first + item for first in range(1, 9) for item in range(10)
    ]


@pytest.mark.parametrize("at_once", [1, 2])
async def test_as_many_statements_as_allowed_run_at_one_time(at_once: int) -> None:
    statements = Statements()
    batch: Batch[int, int] = Batch(statements.run, at_once=at_once)
    statements.gate.clear()
    asked = []
    for item in range(5):
        asked.append(batch.ask(item))
        await asyncio.sleep(0)
    assert statements.runs == [[0], [1]][:at_once]
    statements.gate.set()
    assert await asyncio.gather(*asked) == [0, 2, 4, 6, 8]
    assert statements.runs[at_once:] == [[*range(at_once, 5)]]


async def test_a_failure_is_told_to_all_of_its_statement_and_to_nobody_else() -> None:
    batch: Batch[int, int] = Batch(Statements().run)
    together = [batch.ask(item) for item in (12, 13)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    later = batch.ask(14)
    for task in together:
        with pytest.raises(ValueError, match="13"):
            await task
    assert await later == 28


async def test_who_goes_away_takes_nobody_along() -> None:
    batch: Batch[int, int] = Batch(Statements().run)
    going, staying = batch.ask(1), batch.ask(2)
    await asyncio.sleep(0)
    going.cancel()
    assert await staying == 4
    assert await batch.ask(3) == 6
