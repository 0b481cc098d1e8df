"""The form of a posting's elements, checked where it is made: one look at each, the words only where it fails."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, TypeVar

from kalos.ledger.postings import Close, Move, Open, Posting, Resolve, Take
from kalos.ledger.purse import Purpose

Element = TypeVar("Element")
LARGEST: Final = 2**63 - 1
MOST_OPENS: Final = 8  # a hold's id is the posting's times eight plus its index
_MOST: Final = 1_000  # elements of a posting
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}", re.ASCII)
_KIND: Final = re.compile(r"[a-z_]{1,30}(?:\.[a-z_]{1,30})+", re.ASCII)
_TOPIC: Final = re.compile(r"[a-z_.]{1,40}", re.ASCII)
_NO_RIDERS: Final = frozenset(
    {"accounts", "journal", "keys", "kinds", "holds", "quotas", "outbox", "ledger_tail", "writer_lease"}
)


class BadPosting(ValueError):
    """The posting can't be: an amount below one, two assets in one move, a column that doesn't exist. A bug."""


def check(posting: Posting) -> None:
    """Raises: BadPosting."""
    sizes = (posting.moves, posting.resolves, posting.takes, posting.closes, posting.riders, posting.facts)
    if len(posting.key) != 32 or len(posting.opens) > MOST_OPENS or max(map(len, sizes)) > _MOST:
        raise BadPosting(f"a key of {len(posting.key)} bytes, or too many elements in one posting")
    _all_are(_is_move, posting.moves)
    _all_are(_is_open, posting.opens)
    _all_are(_is_resolve, posting.resolves)
    _all_are(_is_take, posting.takes)
    _all_are(_is_close, posting.closes)


@lru_cache(4096)
def is_table(name: str) -> bool:
    """Whether riders may write it."""
    return _NAME.fullmatch(name) is not None and name not in _NO_RIDERS


@lru_cache(4096)
def are_columns(names: tuple[str, ...]) -> bool:
    return bool(names) and all(_NAME.fullmatch(name) for name in names)


@lru_cache(4096)
def is_topic(name: str) -> bool:
    return _TOPIC.fullmatch(name) is not None


@lru_cache(4096)
def _is_kind(name: str) -> bool:
    return _KIND.fullmatch(name) is not None


def _all_are(form: Callable[[Element], bool], elements: Iterable[Element]) -> None:
    for element in elements:
        if not form(element):
            raise BadPosting(f"this can't be: {element}")


def _is_move(move: Move) -> bool:
    return (
        _is_kind(move.kind)
        and 0 < move.units <= LARGEST
        and move.source != move.target
        and move.source >> 8 & 0xFF == move.target >> 8 & 0xFF
        and 0 < move.source <= LARGEST
        and 0 < move.target <= LARGEST
        and 0 <= move.reference <= LARGEST
    )


def _is_open(hold: Open) -> bool:
    return (
        _is_kind(hold.kind)
        and 0 < hold.units <= LARGEST
        and hold.source & 0xFF == Purpose.AVAILABLE
        and 0 < hold.source <= LARGEST
        and 0 <= hold.reference <= LARGEST
    )


def _is_resolve(end: Resolve) -> bool:
    return (
        _is_kind(end.kind)
        and (end.units is None or 0 < end.units <= LARGEST)
        and 0 <= end.hold <= LARGEST
        and 0 < end.target <= LARGEST
    )


def _is_take(take: Take) -> bool:
    units, first = take.units, take.first
    if not 1 <= len(units) <= 16 or min(units) < -LARGEST or max(units) > LARGEST:
        return False
    if first is not None and (len(first) != len(units) or min(first) < 0 or max(first) > LARGEST):
        return False
    return _is_quota(take.quota)


def _is_close(close: Close) -> bool:
    return _is_quota(close.quota)


def _is_quota(name: str) -> bool:
    return 1 <= len(name) <= 120 and "\0" not in name
