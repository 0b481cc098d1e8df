"""Whose network a call comes from: the address itself (IPv4) or its /64 (IPv6)."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network


_MAX_FORWARDED: Final = 2_000


def network_of(peer: str, forwarded: str, trusted: tuple[Network, ...]) -> str:
    """The caller's network; the forwarded header counts only as far as trusted proxies wrote it.

    Each proxy adds the address that it saw at the right end: the last one that is no proxy of ours is the caller, and
    nothing that he wrote before it, however long, hides him.
    """
    return _network_of(peer, forwarded[-_MAX_FORWARDED:] if trusted else "", trusted)


@lru_cache(maxsize=10_000)
def _network_of(peer: str, forwarded: str, trusted: tuple[Network, ...]) -> str:
    hops = [part.strip() for part in forwarded.split(",")] if forwarded else []
    address = _address(peer)
    while hops and address is not None and _is_in(address, trusted):
        address = _address(hops.pop())
    if address is None:
        return "unknown"
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address)


def is_loopback(network: str) -> bool:
    return network.startswith("127.") or network == "::/64"


def networks_of(texts: Sequence[str]) -> tuple[Network, ...]:
    """Raises: ValueError."""
    return tuple(ip_network(text, strict=False) for text in texts)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text.partition("%")[0])  # the name of a link, as in fe80::1%eth0, is any text and no address
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _is_in(address: IPv4Address | IPv6Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)
