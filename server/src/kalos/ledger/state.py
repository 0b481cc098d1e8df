"""The writer's copies of accounts, holds and quotas, as decided so far; a batch can be taken back from them."""

from itertools import islice
from typing import Final, NamedTuple, TypeVar

Name = TypeVar("Name")
Copy = TypeVar("Copy")
UNKNOWN_ACCOUNT: Final = (0, 0)
LARGEST: Final = 2**63 - 1

Side = tuple[int, int]
"""An account: balance and version. Version 0: there is no row yet."""


class Hold(NamedTuple):
    account: int
    left: int
    reference: int
    kind: int


class Quota(NamedTuple):
    """`version` 0: there is no row yet, and `left` is empty."""

    left: tuple[int, ...]
    version: int
    open: bool


UNKNOWN_QUOTA: Final = Quota((), 0, True)


class State:
    """Everything that deciding reads. Whoever decides must have loaded what the postings name."""

    __slots__ = ("accounts", "at", "fact", "holds", "kinds", "move", "posting", "quotas")

    def __init__(self) -> None:
        self.accounts: dict[int, Side] = {}
        self.holds: dict[int, Hold | None] = {}
        self.quotas: dict[str, Quota] = {}
        self.kinds: dict[str, int] = {}
        self.posting = 0  # the last numbers given
        self.move = 0
        self.fact = 0
        self.at = 0

    def forget(self) -> None:
        """Drop all copies: they may not be what the tables hold."""
        self.accounts.clear()
        self.holds.clear()
        self.quotas.clear()

    def shrink(self, most: int) -> None:
        """Drop the oldest copies over `most` of a sort. Only while nothing decided waits for its commit."""
        _shrink(self.accounts, most)
        _shrink(self.holds, most)
        _shrink(self.quotas, most)


def _shrink(copies: dict[Name, Copy], most: int) -> None:
    if len(copies) > most:
        for name in list(islice(copies, len(copies) - most * 9 // 10)):
            del copies[name]
