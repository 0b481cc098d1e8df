"""When reserves are enough, and when a hot wallet has too little or too much."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from kalos.core.assets import Asset
from kalos.core.money import text_of
from kalos.core.ports import TokenTransfer

Place = Literal["hot", "cold", "deposits"]
Mark = Literal["low", "high"]

GWEI: Final = 10**9
"""The smallest units of the chain's own coin in one in which gas is counted."""

NATIVE_SCALE: Final = 18
"""The decimal places of the chain's own coin."""

LARGEST_UNITS: Final = 2**63 - 1

UNSEEN_SECONDS: Final = 300
"""A look that is older than this says nothing of what is there now."""


@dataclass(frozen=True, slots=True)
class Books:
    """What the ledger says of an asset: what it owes, and what of the chain's transfers it has or hasn't counted.

    `credited_later` was credited from blocks after the one that is looked at, `settled_later` was paid in such a one;
    `paid` left in a block up to it, and the ledger still holds it.
    """

    owed: int
    credited_later: int = 0
    settled_later: int = 0
    paid: int = 0

    @property
    def expected(self) -> int:
        return self.owed - self.credited_later + self.settled_later - self.paid


@dataclass(frozen=True, slots=True)
class Standing:
    """Reserves of an asset after one block, against what is expected there."""

    asset: Asset
    books: Books
    units: dict[Place, int]

    @property
    def reserves(self) -> int:
        return sum(self.units.values())

    @property
    def missing(self) -> int:
        return max(0, self.books.expected - self.reserves)


def why_unseen(at: int | None, *, wall: int, since: int = 0) -> str | None:
    """Why the last look, made at `at`, doesn't say that what is there now covers what is owed; None where it does.

    `since` is when money out was stopped, if it was: what was seen before is what the stop may be about.
    """
    if at is None:
        return "the reserves were never looked at"
    if at < since:
        return "the reserves weren't looked at since it was stopped: a look comes each minute"
    if wall - at > UNSEEN_SECONDS * 1000:
        return f"the reserves were last looked at {(wall - at) // 1000} s ago: a look comes each minute"
    return None


def problem(asset: Asset, *, expected: int, missing: int, block: int) -> str:
    """What is told of an asset of which something is missing."""
    there, wanted = text_of(expected - missing, asset), text_of(expected, asset)
    return f"reserves under liabilities: after block {block} {there} {asset} are there, {wanted} must be"


def hot_mark(standing: Standing, *, low: Fraction, high: Fraction) -> Mark | None:
    """Whether the hot wallets have less or more than these parts of what is owed. Source: settings.md, Treasury."""
    owed, hot = standing.books.owed, standing.units["hot"]
    if owed <= 0:
        return None
    if hot < low * owed:
        return "low"
    return "high" if hot > high * owed else None


def was_paid(transfers: Sequence[TokenTransfer] | None, *, contract: str, units: int, block: int) -> bool:
    """Whether a transaction has moved these coins in a block up to this one. None: no block holds it."""
    return any(one.contract == contract and one.units == units and one.block <= block for one in transfers or ())
