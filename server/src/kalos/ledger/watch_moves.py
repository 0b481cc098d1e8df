"""The running audit's look at a range of moves, and at the accounts that they touched."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.database import Connection
from kalos.ledger.audit_rows import CELLS, MOST_SHOWN, Cell, Sum, cells_of, explain_moves

_SIDES: Final = """
    moves AS MATERIALIZED (SELECT * FROM journal WHERE id > $1 AND id <= $2),
    sides AS (
        SELECT id, from_id AS account, from_version AS version, from_balance AS balance, -amount::numeric AS units
        FROM moves
        UNION ALL SELECT id, to_id, to_version, to_balance, amount FROM moves
    )
"""
# The first move of each account in the range goes on from the one before the range, found by the indexes of versions.
_HISTORIES: Final = f"""
    WITH {_SIDES},
    steps AS MATERIALIZED (
        SELECT *, lag(version) OVER history AS was_version, lag(balance) OVER history AS was,
            lag(id) OVER history AS was_id
        FROM sides WINDOW history AS (PARTITION BY account ORDER BY version, id)
    )
    SELECT s.id, s.account, s.version FROM steps s WHERE s.was_version IS NOT NULL
        AND (s.version <> s.was_version + 1 OR s.was + s.units <> s.balance OR s.id <= s.was_id)
    UNION ALL
    SELECT s.id, s.account, s.version FROM steps s LEFT JOIN LATERAL (
        SELECT from_balance AS balance FROM journal WHERE from_id = s.account AND from_version = s.version - 1
        UNION ALL SELECT to_balance FROM journal WHERE to_id = s.account AND to_version = s.version - 1
        LIMIT 1
    ) AS before ON true
    WHERE s.was_version IS NULL AND (
        s.version < 1 OR (s.version > 1) <> (before.balance IS NOT NULL)
        OR coalesce(before.balance, 0) + s.units <> s.balance
        OR NOT EXISTS (SELECT FROM accounts a WHERE a.id = s.account AND a.version >= s.version)
    )
    LIMIT {MOST_SHOWN}
"""
_BLOCKS: Final = f"""
    WITH {_SIDES}
    SELECT account >> 26 AS block, (account >> 8 & 255)::int AS asset, sum(units) AS units FROM sides GROUP BY 1, 2
"""
_TOUCHED: Final = f"WITH {_SIDES} SELECT DISTINCT account FROM sides"

# Of an account's moves the last is the one of the highest version, found by the indexes of versions.
_ACCOUNTS: Final = f"""
    SELECT a.id, a.balance, a.version, newest.balance AS moved, newest.version AS moves, a.open
    FROM accounts a LEFT JOIN LATERAL (
        SELECT * FROM (
            (SELECT from_version AS version, from_balance AS balance FROM journal WHERE from_id = a.id
                ORDER BY from_version DESC LIMIT 1)
            UNION ALL
            (SELECT to_version, to_balance FROM journal WHERE to_id = a.id ORDER BY to_version DESC LIMIT 1)
        ) AS sides ORDER BY version DESC LIMIT 1
    ) AS newest ON true
    WHERE {{which}} AND ((newest.version, newest.balance) IS DISTINCT FROM (a.version, a.balance)
        OR a.balance < 0 AND a.id >> 16 <> 1 OR NOT a.open AND a.balance <> 0)
    ORDER BY a.id LIMIT {MOST_SHOWN}
"""
_HELD: Final = f"""
    SELECT a.id, a.balance, h.total FROM accounts a CROSS JOIN LATERAL (
        SELECT coalesce(sum(left_units), 0) AS total FROM holds WHERE account_id = a.id AND state = 'open'
    ) AS h
    WHERE {{which}} AND a.id & 255 = 2 AND a.balance <> h.total ORDER BY a.id LIMIT {MOST_SHOWN}
"""
THESE: Final = "a.id = ANY($1::bigint[])"
RANGE: Final = "a.id BETWEEN $1 AND $2"


@dataclass(frozen=True, slots=True)
class Known:
    """What moves may name: postings up to the last, and the kinds that there are."""

    posting: int
    kinds: frozenset[int]


async def check_moves(db: Connection, after: int, last: int, known: Known) -> tuple[dict[Cell, Sum], list[str]]:
    """Each move of a range: its own rules, its place in the line, and the histories that it continues.

    Returns what the range sums to, and a sentence a problem.
    """
    rows = await db.fetch(CELLS, after, last)
    problems: list[str] = []
    if sum(row["wrong"] for row in rows) or sum(row["moves"] for row in rows) != last - after:
        problems += await explain_moves(db, after, last)
    if any(row["posting"] > known.posting for row in rows):
        problems.append(f"unknown posting: a move up to {last} is of a posting beyond the last, {known.posting}")
    problems += [f"unknown kind: moves have {kind}" for kind in {row["kind"] for row in rows} - known.kinds]
    for move, account, version in await db.fetch(_HISTORIES, after, last):
        problems.append(f"broken history: move {move} is no next step of account {account} to version {version}")
    return cells_of(rows), problems


async def sum_blocks(db: Connection, after: int, last: int) -> dict[tuple[int, int], int]:
    """What a range of moves brought to each block and asset."""
    rows = await db.fetch(_BLOCKS, after, last)
    return {(row["block"], row["asset"]): int(row["units"]) for row in rows}


async def touched(db: Connection, after: int, last: int) -> list[int]:
    return [row["account"] for row in await db.fetch(_TOUCHED, after, last)]


async def check_accounts(db: Connection, which: str, *values: int | Sequence[int]) -> list[str]:
    """Accounts as `THESE` (ids) or `RANGE` (first, last) names them: what their last moves and open holds say."""
    problems = []
    for account, balance, version, moved, moves, is_open in await db.fetch(_ACCOUNTS.format(which=which), *values):
        if (balance, version) != (moved, moves):
            has = f"{account} has {balance} in version {version}, its last move led to {moved} in {moves}"
            problems.append(f"balance and moves differ: account {has}")
        if balance < 0 and account >> 16 != 1:
            problems.append(f"negative: account {account} has {balance}")
        if balance and not is_open:
            problems.append(f"closed account: {account} is closed and has {balance}")
    for account, balance, total in await db.fetch(_HELD.format(which=which), *values):
        problems.append(f"held and holds differ: account {account} has {balance}, its open holds sum to {total}")
    return problems
