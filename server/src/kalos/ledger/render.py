"""The one statement that writes a batch, and the guard that aborts it where a copy or a row isn't as expected.

A statement is put together from parts, each with arrays of its own. Its text depends on the parts alone, not on how
many rows there are: so few texts serve for all batches, and each is prepared once.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from kalos.core.clock import business_day
from kalos.ledger.arrays import pack
from kalos.ledger.batch import Batch
from kalos.ledger.shapes import Shape, stamped
from kalos.ledger.vectors import array_of

_MOVE: Final = "posting_id, from_id, to_id, amount, from_version, to_version, from_balance, to_balance, reference, kind"
_FIXED: Final = 9  # parameters that every statement has: those of the tail
ACCOUNT_PADDING: Final = "repeat('-', 16)"
"""A third of the row without it; its first change takes it away (0027)."""


class Part(NamedTuple):
    """One part: `kinds` are the types of its columns, {rows} in its SQL stands for the rows of all of them.

    {placed} stands for the same with their places behind them, from 1. `counted`: in which of the guard's sums its rows
    are.
    """

    name: str
    sql: str
    kinds: tuple[str, ...]
    counted: str = ""


_TAIL: Final = """
    UPDATE ledger_tail SET last_posting = $1::bigint, last_move = $2::bigint, last_fact = $3::bigint,
        last_at = $4::bigint
    WHERE epoch = $5::bigint AND last_posting = $6::bigint AND last_move = $8::bigint AND last_fact = $9::bigint
        AND $7::date IS NOT NULL
    RETURNING 1
"""
_KEYS: Final = Part(
    "known",
    "INSERT INTO keys (id, at, key, fingerprint) SELECT $6 + k.place, $4, k.key, k.print "
    "FROM {placed} AS k(key, print, place)",
    ("uuid", "bigint"),
)
_MADE: Final = Part(
    "made",
    f"INSERT INTO accounts (id, balance, version, padding) SELECT *, {ACCOUNT_PADDING} FROM {{rows}} AS made",
    ("bigint",) * 3,
)
_MOVED: Final = Part(
    "moved",
    "UPDATE accounts a SET balance = u.balance, version = u.version, padding = NULL "
    "FROM {rows} AS u(id, was, balance, version) "
    "WHERE a.id = u.id AND a.version = u.was RETURNING 1",
    ("bigint",) * 4,
    "fresh",
)
_SHUT_AT_ONCE: Final = Part(
    "shut_at_once",
    "INSERT INTO accounts (id, balance, version, open) SELECT *, false FROM {rows} AS made",
    ("bigint",) * 3,
)
_SHUT: Final = Part("shut", _MOVED.sql.replace(" FROM", ", open = false FROM", 1), _MOVED.kinds, "fresh")
_MOVES: Final = Part(
    "moves",
    f"INSERT INTO journal ({_MOVE}, id, at, day) SELECT {_MOVE}, $8 + place, $4, $7 "
    f"FROM {{placed}} AS j({_MOVE}, place)",
    (*("bigint",) * 9, "smallint"),
)
_SUMS: Final = Part(
    "sums",
    "INSERT INTO daily_sums AS s (day, asset, kind, units, moves) "
    "SELECT $7, u.asset, u.kind, u.units::numeric, u.moves "
    "FROM {rows} AS u(asset, kind, units, moves) "
    "ON CONFLICT (day, asset, kind) DO UPDATE SET units = s.units + excluded.units, moves = s.moves + excluded.moves",
    ("smallint", "smallint", "text", "bigint"),
)
_OPENED: Final = Part(
    "opened",
    "INSERT INTO holds (id, account_id, left_units, reference, kind, state) SELECT h.*, "
    "CASE WHEN h.left_units = 0 THEN 'ended' ELSE 'open' END "
    "FROM {rows} AS h(id, account_id, left_units, reference, kind)",
    (*("bigint",) * 4, "smallint"),
)
_ENDED: Final = Part(
    "ended",
    "UPDATE holds h SET left_units = u.now, state = CASE WHEN u.now = 0 THEN 'ended' ELSE 'open' END "
    "FROM {rows} AS u(id, was, now) "
    "WHERE h.id = u.id AND h.left_units = u.was RETURNING 1",
    ("bigint",) * 3,
    "fresh",
)
_TOLD: Final = Part(
    "told",
    "INSERT INTO outbox (id, posting_id, topic, body, at) SELECT $9 + f.place, f.posting, f.topic, f.body::json, $4 "
    "FROM {placed} AS f(posting, topic, body, place)",
    ("bigint", "text", "text"),
)


def _rows_of(places: Sequence[str], *, numbered: bool = False) -> str:
    """The rows of these columns; `numbered`: with their places behind them, from 1.

    A function in FROM would store its rows first: six in a hundred of the database's work for a bet.
    """
    columns = [f"unnest({place})" for place in places]
    return f"(SELECT {', '.join(columns + [f'generate_subscripts({places[0]}, 1)'] * numbered)})"


class Statement:
    """One batch's statement: its parts and all values."""

    __slots__ = ("_counts", "parts", "problem", "values")

    def __init__(self, batch: Batch, epoch: int) -> None:
        state = batch.state
        self.parts: list[Part] = []
        self.problem = ""  # a value that can't be sent: the batch fails before it leaves
        self._counts = {"fresh": 0, "expected": 0}
        self.values: list[Any] = [
            state.posting,
            state.move,
            state.fact,
            batch.at,
            epoch,
            batch.first_posting,
            business_day(batch.at),
            batch.first_move,
            batch.first_fact,
        ]

    def put(self, part: Part, columns: Iterable[Sequence[Any]], count: int = 0) -> None:
        self.parts.append(part)
        try:
            self.values += map(pack, part.kinds, columns)
        except ValueError as problem:
            self.problem = str(problem)
        if part.counted:
            self._counts[part.counted] += count

    def close(self) -> None:
        self.values += self._counts.values()

    def text(self) -> str:
        number = _FIXED
        sums: dict[str, list[str]] = {"fresh": [], "expected": []}
        parts = [f"tail AS ({_TAIL})"]
        for part in self.parts:
            places = [f"${number + place}::{kind}[]" for place, kind in enumerate(part.kinds, 1)]
            number += len(places)
            sql = part.sql.format(*places, rows=_rows_of(places), placed=_rows_of(places, numbered=True))
            parts.append(f"{part.name} AS ({sql})")
            if part.counted:
                sums[part.counted].append(f"(SELECT count(*) FROM {part.name})")
        checks = ["(SELECT count(*) FROM tail) = 1 AS mine"]
        checks += [
            f"{' + '.join(names) or '0'} = ${number + place}::int AS {name}"
            for place, (name, names) in enumerate(sums.items(), 1)
        ]
        # The guard is called only to raise: a call costs as much as writing ten rows.
        return (
            f"WITH {', '.join(parts)} SELECT pg_notify('kalos_ledger', ''), CASE WHEN mine AND fresh AND expected "
            f"THEN false ELSE ledger_guard(mine, fresh, expected) IS NULL END FROM (SELECT {', '.join(checks)}) AS g"
        )


def statement_of(batch: Batch, epoch: int) -> Statement:
    """Render a batch; the copies may change afterwards."""
    statement = Statement(batch, epoch)
    statement.put(_KEYS, (batch.keys, batch.prints))
    if batch.accounts:
        _accounts(statement, batch)
    if batch.journal:
        _journal(statement, batch)
    if batch.holds:
        _holds(statement, batch)
    if batch.quotas:
        _quotas(statement, batch)
    if batch.facts:
        _facts(statement, batch)
    for index, (shape, (postings, rows)) in enumerate(sorted(batch.inserts.items())):
        _rows(statement, batch.state.shapes[shape], f"insert_{index}", postings, list(zip(*rows, strict=True)))
    for index, (shape, (postings, columns)) in enumerate(sorted(batch.changes.items())):
        _rows(statement, batch.state.shapes[shape], f"change_{index}", postings, columns)
    statement.close()
    return statement


def _accounts(statement: Statement, batch: Batch) -> None:
    known = batch.state.accounts
    rows: dict[Part, list[tuple[int, ...]]] = {_MADE: [], _MOVED: [], _SHUT_AT_ONCE: [], _SHUT: []}
    made, moved = rows[_MADE], rows[_MOVED]
    for account, (_, version) in batch.accounts.items():
        if account in batch.closed:
            row = (account, *known[account]) if version == 0 else (account, version, *known[account])
            rows[_SHUT if version else _SHUT_AT_ONCE].append(row)
        elif version == 0:
            made.append((account, *known[account]))
        else:
            moved.append((account, version, *known[account]))
    for part, found in rows.items():
        if found:
            statement.put(part, list(zip(*found, strict=True)), len(found))


def _journal(statement: Statement, batch: Batch) -> None:
    columns = list(zip(*batch.journal, strict=True))
    statement.put(_MOVES, columns)
    units: dict[tuple[int, int], int] = {}
    moves: dict[tuple[int, int], int] = {}
    for account, amount, kind in zip(columns[1], columns[3], columns[9], strict=True):
        name = (account >> 8 & 0xFF, kind)
        units[name] = units.get(name, 0) + amount
        moves[name] = moves.get(name, 0) + 1
    assets, kinds = zip(*units, strict=True)
    statement.put(_SUMS, (assets, kinds, [str(total) for total in units.values()], list(moves.values())))


def _holds(statement: Statement, batch: Batch) -> None:
    opened, ended = [], []
    for number, before in batch.holds.items():
        now = batch.state.holds[number]
        assert now is not None
        if before is None:
            opened.append((number, now.account, now.left, now.reference, now.kind))
        else:
            ended.append((number, before.left, now.left))
    if opened:
        statement.put(_OPENED, list(zip(*opened, strict=True)))
    if ended:
        statement.put(_ENDED, list(zip(*ended, strict=True)), len(ended))


def _quotas(statement: Statement, batch: Batch) -> None:
    """By the length of their vectors, which go as one column, one after the other."""
    rows: dict[tuple[bool, bool, int], list[tuple[Any, ...]]] = {}
    for name, before in batch.quotas.items():
        now = batch.state.quotas[name]
        group = (before.version == 0, now.open, now.size)
        rows.setdefault(group, []).append((name, now.version, before.version, now.left))
    for group, found in sorted(rows.items()):
        *columns, vectors = zip(*found, strict=True)
        statement.put(_quota_part(*group), (*columns, array_of(vectors, group[2])), len(found))


def quota_padding(size: int) -> str:
    """The same of a quota with so many numbers."""
    return f"repeat('-', {28 + 2 * size})"


@lru_cache(128)
def _quota_part(made: bool, is_open: bool, size: int) -> Part:
    state = "open" if is_open else "closed"
    vector = f"({{3}})[(u.place - 1) * {size} + 1 : u.place * {size}]"
    source = f"{_rows_of(['{0}', '{1}', '{2}'], numbered=True)} AS u(id, version, was, place)"
    kinds = ("text", "bigint", "bigint", "bigint")
    if made:
        sql = (
            "INSERT INTO quotas (id, left_units, version, state, padding) "
            f"SELECT u.id, {vector}, u.version, '{state}', {quota_padding(size)} FROM {source}"
        )
        return Part(f"started_{size}_{state}", sql, kinds)
    sql = (
        f"UPDATE quotas q SET left_units = {vector}, version = u.version, state = '{state}', padding = NULL "
        f"FROM {source} WHERE q.id = u.id AND q.version = u.was RETURNING 1"
    )
    return Part(f"taken_{size}_{state}", sql, kinds, "fresh")


def _facts(statement: Statement, batch: Batch) -> None:
    at = batch.at
    rows = [(posting, fact.topic, stamped(fact.text, fact.stamps, posting, at)) for posting, fact in batch.facts]
    statement.put(_TOLD, list(zip(*rows, strict=True)))


def _rows(statement: Statement, shape: Shape, name: str, postings: list[int], columns: Sequence[Any]) -> None:
    part = Part(name, shape.sql, shape.kinds, "expected" if shape.is_change else "")
    statement.put(part, shape.arrays(postings, columns), len(postings))
