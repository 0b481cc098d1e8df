"""A posting as it travels to the writer: checked, without callables, its rows already written as JSON."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kalos.ledger.checks import BadPosting, are_columns, check, is_table, is_topic
from kalos.ledger.postings import Fact, Insert, Posting, Set, Stamp

_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_LARGEST_TEXT: Final = 1_000_000

_encode: Final = msgspec.json.Encoder().encode

Columns = tuple[str, ...]


class Row(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """An insert: `text` is a JSON object without its closing brace, `stamps` are the columns still to be added."""

    table: str
    columns: Columns
    text: str
    stamps: tuple[tuple[str, str], ...]


class Change(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A compare-and-set: `text` is {"was": key and expected columns, "new": {values, its braces left open.

    `row` names the row among all of its table: a batch changes it once at most.
    """

    table: str
    keys: Columns
    expected: Columns
    columns: Columns
    row: str
    text: str
    stamps: tuple[tuple[str, str], ...]


class Request(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """What the writer is sent. Elements are tuples in the order of the fields of `postings`."""

    key: bytes
    fingerprint: bytes
    member: int
    not_after: int | None
    resolves: tuple[tuple[str, int, int, int | None], ...]  # kind, hold, target, units
    moves: tuple[tuple[str, int, int, int, int], ...]  # kind, source, target, units, reference
    opens: tuple[tuple[str, int, int, int], ...]  # kind, source, units, reference
    takes: tuple[tuple[str, tuple[int, ...], tuple[int, ...] | None], ...]  # quota, units, first
    closes: tuple[str, ...]
    inserts: tuple[Row, ...]
    changes: tuple[Change, ...]
    facts: tuple[Row, ...]  # table is the topic


def request_of(posting: Posting) -> Request:
    """Check a posting's form and write it for the way.

    Raises: BadPosting.
    """
    check(posting)
    changes = tuple(_change(one) for one in posting.riders if isinstance(one, Set))
    if len({(one.table, one.row) for one in changes}) != len(changes):
        raise BadPosting("a posting changes one row twice")
    return Request(
        key=posting.key[:16],
        fingerprint=posting.fingerprint[:16].ljust(16, b"\0"),
        member=posting.member,
        not_after=posting.not_after,
        resolves=tuple((one.kind, one.hold, one.target, one.units) for one in posting.resolves),
        moves=tuple((one.kind, one.source, one.target, one.units, one.reference) for one in posting.moves),
        opens=tuple((one.kind, one.source, one.units, one.reference) for one in posting.opens),
        takes=tuple((one.quota, tuple(one.units), one.first) for one in posting.takes),
        closes=tuple(one.quota for one in posting.closes),
        inserts=tuple(_row(one) for one in posting.riders if isinstance(one, Insert)),
        changes=changes,
        facts=tuple(_fact(one) for one in posting.facts),
    )


def _row(rider: Insert) -> Row:
    values, stamps = _split(rider.row)
    return Row(_table(rider.table), _columns(rider.row), _text(values)[:-1], stamps)


def _change(rider: Set) -> Change:
    values, stamps = _split(rider.values)
    if rider.key.keys() & rider.expect.keys():
        raise BadPosting(f"a change of {rider.table} expects of its own key")
    return Change(
        table=_table(rider.table),
        keys=_columns(rider.key),
        expected=_columns(rider.expect) if rider.expect else (),
        columns=_columns(rider.values),
        row=_text(_split(dict(sorted(rider.key.items())))[0]),
        text=f'{{"was":{_text(_split({**rider.expect, **rider.key})[0])},"new":{_text(values)[:-1]}',
        stamps=stamps,
    )


def _fact(fact: Fact) -> Row:
    if not is_topic(fact.topic):
        raise BadPosting(f"bad topic {fact.topic!r}")
    values, stamps = _split(fact.body)
    return Row(fact.topic, (), _text(values)[:-1], stamps)


def _split(values: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[tuple[str, str], ...]]:
    """Part the values that are known from the stamps that the writer puts; bytes become PostgreSQL's hex."""
    known, stamps = {}, []
    for name, value in values.items():
        if type(value) is Stamp:
            stamps.append((name, value.value))
        else:
            known[name] = "\\x" + value.hex() if type(value) is bytes else value
    return known, tuple(stamps)


def _text(values: Mapping[str, Any]) -> str:
    text = _encode(values).decode()
    if ("\\u0000" in text and _NUL.search(text)) or len(text) > _LARGEST_TEXT:
        raise BadPosting(f"text with a NUL, or a row that is too long: {text[:100]}")
    return text


def _table(name: str) -> str:
    if not is_table(name):
        raise BadPosting(f"no rider may write {name!r}")
    return name


def _columns(values: Mapping[str, Any]) -> Columns:
    names = tuple(values)
    if not are_columns(names):
        raise BadPosting(f"no columns, or bad ones: {names}")
    return names
