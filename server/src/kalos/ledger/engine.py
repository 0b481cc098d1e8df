"""The writer's loop: takes what waits, decides it in order, commits it at once, then answers."""

import asyncio
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final

import asyncpg

from kalos.core.failpoints import armed, reach
from kalos.ledger.batch import Batch
from kalos.ledger.commit import Committer, Failed, Lost
from kalos.ledger.decide import decide
from kalos.ledger.figures import Figures
from kalos.ledger.garbage import Garbage
from kalos.ledger.line import MOST_IN_BATCH, Entry, Line
from kalos.ledger.load import Known, Looked, Missing, find_stale, find_used, load
from kalos.ledger.pace import Pace
from kalos.ledger.render import Statement, statement_of
from kalos.ledger.requests import Request
from kalos.ledger.state import State
from kalos.ledger.verdicts import POSTED, Element, Outcome, Verdict, bug

_STALE_MS: Final = 100  # a decided batch that waited longer for its turn is decided again
_WARY_SECONDS: Final = 10.0
_AFTER_TAKES: Final = (Outcome.BUG, Outcome.CHANGED)
_FINAL: Final = frozenset({POSTED, Outcome.REPLAYED, Outcome.CONFLICT})
MOST_COPIES: Final = 1_050_000  # accounts, of some 250 bytes; as many holds, half as many quotas


class Flight:
    """A batch with its entries in order, their verdicts, its statement, and the commit that runs.

    `asked`: whether the tables were asked for all its keys and quotas; `passing`: accounts that need not be known any
    longer; `unsure`: one was refused for a quota that the tables were not asked for.
    """

    __slots__ = ("asked", "batch", "commit", "entries", "passing", "problem", "statement", "unsure", "verdicts")

    def __init__(self, batch: Batch, *, asked: bool) -> None:
        self.batch = batch
        self.asked = asked
        self.passing: Collection[int] = ()
        self.unsure = False
        self.entries: list[Entry] = []
        self.verdicts: list[Verdict] = []
        self.statement: Statement | None = None
        self.commit: asyncio.Task[float] | None = None  # its result is how long it took, in seconds
        self.problem: Failed | None = None  # why it was not written

    @property
    def bulk(self) -> bool:
        """Whether a slice of bulk is in it."""
        return not self.entries[-1].live


class Engine:
    """One writer while it holds the lease. `run` returns when `stopping` is set and nothing waits.

    Raises: `commit.Lost` and what `commit.LOST` lists: the copies are worth nothing any more.
    """

    def __init__(
        self,
        line: Line,
        state: State,
        now: Callable[[], int],
        writes: asyncpg.Connection,
        reads: asyncpg.Connection,
        epoch: int,
        figures: Figures,
    ) -> None:
        self.line = line
        self.state = state
        self._now = now
        self.stopping = False
        self._figures = figures
        self._pace = Pace()
        self._committer = Committer(writes, figures)
        self._commit: asyncio.Task[float] | None = None
        self._answered = 0  # with the last batch
        self._reads = reads
        self._epoch = epoch
        self._garbage = Garbage()
        self._wary_until = time.monotonic() + _WARY_SECONDS  # of keys that are used already
        self._guessing_from = 0.0  # that a quota which a posting would start is new

    async def run(self) -> None:
        flight: Flight | None = None
        try:
            while True:
                if flight is not None:
                    if await self._is_done(flight):
                        await self._land(flight)
                        self.state.forget(MOST_COPIES, flight.passing, ())
                        flight = None
                    else:
                        flight = await self._next(flight)
                elif self.line.ready():
                    await self._gather()
                    flight = await self._next(None)
                elif self.stopping and not self.line.unanswered:
                    return
                else:
                    await self._idle()
        finally:
            if self._commit is not None:
                self._commit.cancel()

    async def _is_done(self, flight: Flight) -> bool:
        """Wait until the commit has ended, or until a full batch waits that can be decided meanwhile (False)."""
        assert flight.commit is not None
        line = self.line
        self._garbage.while_busy()
        while not flight.commit.done() and line.ready(behind_bulk=flight.bulk) < self._pace.size(line.unanswered):
            await line.wait()
        return flight.commit.done()

    async def _gather(self) -> None:
        """Where flushing is slow, wait a little for those who were answered last: one flush then serves them all."""
        until = time.monotonic() + self._pace.patience(self._answered)
        while self.line.ready() < self._answered and (left := until - time.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self.line.wait()

    async def _idle(self) -> None:
        self._garbage.while_idle()
        await self.line.wait()
        await asyncio.sleep(0)  # all frames that came with this one

    async def _next(self, before: Flight | None) -> Flight | None:
        """Decide what waits while `before` is being committed, and send it before those of `before` are answered."""
        most = min(MOST_IN_BATCH, self._pace.size(self.line.unanswered))
        entries = self.line.take(most, behind_bulk=before is not None and before.bulk)
        flight = await self._decided(entries, before)
        if before is not None and not await self._committed(before):
            # What was decided on top of a batch that isn't written is decided again.
            flight.batch.undo()
            await self._split(before)
            flight, before = await self._again(flight), None
        reach("decided")
        if self._now() - flight.batch.at > _STALE_MS:
            flight.batch.undo()
            if before is not None:  # its callers wait for nothing more
                await self._settle(before)
                self.state.forget(MOST_COPIES, before.passing, ())
            flight, before = await self._again(flight), None
        sent = self._send(flight)
        if before is not None:
            await asyncio.sleep(0)  # the turn of the commit's task
            await asyncio.sleep(0)  # and the loop's writes: the database works while callers are answered
            await self._settle(before)
        if not sent:
            await self._finish(flight)
        if before is not None:
            self.state.forget(MOST_COPIES, before.passing, flight.batch.accounts)
        self.state.shrink(MOST_COPIES, flight.batch.accounts, flight.batch.holds, flight.batch.quotas)
        return flight if sent else None

    def _send(self, flight: Flight) -> bool:
        """Start the commit; where nothing was accepted there is none."""
        if flight.statement is None:
            return False
        self._commit = flight.commit = asyncio.create_task(self._committer.run(flight.statement))
        flight.commit.add_done_callback(lambda _: self.line.wake())
        return True

    async def _decided(self, entries: list[Entry], before: Flight | None = None, *, ask: bool = False) -> Flight:
        """Look up what a batch needs and decide it, on top of the one `before` where that is not committed yet."""
        now = time.monotonic()
        ask = ask or now < self._wary_until
        guess = not ask and now >= self._guessing_from
        missing = Missing(self.state, [entry.request for entry in entries], guess=guess)
        self._figures.cache_misses += missing.copies
        flight = self._decide(entries, await self._look(entries, missing, ask=ask), before)
        flight.passing = missing.passing
        if flight.unsure:
            flight.batch.undo()
            return await self._again(flight, before, ask=True)
        return flight

    async def _again(self, flight: Flight, before: Flight | None = None, *, ask: bool = False) -> Flight:
        """Decide once more what was undone. What only bulk has named is known by now, and passes all the same."""
        again = await self._decided(flight.entries, before, ask=ask)
        again.passing = {*flight.passing, *again.passing}
        return again

    async def _look(self, entries: list[Entry], missing: Missing, *, ask: bool) -> Looked:
        """What the tables say of a batch, where they need asking.

        The latest keys are known here, and a quota that a posting would start is mostly new. An older one fails its
        batch, which is then looked up; and so are all batches for a while, since who sends one may send many.
        """
        known: Known = {}
        if ask or missing:
            requests = [entry.request for entry in entries] if ask else []
            known = await load(self._reads, self.state, requests, missing)
        stale: set[bytes] = set()
        wrong = missing.wrong
        changing = [one.request for one in entries if one.live and one.request.changes and one.request.key not in wrong]
        if changing and len(entries) > 1:  # one that fails alone harms nobody
            stale = await find_stale(self._reads, self.state, changing)
        return Looked(known, stale, wrong, missing.guessed, ask)

    def _decide(self, entries: list[Entry], looked: Looked, before: Flight | None = None) -> Flight:
        """Decide in order. A posting that changes a row which this batch changes already goes back to the line.

        So does one whose row the batch `before` changes: what the tables say of it is no longer so when that one is
        written, and a posting that expects the wrong fails a whole batch.
        """
        begun = time.perf_counter()
        state = self.state
        batch = Batch(state, self._now(), looked.guessed)
        flight = Flight(batch, asked=looked.asked)
        later = []
        for entry in entries:
            request = entry.request
            used = looked.known.get(request.key) or state.used_key(request.key)
            stale = request.key in looked.stale
            if used is not None:
                verdict = _replayed(used, request.fingerprint)
            elif request.key in looked.wrong:
                verdict = bug(looked.wrong[request.key])
            elif request.changes and (batch.meets(request) or (before and before.batch.meets(request))):
                later.append(entry)
                continue
            else:
                verdict = decide(state, batch, request, stale=stale)
                flight.unsure |= _is_unsure(verdict, request, looked.guessed)
            flight.entries.append(entry)
            flight.verdicts.append(verdict)
        batch.drop_guesses()
        self.line.put_back(later)
        if batch.keys and not flight.unsure:
            flight.statement = statement_of(batch, self._epoch)
        if flight.entries:
            self._pace.worked(time.perf_counter() - begun, len(flight.entries))
        return flight

    async def _land(self, flight: Flight) -> None:
        if await self._committed(flight):
            await self._settle(flight)
        else:
            await self._split(flight)

    async def _committed(self, flight: Flight) -> bool:
        """Wait for a commit. False: nothing of it was written."""
        assert flight.commit is not None
        try:
            seconds = await flight.commit
        except Failed as problem:
            # Without its frames, which know the flight: nothing that ends is left to a collection.
            flight.commit, flight.problem = None, problem.with_traceback(None)
            return False
        self._pace.committed(seconds, len(flight.batch.keys))
        if flight.bulk:
            self.line.rest(seconds)
        reach("committed")
        return True

    async def _settle(self, flight: Flight) -> None:
        """Answer those of a batch that is written."""
        batch = flight.batch
        self.state.remember(batch.keys, batch.prints, batch.first_posting + 1, batch.at)
        if armed():
            await self._reach_between(flight)
        await self._finish(flight)

    async def _finish(self, flight: Flight) -> None:
        """Answer a batch's callers.

        Who is refused may have sent a key that was used long ago: then the first answer is due, not a refusal.
        """
        figures, batch = self._figures, flight.batch
        self._answered = len(flight.entries)
        figures.batches += 1
        figures.posted += len(batch.keys)
        figures.cache_looks += len(batch.accounts) + len(batch.holds) + len(batch.quotas)
        doubtful: list[tuple[Entry, Verdict]] = []
        for entry, verdict in zip(flight.entries, flight.verdicts, strict=True):
            if flight.asked or verdict.outcome in _FINAL:
                self._answer(entry, verdict)
            else:
                doubtful.append((entry, verdict))
        if doubtful:
            known = await find_used(self._reads, [entry.request for entry, _ in doubtful])
            for entry, verdict in doubtful:
                used = known.get(entry.request.key)
                self._answer(entry, verdict if used is None else _replayed(used, entry.request.fingerprint))

    def _answer(self, entry: Entry, verdict: Verdict) -> None:
        if entry.request.not_after == 0:  # it only asks for its key, and is refused nothing
            self._figures.questions += 1
        elif verdict.outcome != POSTED:
            self._figures.ended(verdict)
        self.line.answer(entry, verdict)

    async def _reach_between(self, flight: Flight) -> None:
        """The failpoints after a commit: a hold resolved in part, half of the callers answered."""
        holds = flight.batch.state.holds
        for number, was in flight.batch.holds.items():
            now = holds[number]
            if was is not None and now is not None and 0 < now.left < was.left:
                reach("hold_resolved_in_part")
        half = len(flight.entries) // 2
        for entry, verdict in zip(flight.entries[:half], flight.verdicts, strict=False):
            self._answer(entry, verdict)
        await asyncio.sleep(0.01)  # their answers leave
        reach("answered_half")
        del flight.entries[:half], flight.verdicts[:half]

    async def _split(self, flight: Flight) -> None:
        """Undo a failed batch and commit its halves, down to the posting that is at fault."""
        flight.batch.undo()
        self._figures.halvings += 1
        entries, problem = flight.entries, flight.problem
        assert problem is not None
        unasked = not flight.asked and (problem.known != "" or _is_hasty(problem.verdict, flight))
        middle = len(entries) // 2
        halves = [entries[:middle], entries[middle:]]
        if unasked:
            halves = [entries]
            if problem.known == "quotas":
                self._guessing_from = time.monotonic() + _WARY_SECONDS
            elif problem.known:
                self._wary_until = time.monotonic() + _WARY_SECONDS
        elif problem.known == "quotas":
            raise Lost("the copies of quotas are not those of the table")
        elif len(entries) == 1:
            await self._single(entries[0], problem)
            return
        for half in halves:
            again = await self._decided(half, ask=unasked)
            if self._send(again):
                await self._land(again)
            else:
                await self._finish(again)

    async def _single(self, entry: Entry, problem: Failed) -> None:
        """A posting that fails alone is answered from the store, or refused; it isn't tried again."""
        used = (await find_used(self._reads, [entry.request])).get(entry.request.key)
        verdict = problem.verdict if used is None else _replayed(used, entry.request.fingerprint)
        self._answer(entry, verdict)


def _is_unsure(verdict: Verdict, request: Request, guessed: set[str]) -> bool:
    """Whether it might be another one if the quotas that were guessed had been looked for."""
    if not guessed or verdict.outcome == POSTED:
        return False
    takes = request.takes if verdict.element == Element.CLOSE or verdict.outcome in _AFTER_TAKES else ()
    if verdict.element in (Element.TAKE_SHORT, Element.TAKE_CLOSED):
        takes = request.takes[: verdict.index + 1]
    return any(name in guessed for name, _, _ in takes)


def _is_hasty(verdict: Verdict, flight: Flight) -> bool:
    """Whether a posting that failed alone might have been refused by a quota that was guessed, before that."""
    return verdict.outcome in _AFTER_TAKES and len(flight.entries) == 1 and bool(flight.batch.guessed)


def _replayed(used: tuple[int, int, int], fingerprint: int) -> Verdict:
    if used[0] != fingerprint:
        return Verdict(Outcome.CONFLICT)
    return Verdict(Outcome.REPLAYED, used[1], used[2])
