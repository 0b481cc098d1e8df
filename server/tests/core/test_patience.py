"""Patience that counts the time in which this process ran."""

import asyncio
import socket
import time
from collections.abc import Callable

import pytest
import uvloop

from kalos.core.patience import patience

_SECONDS = 0.2


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_an_answer_that_came_while_the_process_stood_still_is_taken(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    ours, theirs = socket.socketpair()

    def stand_still() -> None:
        theirs.send(b"yes")
        time.sleep(_SECONDS * 3)

    async def ask() -> bytes:
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            async with patience(_SECONDS):
                asyncio.get_running_loop().call_soon(stand_still)
                return await reader.readexactly(3)
        finally:
            writer.close()

    with theirs, asyncio.Runner(loop_factory=loop) as runner:
        assert runner.run(ask()) == b"yes"


async def test_it_ends() -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        async with patience(_SECONDS):
            await asyncio.Event().wait()
    assert _SECONDS * 0.9 < time.monotonic() - begun < 30
    async with patience(_SECONDS):
        pass
    await asyncio.sleep(_SECONDS * 1.5)  # nothing of it is left to end who has got its answer
