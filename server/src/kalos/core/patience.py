"""How long to wait for another process, where this one may stand still meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_STEPS: Final = 10


@asynccontextmanager
async def patience(seconds: float) -> AsyncIterator[None]:
    """As asyncio.timeout, but time in which this process stood still counts for a tenth of `seconds` at most.

    Whoever wakes up finds its timers due before it has read what came meanwhile: an answer that is there is taken.

    Raises: TimeoutError.
    """
    loop, left = asyncio.get_running_loop(), _STEPS
    timer: asyncio.TimerHandle

    def step() -> None:
        nonlocal left, timer
        left -= 1
        if left:
            timer = loop.call_later(seconds / _STEPS, step)
        else:
            limit.reschedule(loop.time())

    async with asyncio.timeout(None) as limit:
        timer = loop.call_later(seconds / _STEPS, step)
        try:
            yield
        finally:
            timer.cancel()
