"""A posting as it travels to the writer: checked, without callables, its rows as columns."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from kalos.ledger import vectors
from kalos.ledger.checks import LARGEST, MOST_OPENS, BadPosting, are_columns, check, is_table, is_topic, pack_take
from kalos.ledger.postings import Fact, Insert, MoveMany, Posting, Set, SetMany, Stamp

_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_LARGEST_TEXT: Final = 1_000_000
_MOST_ROWS: Final = 1_000
_PLAIN: Final = frozenset({int, bool, type(None)})
_JSON: Final = frozenset({dict, list, tuple})
_KEYS: Final = frozenset({bool, bytes, int, str, type(None)})

_encode: Final = msgspec.json.Encoder().encode

# What the writer's decoder refuses, at no cost: a caller that has lost its mind must not take the writer down with it.
Number = Annotated[int, Meta(ge=0, le=LARGEST)]
Units = Annotated[int, Meta(ge=1, le=LARGEST)]
Vector = Annotated[bytes, Meta(min_length=vectors.PLACE, max_length=vectors.MOST * vectors.PLACE)]


class Row(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """An insert. `shape` is "table column,column:stamp"; `values` are those of the columns without a stamp."""

    shape: str
    values: list[Any]


class Change(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """Compare-and-sets of one table. `shape` is "table keys expected values"; `columns` are theirs in that order."""

    shape: str
    keys: Number  # how many of the columns name the row
    columns: list[list[Any]]

    @property
    def problem(self) -> str:
        """What is wrong with its columns, as far as the writer would stumble over it."""
        if not self.columns or len({len(column) for column in self.columns}) != 1:
            return f"columns of different lengths for {self.shape}, or none"
        if not {type(value) for column in self.columns[: self.keys] for value in column} <= _KEYS:
            return f"what names a row of {self.shape} is no plain value"
        return ""

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """What names each row among all: a batch changes it once at most."""
        table = self.shape.partition(" ")[0]
        return [(table, *key) for key in zip(*self.columns[: self.keys], strict=True)]


class Told(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A fact: `text` is a JSON object without its closing brace, `stamps` are what the writer adds."""

    topic: str
    text: str
    stamps: list[tuple[str, str]]


class Request(msgspec.Struct, array_like=True, gc=False, frozen=True, omit_defaults=True):
    """What the writer is sent. Elements are tuples in the order of the fields of `postings`."""

    key: Annotated[bytes, Meta(min_length=16, max_length=16)]
    fingerprint: Annotated[int, Meta(ge=-LARGEST - 1, le=LARGEST)]  # the first eight bytes
    member: Number
    moves: list[tuple[str, Number, Number, Units, Number]] = []  # kind, source, target, units, reference
    takes: list[tuple[str, Vector, Vector | None]] = []  # quota, units, first
    inserts: list[Row] = []
    facts: list[Told] = []
    # kind, source, units, reference; more of them would have the numbers of the next posting's holds
    opens: Annotated[list[tuple[str, Number, Units, Number]], Meta(max_length=MOST_OPENS)] = []
    resolves: list[tuple[str, Number, Number, Units | None]] = []  # kind, hold, target, units
    changes: list[Change] = []
    not_after: int | None = None
    closes: list[tuple[str, Number, Number]] = []  # quota, account, hold
    # kind, sources, targets, units, references
    many: list[tuple[str, list[Number], list[Number], list[Units], list[Number]]] = []
    returning: list[str] = []  # quotas


def request_of(posting: Posting) -> Request:
    """Check a posting's form and write it for the way.

    Raises: BadPosting.
    """
    check(posting)
    inserts, changes = [], []
    for rider in posting.riders:
        if type(rider) is Insert:
            inserts.append(_row(rider))
        elif type(rider) is Set:
            changes.append(_change(rider))
        else:
            assert type(rider) is SetMany, rider
            changes.append(_changes(rider))
    takes, returning = [], []
    for take in posting.takes:
        units, first = pack_take(take.units, take.first)
        takes.append((take.quota, units, first))
        if take.returning:
            returning.append(take.quota)
    if len(changes) > 1 or (changes and len(changes[0].columns[0]) > 1):
        _check_rows(changes)
    return Request(
        posting.key[:16],
        int.from_bytes(posting.fingerprint[:8].ljust(8, b"\0"), "big", signed=True),
        posting.member,
        [(one.kind, one.source, one.target, one.units, one.reference) for one in posting.moves],
        takes,
        inserts,
        [_fact(one) for one in posting.facts] if posting.facts else [],
        [(one.kind, one.source, one.units, one.reference) for one in posting.opens] if posting.opens else [],
        [(one.kind, one.hold, one.target, one.units) for one in posting.resolves] if posting.resolves else [],
        changes,
        posting.not_after,
        [(one.quota, one.account, one.hold) for one in posting.closes] if posting.closes else [],
        [_many(one) for one in posting.many] if posting.many else [],
        returning,
    )


def _many(moves: MoveMany) -> tuple[str, list[int], list[int], list[int], list[int]]:
    return moves.kind, list(moves.sources), list(moves.targets), list(moves.units), list(moves.references)


@lru_cache(4096)
def _insert_shape(table: str, columns: tuple[str, ...], stamps: tuple[tuple[int, Stamp], ...]) -> str:
    if not is_table(table):
        raise BadPosting(f"no rider may write {table!r}")
    if not are_columns(columns):
        raise BadPosting(f"no columns, or bad ones: {columns}")
    words = list(columns)
    for place, stamp in stamps:
        words[place] += f":{stamp.value}"
    return f"{table} {','.join(words)}"


def _row(rider: Insert) -> Row:
    values, stamps = _values(rider.row.values())
    return Row(_insert_shape(rider.table, tuple(rider.row), stamps), values)


def _change(rider: Set) -> Change:
    columns = [[value] for value in (*rider.key.values(), *rider.expect.values())]
    values = {name: value if type(value) is Stamp else [value] for name, value in rider.values.items()}
    return _columns_of(rider.table, tuple(rider.key), tuple(rider.expect), columns, values)


def _changes(rider: SetMany) -> Change:
    columns = [list(column) for column in (*rider.key.values(), *rider.expect.values())]
    return _columns_of(rider.table, tuple(rider.key), tuple(rider.expect), columns, rider.values)


def _columns_of(
    table: str, key: tuple[str, ...], expect: tuple[str, ...], columns: list[Any], values: Mapping[str, Any]
) -> Change:
    stamps = []
    for place, value in enumerate(values.values()):
        if type(value) is Stamp:
            stamps.append((place, value))
        else:
            columns.append(list(value))
    if len({len(column) for column in columns}) != 1 or len(columns[0]) > _MOST_ROWS:
        raise BadPosting(f"columns of different lengths for {table}, or too long ones")
    shape = _change_shape(table, key, expect, tuple(values), tuple(stamps))
    return Change(shape, len(key), [_values(column)[0] for column in columns])


@lru_cache(4096)
def _change_shape(
    table: str,
    key: tuple[str, ...],
    expect: tuple[str, ...],
    values: tuple[str, ...],
    stamps: tuple[tuple[int, Stamp], ...],
) -> str:
    if set(key) & set(expect) or not are_columns(key) or (expect and not are_columns(expect)):
        raise BadPosting(f"a change of {table} by {key} that expects {expect}")
    _, _, words = _insert_shape(table, values, stamps).partition(" ")
    return f"{table} {','.join(key)} {','.join(expect)} {words}"


def _check_rows(changes: Sequence[Change]) -> None:
    rows = [row for change in changes for row in change.rows]
    if len(set(rows)) != len(rows):
        raise BadPosting("a posting changes one row twice")


def _fact(fact: Fact) -> Told:
    if not is_topic(fact.topic):
        raise BadPosting(f"bad topic {fact.topic!r}")
    known: dict[str, Any] = {}
    stamps: list[tuple[str, str]] = []
    for name, value in fact.body.items():
        if type(value) is Stamp:
            stamps.append((name, value))
        else:
            known[name] = value
    return Told(fact.topic, _json(known)[:-1], stamps)


def _values(values: Any) -> tuple[list[Any], tuple[tuple[int, Stamp], ...]]:
    """Part the values that are known from the stamps that the writer puts, with their places."""
    known: list[Any] = []
    stamps: list[tuple[int, Stamp]] = []
    for place, value in enumerate(values):
        kind = type(value)
        if kind is int:  # the most come first
            known.append(value)
        elif kind is str:
            if "\0" in value or len(value) > _LARGEST_TEXT:
                raise BadPosting(f"text with a NUL, or one that is too long: {value[:100]!r}")
            known.append(value)
        elif kind in _PLAIN:
            known.append(value)
        elif kind is Stamp:
            stamps.append((place, value))
        elif kind is float:
            raise BadPosting(f"no float is written: {value}")
        else:
            known.append(_json(value) if kind in _JSON else value)
    return known, tuple(stamps)


def _json(value: Any) -> str:
    text = _encode(value).decode()
    if ("\\u0000" in text and _NUL.search(text)) or len(text) > _LARGEST_TEXT:
        raise BadPosting(f"text with a NUL, or a row that is too long: {text[:100]}")
    return text
