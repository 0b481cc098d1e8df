"""Work that takes a processor's time: on a few threads of its own, never on the event loop, and so much at once."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from kalos.core.errors import Busy

Result = TypeVar("Result")
_BUSY_SECONDS: Final = 1


class Pool:
    """`most` is how many may wait or run at once; `begun` counts all that were taken so far."""

    def __init__(self, name: str, *, threads: int, most: int) -> None:
        self.most = most
        self.begun = 0
        self._waiting = 0
        self._threads = ThreadPoolExecutor(threads, name)

    async def run(self, work: Callable[..., Result], *values: object) -> Result:
        """Raises: Busy where so many wait already."""
        if self._waiting >= self.most:
            raise Busy(retry_after=_BUSY_SECONDS)
        self._waiting += 1
        self.begun += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *values)
        finally:
            self._waiting -= 1
