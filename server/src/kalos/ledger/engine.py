"""The writer's loop: takes what waits, decides it in order, commits it at once, then answers."""

import asyncio
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from kalos.core.clock import Clock
from kalos.ledger.batch import Batch
from kalos.ledger.commit import Committer, Failed
from kalos.ledger.decide import decide
from kalos.ledger.line import Entry, Line
from kalos.ledger.load import Known, Missing, load
from kalos.ledger.render import statement_of
from kalos.ledger.state import State
from kalos.ledger.verdicts import Outcome, Verdict, bug

_SHORT: Final = 200  # under this many waiting, a commit under way is waited for: the next batch is fuller then
_STALE_MS: Final = 100  # a decided batch that waited longer for its turn is decided again
_COLLECT_SECONDS: Final = 1.0
MOST_COPIES: Final = 1_000_000


@dataclass(slots=True)
class Figures:
    """What the writer counts about itself."""

    batches: int = 0
    posted: int = 0
    halvings: int = 0
    commit_seconds: float = 0.0
    outcomes: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Flight:
    """A batch with its entries in order, their verdicts, and the commit that runs."""

    entries: list[Entry]
    verdicts: list[Verdict]
    batch: Batch
    commit: asyncio.Task[None] | None = None


class Engine:
    """One writer while it holds the lease. `run` returns when `stopping` is set and nothing waits.

    Raises: `commit.Lost` and what `commit.LOST` lists: the copies are worth nothing any more.
    """

    def __init__(
        self, line: Line, state: State, clock: Clock, writes: asyncpg.Connection, reads: asyncpg.Connection, epoch: int
    ) -> None:
        self.line = line
        self.state = state
        self.clock = clock
        self.stopping = False
        self.figures = Figures()
        self._committer = Committer(writes)
        self._reads = reads
        self._epoch = epoch
        self._collected = time.monotonic()

    async def run(self) -> None:
        flight: Flight | None = None
        try:
            while True:
                if flight is not None and len(self.line) < _SHORT:
                    await self._land(flight)
                    flight = None
                    self.state.shrink(MOST_COPIES)
                if flight is None and not len(self.line):
                    if self.stopping:
                        return
                    await self._idle()
                    continue
                flight = await self._next(flight)
        finally:
            if flight is not None and flight.commit is not None:
                flight.commit.cancel()

    async def _idle(self) -> None:
        if not gc.isenabled() and time.monotonic() - self._collected > _COLLECT_SECONDS:
            gc.collect(1)
            self._collected = time.monotonic()
        await self.line.wait()
        await asyncio.sleep(0)  # all frames that came with this one

    async def _next(self, before: Flight | None) -> Flight | None:
        """Decide what waits while `before` is being committed, then send it."""
        entries = self.line.take()
        missing = self._missing(entries)
        if before is None and len(entries) == 1 and not missing:
            return await self._alone(entries)
        known = await self._load(entries, missing)
        flight = self._decide(entries, known)
        if before is not None and not await self._landed(before):
            # What was decided on top of a batch that isn't written is decided again.
            flight.batch.undo()
            await self._split(before)
            flight = self._decide(flight.entries, known)
        if self.clock.now() - flight.batch.at > _STALE_MS:
            flight.batch.undo()
            flight = self._decide(flight.entries, known)
        return self._send(flight)

    async def _alone(self, entries: list[Entry]) -> Flight | None:
        """A lone posting goes without the look-up of its key: where it is used, the commit fails and tells so."""
        flight = self._decide(entries, {})
        if flight.batch.keys:
            return self._send(flight)
        return self._send(self._decide(entries, await self._load(entries)))

    def _send(self, flight: Flight) -> Flight | None:
        """Start the commit; where nothing was accepted there is none, and all are answered."""
        if not flight.batch.keys:
            self._answer(flight)
            return None
        statement = statement_of(flight.batch, self._epoch)
        flight.commit = asyncio.create_task(self._committer.run(statement))
        return flight

    def _missing(self, entries: Sequence[Entry]) -> Missing:
        return Missing(self.state, [entry.request for entry in entries])

    async def _load(self, entries: Sequence[Entry], missing: Missing | None = None) -> Known:
        requests = [entry.request for entry in entries]
        return await load(self._reads, self.state, requests, missing or Missing(self.state, requests))

    def _decide(self, entries: list[Entry], known: Known) -> Flight:
        """Decide in order. A posting that changes a row which this batch changes already goes back to the line."""
        batch = Batch(self.state, self.clock.now())
        flight = Flight([], [], batch)
        later = []
        for entry in entries:
            request = entry.request
            used = known.get(request.key)
            if used is not None:
                verdict = _again(used, request.fingerprint)
            elif request.changes and batch.meets(request):
                later.append(entry)
                continue
            else:
                verdict = decide(self.state, batch, request)
            flight.entries.append(entry)
            flight.verdicts.append(verdict)
        self.line.put_back(later)
        return flight

    async def _land(self, flight: Flight) -> None:
        if not await self._landed(flight):
            await self._split(flight)

    async def _landed(self, flight: Flight) -> bool:
        """Wait for a commit and answer; False: nothing of it was written."""
        assert flight.commit is not None
        begun = time.perf_counter()
        try:
            await flight.commit
        except Failed:
            return False
        self.figures.commit_seconds += time.perf_counter() - begun
        self._answer(flight)
        return True

    async def _split(self, flight: Flight) -> None:
        """Undo a failed batch and commit its halves, down to the posting that is at fault."""
        flight.batch.undo()
        self.figures.halvings += 1
        entries = flight.entries
        if len(entries) == 1:
            await self._single(flight)
            return
        middle = len(entries) // 2
        for half in (entries[:middle], entries[middle:]):
            await self._again(half)

    async def _again(self, entries: list[Entry]) -> None:
        flight = self._send(self._decide(entries, await self._load(entries)))
        if flight is not None:
            await self._land(flight)

    async def _single(self, flight: Flight) -> None:
        """A posting that fails alone is answered from the store, or refused; it isn't tried again."""
        assert flight.commit is not None
        known = await self._load(flight.entries)
        (entry,) = flight.entries
        used = known.get(entry.request.key)
        problem = flight.commit.exception()
        if used is not None:
            verdict = _again(used, entry.request.fingerprint)
        elif isinstance(problem, Failed):
            verdict = problem.verdict
        else:
            verdict = bug("a commit failed without a reason")
        self._answer(Flight([entry], [verdict], flight.batch))

    def _answer(self, flight: Flight) -> None:
        figures = self.figures
        figures.batches += 1
        figures.posted += len(flight.batch.keys)
        for entry, verdict in zip(flight.entries, flight.verdicts, strict=True):
            if verdict.outcome != Outcome.POSTED:
                figures.outcomes[verdict.outcome] = figures.outcomes.get(verdict.outcome, 0) + 1
            self.line.answer(entry, verdict)


def _again(used: tuple[bytes, int, int], fingerprint: bytes) -> Verdict:
    if used[0] != fingerprint:
        return Verdict(Outcome.CONFLICT)
    return Verdict(Outcome.REPLAYED, used[1], used[2])
