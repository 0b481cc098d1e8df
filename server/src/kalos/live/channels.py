"""What a hub serves: channels by name, who may read them, and where their snapshot comes from."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

Snapshot = Callable[[int], Awaitable[list[Any]]]
"""The present state of a channel as the given member may see it."""


@dataclass(frozen=True, slots=True)
class Channel:
    """`own`: each member sees their own state; otherwise everybody sees the same."""

    name: str
    snapshot: Snapshot
    own: bool


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who stands behind a socket: the member and the hash of the session that opened it."""

    member: int
    session: bytes


@dataclass(frozen=True, slots=True)
class Ports:
    """What a hub is given.

    `authenticate` takes the token of a socket's address: None where it isn't valid (any more). `living`: which of these
    sessions still live. `say`: a refusal's sentence in the language that the client named. `network_of`: whose network
    an address and the forwarded header name; an empty one isn't counted.
    """

    authenticate: Callable[[str], Awaitable[Visitor | None]]
    living: Callable[[Sequence[bytes]], Awaitable[set[bytes]]]
    say: Callable[[str, str], str]
    network_of: Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Limits:
    """`sockets` in all; those whose token isn't known yet: `waiting` in all, and of one network. Silence in seconds."""

    sockets: int = 20_000
    waiting: int = 1_000
    waiting_of_network: int = 50
    idle_seconds: float = 60.0
