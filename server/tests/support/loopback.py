"""Closes the network beyond this machine for the tests."""

import ipaddress
import sys
from typing import Any


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
