"""The writer's copies of accounts, holds and quotas, as decided so far; a batch can be taken back from them."""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from kalos.ledger.shapes import Shape
from kalos.ledger.vectors import numbers_of

UNKNOWN_ACCOUNT: Final = (0, 0)
LARGEST: Final = 2**63 - 1
MOST_KEYS: Final = 500_000
_STEP: Final = 2_000  # copies looked at in one turn where there are too many: some two milliseconds

Side = tuple[int, int]
"""An account: balance and version. Version 0: there is no row yet."""


UsedKey = tuple[int, int, int]
"""A key that was used: the body's fingerprint, its posting and that one's time."""

Written = tuple[Sequence[bytes], Sequence[int], int, int]
"""Keys of one batch and their fingerprints, the first one's posting, and their time."""


class Hold(msgspec.Struct, frozen=True, gc=False):
    account: int
    left: int
    reference: int
    kind: int


class Quota(msgspec.Struct, frozen=True, gc=False):
    """`left` is a vector of `size` numbers. `version` 0: there is no row yet, and no number."""

    left: int
    size: int
    version: int
    open: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        return numbers_of(self.left, self.size)


UNKNOWN_QUOTA: Final = Quota(0, 0, 0, True)


class State:
    """Everything that deciding reads. Whoever decides must have loaded what the postings name."""

    __slots__ = (
        "accounts",
        "at",
        "closed",
        "dropped",
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
        self.dropped = 0  # how often copies of accounts were
        self.holds: dict[int, Hold | None] = {}
        self.quotas: dict[str, Quota] = {}
        self.keys: dict[bytes, Written] = {}  # the latest that were committed
        self.kinds: dict[str, int] = {}
        self.shapes: dict[str, Shape] = {}
        self.used: tuple[set[Any], set[Any], set[Any]] = (set(), set(), set())
        self.money_out_stopped = False
        self.posting = 0  # the last numbers given
        self.move = 0
        self.fact = 0
        self.at = 0

    def clear(self) -> None:
        """Let go of all copies: what ended with an error is known for long, and what was frozen for ever."""
        for copies in (self.accounts, self.closed, self.holds, self.quotas, self.keys, *self.used):
            copies.clear()

    def remember(self, keys: Sequence[bytes], prints: Sequence[int], first: int, at: int) -> None:
        """Take up the keys of a committed batch, whose postings are numbered on from `first`."""
        self.keys.update(dict.fromkeys(keys, (keys, prints, first, at)))
        if len(self.keys) > MOST_KEYS:
            for key in list(islice(self.keys, MOST_KEYS // 100)):
                del self.keys[key]

    def used_key(self, key: bytes) -> UsedKey | None:
        """What is known of a key that was committed lately."""
        written = self.keys.get(key)
        if written is None:
            return None
        keys, prints, first, at = written
        place = keys.index(key)
        return prints[place], first + place, at

    def shrink(self, most: int, *flying: Collection[Any]) -> None:
        """Bound the copies of each sort by `most`, of quotas by half of it: what no batch has touched lately goes.

        `flying` are the names, by sort, of the batch that is not committed yet: its copies are ahead of the tables.
        Everybody waits meanwhile, so one turn takes only a step; it is longer than what a batch brings.
        """
        sorts: tuple[tuple[dict[Any, Any], int], ...] = (
            (self.accounts, most),
            (self.holds, most),
            (self.quotas, most // 2),  # one takes twice the memory
        )
        for (copies, bound), used, names in zip(sorts, self.used, flying, strict=True):
            if len(copies) > bound // 2:
                used.update(names)
                if len(copies) > bound:
                    self.dropped += copies is self.accounts
                    _shrink(copies, used, len(copies) - bound * 9 // 10, _STEP + 2 * len(names))

    def forget(self, most: int, accounts: Iterable[int], flying: Collection[int]) -> None:
        """Drop the copies of accounts that only a slice of bulk has named, where there are many of all.

        A midnight names each account once: it would drive out those whose members are here. `flying` as in `shrink`.
        """
        if len(self.accounts) > most // 2:
            for account in accounts:
                if account not in flying:
                    self.dropped += self.accounts.pop(account, None) is not None
                    self.used[0].discard(account)


def _shrink(copies: dict[Any, Any], used: set[Any], spare: int, step: int) -> None:
    """Drop so many of the first `step` copies; those that were touched since they were last looked at go to the end."""
    for name in list(islice(copies, step)):
        if name in used:
            used.discard(name)
            copies[name] = copies.pop(name)
        elif spare:
            del copies[name]
            spare -= 1
        else:
            return
