"""What the audits ask of single rows, and which rows are at fault once a sum says that some are."""

from datetime import date
from typing import Any, Final, NamedTuple

from kalos.core.database import Connection
from kalos.ledger.links import MOVES

MOST_SHOWN: Final = 20
Cell = tuple[date, int, int]
"""Business day, number of the asset, number of the kind."""


class Sum(NamedTuple):
    units: int = 0
    moves: int = 0

    def plus(self, other: "Sum") -> "Sum":
        return Sum(self.units + other.units, self.moves + other.moves)


_LAST_AT: Final = 10**16  # whoever writes a later one by hand must not make a sum of it overflow
# Nor may a day that has no end, or no date of Python's, end the audit: what stands in its place is as wrong.
_DAY: Final = "least(greatest(day, DATE '0001-01-01'), DATE '9999-12-31')"
_WRONG: Final = f"""
    from_id >> 8 & 255 <> to_id >> 8 & 255 OR from_id = to_id OR amount <= 0
    OR {_DAY} - DATE '1970-01-01' <> (least(at, {_LAST_AT}) + 28800000) / 86400000
    OR from_balance < 0 AND from_id >> 16 <> 1 OR to_balance < 0 AND to_id >> 16 <> 1
"""
_LATE: Final = "posting_id < was_posting OR at < was_at OR id <> was_id + 1"
_LINE: Final = """
    SELECT j.*, lag(id, 1, $1) OVER line AS was_id, lag(posting_id, 1, 0::bigint) OVER line AS was_posting,
        lag(at, 1, 0::bigint) OVER line AS was_at
    FROM journal j WHERE id >= $1 AND id <= $2 WINDOW line AS (ORDER BY id)
"""
_CELLS: Final = f"""
    SELECT {_DAY} AS day, (from_id >> 8 & 255)::int AS asset, kind, sum(amount) AS units, count(*) AS moves,
        count(*) FILTER (WHERE {_WRONG} OR {_LATE}) AS wrong, max(posting_id) AS posting
"""
CELLS: Final = f"{_CELLS} FROM ({_LINE}) AS moves WHERE id > $1 GROUP BY 1, 2, 3"
"""Moves after $1 up to $2, gathered by day, asset and kind; `wrong` of them break a rule of their own."""

LINKED_CELLS: Final = (
    f"{_CELLS}, max(at) FILTER (WHERE posting_id < $4) AS keyless, {MOVES.replace('$1', '$3')} AS links "
    f"FROM ({_LINE}) AS moves WHERE id > $1 GROUP BY 1, 2, 3"
)
"""The same, with what they lead to (seed $3) and the last time of a move whose posting is before $4."""

_DETAILS: Final = f"""
    SELECT id, was_id, posting_id, {_WRONG} AS wrong FROM ({_LINE}) AS moves
    WHERE id > $1 AND ({_WRONG} OR {_LATE}) ORDER BY id LIMIT {MOST_SHOWN}
"""

_SIDES: Final = """
    SELECT id AS move, from_id AS id, from_version AS version, -amount AS units, from_balance AS balance FROM journal
    UNION ALL SELECT id, to_id, to_version, amount, to_balance FROM journal
"""
_BALANCES: Final = f"""
    SELECT coalesce(a.id, s.id), a.balance, a.version, s.moves, s.total FROM (
        SELECT id, count(*) AS moves, sum(units) AS total FROM ({_SIDES}) AS sides GROUP BY id
    ) AS s FULL JOIN accounts a ON a.id = s.id
    WHERE a.balance IS DISTINCT FROM s.total OR a.version IS DISTINCT FROM s.moves LIMIT {MOST_SHOWN}
"""
_STEPS: Final = f"""
    SELECT id, was_version, version, was, units, balance FROM (
        SELECT id, version, units, balance, lag(version, 1, 0::bigint) OVER history AS was_version,
            lag(balance, 1, 0::bigint) OVER history AS was
        FROM ({_SIDES}) AS sides WINDOW history AS (PARTITION BY id ORDER BY version)
    ) AS steps
    WHERE version <> was_version + 1 OR was::numeric + units <> balance LIMIT {MOST_SHOWN}
"""


async def explain_moves(db: Connection, after: int, last: int) -> list[str]:
    """Which moves of a range break a rule of their own."""
    found = []
    for row in await db.fetch(_DETAILS, after, last, timeout=600):
        if row["wrong"]:
            found.append(f"wrong move: {row['id']} has two assets, no amount, a negative side or another day than time")
        else:
            found.append(f"order of moves: {row['id']} follows {row['was_id']}, or its posting or time is earlier")
    return found or [f"order of moves: {last} is not there"]


async def explain_histories(db: Connection) -> list[str]:
    """Which accounts are not what their moves say. It sorts the journal: only where a sum said that there is one."""
    found = []
    for account, balance, version, moves, total in await db.fetch(_BALANCES, timeout=3600):
        has = f"{account} has {balance} in version {version}, its {moves} moves sum to {total}"
        found.append(f"balance and moves differ: account {has}")
    for account, was_version, version, was, units, balance in await db.fetch(_STEPS, timeout=3600):
        step = f"{account} goes from version {was_version} to {version} and from {was} by {units} to {balance}"
        found.append(f"broken history: account {step}")
    return found or ["broken history: the journal does not lead to the accounts as they are"]


def cells_of(rows: list[Any]) -> dict[Cell, Sum]:
    return {(row["day"], row["asset"], row["kind"]): Sum(int(row["units"]), row["moves"]) for row in rows}


async def compare_days(db: Connection, counted: dict[Cell, Sum], days: list[date] | None = None) -> list[str]:
    """Whether `daily_sums` says what was counted, on these days (None: on all)."""
    where = "" if days is None else "WHERE day = ANY($1::date[])"
    statement, which = f"SELECT * FROM daily_sums {where}", () if days is None else (days,)
    rows = await db.fetch(statement, *which, timeout=600)
    told = cells_of(rows)
    found = []
    for cell in sorted(told.keys() | counted.keys()):
        if (days is None or cell[0] in days) and told.get(cell) != counted.get(cell):
            day, asset, kind = cell
            said, has = told.get(cell, Sum()), counted.get(cell, Sum())
            found.append(
                f"sum of the day: {day} asset {asset} kind {kind} says {said.units} in {said.moves} moves, "
                f"the journal has {has.units} in {has.moves}"
            )
    return found[:MOST_SHOWN]
