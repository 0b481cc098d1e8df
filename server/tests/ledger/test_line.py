"""Bulk in the queue: live postings hardly wait for it, and all of it is written."""

import asyncio

import pytest

from kalos.ledger import line
from kalos.ledger.engine import Engine, Flight
from kalos.ledger.pace import Pace
from kalos.ledger.postings import Posted
from kalos.ledger.requests import request_of
from kalos.ledger.verdicts import Outcome, Verdict
from kalos.ledger.writer import Writer
from support.ledger import posting


async def test_a_live_posting_waits_for_one_slice_of_bulk_at_most(writer: Writer) -> None:
    async with asyncio.TaskGroup() as group:
        bulk = group.create_task(writer.post_many([posting() for _ in range(1_000)]))
        while not writer._line.ready():
            await asyncio.sleep(0)
        while writer._line.ready() == 1_000:
            await asyncio.sleep(0)
        live = await writer.post(posting())
    last = bulk.result()[-1]
    assert isinstance(last, Posted)
    assert live.id < last.id - 500


async def test_bulk_leaves_batches_to_live_postings_and_is_written_all_the_same(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "_REST", 20)
    commits: list[tuple[int, int]] = []  # live and bulk postings of each
    committed = Engine._committed

    async def counted(engine: Engine, flight: Flight) -> bool:
        live = sum(entry.live for entry in flight.entries)
        commits.append((live, len(flight.entries) - live))
        return await committed(engine, flight)

    monkeypatch.setattr(Engine, "_committed", counted)
    async with asyncio.TaskGroup() as group:
        bulk = group.create_task(writer.post_many([posting() for _ in range(400)]))
        while not bulk.done():
            await writer.post(posting())
    assert all(isinstance(one, Posted) for one in bulk.result())
    assert sum(many for _, many in commits) == 400
    assert max(many for live, many in commits if live) <= line.BULK_BESIDE // 4  # rows of one that moves nothing
    assert sum(many == 0 for _, many in commits) > sum(many > 0 for _, many in commits)


async def test_what_is_decided_while_bulk_is_written_has_no_bulk_where_live_postings_come(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind: list[list[line.Entry]] = []
    take = line.Line.take

    def noted(self: line.Line, most: int, *, behind_bulk: bool) -> list[line.Entry]:
        entries = take(self, most, behind_bulk=behind_bulk)
        if behind_bulk:
            behind.append(entries)
        return entries

    monkeypatch.setattr(line.Line, "take", noted)
    # Four of bulk and two live ones: another batch is decided while they are written, however slow a flush is.
    monkeypatch.setattr(Pace, "size", lambda *_: 6)
    async with asyncio.TaskGroup() as group:
        bulk = group.create_task(_all_bulk(writer))

        async def live() -> None:
            while not bulk.done():
                await writer.post(posting())

        for _ in range(60):
            group.create_task(live())
    assert behind
    assert all(entry.live for entries in behind for entry in entries)


async def _all_bulk(writer: Writer) -> None:
    """Some slices, one after the other."""
    await writer.post(posting())  # live ones are expected now
    for _ in range(10):
        await writer.post_many([posting() for _ in range(40)])


async def test_all_that_wait_when_the_line_closes_are_counted_as_outages() -> None:
    waiting, answers = line.Line(), list[Verdict]()
    waiting.open = True
    for number in range(3):
        waiting.add(request_of(posting()), answers.append, live=number > 0)
    waiting.close("gone")
    assert [one.outcome for one in answers] == [Outcome.OUTAGE] * 3
    assert waiting.turned_away == {Outcome.OUTAGE: 3}


async def test_bulk_that_rests_is_written_before_the_writer_stops(writer: Writer) -> None:
    async with asyncio.TaskGroup() as group:
        bulk = group.create_task(writer.post_many([posting() for _ in range(400)]))
        await writer.post(posting())
        writer._line._live_until = asyncio.get_running_loop().time() + 1
        writer._line.rest(0.1)
        assert writer._line.ready() == 0
        assert writer._line.bulk > 0
        await writer.stop()
    assert all(isinstance(one, Posted) for one in bulk.result())
