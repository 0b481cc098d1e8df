"""What a process keeps at hand of rows that others may change: bounded in number and age."""

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """What `read` found under a key, for at most `seconds`, counted from before it was read.

    What isn't there (None) is read again each time. With more than `most` keys the one that was read first goes.
    """

    def __init__(self, read: Callable[[Key], Awaitable[Value | None]], *, seconds: float, most: int) -> None:
        self._read = read
        self._seconds = seconds
        self._most = most
        self._kept: dict[Key, tuple[Value, float]] = {}
        self._changes = 0
        self._time = time.monotonic

    async def find(self, key: Key) -> Value | None:
        """Raises: what `read` raises."""
        kept = self._kept.get(key)
        if kept is not None and self._time() < kept[1]:
            return kept[0]
        until, changes = self._time() + self._seconds, self._changes
        value = await self._read(key)
        self._kept.pop(key, None)
        if value is not None and changes == self._changes:  # else it may be what was changed meanwhile
            self._kept[key] = value, until
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return value

    def forget(self, key: Key) -> None:
        """It has changed."""
        self._changes += 1
        self._kept.pop(key, None)

    def clear(self) -> None:
        """Anything may have changed."""
        self._changes += 1
        self._kept.clear()
