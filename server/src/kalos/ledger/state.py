"""The writer's copies of accounts, holds and quotas, as decided so far; a batch can be taken back from them."""

from collections.abc import Collection, Sequence
from itertools import count, islice, repeat
from typing import Any, Final

import msgspec

from kalos.ledger.shapes import Shape

UNKNOWN_ACCOUNT: Final = (0, 0)
LARGEST: Final = 2**63 - 1
MOST_KEYS: Final = 500_000

Side = tuple[int, int]
"""An account: balance and version. Version 0: there is no row yet."""


UsedKey = tuple[int, int, int]
"""A key that was used: the body's fingerprint, its posting and that one's time."""


class Hold(msgspec.Struct, frozen=True, gc=False):
    account: int
    left: int
    reference: int
    kind: int


class Quota(msgspec.Struct, frozen=True, gc=False):
    """`version` 0: there is no row yet, and `left` is empty."""

    left: tuple[int, ...]
    version: int
    open: bool


UNKNOWN_QUOTA: Final = Quota((), 0, True)


class State:
    """Everything that deciding reads. Whoever decides must have loaded what the postings name."""

    __slots__ = (
        "accounts",
        "at",
        "closed",
        "fact",
        "holds",
        "keys",
        "kinds",
        "money_out_stopped",
        "move",
        "posting",
        "quotas",
        "shapes",
        "used",
    )

    def __init__(self) -> None:
        self.accounts: dict[int, Side] = {}
        self.closed: set[int] = set()  # those of the known accounts that were closed
        self.holds: dict[int, Hold | None] = {}
        self.quotas: dict[str, Quota] = {}
        self.keys: dict[bytes, UsedKey] = {}  # the latest that were committed
        self.kinds: dict[str, int] = {}
        self.shapes: dict[str, Shape] = {}
        self.used: tuple[set[Any], set[Any], set[Any]] = (set(), set(), set())
        self.money_out_stopped = False
        self.posting = 0  # the last numbers given
        self.move = 0
        self.fact = 0
        self.at = 0

    def remember(self, keys: Sequence[bytes], prints: Sequence[int], first: int, at: int) -> None:
        """Take up the keys of a committed batch, whose postings are numbered on from `first`."""
        self.keys.update(zip(keys, zip(prints, count(first), repeat(at), strict=False), strict=False))
        if len(self.keys) > MOST_KEYS:
            for key in list(islice(self.keys, MOST_KEYS // 10)):
                del self.keys[key]

    def shrink(self, most: int, *flying: Collection[Any]) -> None:
        """Bound the copies of each sort by `most`: those that no batch has touched lately go.

        `flying` are the names, by sort, of the batch that is not committed yet: its copies are ahead of the tables.
        """
        sorts: tuple[dict[Any, Any], ...] = (self.accounts, self.holds, self.quotas)
        for copies, used, names in zip(sorts, self.used, flying, strict=True):
            if len(copies) > most // 2:
                used.update(names)
                if len(copies) > most:
                    _shrink(copies, used, most)
                    used.clear()


def _shrink(copies: dict[Any, Any], used: set[Any], most: int) -> None:
    spare = len(copies) - most * 9 // 10
    for name in list(islice((name for name in copies if name not in used), spare)):
        del copies[name]
