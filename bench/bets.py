"""L1 to L5 and L10: bets through the client and the writer's process, beside the peers, in one run."""

import statistics
import time
from collections.abc import Sequence
from typing import Final

import asyncpg

import slowdisk
from foreign import Foreign, PeerFile
from orm import Orm
from report import Benchmark
from rowlock import CONNECTIONS, RowLock
from stand import Found, Side, stand

DELAY_MS: Final = 4


async def run(
    url: str,
    *,
    rounds: int,
    seconds: float,
    accounts: int,
    files: Sequence[PeerFile] = (),
    connections: int = CONNECTIONS,
) -> list[Benchmark]:
    """L1 to L4 and L10, with every peer beside them."""
    foreign = [Foreign(url, file, connections) for file in files]
    peers: list[Side] = [RowLock(url, connections), Orm(url, connections), *foreign]
    async with stand(url, accounts=accounts, peers=peers) as here:
        found = await here.rounds(rounds, seconds, in_flight=connections)
    return _against_row_lock(found) + _against_others(found, [peer.name for peer in foreign])


def _against_row_lock(found: Found) -> list[Benchmark]:
    hot, uniform, alone, bare = (
        (found[name, "ours"], found[name, "row lock"]) for name in ("hot", "uniform", "alone", "bare")
    )
    resent = Benchmark("L10", "L1 with 5 % resent keys, 1 % violated riders", "postings/s", 0.8, against="L1")
    return [
        Benchmark("L1", "bets on one house account, 64 in flight", "postings/s", 40).of_slices(*hot, "rate"),
        Benchmark("L2", "uniform accounts, 64 in flight", "postings/s", 10).of_slices(*uniform, "rate"),
        Benchmark("L3", "one client, p50", "ms", 0.8, lower=True).of_slices(*alone, "p50"),
        Benchmark("L4", "p99 of L1", "ms", 0.02, lower=True).of_slices(*hot, "p99"),
        Benchmark("L1 bare", "one move alone, 64 in flight", "postings/s").of_slices(*bare, "rate"),
        resent.of_slices(found["resent", "ours"], hot[0], "rate"),
    ]


def _against_others(found: Found, names: Sequence[str]) -> list[Benchmark]:
    """Without goals: what is beside ours besides."""
    orm = [
        Benchmark(f"{begin} ORM", about, unit, against="ORM").of_slices(found[name, "ours"], found[name, "ORM"], figure)
        for begin, name, about, unit, figure in (
            ("L1", "hot", "bets on one house account", "postings/s", "rate"),
            ("L2", "uniform", "uniform accounts", "postings/s", "rate"),
            ("L3", "alone", "one client, p50", "ms", "p50"),
            ("L4", "hot", "p99 of L1", "ms", "p99"),
            ("L1 bare", "bare", "one move alone", "postings/s", "rate"),
        )
    ]
    bare = [
        Benchmark(f"L1 bare {name}", "one move alone", "postings/s", against=name).of_slices(
            found["bare", "ours"], found["bare", name], "rate"
        )
        for name in names
    ]
    return orm + bare


def delayed() -> Benchmark:
    return Benchmark("L5", f"L1 with {DELAY_MS} ms added to each fsync", "postings/s", 45)


async def run_delayed(
    url: str, *, rounds: int, seconds: float, accounts: int, connections: int = CONNECTIONS
) -> Benchmark:
    """L5, on a cluster whose fsync is slow already."""
    async with stand(url, accounts=accounts, peers=[RowLock(url, connections)]) as here:
        found = await here.rounds(rounds, seconds, ["hot"], connections)
    return delayed().of_slices(found["hot", "ours"], found["hot", "row lock"], "rate")


async def lone_commit_ms(url: str) -> float:
    """The median time of a small commit that nothing else disturbs."""
    db = await asyncpg.connect(url)
    method = await db.fetchval("SHOW wal_sync_method")
    assert method in slowdisk.METHODS, f"wal_sync_method is {method}: the slow fsync would not be met"
    await db.execute("CREATE TABLE bench_commit (n int)")
    times = []
    for number in range(20):
        begun = time.perf_counter()
        await db.execute("INSERT INTO bench_commit VALUES ($1)", number)
        times.append(1_000 * (time.perf_counter() - begun))
    await db.execute("DROP TABLE bench_commit")
    await db.close()
    return statistics.median(times)
