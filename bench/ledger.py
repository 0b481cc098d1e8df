"""L1-L4: bets through the client and the writer process, beside a row lock and a commit for each, in one run.

Slices of both are interleaved and their order is rotated; a round's ratio compares its own two slices.
`python bench/ledger.py [--rounds 5] [--seconds 3]` prints the figures and writes bench/results.json and RESULTS.md.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "server" / "src"), str(HERE.parent / "server" / "tests")]

import asyncpg  # noqa: E402
import uvloop  # noqa: E402
from ours import Ours  # noqa: E402
from report import Benchmark, write  # noqa: E402
from rowlock import RowLock  # noqa: E402
from slices import Slice, measure  # noqa: E402

from kalos.app.embedded.postgres import Cluster, RunningCluster  # noqa: E402
from kalos.app.migrate import migrate, role_url  # noqa: E402
from kalos.core.database import Database  # noqa: E402
from kalos.ledger.audit import audit  # noqa: E402
from support.clusters import SECRET  # noqa: E402
from support.ledger import writer_process  # noqa: E402

SCHEMA: Final = """
    CREATE TABLE bench_bets (
        id bigint PRIMARY KEY, member bigint NOT NULL, round bigint NOT NULL, option text NOT NULL,
        stake bigint NOT NULL, at bigint NOT NULL, day date NOT NULL, state text NOT NULL
    );
    GRANT SELECT, INSERT ON bench_bets TO kalos_writer;
    CREATE SCHEMA peer;
    CREATE TABLE peer.accounts (LIKE accounts INCLUDING ALL);
    CREATE TABLE peer.journal (LIKE journal INCLUDING ALL);
    CREATE TABLE peer.keys (LIKE keys INCLUDING ALL);
    CREATE TABLE peer.quotas (LIKE quotas INCLUDING ALL);
    CREATE TABLE peer.outbox (LIKE outbox INCLUDING ALL);
    CREATE TABLE peer.bets (LIKE bench_bets INCLUDING ALL);
    CREATE SEQUENCE peer.ids;
"""


async def check_durability(db: asyncpg.Connection) -> None:
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        assert await db.fetchval(f"SHOW {name}") == "on", f"{name} is off: these figures would mean nothing"


async def rounds(ours: Ours, peer: RowLock, arguments: argparse.Namespace) -> list[Benchmark]:
    """All benchmarks, each with its slices interleaved and their order rotated."""
    hot = Benchmark("L1", "bets against one house account, 64 in flight", "postings/s", goal=40)
    uniform = Benchmark("L2", "uniform accounts, 64 in flight", "postings/s", goal=10)
    alone = Benchmark("L3", "one client, p50", "ms", goal=0.8, lower=True)
    tail = Benchmark("L4", "p99 of L1", "ms", goal=0.02, lower=True)
    bare = Benchmark("L1 bare", "one move alone, 64 in flight", "postings/s")
    for number in range(arguments.rounds):
        order = (ours, peer) if number % 2 else (peer, ours)
        pairs: dict[str, dict[Any, Slice]] = {"hot": {}, "uniform": {}, "alone": {}, "bare": {}}
        for name, in_flight in (("hot", 64), ("uniform", 64), ("alone", 1), ("bare", 64)):
            for side in order:
                pairs[name][side] = await measure(side.works(name), in_flight, arguments.seconds, side.cpu)
        hot.add(pairs["hot"][ours].rate, pairs["hot"][peer].rate, pairs["hot"][ours].cpu_us)
        tail.add(pairs["hot"][ours].p99, pairs["hot"][peer].p99)
        uniform.add(pairs["uniform"][ours].rate, pairs["uniform"][peer].rate, pairs["uniform"][ours].cpu_us)
        alone.add(pairs["alone"][ours].p50, pairs["alone"][peer].p50)
        bare.add(pairs["bare"][ours].rate, pairs["bare"][peer].rate, pairs["bare"][ours].cpu_us)
    return [hot, bare, uniform, alone, tail]


async def bench(url: str, folder: Path, arguments: argparse.Namespace) -> list[Benchmark]:
    await migrate(url, SECRET)
    owner = await asyncpg.connect(url)
    await check_durability(owner)
    await owner.execute(SCHEMA)
    books = Database(role_url(url, "kalos_app", SECRET), size=2)
    async with writer_process(url, folder) as process:
        ours = Ours(process.socket, process.pid)
        peer = RowLock(url)
        await ours.prepare(arguments.accounts)
        await peer.prepare(owner, arguments.accounts)
        found = await rounds(ours, peer, arguments)
        await ours.close()
        await peer.close()
        await process.end()
    problems = await audit(books)
    assert problems == [], problems
    assert await owner.fetchval("SELECT sum(balance) FROM peer.accounts") == 0
    bets = await owner.fetchval("SELECT count(*) FROM bench_bets")
    assert bets == ours.bets, f"{bets} bets are stored, {ours.bets} were acknowledged"
    await owner.close()
    await books.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--accounts", type=int, default=10_000)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kalos-bench-"))
    extra = {"max_wal_size": "1GB", "checkpoint_timeout": "15min", "shared_buffers": "256MB"}
    cluster = RunningCluster(Cluster(folder, password="bench", extra=extra))
    try:
        cluster.start()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            found = runner.run(bench(cluster.cluster.url("bench"), folder, arguments))
    finally:
        cluster.kill()
        shutil.rmtree(folder, ignore_errors=True)
    write(found, HERE, arguments)


if __name__ == "__main__":
    main()
