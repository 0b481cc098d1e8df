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


Authenticate = Callable[[str], Awaitable[Visitor | None]]
"""Takes the token of the socket's address; None where it isn't valid (any more)."""

Living = Callable[[Sequence[bytes]], Awaitable[set[bytes]]]
"""Which of these sessions still live."""
