"""A `kalos proxy` in this process, before a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from kalos.app import proxy
from kalos.app.kept import free_port
from kalos.wire.client import WireClient
from support.loopback import loopback_client
from support.raw import serving


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[tuple[httpx.AsyncClient, WireClient]]:
    """What talks to a proxy as curl does, and the proxy's own client of the server at `url`."""
    port = free_port()
    async with loopback_client(url) as upstream:
        client = WireClient(upstream)
        server = proxy.make_server(proxy.Proxy(client), port)
        async with serving(server, port), loopback_client(f"http://127.0.0.1:{port}") as curl:
            yield curl, client
