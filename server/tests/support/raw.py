"""HTTP as bytes over TCP, for what no client would send."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from kalos.app.probe import answers
from kalos.app.settings import Settings

PATIENCE_SECONDS: Final = 10
"""How long a head and a body may take each."""
_START_SECONDS: Final = 30
POST: Final = "POST {} HTTP/1.1\nHost: localhost\nConnection: close\nContent-Type: application/json\nContent-Length: 2"
GET: Final = "GET {} HTTP/1.1\nHost: localhost\nConnection: close"
HEADERS: Final = (
    *("referrer-policy: same-origin", "x-content-type-options: nosniff", "x-frame-options: deny"),
    *("cross-origin-opener-policy: same-origin", "cross-origin-resource-policy: same-origin", "permissions-policy: "),
)


@asynccontextmanager
async def connected(settings: Settings) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def rest_of(reader: asyncio.StreamReader) -> tuple[int, str]:
    """The status and all that came until the server closed; 0 where it said nothing."""
    parts = []
    async with asyncio.timeout(PATIENCE_SECONDS + 30):
        with suppress(ConnectionError):
            while part := await reader.read(65_536):
                parts.append(part)
    answer = b"".join(parts).decode(errors="replace")
    return int(answer.split(maxsplit=2)[1]) if answer else 0, answer


async def ask(settings: Settings, head: str, body: bytes = b"") -> tuple[int, str]:
    """Send raw HTTP/1.1. Returns the status and all that came."""
    async with connected(settings) as (reader, writer):
        with suppress(ConnectionError):
            writer.write(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
            await writer.drain()
        return await rest_of(reader)


@asynccontextmanager
async def serving(server: Any, port: int) -> AsyncIterator[None]:
    """A server of ours in this process while the block runs. Raises: what it ended with, were it before that."""
    task = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(_START_SECONDS):
            while not await answers(port):
                assert not task.done(), task
                await asyncio.sleep(0.02)
        yield
    finally:
        server.stop()
        await task


def check_headers(answer: str) -> None:
    """Each answer of ours has the headers of security, and none that lets other pages read it."""
    head = answer.partition("\r\n\r\n")[0].lower()
    assert not [header for header in HEADERS if f"\r\n{header}" not in head], answer[:500]
    assert "access-control-" not in head
