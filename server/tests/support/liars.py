"""Endpoints in front of a real node that pass its answers on, changed as a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from kalos.adapters.chain.rpc import Node

Twist = Callable[[str, Any], Any]
"""Given a method and the node's result, what this endpoint says instead."""


@asynccontextmanager
async def liar(node: Node, twist: Twist) -> AsyncIterator[str]:
    """The address of an endpoint that answers `twist(method, result)`; bytes are sent as they are."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await _head(reader):
            length = next(int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length"))
            question = json.loads(await reader.readexactly(length))
            said = twist(question["method"], await node.call(question["method"], *question["params"]))
            answer = {"jsonrpc": "2.0", "id": question["id"], "result": said}
            content = said if isinstance(said, bytes) else json.dumps(answer).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(content), content))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()


async def _head(reader: asyncio.StreamReader) -> list[bytes]:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return []
