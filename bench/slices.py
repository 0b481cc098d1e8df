"""One slice of a benchmark: so many in flight for so long, what it took, and where the processor's time went."""

import asyncio
import itertools
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg

Work = Callable[[int], Awaitable[object]]
"""One operation with its number; the answer False: done, but not to be counted in the rate."""
Meter = Callable[[], Awaitable[dict[str, float]]]

PERCENTS: Final = (1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9)
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_BACKENDS: Final = """
    SELECT pid FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()
"""


@dataclass(frozen=True)
class Slice:
    """`rate` in counted operations a second, latencies in milliseconds, processor time in microseconds for each.

    `cpu_us` tells `client`, `writer` and `PostgreSQL` (its backends) apart. `spread` are the latencies at `PERCENTS`.
    """

    rate: float
    p50: float
    p99: float
    cpu_us: Mapping[str, float] = field(default_factory=dict)
    spread: tuple[float, ...] = ()


async def measure(work: Work, in_flight: int, seconds: float, meter: Meter | None = None) -> Slice:
    """Run `work(number)` again and again, `in_flight` at once."""
    numbers = itertools.count()
    times: list[float] = []
    uncounted = 0
    used = await meter() if meter else {}
    begun = time.perf_counter()
    end = begun + seconds

    async def one() -> None:
        nonlocal uncounted
        while (before := time.perf_counter()) < end or not times:  # one at least, however long the process stood still
            uncounted += await work(next(numbers)) is False
            times.append(time.perf_counter() - before)

    await asyncio.gather(*(one() for _ in range(in_flight)))
    wall = time.perf_counter() - begun
    after = await meter() if meter else {}
    counted = len(times) - uncounted
    assert counted, "nothing was done in this slice"
    times.sort()
    spread = tuple(1_000 * times[min(len(times) - 1, int(len(times) * percent / 100))] for percent in PERCENTS)
    return Slice(
        rate=counted / wall,
        p50=spread[PERCENTS.index(50)],
        p99=spread[PERCENTS.index(99)],
        cpu_us={name: 1_000_000 * spent / counted for name in after if (spent := after[name] - used[name]) > 0},
        spread=spread,
    )


def processor(db: asyncpg.Connection, writer: int | None = None) -> Meter:
    """Seconds that this process, the writer's and the backends of `db`'s database have used so far."""

    async def read() -> dict[str, float]:
        backends = [row["pid"] for row in await db.fetch(_BACKENDS)]
        return {
            "client": time.process_time(),
            "writer": cpu_seconds(writer) if writer else 0.0,
            "PostgreSQL": sum(map(cpu_seconds, backends)),
        }

    return read


def cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended meanwhile
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
