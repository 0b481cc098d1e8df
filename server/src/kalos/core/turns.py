"""One at a time for each name, within this process."""

from asyncio import Lock
from weakref import WeakValueDictionary


class Turns:
    """Locks by name; one that nobody holds or waits for is forgotten."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def of(self, name: str) -> Lock:
        """The lock of this name, to be held by `async with`; whoever waits has it in the order of asking."""
        return self._locks.setdefault(name, Lock())
