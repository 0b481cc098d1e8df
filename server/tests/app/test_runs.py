"""What the dashboard is told of jobs: the last start and end of each, what came of it, and why."""

import asyncio
from contextlib import suppress

from kalos.app.repeat import repeat
from kalos.app.runs import Runs
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.operator.dashboard import is_silent
from kalos.operator.desk_queries import JobRun, list_runs


async def once(runs: Runs, name: str, problem: Exception | None = None) -> None:
    """Let a job run once."""
    done = asyncio.Event()

    async def step() -> None:
        done.set()
        if problem is not None:
            raise problem

    task = asyncio.create_task(repeat(name, 60, step, runs))
    await done.wait()
    await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def known(db: Database, name: str) -> JobRun:
    return next(run for run in await list_runs(db) if run.name == name)


async def test_the_last_run_of_each_job_is_told_with_what_came_of_it(db: Database) -> None:
    runs = Runs()
    for name, problem in (("good", None), ("shut", Outage("the node is away")), ("broken", KeyError("a secret"))):
        await once(runs, name, problem)
    await runs.tell(db)
    good, shut, broken = [await known(db, name) for name in ("good", "shut", "broken")]
    assert (good.result, good.error, good.every_ms) == ("done", None, 60_000)
    assert good.ended_at is not None
    assert good.started_at <= good.ended_at
    assert (shut.result, shut.error) == ("waits", "Outage: the node is away")
    assert (broken.result, broken.error) == ("failed", "KeyError")
    await once(runs, "broken")
    await runs.tell(db)
    assert ((await known(db, "broken")).result, (await known(db, "broken")).error) == ("done", None)


async def test_a_run_under_way_keeps_what_came_of_the_one_before(db: Database) -> None:
    runs = Runs()
    runs.begin("long", 1)
    await runs.tell(db)
    first = await known(db, "long")
    assert (first.ended_at, first.result) == (None, None)
    runs.end("long", Outage("x"))
    await asyncio.sleep(0.005)
    runs.begin("long", 1)
    await runs.tell(db)
    under_way = await known(db, "long")
    assert (under_way.result, under_way.error) == ("waits", "Outage: x")
    assert under_way.ended_at is not None
    assert under_way.started_at > under_way.ended_at


async def test_of_two_workers_the_one_that_began_last_counts(db: Database) -> None:
    slow, fast = Runs(), Runs()
    slow.begin("both", 1)
    await asyncio.sleep(0.005)
    await once(fast, "both", Outage("the later one"))
    await fast.tell(db)
    slow.end("both")
    await slow.tell(db)
    assert (await known(db, "both")).error == "Outage: the later one"


def test_a_job_is_late_that_should_have_run_again() -> None:
    ended = JobRun("x", 1_000, 1_000_000, 1_000_500, "done", None)
    assert not is_silent(ended, 1_000_500 + 63_000)
    assert is_silent(ended, 1_000_501 + 63_000)
    assert is_silent(JobRun("x", 1_000, 1_000_000, None, None, None), 1_000_001 + 63_000)
