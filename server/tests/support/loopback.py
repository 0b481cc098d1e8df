"""Closes the network beyond this machine for the tests; clients for what listens on it."""

import ipaddress
import ssl
import sys
from typing import Any, Final

import httpx

_TRUSTS_NOBODY: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def loopback_client(url: str = "", *, seconds: float = 15, limits: httpx.Limits | None = None) -> httpx.AsyncClient:
    """A client of a server on this machine.

    Nothing is encrypted here, so it reads no certificates: that takes 50 ms for each client, and dozens of them in a
    row kept others waiting for as long as a server waits for a head.
    """
    most = limits or httpx.Limits(max_connections=100, max_keepalive_connections=20)
    transport = _Transport(verify=_TRUSTS_NOBODY, trust_env=False, limits=most)
    return httpx.AsyncClient(base_url=url, timeout=seconds, transport=transport, trust_env=False)


class _Transport(httpx.AsyncHTTPTransport):
    """Says ConnectError, too, where a server is killed right after it took the connection.

    Its name is asked for then, and uvloop's socket is gone already: that ended a test by an AttributeError.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(request)
        except AttributeError as problem:
            raise httpx.ConnectError(str(problem), request=request) from problem


def close_network() -> None:
    """Refuse every connection but to loopback and Unix sockets, for the rest of this process."""
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "socket.connect" or not isinstance(arguments[1], tuple):
        return
    host = str(arguments[1][0])
    try:
        allowed = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        allowed = False
    if not allowed:
        raise ConnectionRefusedError(f"tests stay on this machine: {host}")
