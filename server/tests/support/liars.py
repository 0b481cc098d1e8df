"""Endpoints in front of a real node that pass its answers on, changed as a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from typing import Any, Final

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.rpc import Node, RpcRefused
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.errors import Outage
from support.chains import Chain, LocalNode, patient

NOWHERE: Final = "http://127.0.0.1:9"
_NOW_AND_THEN_SECONDS: Final = 0.05
_SEND: Final = "eth_sendRawTransaction"
Twist = Callable[[str, Any], Any]
"""Given a method and the node's result, what this endpoint says instead, or waits for to say it."""


def honest(method: str, result: Any) -> Any:
    return result


def declining(method: str, result: Any) -> Any:
    """Is honest, and takes no transaction."""
    return result


class Trickle(bytes):
    """An answer of which a byte comes now and then."""


class Held:
    """Says what a twist does, and withholds it of a method, or of all, until it may be said."""

    def __init__(self, twist: Twist = honest, *, method: str | None = None) -> None:
        self.twist, self._method, self.may = twist, method, asyncio.Event()

    async def __call__(self, method: str, result: Any) -> Any:
        if self._method in (None, method):
            await self.may.wait()
        return self.twist(method, result)


async def heard(chain: EvmChain) -> None:
    """Return once all have answered that are late."""
    for question in tuple(chain._late):
        await asyncio.gather(*question.open.values())


async def survey(chain: EvmChain) -> dict[int, str]:
    """What is wrong with which endpoint, by all that they were asked before."""
    await heard(chain)
    return await chain.survey()


@asynccontextmanager
async def endpoints(anvil: LocalNode, *twists: Twist, dead: int = 0) -> AsyncIterator[EvmChain]:
    async with chain_of(EvmChain, anvil, *twists, dead=dead) as chain:
        yield chain


@asynccontextmanager
async def chain_of(kind: type[Chain], anvil: LocalNode, *twists: Twist, dead: int = 0) -> AsyncIterator[Chain]:
    """A client of one endpoint for each twist, and of `dead` ones behind them."""
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(liar(anvil.node, twist)) for twist in twists]
        chain = patient(kind(anvil.chain.network, urls=urls + [NOWHERE] * dead, xpub=SANDBOX_XPUB))
        stack.push_async_callback(chain.close)
        yield chain


@asynccontextmanager
async def liar(node: Node, twist: Twist) -> AsyncIterator[str]:
    """The address of an endpoint that answers `twist(method, result)`; bytes are sent as they are.

    One that is called `declining` takes no transaction, and passes none on. What the node refuses is refused here, too.
    """

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError, Outage):
            while head := await _head(reader):
                length = next(int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length"))
                question = json.loads(await reader.readexactly(length))
                content = await _answer(node, twist, question)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content))
                for part in map(bytes, zip(content, strict=True)) if isinstance(content, Trickle) else (content,):
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(_NOW_AND_THEN_SECONDS * isinstance(content, Trickle))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()


async def _answer(node: Node, twist: Twist, question: dict[str, Any]) -> bytes:
    method = question["method"]
    try:
        if twist is declining and method == _SEND:
            raise RpcRefused("this node takes nothing")
        said = twist(method, await node.call(method, *question["params"]))
        if isinstance(said, Awaitable):
            said = await said
    except RpcRefused as problem:
        error = {"code": -32000, "message": str(problem)}
        return json.dumps({"jsonrpc": "2.0", "id": question["id"], "error": error}).encode()
    answer = {"jsonrpc": "2.0", "id": question["id"], "result": said}
    return said if isinstance(said, bytes) else json.dumps(answer).encode()


async def _head(reader: asyncio.StreamReader) -> list[bytes]:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return []
