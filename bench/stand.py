"""Where a benchmark runs: a database of its own, the writer as its own process, ours and the peers beside it."""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import asyncpg
import uvloop

from kalos.app.embedded.postgres import Cluster, RunningCluster
from kalos.app.migrate import migrate, role_url
from kalos.core.database import Database
from kalos.ledger.audit import audit
from kalos.ledger.lease import READING_AHEAD
from ours import Ours
from slices import Meter, Slice, Work, measure, processor

HERE: Final = Path(__file__).parent
sys.path.append(str(HERE.parent / "server" / "tests"))

from support.clusters import SECRET  # noqa: E402
from support.ledger import WriterProcess, writer_process  # noqa: E402

_MEMORY_MB: Final = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
SETTINGS: Final = {"shared_buffers": f"{min(_MEMORY_MB // 4, 4096)}MB", "max_connections": "300"}
"""As docs/operations.md has it: a quarter of the memory, here of at most 16 GB."""
IN_FLIGHT: Final = 64
_LOG_MB: Final = 600  # with what is kept beside the last checkpoint: about max_wal_size
WORKLOADS: Final = {"hot": IN_FLIGHT, "uniform": IN_FLIGHT, "alone": 1, "bare": IN_FLIGHT}
_BESIDE: Final = {"hot": ("resent",)}  # what has to be measured right beside it

_READINGS: Final = """
    SELECT indrelid::regclass::text || coalesce(' WHERE ' || pg_get_expr(indpred, indrelid), '') AS source,
        (SELECT string_agg(pg_get_indexdef(indexrelid, place, true), ', ' ORDER BY place)
         FROM generate_series(1, indnkeyatts) AS place) AS columns
    FROM pg_index JOIN pg_stat_user_tables ON relid = indrelid
"""
"""Each index, by what is read where all of it is."""

Result = TypeVar("Result")
Found = dict[tuple[str, str], list[Slice]]
"""The rounds' slices by (workload, name of the side)."""


class Side(Protocol):
    """Ours or a peer."""

    name: str

    async def prepare(self, owner: asyncpg.Connection, accounts: int) -> None: ...

    def work(self, name: str) -> Work | None:
        """One operation of this workload; None: this side doesn't run it."""

    async def check(self, owner: asyncpg.Connection) -> None:
        """Assert its sums and that what is stored is what was acknowledged."""

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Stand:
    owner: asyncpg.Connection
    ours: Ours
    sides: Sequence[Side]
    meter: Meter

    async def rounds(
        self, count: int, seconds: float, workloads: Sequence[str] = tuple(WORKLOADS), in_flight: int = IN_FLIGHT
    ) -> Found:
        """Measure every workload on every side, the slices of one workload after another, each time in other order."""
        found: Found = {}
        for number in range(count):
            for workload in workloads:
                runs = [
                    (name, side.name, work)
                    for side in self.sides
                    for name in (workload, *_BESIDE.get(workload, ()))
                    if (work := side.work(name)) is not None
                ]
                turn = number % len(runs)
                for name, side, work in runs[turn:] + runs[:turn]:
                    one = await measure(work, min(in_flight, WORKLOADS[workload]), seconds, self.meter)
                    found.setdefault((name, side), []).append(one)
        return found


@asynccontextmanager
async def stand(url: str, *, accounts: int, peers: Sequence[Side] = (), fund: bool = True) -> AsyncIterator[Stand]:
    """A migrated database with funded members. What was measured counts where this ends without an error."""
    await prepare(url)
    owner = await asyncpg.connect(url)
    await fill_log(owner)
    async with running_writer(url) as process:
        ours = Ours(process.socket)
        sides: list[Side] = [ours, *peers]
        try:
            await ours.prepare(owner, accounts, fund=fund)
            for peer in peers:
                await peer.prepare(owner, accounts)
            yield Stand(owner, ours, sides, processor(owner, process.pid))
        finally:
            for side in sides:
                await side.close()
        await process.end()
    for side in sides:
        await side.check(owner)
    await owner.close()
    await check_books(url)


@asynccontextmanager
async def running_writer(url: str) -> AsyncIterator[WriterProcess]:
    """The writer as a process of its own, on a migrated database."""
    with temporary("writer") as folder:
        async with writer_process(url, folder) as process:
            yield process


async def prepare(url: str) -> None:
    """Bring the database to the present schema; make it where it is missing."""
    await migrate(url, SECRET)


async def fill_log(owner: asyncpg.Connection) -> None:
    """Write the log once through and begin anew, so that its files are there, as where a cluster has run for a day.

    A new cluster makes each of them first, 16 MB of zeros in some 11 ms: in the middle of somebody's commit. Where
    nothing is flushed (tests), nothing is measured either.
    """
    if await owner.fetchval("SHOW fsync") == "off":
        return
    for _ in range(_LOG_MB // 10):
        await owner.execute("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 10000000))")
    await owner.execute("CHECKPOINT")


async def read_whole(owner: asyncpg.Connection) -> None:
    """Read every table and index once, so that they are in memory, as where a house has run for a day.

    A database that has just started would show its disk: several blocks read for each posting.
    """
    async with owner.transaction():
        await owner.execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off"
        )
        for row in await owner.fetch(_READINGS):
            await owner.fetchval(
                f"SELECT count(*) FROM (SELECT FROM {row['source']} ORDER BY {row['columns']}) AS whole"
            )
    for row in await owner.fetch("SELECT relid::regclass::text AS source FROM pg_stat_user_tables"):
        await owner.fetchval(f"SELECT count(*) FROM {row['source']} AS whole WHERE whole IS NOT NULL")


async def until_read_ahead(owner: asyncpg.Connection) -> None:
    """Wait until the writer has read ahead what it can, as where it has run for a day."""
    about = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()"
    left = 1
    while left:
        await asyncio.sleep(0.5)
        left = await owner.fetchval(about, READING_AHEAD)


def app_url(url: str) -> str:
    """The same database as the API and the worker have it."""
    return role_url(url, "kalos_app", SECRET)


async def check_books(url: str) -> None:
    books = Database(app_url(url), size=2)
    problems = await audit(books)
    await books.close()
    assert problems == [], problems


async def check_durability(url: str) -> None:
    """Assert that a commit is on the disk when it is answered, for the writer's role and for the peers'."""
    await prepare(url)
    for address in (url, role_url(url, "kalos_writer", SECRET)):
        db = await asyncpg.connect(address)
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert await db.fetchval(f"SHOW {name}") == "on", f"{name} is off: these figures would mean nothing"
        await db.close()


@contextmanager
def cluster(folder: Path, *, keep: bool = False) -> Iterator[Cluster]:
    """A durable PostgreSQL with the product's own settings and more connections; `keep`: its data is used again."""
    running = RunningCluster(Cluster(folder, password="bench", extra=SETTINGS))
    try:
        running.start()
        yield running.cluster
        if keep:
            running.stop()
    finally:
        running.kill()


@contextmanager
def temporary(name: str) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=f"kalos-bench-{name}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kept_folder() -> Path:
    """Where large sets stay: $KALOS_BENCH_DIR, or `bench` in DATA_DIR."""
    data = Path(os.environ.get("DATA_DIR") or HERE.parent / ".data")
    return Path(os.environ.get("KALOS_BENCH_DIR") or data / "bench").resolve()


def complete(work: Coroutine[Any, Any, Result]) -> Result:
    """Run `work` as the product's processes run theirs."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
