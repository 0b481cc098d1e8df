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
    async with asyncio.timeout(None) as limit:
        steps = _Steps(limit, seconds / _STEPS)
        try:
            yield
        finally:
            steps.end()


class _Steps:
    def __init__(self, limit: asyncio.Timeout, seconds: float) -> None:
        self._limit = limit
        self._seconds = seconds
        self._left = _STEPS
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(seconds, self._step)

    def _step(self) -> None:
        self._left -= 1
        if self._left:
            self._timer = self._loop.call_later(self._seconds, self._step)
        else:
            self._limit.reschedule(self._loop.time())

    def end(self) -> None:
        self._timer.cancel()  # it knows nobody then: in the writer, which looks for no garbage, it would last
