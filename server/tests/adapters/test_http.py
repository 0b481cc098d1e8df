"""A server that ends each connection in the moment in which it takes it, and what isn't to be taken for one."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator

import httpx
import pytest

from kalos.adapters.chain.rpc import Node
from kalos.adapters.http import HttpClient
from kalos.core.errors import Outage

_NO_LINGER = struct.pack("ii", 1, 0)  # closing resets the connection


@pytest.fixture
async def url() -> AsyncIterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        taking = asyncio.create_task(_end_each(listening))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        taking.cancel()


async def _end_each(listening: socket.socket) -> None:
    while True:
        taken, _ = await asyncio.get_running_loop().sock_accept(listening)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        taken.close()


async def test_it_is_a_problem_of_the_network(url: str) -> None:
    async with HttpClient(base_url=url, trust_env=False) as http:
        with pytest.raises(httpx.HTTPError):
            await http.get("/")


class _Faulty(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return request.answer  # type: ignore[attr-defined, no-any-return]  # the fault


async def test_a_fault_of_ours_is_no_problem_of_the_network() -> None:
    async with HttpClient(base_url="http://127.0.0.1", transport=_Faulty()) as http:
        with pytest.raises(AttributeError, match="answer"):
            await http.get("/")


async def test_a_node_that_does_so_is_away(url: str) -> None:
    node = Node(url)
    with pytest.raises(Outage):
        await node.call("eth_blockNumber")
    await node.close()
