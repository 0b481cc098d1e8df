"""The whole audit: every invariant of the ledger, in one snapshot, while the house runs.

The journal is read once, in slices that two lanes take from one line. Source: ledger.md, "Invariants".
"""

import asyncio
import secrets
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Final

import asyncpg

from kalos.core.assets import BY_NUMBER
from kalos.core.clock import DAY_MS
from kalos.core.database import Connection, Database
from kalos.ledger import audit_rows
from kalos.ledger.audit_rows import LINKED_CELLS, MOST_SHOWN, Cell, Sum, cells_of, compare_days
from kalos.ledger.audit_tables import TABLES, check_other_holds
from kalos.ledger.explained import Explained, Holds, check_holds, check_nothing, check_sums
from kalos.ledger.links import ACCOUNTS, NUMBER

_SLICE: Final = 200_000
_SESSION: Final = (
    "SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL work_mem = '64MB'; "
    "SET LOCAL plan_cache_mode = force_custom_plan"
)
_PATIENCE_SECONDS: Final = 3600.0
"""For what reads a whole table of the ledger: no house waits for it, and it grows for as long as the house lives."""
_KEYS_KEPT_MS: Final = 400 * DAY_MS
LAST_HOLD: Final = 2**63 - 1
UNREADABLE: Final = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, asyncpg.DataError)
"""How rows that no writer made end a look at them: years, infinities and shapes that nothing was written for."""

_TAIL: Final = """
    SELECT last_posting, last_move, last_fact, last_at, (SELECT coalesce(max(id), 0) FROM journal) AS move,
        (SELECT coalesce(max(id), 0) FROM outbox) AS fact, (SELECT coalesce(min(id), 0) FROM keys) AS first_key
    FROM ledger_tail
"""
_ACCOUNTS: Final = f"""
    SELECT id >> 26 AS block, (id >> 8 & 255)::int AS asset, sum(balance) AS units, {ACCOUNTS} AS links
    FROM accounts GROUP BY 1, 2
"""
_KEYS: Final = f"SELECT count(*) AS keys, max(id) AS last, sum({NUMBER}) AS numbers FROM keys"
_NUMBERS: Final = f"SELECT sum({NUMBER}) FROM (SELECT generate_series($2::bigint, $3::bigint) AS id) AS dense"
_KEY_AT_FAULT: Final = f"""
    SELECT coalesce(k.id, n) AS id, coalesce(k.count, 0) AS count
    FROM (SELECT id, count(*) FROM keys GROUP BY id) AS k
    FULL JOIN generate_series($1::bigint, $2::bigint) AS n ON n = k.id
    WHERE k.count IS DISTINCT FROM 1 OR n IS NULL ORDER BY 1 LIMIT {MOST_SHOWN}
"""

_ROWS: Final = {
    "negative: account {0} has {1}": "SELECT id, balance FROM accounts WHERE balance < 0 AND id >> 16 <> 1",
    "closed account: {0} is closed and has {1}": "SELECT id, balance FROM accounts WHERE NOT open AND balance <> 0",
    "held and holds differ: account {0} has {1}, its open holds sum to {2}": """
        SELECT coalesce(a.id, h.account_id), coalesce(a.balance, 0), coalesce(h.total, 0)
        FROM (SELECT id, balance FROM accounts WHERE id & 255 = 2) AS a FULL JOIN (
            SELECT account_id, sum(left_units) AS total FROM holds WHERE state = 'open' GROUP BY account_id
        ) AS h ON h.account_id = a.id
        WHERE coalesce(a.balance, 0) <> coalesce(h.total, 0)
    """,
    "wrong hold: {0} has {1} left and is {2}, the last posting is {3}": """
        SELECT h.id, h.left_units, h.state, t.last_posting FROM holds h CROSS JOIN ledger_tail t
        WHERE h.left_units < 0 OR (h.state = 'ended') <> (h.left_units = 0) OR h.id >> 3 > t.last_posting
    """,
    "negative quota: {0} has {1} left": "SELECT id, left_units FROM quotas WHERE NOT 0 <= ALL (left_units)",
}


@dataclass(slots=True)
class Whole:
    """One snapshot, looked at whole: its last numbers, what was counted in it, and what is wrong, a sentence each."""

    posting: int
    move: int
    fact: int
    at: int
    first_key: int
    seed: int = field(default_factory=lambda: secrets.randbits(62))
    problems: list[str] = field(default_factory=list)
    histories: int = 0
    """Hashes of the accounts' states less those that the journal leads to: 0."""
    broken: bool = False
    hollow: bool = False
    """A slice of the journal has no moves at all."""
    days: dict[Cell, Sum] = field(default_factory=dict)
    blocks: dict[tuple[int, int], int] = field(default_factory=dict)


_Task = Callable[[Connection, Whole], Awaitable[None]]


async def audit(db: Database, explained: Sequence[Explained] = ()) -> list[str]:
    """Check everything, while the house runs. Returns a sentence for each problem.

    `explained` are the domains' own rows; without them the purposes that they explain are not looked at.
    """
    return (await look_whole(db, explained)).problems


async def look_whole(db: Database, explained: Sequence[Explained] = ()) -> Whole:
    async with db.connection() as main, main.transaction(isolation="repeatable_read", readonly=True):
        await main.execute(_SESSION)
        whole = await _begin(main)
        try:
            await _look(db, main, whole, _tasks(whole, explained))
        except UNREADABLE as problem:
            whole.problems.append(unreadable(problem))
    return whole


def unreadable(problem: BaseException) -> str:
    """The sentence for rows that end a look at them: what can't be judged isn't sound."""
    places = [(frame.f_globals["__name__"], line) for frame, line in traceback.walk_tb(problem.__traceback__)]
    module, line = [place for place in places if place[0].startswith("kalos.")][-1]
    return f"rows that can't be judged: {type(problem).__name__}: {problem} ({module}, line {line})"


async def keep_audit(db: Connection, wall: int, problems: Sequence[str]) -> None:
    """Keep what a whole audit found for `last_audit`."""
    await db.execute(
        """
        INSERT INTO ledger_audit (one, at, problems) VALUES (true, $1, $2)
        ON CONFLICT (one) DO UPDATE SET at = excluded.at, problems = excluded.problems
        """,
        wall,
        problems,
    )


async def last_audit(db: Database) -> tuple[int, list[str]] | None:
    """When everything was audited last, and what was found; None where it never was."""
    row = await db.row("SELECT at, problems FROM ledger_audit")
    return None if row is None else (row["at"], row["problems"])


async def _look(db: Database, main: Connection, whole: Whole, tasks: Iterator[_Task]) -> None:
    snapshot: str = await main.fetchval("SELECT pg_export_snapshot()")
    try:
        async with asyncio.TaskGroup() as lanes:
            lanes.create_task(_second_lane(db, snapshot, tasks, whole))
            lanes.create_task(_lane(main, tasks, whole))
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from group
    await _conclude(main, whole)


async def _begin(db: Connection) -> Whole:
    tail = await db.fetchrow(_TAIL, timeout=_PATIENCE_SECONDS)
    assert tail is not None, "the migration makes this row"
    # Where one of the two is out of all measure, the other says how far there is anything to look at.
    move = min(tail["move"], tail["last_move"])
    whole = Whole(tail["last_posting"], move, tail["last_fact"], tail["last_at"], tail["first_key"])
    if tail["last_move"] != tail["move"] or tail["last_fact"] < tail["fact"]:
        numbers = f"move {tail['last_move']}, fact {tail['last_fact']}; the tables have {tail['move']}, {tail['fact']}"
        whole.problems.append(f"last numbers: {numbers}")
    return whole


def _tasks(whole: Whole, explained: Sequence[Explained]) -> Iterator[_Task]:
    """Everything to do, the long parts first. Behind a slice without a move there is nothing: what says so is wrong."""
    yield from (_accounts, _keys)
    yield from (partial(_moves, after) for after in takewhile(lambda _: not whole.hollow, range(0, whole.move, _SLICE)))
    yield from (partial(_rows, sentence, statement) for sentence, statement in (_ROWS | TABLES).items())
    yield from (partial(_holds, one) for one in explained if isinstance(one, Holds))
    yield from (partial(_other_holds, explained), partial(_sums, explained))


async def _second_lane(db: Database, snapshot: str, tasks: Iterator[_Task], whole: Whole) -> None:
    async with db.connection() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'; {_SESSION}")
        await _lane(connection, tasks, whole)


async def _lane(db: Connection, tasks: Iterator[_Task], whole: Whole) -> None:
    for task in tasks:
        await task(db, whole)


async def _accounts(db: Connection, whole: Whole) -> None:
    sums: dict[int, int] = {}
    for block, asset, units, links in await db.fetch(_ACCOUNTS, whole.seed, timeout=_PATIENCE_SECONDS):
        whole.blocks[block, asset] = int(units)
        whole.histories += int(links)
        sums[asset] = sums.get(asset, 0) + int(units)
    whole.problems += unequal_assets(sums)


def unequal_assets(sums: dict[int, int]) -> list[str]:
    """The assets that don't sum to zero, and those that don't exist."""
    return [f"sum of the asset: {BY_NUMBER.get(asset, asset)} is {units}" for asset, units in sums.items() if units] + [
        f"unknown asset: {asset}" for asset in sums if asset not in BY_NUMBER
    ]


async def _moves(after: int, db: Connection, whole: Whole) -> None:
    """One slice of the journal."""
    last = min(after + _SLICE, whole.move)
    try:
        async with db.transaction():
            rows = await db.fetch(LINKED_CELLS, after, last, whole.seed, whole.first_key, timeout=_PATIENCE_SECONDS)
    except asyncpg.NumericValueOutOfRangeError as problem:  # a balance that no sequence of moves can have led to
        whole.broken = True
        whole.problems.append(f"beyond 64 bits: a move up to {last}: {problem}")
        return
    if not rows:
        whole.hollow = True
        whole.problems.append(f"lost move: there is none from {after + 1} to {last}")
        return
    for cell, amount in cells_of(rows).items():
        whole.days[cell] = whole.days.get(cell, Sum()).plus(amount)
    whole.histories -= sum(int(row["links"]) for row in rows)
    if sum(row["wrong"] for row in rows) or sum(row["moves"] for row in rows) != last - after:
        whole.problems += await audit_rows.explain_moves(db, after, last)
    if any(row["posting"] > whole.posting for row in rows):
        whole.problems.append(f"unknown posting: a move up to {last} is of a posting beyond the last, {whole.posting}")
    if any((row["keyless"] or 0) > whole.at - _KEYS_KEPT_MS for row in rows):
        whole.problems.append(f"lost key: postings before {whole.first_key} have none, and are not 400 days old")


async def _keys(db: Connection, whole: Whole) -> None:
    """Each posting from the first that has a key on has one: no two postings under one number, none without a key."""
    keys, last, numbers = (await db.fetch(_KEYS, whole.seed, timeout=_PATIENCE_SECONDS))[0]
    if not keys:
        whole.problems += ["lost key: there are postings and no keys"] if whole.posting else []
        return
    if (keys, last) == (whole.posting - whole.first_key + 1, whole.posting):  # so many numbers, and no more
        dense = await db.fetchval(_NUMBERS, whole.seed, whole.first_key, whole.posting, timeout=_PATIENCE_SECONDS)
        if numbers == dense:
            return
    until = min(whole.posting, last, whole.first_key + keys) + _SLICE
    if until < max(whole.posting, last):
        whole.problems.append(f"keys of a posting: the last is {last}, of {keys} from {whole.first_key} on")
    rows = await db.fetch(_KEY_AT_FAULT, whole.first_key, min(whole.posting, until), timeout=_PATIENCE_SECONDS)
    whole.problems += [f"keys of a posting: {posting} has {count}" for posting, count in rows]


async def _rows(sentence: str, statement: str, db: Connection, whole: Whole) -> None:
    rows = await db.fetch(f"{statement} LIMIT {MOST_SHOWN}", timeout=_PATIENCE_SECONDS)
    whole.problems += [sentence.format(*row.values()) for row in rows]


async def _holds(one: Holds, db: Connection, whole: Whole) -> None:
    whole.problems += await check_holds(db, one, after=0, last=LAST_HOLD)


async def _other_holds(explained: Sequence[Explained], db: Connection, whole: Whole) -> None:
    whole.problems += await check_other_holds(db, explained)


async def _sums(explained: Sequence[Explained], db: Connection, whole: Whole) -> None:
    found = [*await check_sums(db, explained, whole=True), *await check_nothing(db, explained, None)]
    whole.problems += dict.fromkeys(found)


async def _conclude(db: Connection, whole: Whole) -> None:
    """What can be said only when both lanes have come to their ends."""
    kinds = {row["id"] for row in await db.fetch("SELECT id FROM kinds")}
    unknown = {kind for _, _, kind in whole.days} - kinds
    whole.problems += [f"unknown kind: moves have {kind}" for kind in sorted(unknown)]
    if not whole.broken:
        whole.problems += await compare_days(db, whole.days)
    if whole.broken or whole.histories:
        whole.problems += await audit_rows.explain_histories(db)
