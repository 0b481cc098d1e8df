"""Closes the network beyond this machine for the tests; clients for what listens on it."""

import ipaddress
import ssl
import sys
from typing import Any, Final

import httpx

from kalos.adapters.http import HttpClient

_TRUSTS_NOBODY: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def loopback_client(url: str = "", *, seconds: float = 15, limits: httpx.Limits | None = None) -> httpx.AsyncClient:
    """A client of a server on this machine.

    Nothing is encrypted here, so it reads no certificates: that takes 50 ms for each client, and dozens of them in a
    row kept others waiting for as long as a server waits for a head.
    """
    most = limits or httpx.Limits(max_connections=100, max_keepalive_connections=20)
    return HttpClient(base_url=url, timeout=seconds, verify=_TRUSTS_NOBODY, limits=most, trust_env=False)


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
