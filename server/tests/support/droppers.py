"""An endpoint in front of a real node that passes everything on, but may take a transaction and never answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from support.loopback import loopback_client

_SEND = "eth_sendRawTransaction"


@dataclass(slots=True)
class Dropper:
    """`drops` transactions more are taken without an answer; `deaf` ones more aren't even passed on."""

    url: str = ""
    drops: int = 0
    deaf: int = 0
    sent: list[str] = field(default_factory=list)
    """Every set of bytes that was passed on, as often as it was."""

    async def took(self) -> None:
        """What has left for it comes, also from a process that has ended since."""
        async with asyncio.timeout(30):
            while not self.sent:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def dropper(target: str, *, drops: int = 0, deaf: int = 0) -> AsyncIterator[Dropper]:
    made = Dropper(drops=drops, deaf=deaf)
    http = loopback_client()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while content := await _question(reader):
                answer = await _answer(made, http, target, content)
                if answer is None:
                    break
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))
                await writer.drain()
        except ConnectionError:
            pass  # a killed signer
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()
        await http.aclose()


async def _answer(made: Dropper, http: httpx.AsyncClient, target: str, content: bytes) -> bytes | None:
    asked = json.loads(content)
    if asked["method"] == _SEND:
        if made.deaf > 0:
            made.deaf -= 1
            return None
        made.sent.append(asked["params"][0])
    answer = await http.post(target, content=content, headers={"Content-Type": "application/json"})
    if asked["method"] == _SEND and made.drops > 0:
        made.drops -= 1
        return None
    return answer.content


async def _question(reader: asyncio.StreamReader) -> bytes | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    except asyncio.IncompleteReadError:
        return None
    length = next(int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length"))
    return await reader.readexactly(length)
