"""Where postings wait for the writer: in order of arrival, live before bulk, each member with a share of its own."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

import structlog

from kalos.core.failpoints import reach
from kalos.ledger.requests import Request
from kalos.ledger.verdicts import Outcome, Verdict, outage

MOST_OF_MEMBER: Final = 8
MOST: Final = 20_000
MOST_IN_BATCH: Final = 1_000
_BULK_PLACES: Final = 4  # of each larger batch: bulk goes on, however many live postings wait
BULK_SLICE: Final = 400  # rows of bulk in one batch: about 8 ms of work
BULK_BESIDE: Final = 100  # where live postings come, too: they wait for what is being written
_REST: Final = 1  # there bulk rests so many times as long as its commit took: half of the time is enough
_LIVELY_SECONDS: Final = 0.1  # after a live posting further ones are expected

Done = Callable[[Verdict], None]

_log = structlog.get_logger("writer")


class Entry:
    """One posting that waits, with all callers that wait for it."""

    __slots__ = ("callers", "live", "request")

    def __init__(self, request: Request, done: Done, live: bool) -> None:
        self.request = request
        self.callers = [done]
        self.live = live


class Line:
    """The queue of the writer. `open` is false while nothing can be written: then all is answered with an outage."""

    def __init__(self) -> None:
        self.open = False
        self.reason = "the ledger's writer is starting"
        self.turned_away: dict[int, int] = {}  # outcomes that no batch had, by number
        self._live: deque[Entry] = deque()
        self._bulk: deque[Entry] = deque()
        self._by_key: dict[bytes, Entry] = {}
        self._shares: dict[int, int] = {}
        self._arrived = asyncio.Event()
        self._live_until = 0.0  # by the loop's clock: so long live postings are expected
        self._rest: asyncio.TimerHandle | None = None  # while bulk may not be taken
        self._bugs: set[type[Exception]] = set()  # of callers that could not take their answers

    def ready(self, *, behind_bulk: bool = False) -> int:
        """How many wait that may be taken now, or while a slice of bulk is being written."""
        return len(self._live) + (0 if self._keeps_bulk(behind_bulk) else len(self._bulk))

    def _keeps_bulk(self, behind_bulk: bool) -> bool:
        """Whether bulk is not taken: while it rests, and right behind a slice where live postings are expected."""
        return self._rest is not None or (behind_bulk and asyncio.get_running_loop().time() < self._live_until)

    @property
    def live(self) -> int:
        return len(self._live)

    @property
    def bulk(self) -> int:
        return len(self._bulk)

    @property
    def unanswered(self) -> int:
        return len(self._by_key)

    def add(self, request: Request, done: Done, *, live: bool) -> None:
        """Queue a posting; `done` is called once with its verdict, perhaps at once."""
        if not self.open:
            return self._turn_away(done, outage(self.reason))
        first = self._by_key.get(request.key)
        if first is not None:
            return self._join(first, request, done, live=live)
        if len(self._by_key) >= MOST:
            return self._turn_away(done, outage("the ledger's queue is full"))
        member = request.member
        if live and member:
            share = self._shares.get(member, 0)
            if share >= MOST_OF_MEMBER:
                return self._turn_away(done, Verdict(Outcome.TOO_MANY))
            self._shares[member] = share + 1
        entry = Entry(request, done, live)
        self._by_key[request.key] = entry
        (self._live if live else self._bulk).append(entry)
        self._arrived.set()
        reach("queued")
        return None

    def _join(self, first: Entry, request: Request, done: Done, *, live: bool) -> None:
        if (first.request.fingerprint, first.request.not_after) != (request.fingerprint, request.not_after):
            # Whose body counts is not known before the other one is answered: it may be the wrong one of the two.
            # And who only asks whether a key was used comes too late by design: nobody shares that answer.
            first.callers.append(lambda _: self.add(request, done, live=live))
        else:
            first.callers.append(lambda verdict: done(_second(verdict)))

    def _turn_away(self, done: Done, verdict: Verdict) -> None:
        self.turned_away[verdict.outcome] = self.turned_away.get(verdict.outcome, 0) + 1
        self._give(done, verdict)

    async def wait(self) -> None:
        """Return when something waits, or when `wake` was called."""
        self._arrived.clear()
        await self._arrived.wait()

    def wake(self) -> None:
        self._arrived.set()

    def take(self, most: int = MOST_IN_BATCH, *, behind_bulk: bool = False) -> list[Entry]:
        """The next batch: live postings, then a slice of bulk, `most` postings at the most.

        Right behind a slice none is taken where live postings come, too: they would wait for both.
        """
        live, bulk = self._live, self._bulk
        now = asyncio.get_running_loop().time()
        if live:
            self._live_until = now + _LIVELY_SECONDS
        slice_rows = BULK_BESIDE if now < self._live_until else BULK_SLICE
        if self._keeps_bulk(behind_bulk):
            slice_rows = 0
        kept = min(len(bulk), _BULK_PLACES) if most > _BULK_PLACES and slice_rows else 0
        entries = [live.popleft() for _ in range(min(len(live), most - kept))]
        rows = 0
        while bulk and rows < slice_rows and len(entries) < most:
            entry = bulk.popleft()
            entries.append(entry)
            rows += 4 + sum([len(many[1]) for many in entry.request.many])
        return entries

    def rest(self, commit_seconds: float) -> None:
        """Bulk was committed: where live postings are expected, they have the next batches for themselves."""
        loop = asyncio.get_running_loop()
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        if loop.time() < self._live_until:
            self._rest = loop.call_later(_REST * commit_seconds, self._end_rest)

    def _end_rest(self) -> None:
        self._rest = None
        self.wake()

    def put_back(self, entries: list[Entry]) -> None:
        """They go first in the next batch, in their order."""
        for entry in reversed(entries):
            (self._live if entry.live else self._bulk).appendleft(entry)

    def answer(self, entry: Entry, verdict: Verdict) -> None:
        """Tell all that wait for it. One who can't take his answer harms neither them nor the writer."""
        request = entry.request
        del self._by_key[request.key]
        if entry.live and request.member:
            share = self._shares[request.member] - 1
            if share:
                self._shares[request.member] = share
            else:
                del self._shares[request.member]
        for done in entry.callers:
            self._give(done, verdict)

    def _give(self, done: Done, verdict: Verdict) -> None:
        try:
            done(verdict)
        except Exception as problem:  # noqa: BLE001 - a bug of that caller, and of nobody who waits beside it
            if type(problem) not in self._bugs:  # one caller may have thousands of answers to come
                self._bugs.add(type(problem))
                _log.exception("a caller could not take its answer")

    def close(self, reason: str) -> None:
        """Answer all that wait with an outage, and from now on everything."""
        self.open, self.reason = False, reason
        self._live.clear()
        self._bulk.clear()
        entries = list(self._by_key.values())
        self.turned_away[Outcome.OUTAGE] = self.turned_away.get(Outcome.OUTAGE, 0) + len(entries)
        for entry in entries:
            self.answer(entry, outage(reason))


def _second(verdict: Verdict) -> Verdict:
    """What a caller gets who sent a key that another one had sent already."""
    if verdict.outcome == Outcome.POSTED:
        return Verdict(Outcome.REPLAYED, verdict.id, verdict.at)
    return verdict
