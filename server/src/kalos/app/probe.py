"""Asks a process of this group whether it answers, without the weight of an HTTP library."""

import asyncio
from contextlib import suppress
from typing import Final

_SECONDS: Final = 5.0


async def answers(port: int, host: str = "127.0.0.1") -> bool:
    """Whether something takes connections there."""
    try:
        async with asyncio.timeout(2):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


async def get(port: int, path: str, *, named: str, host: str = "127.0.0.1") -> tuple[int, str]:
    """GET `path` of the host `named`. Returns the status and the body; status 0 where nothing answers."""
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(f"GET {path} HTTP/1.0\r\nHost: {named}\r\n\r\n".encode())
                answer = await reader.read(100_000)
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split(maxsplit=2)[1]), body.decode(errors="replace")
    except (OSError, TimeoutError, ValueError, IndexError):
        return 0, ""
