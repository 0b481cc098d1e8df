"""What a process keeps at hand of rows that others may change: bounded in number and age."""

import math
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

from kalos.core.batch import Batch

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """What `read` found under a key, for at most `seconds`, counted from before it was read.

    Whoever hears of every change says so (`heard`): the count then begins anew, for at most `told_seconds` in all.
    What isn't there (None) is read again each time. With more than `most` keys the one that was read first goes.
    """

    def __init__(
        self, read: Callable[[Key], Awaitable[Value | None]], *, seconds: float, most: int, told_seconds: float = 0
    ) -> None:
        self._read = read
        self._seconds = seconds
        self._told_seconds = max(seconds, told_seconds)
        self._most = most
        self._kept: dict[Key, tuple[Value, float]] = {}  # with the time before it was read
        self._changes = 0
        self._heard_at = -math.inf
        self._time = time.monotonic

    async def find(self, key: Key) -> Value | None:
        """Raises: what `read` raises."""
        value = self.kept(key)
        if value is not None:
            return value
        now, changes = self._time(), self._changes
        found = await self._read(key)
        self._kept.pop(key, None)
        if found is not None and changes == self._changes:  # else it may be what was changed meanwhile
            self._kept[key] = found, now
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return found

    def kept(self, key: Key) -> Value | None:
        """What is at hand and not too old, without waiting."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        value, read_at = kept
        known_at, now = max(read_at, self._heard_at), self._time()
        return value if now < known_at + self._seconds and now < read_at + self._told_seconds else None

    def forget(self, key: Key) -> None:
        """It has changed."""
        self._changes += 1
        self._kept.pop(key, None)

    def clear(self) -> None:
        """Anything may have changed."""
        self._changes += 1
        self._kept.clear()
        self._heard_at = -math.inf

    def heard(self, at: float) -> None:
        """What changed before `at` (`time.monotonic`) has been forgotten."""
        self._heard_at = at


class Shared(Cache[Key, Value]):
    """A Cache of what is dear to read: one read at a time, and one for all who ask for the same meanwhile."""

    def __init__(self, read: Callable[[Key], Awaitable[Value | None]], *, seconds: float, most: int) -> None:
        super().__init__(read, seconds=seconds, most=most)
        self._asked: Batch[Key, Value | None] = Batch(self._find_each)

    async def find(self, key: Key) -> Value | None:
        """Raises: what `read` raises, also for another key that was asked for with this one."""
        value = self.kept(key)
        return await self._asked.ask(key) if value is None else value

    async def _find_each(self, keys: Sequence[Key]) -> Sequence[Value | None]:
        found: dict[Key, Value | None] = {}
        for key in dict.fromkeys(keys):
            found[key] = await super().find(key)
        return [found[key] for key in keys]
