"""Who is being sent a picture: so many at once, and no network keeps the places that others wait for."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from kalos.wire.http import Send, TransportProblem

PLACES: Final = 32
OF_ONE: Final = 4
_MOST_WAITING: Final = 4 * PLACES
_WAIT_SECONDS: Final = 3.0
_PIECE: Final = 65_536
_PIECE_SECONDS: Final = 10.0
_WHOLE_SECONDS: Final = 60.0
_RETRY_AFTER: Final = 1


class Showing:
    """A network has `of_one` places, and more only as long as half of all are free; who gets none waits a moment."""

    def __init__(self, places: int = PLACES, of_one: int = OF_ONE) -> None:
        self._places = places
        self._of_one = of_one
        self._held: Counter[str] = Counter()
        self._waiting: dict[asyncio.Future[None], str] = {}  # in the order in which they came

    @asynccontextmanager
    async def place(self, network: str) -> AsyncIterator[None]:
        """Raises: TransportProblem (503)."""
        if self._is_free_for(network):
            self._held[network] += 1
        else:
            await self._wait(network)
        try:
            yield
        finally:
            self._leave(network)

    def _is_free_for(self, network: str) -> bool:
        taken = self._held.total()
        return taken < self._places and (self._held[network] < self._of_one or taken < self._places // 2)

    async def _wait(self, network: str) -> None:
        """Return with a place. One network can't fill the line, either."""
        own = sum(one == network for one in self._waiting.values())
        if own >= _MOST_WAITING // 4 or len(self._waiting) >= _MOST_WAITING:
            raise TransportProblem(503, retry_after=_RETRY_AFTER)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = network
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                await turn
        except BaseException as problem:
            if self._waiting.pop(turn, None) is None:  # it was given one in the very moment
                self._leave(network)
            if isinstance(problem, TimeoutError):
                raise TransportProblem(503, retry_after=_RETRY_AFTER) from problem
            raise

    def _leave(self, network: str) -> None:
        self._held[network] -= 1
        for turn, waits in list(self._waiting.items()):
            if not turn.done() and self._is_free_for(waits):
                del self._waiting[turn]
                self._held[waits] += 1
                turn.set_result(None)
        self._held += Counter()  # forget who has none


async def send_pieces(send: Send, content: bytes) -> None:
    """Send a body in pieces, each taken before the next. Raises: TimeoutError, where the reader takes none for long."""
    async with asyncio.timeout(_WHOLE_SECONDS):
        for first in range(0, len(content), _PIECE):
            more = first + _PIECE < len(content)
            async with asyncio.timeout(_PIECE_SECONDS):
                piece = content[first : first + _PIECE]
                await send({"type": "http.response.body", "body": piece, "more_body": more})
