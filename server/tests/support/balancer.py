"""One address before several processes, as a house with more than one has it: a balancer that knows TCP and no more."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

_PIECE_BYTES: Final = 65_536


class Balancer:
    """Each new connection goes to the next of the `ports` that takes one; `taken` counts what each took."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = ports
        self.url = ""
        self.taken: Counter[int] = Counter()
        self._turns = itertools.cycle(ports)
        self._carried: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Balancer"]:
        """At `url`, until the block ends; then all that it carries ends too."""
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._carried:
                task.cancel()
            await asyncio.gather(*self._carried, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carried.add(task)
        task.add_done_callback(self._carried.discard)
        try:
            for port in itertools.islice(self._turns, len(self.ports)):
                with suppress(OSError):
                    up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
                    self.taken[port] += 1
                    await asyncio.gather(_pass_on(reader, up_writer), _pass_on(up_reader, writer))
                    return
        finally:
            writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until one side hangs up; then the other is hung up on."""
    try:
        while piece := await reader.read(_PIECE_BYTES):
            writer.write(piece)
            await writer.drain()
    except ConnectionError:
        pass  # a process that was killed
    finally:
        writer.close()
