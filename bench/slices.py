"""One slice of a benchmark: so many in flight for so long, and what it took."""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Work = Callable[[int], Awaitable[object]]


@dataclass(frozen=True)
class Slice:
    """`rate` in operations a second, latencies in milliseconds, processor time in microseconds an operation."""

    rate: float
    p50: float
    p99: float
    cpu_us: float


async def measure(work: Work, in_flight: int, seconds: float, cpu: Callable[[], float]) -> Slice:
    """Run `work(number)` again and again, `in_flight` at once."""
    numbers = itertools.count()
    times: list[float] = []
    end = time.perf_counter() + seconds

    async def one() -> None:
        while (begun := time.perf_counter()) < end:
            await work(next(numbers))
            times.append(time.perf_counter() - begun)

    used, begun = cpu(), time.perf_counter()
    await asyncio.gather(*(one() for _ in range(in_flight)))
    wall = time.perf_counter() - begun
    times.sort()
    return Slice(
        rate=len(times) / wall,
        p50=1_000 * times[len(times) // 2],
        p99=1_000 * times[min(len(times) - 1, len(times) * 99 // 100)],
        cpu_us=1_000_000 * (cpu() - used) / len(times),
    )
