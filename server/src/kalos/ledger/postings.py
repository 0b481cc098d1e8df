"""What a domain may ask of the ledger: a posting, accepted whole or refused whole."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from kalos.core.errors import Refusal

Refuse = Callable[..., Refusal]
"""Makes the refusal of one element; called with `left`: the units or the vector that there are."""


def key_of(*parts: object) -> bytes:
    """The key of a step that happens once: its parts name it."""
    return hashlib.sha256("\x00".join(map(str, parts)).encode()).digest()


class Stamp(StrEnum):
    """A rider's value that only the writer knows."""

    __hash__ = str.__hash__  # an enumeration's own is slow, and shapes are looked up by their stamps

    ID = "id"  # the posting's own id: dense and in the order of the ledger
    AT = "at"  # business time of the commit, milliseconds
    DAY = "day"  # business day of the commit, a date
    HOLD = "hold"  # id of the first hold that the posting opens


class Move(msgspec.Struct, frozen=True, gc=False):
    """Move `units` > 0 from `source` to `target`; `kind` names it in statements (`game.prize`).

    `reference` is what a statement shows beside it; 0 is the posting's own id.
    """

    kind: str
    source: int
    target: int
    units: int
    short: Refuse | None = None
    reference: int = 0


class MoveMany(msgspec.Struct, frozen=True, gc=False):
    """Many moves of one kind, as parallel lists: what a midnight or a settlement posts in slices.

    A reference of 0 is the posting's own id. `short` as in `Move`.
    """

    kind: str
    sources: Sequence[int]
    targets: Sequence[int]
    units: Sequence[int]
    references: Sequence[int]
    short: Refuse | None = None


class Open(msgspec.Struct, frozen=True, gc=False):
    """Open a hold: `units` go from a member's available account to that member's held account of the same asset.

    Its id is the posting's times eight plus its place among the opens. `reference` as in `Move`; resolves repeat it.
    """

    kind: str
    source: int
    units: int
    reference: int = 0
    short: Refuse | None = None


class Resolve(msgspec.Struct, frozen=True, gc=False):
    """Move `units` of an open hold (None: all that is left) from the held account to `target`."""

    kind: str
    hold: int
    target: int
    units: int | None = None
    short: Refuse | None = None


class Take(msgspec.Struct, frozen=True, gc=False):
    """Take a vector from a quota; negative entries give back.

    `first` is what the quota starts with where it doesn't exist yet; without it a missing quota refuses.
    `short` is raised with `left` (the vector); `closed` where the quota was closed. `returning`: the answer tells what
    is left, such as a serial number is made of.
    """

    quota: str
    units: tuple[int, ...]
    first: tuple[int, ...] | None = None
    short: Refuse | None = None
    closed: Refuse | None = None
    returning: bool = False


class Close(msgspec.Struct, frozen=True, gc=False):
    """End a quota, an account or a hold (exactly one is given): whatever names it later is refused, in the ledger's
    own order.

    An account must be empty and a hold must have nothing left, else `short` is raised with `left`: money that nothing
    can move any more would be lost.
    """

    quota: str = ""
    account: int = 0
    hold: int = 0
    short: Refuse | None = None


class Insert(msgspec.Struct, frozen=True, gc=False):
    """Insert one row of the posting's own domain; a value may be a `Stamp`, one for a JSON column a dict or a list.

    Any other column takes text in PostgreSQL's form, an array "{1,2}".
    """

    table: str
    row: Mapping[str, Any]


class Set(msgspec.Struct, frozen=True, gc=False):
    """Change one row where it is as expected (compare-and-set); otherwise the posting fails with StateChanged."""

    table: str
    key: Mapping[str, Any]
    expect: Mapping[str, Any]
    values: Mapping[str, Any]


class SetMany(msgspec.Struct, frozen=True, gc=False):
    """Many `Set`s of one table as columns: parallel lists, all of the same length; one that fails, fails the posting.

    A value may be a `Stamp` in place of its list.
    """

    table: str
    key: Mapping[str, Sequence[Any]]
    expect: Mapping[str, Sequence[Any]]
    values: Mapping[str, Sequence[Any] | Stamp]


class Fact(msgspec.Struct, frozen=True, gc=False):
    """A message for readers of the outbox, stored in the same commit; `body` is JSON."""

    topic: str
    body: Mapping[str, Any]


class Posting(msgspec.Struct, frozen=True, gc=False):
    """One change of the ledger.

    `key` is 32 bytes; a key that is known returns the first result. `fingerprint` is the body's hash: another body
    under the same key is a RequestConflict. Order inside: resolves, moves, many, opens, takes, closes, riders.
    `not_after` is the last millisecond of business time at which it may be committed (`late` is raised after it).
    `member` is whose share of the queue it uses.
    """

    key: bytes
    moves: Sequence[Move] = ()
    opens: Sequence[Open] = ()
    resolves: Sequence[Resolve] = ()
    takes: Sequence[Take] = ()
    closes: Sequence[Close] = ()
    riders: Sequence[Insert | Set | SetMany] = ()
    facts: Sequence[Fact] = ()
    fingerprint: bytes = b""
    not_after: int | None = None
    late: Refuse | None = None
    member: int = 0
    many: Sequence[MoveMany] = ()


class Posted(msgspec.Struct, frozen=True, gc=False):
    """`id` is the posting's, `at` its business time; `replayed`: the key was known and nothing was changed now.

    `balances` are those after the posting of the accounts that it touched, `left` what those quotas had
    left that it asked for (both empty when replayed).
    """

    id: int
    at: int
    replayed: bool = False
    balances: Mapping[int, int] = {}
    left: Mapping[str, tuple[int, ...]] = {}


class Ledger(Protocol):
    """The one door to the writer.

    Raises: the element's own refusal, InsufficientBalance, WrongState (an account or a hold that was closed),
    MoneyOutStopped, RequestConflict, StateChanged, Busy, TooMany (eight postings
    of one member wait already), Outage (the writer is away or its queue is full; send the same key again).
    """

    async def post(self, posting: Posting) -> Posted: ...

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        """Bulk: each is a posting of its own, decided after all live ones that wait; results in the same order."""
