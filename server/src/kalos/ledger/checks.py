"""The form of a posting's elements, checked where it is made: one look at each, the words only where it fails."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from kalos.ledger import vectors
from kalos.ledger.postings import Close, Move, MoveMany, Open, Posting, Resolve, Take
from kalos.ledger.purse import Purpose

LARGEST: Final = 2**63 - 1
MOST_OPENS: Final = 8  # a hold's id is the posting's times eight plus its index
_MOST: Final = 1_000  # elements of a posting
_LONGEST: Final = 300  # characters of an element in a message: one can have a thousand moves
_HELD: Final = int(Purpose.HELD)
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}", re.ASCII)
_KIND: Final = re.compile(r"[a-z_]{1,30}(?:\.[a-z_]{1,30})+", re.ASCII)
_TOPIC: Final = re.compile(r"[a-z_.]{1,40}", re.ASCII)
_NO_RIDERS: Final = frozenset(
    {
        "accounts",
        "daily_sums",
        "domain_outbox",
        "holds",
        "journal",
        "keys",
        "kinds",
        "ledger_audit",
        "ledger_flags",
        "ledger_tail",
        "outbox",
        "outbox_cursors",
        "quotas",
        "writer_lease",
    }
)


class BadPosting(ValueError):
    """The posting can't be: an amount below one, two assets in one move, a column that doesn't exist. A bug."""


def check(posting: Posting) -> None:
    """Raises: BadPosting."""
    if len(posting.key) != 32 or len(posting.opens) > MOST_OPENS:
        raise BadPosting(f"a key of {len(posting.key)} bytes, or too many holds")
    if posting.moves:
        _check_all(_is_move, posting.moves)
    if posting.takes:
        _check_all(_is_take, posting.takes)
    if posting.opens:
        _check_all(_is_open, posting.opens)
    if posting.resolves:
        _check_all(_is_resolve, posting.resolves)
    if posting.closes:
        _check_all(_is_close, posting.closes)
    if posting.many:
        _check_all(_are_moves, posting.many)
        if sum([len(moves.units) for moves in posting.many]) > _MOST:
            raise BadPosting(f"more than {_MOST} moves in one posting")
    if len(posting.riders) > _MOST or len(posting.facts) > _MOST:
        raise BadPosting(f"{max(len(posting.riders), len(posting.facts))} elements of a sort in one posting")


def _check_all(form: Callable[[Any], bool], elements: Sequence[Any]) -> None:
    if len(elements) > _MOST:
        raise BadPosting(f"{len(elements)} elements of a sort in one posting")
    for one in elements:
        if not form(one):
            raise BadPosting(f"element {elements.index(one)} can't be: {one!r:.{_LONGEST}}")


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
def is_kind(name: str) -> bool:
    return _KIND.fullmatch(name) is not None


def _is_move(move: Move) -> bool:
    return (
        is_kind(move.kind)
        and 0 < move.units <= LARGEST
        and type(move.units) is int
        and move.source != move.target
        and _HELD not in (move.source & 0xFF, move.target & 0xFF)  # only holds move what is held
        and move.source >> 8 & 0xFF == move.target >> 8 & 0xFF
        and 0 < move.source <= LARGEST
        and 0 < move.target <= LARGEST
        and 0 <= move.reference <= LARGEST
    )


def _is_open(hold: Open) -> bool:
    return (
        is_kind(hold.kind)
        and 0 < hold.units <= LARGEST
        and hold.source & 0xFF == Purpose.AVAILABLE
        and 0 < hold.source <= LARGEST
        and 0 <= hold.reference <= LARGEST
    )


def _is_resolve(end: Resolve) -> bool:
    return (
        is_kind(end.kind)
        and (end.units is None or 0 < end.units <= LARGEST)
        and 0 <= end.hold <= LARGEST
        and 0 < end.target <= LARGEST
        and end.target & 0xFF != _HELD
    )


def _is_take(take: Take) -> bool:
    return is_quota(take.quota)


@lru_cache(4096)
def pack_take(units: tuple[int, ...], first: tuple[int, ...] | None) -> tuple[bytes, bytes | None]:
    """What is taken and what a quota starts with, packed, where they can be vectors of one.

    Raises: BadPosting.
    """
    if not 1 <= len(units) <= vectors.MOST or not _are_numbers(units, -LARGEST):
        raise BadPosting(f"no vector: {units}")
    if first is None:
        return vectors.packed(units), None
    if len(first) != len(units) or not _are_numbers(first, 0):
        raise BadPosting(f"no start for a quota that {units} is taken from: {first}")
    return vectors.packed(units), vectors.packed(first)


def _are_numbers(numbers: tuple[int, ...], least: int) -> bool:
    return set(map(type, numbers)) == {int} and min(numbers) >= least and max(numbers) <= LARGEST


def _is_close(close: Close) -> bool:
    if (close.quota != "") + (close.account != 0) + (close.hold != 0) != 1:
        return False
    return (close.quota == "" or is_quota(close.quota)) and 0 <= close.account <= LARGEST and 0 <= close.hold <= LARGEST


def _are_moves(many: MoveMany) -> bool:
    columns = (many.sources, many.targets, many.units, many.references)
    if not 1 <= len(many.units) <= _MOST or {len(column) for column in columns} != {len(many.units)}:
        return False
    return all(
        _is_move(Move(many.kind, source, target, units, reference=reference))
        for source, target, units, reference in zip(*columns, strict=True)
    )


def is_quota(name: str) -> bool:
    return 1 <= len(name) <= 120 and "\0" not in name
