"""The one writer of the ledger: holds the lease, runs the engine, and starts anew when its database was away."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import asyncpg
import structlog

from kalos.core.clock import Clock
from kalos.core.database import forbid_transaction
from kalos.core.errors import Outage
from kalos.core.patience import patience
from kalos.ledger import engine as engines
from kalos.ledger.ahead import read_ahead
from kalos.ledger.commit import LOST, Lost
from kalos.ledger.engine import Engine
from kalos.ledger.figures import Figures
from kalos.ledger.garbage import collect_all
from kalos.ledger.lease import APPLICATION, BEAT_SECONDS, BEATING, READING_AHEAD, ClockOff, Lease, LeaseLost
from kalos.ledger.line import Done, Line
from kalos.ledger.postings import Posted, Posting
from kalos.ledger.requests import Request, request_of
from kalos.ledger.state import State
from kalos.ledger.verdicts import Verdict, result_of, unwrap

_log = structlog.get_logger("writer")
_PAUSE_SECONDS: Final = 0.2
LOOK_SECONDS: Final = 6.0
_BULK_CHUNK: Final = 1_000
_BEAT_PATIENCE_SECONDS: Final = 5.0
_STEADY_BEATS: Final = 6
_WRONG_CLOCK: Final = "the ledger's writer waits: its clock is off the database's"
_SESSION: Final = {
    "lock_timeout": "200ms",
    "statement_timeout": "5s",
    "idle_in_transaction_session_timeout": "2s",  # a take-over that nobody ends any more would keep the lease's row
    "synchronous_commit": "on",
    "jit": "off",
    # Every statement names its rows by their keys: indexes are right however small a table still is.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}


class Writer:
    """The ledger's writer in this process; itself a `Ledger`.

    `url` is the database as `kalos_writer`. `start` returns when the lease is held: a second writer waits there as
    the standby. `lost` is done when another writer has taken over, or by a bug: this one is of no use any more.
    """

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._lease = Lease(clock)
        self._line = Line()
        self._engine: Engine | None = None
        self._figures = Figures()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._was_off = False
        self._ready = asyncio.Event()
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def figures(self) -> Figures:
        for number, count in self._line.turned_away.items():
            self._figures.outcomes[number] = self._figures.outcomes.get(number, 0) + count
        self._line.turned_away.clear()
        return self._figures

    @property
    def leads(self) -> bool:
        """Whether this writer has the lease and serves."""
        return self._line.open

    @property
    def epoch(self) -> int:
        return self._lease.epoch

    @property
    def queued(self) -> tuple[int, int]:
        """How many postings wait to be taken: live ones and bulk."""
        return self._line.live, self._line.bulk

    @property
    def waiting(self) -> int:
        """How many postings are not answered yet."""
        return self._line.unanswered

    async def start(self) -> None:
        """Raises: what the database says when it refuses the very first connection."""
        (await self._connect(APPLICATION)).terminate()
        self._task = asyncio.create_task(self._run())
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait((self._task, ready), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if not self._ready.is_set():
            raise Outage(f"the ledger's writer can't start: {self.lost.result()}")

    async def stop(self) -> None:
        """Write what waits, give the lease back, close."""
        if self._task is None:
            return
        self._stopping = True
        self._line.open, self._line.reason = False, "the ledger's writer is stopping"
        if self._engine is not None:
            self._engine.stopping = True
            self._line.wake()
        else:
            self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def post(self, posting: Posting) -> Posted:
        """See `Ledger`."""
        forbid_transaction()
        answer: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self.submit(request_of(posting), _into(answer), live=True)
        return unwrap(result_of(posting, await answer))

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        """See `Ledger`."""
        forbid_transaction()
        results: list[Posted | Exception] = []
        for start in range(0, len(postings), _BULK_CHUNK):
            chunk = postings[start : start + _BULK_CHUNK]
            answers: list[asyncio.Future[Verdict]] = []
            for posting in chunk:
                answers.append(asyncio.get_running_loop().create_future())
                self.submit(request_of(posting), _into(answers[-1]), live=False)
            verdicts = await asyncio.gather(*answers)
            results += [result_of(posting, verdict) for posting, verdict in zip(chunk, verdicts, strict=True)]
        return results

    def submit(self, request: Request, done: Done, *, live: bool) -> None:
        """Queue a request that is ready; `done` is called once with its verdict."""
        self._line.add(request, done, live=live)

    async def _connect(self, name: str, *, seconds: float | None = None) -> asyncpg.Connection:
        """`seconds`: a statement without an answer for so long has lost its connection, whose other end may be gone."""
        settings = _SESSION | {"application_name": name}
        return await asyncpg.connect(self._url, timeout=5, command_timeout=seconds, server_settings=settings)

    async def _run(self) -> None:
        """Serve until told to stop; begin anew when the database was away."""
        try:
            while not self._stopping:
                try:
                    await self._serve()
                except ClockOff:
                    self._was_off = True
                    self._line.close(_WRONG_CLOCK)
                except (Lost, *LOST, asyncpg.PostgresError) as problem:
                    if self._line.open:
                        _log.warning("the writer begins anew from the tables", problem=_named(problem))
                    self._line.close(f"the ledger's writer lost its database: {_named(problem)}")
                    collect_all()
                    await asyncio.sleep(_PAUSE_SECONDS)
        except LeaseLost as problem:
            self._lose(str(problem))
        except Exception:  # noqa: BLE001 - told in the log, and the process ends
            _log.exception("the writer has failed")
            self._lose("a bug of the writer")
        finally:
            self._line.close("the ledger's writer has stopped")

    def _lose(self, reason: str) -> None:
        if not self.lost.done():
            self.lost.set_result(reason)

    async def _serve(self) -> None:
        """Take the lease and write until told to stop. All copies start empty."""
        connections, state = list[asyncpg.Connection](), State()
        try:
            connections.append(await self._connect(APPLICATION))
            connections.append(await self._connect(APPLICATION, seconds=LOOK_SECONDS))
            connections.append(await self._connect(BEATING))
            writes, reads, beats = connections
            await self._lease.acquire(beats, writes, state)
            await self._beat_now(beats, state)
            self._ready.set()
            if self._was_off or not self._lease.is_on_time():
                await self._wait_for_the_clock(beats, state)
            self._engine = Engine(self._line, state, self._lease.now, writes, reads, self._lease.epoch, self._figures)
            self._engine.stopping = self._stopping
            self._line.open = not self._stopping
            await self._work(beats)
            await self._lease.release(beats)
        finally:
            self._engine = None
            state.clear()
            for connection in connections:
                connection.terminate()

    async def _wait_for_the_clock(self, beats: asyncpg.Connection, state: State) -> None:
        """Beat, and write nothing, until this machine's clock has been the database's for some beats.

        A stamp can't be mended later; and with a clock at the edge each new start would last a moment.
        """
        self._line.close(_WRONG_CLOCK)
        _log.error("nothing is written: the clock is off the database's", ms=self._lease.off_ms)
        steady = 0
        while steady < _STEADY_BEATS:
            steady = steady + 1 if await self._beat_once(beats, state) else 0
        self._was_off = False
        _log.warning("the clock is the database's again")

    async def _work(self, beats: asyncpg.Connection) -> None:
        """Run the engine and the beat; the first that ends, ends both. What is read ahead ends with them or before."""
        assert self._engine is not None
        ahead = asyncio.create_task(self._read_ahead(self._engine.state))
        engine = asyncio.create_task(self._engine.run())
        beat = asyncio.create_task(self._beat(beats, self._engine.state))
        try:
            await asyncio.wait((engine, beat), return_when=asyncio.FIRST_COMPLETED)
            if beat.done():
                beat.result()
            await engine
        finally:
            for task in (engine, beat, ahead):
                task.cancel()
            await asyncio.gather(engine, beat, ahead, return_exceptions=True)

    async def _read_ahead(self, state: State) -> None:
        """Without it the writer only has more to look up later."""
        begun = time.monotonic()
        try:
            db = await self._connect(READING_AHEAD)
            try:
                count = await read_ahead(db, state, engines.MOST_COPIES * 19 // 20)
            finally:
                db.terminate()
        except (*LOST, asyncpg.PostgresError) as problem:
            _log.warning("could not read ahead", problem=_named(problem))
        else:
            _log.info("accounts were read ahead", count=count, seconds=round(time.monotonic() - begun, 3))

    async def _beat(self, beats: asyncpg.Connection, state: State) -> None:
        """Beat as long as the clocks agree. Raises: LeaseLost, ClockOff."""
        while await self._beat_once(beats, state):
            pass
        raise ClockOff

    async def _beat_once(self, beats: asyncpg.Connection, state: State) -> bool:
        """Returns whether the clocks agree. Raises: LeaseLost."""
        await asyncio.sleep(BEAT_SECONDS)
        await self._beat_now(beats, state)
        return self._lease.is_on_time()

    async def _beat_now(self, beats: asyncpg.Connection, state: State) -> None:
        async with patience(_BEAT_PATIENCE_SECONDS):
            await self._lease.beat(beats, state)


def _into(answer: "asyncio.Future[Verdict]") -> Done:
    def done(verdict: Verdict) -> None:
        if not answer.done():
            answer.set_result(verdict)

    return done


def _named(problem: Exception) -> str:
    """What a driver says may hold rows: callers and logs are told its kind only."""
    return str(problem) if isinstance(problem, Lost) else type(problem).__name__
