"""The running audit: every few seconds all that is new, and a further part of all that is old, in bounded steps.

It reads one snapshot, so the writer may commit meanwhile. What it has seen is stored with what it found, in one commit:
any number of workers may try, one makes the step. Source: ledger.md, "Invariants"; docs/decisions/0010-audit.md.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from kalos.core.clock import DAY_MS
from kalos.core.database import Connection, Database, Record
from kalos.ledger.audit import UNREADABLE, Whole, audit, keep_audit, look_whole, unequal_assets, unreadable
from kalos.ledger.audit_tables import check_other_holds
from kalos.ledger.explained import Explained, Holds, check_holds, check_holds_of, check_nothing, check_sums
from kalos.ledger.flags import clear_money_out, money_out_stopped, stop_money_out
from kalos.ledger.purse import Purpose
from kalos.ledger.watch_days import Days
from kalos.ledger.watch_moves import THESE, Known, check_accounts, check_moves, sum_blocks, touched
from kalos.ledger.watch_roll import (
    Pace,
    Roll,
    add_to_blocks,
    roll_accounts,
    roll_facts,
    roll_holds,
    roll_moves,
    roll_quotas,
)
from kalos.ledger.watch_tables import check_facts, check_payables, first_fact

Alarm = Callable[[Connection, str], Awaitable[None]]
"""Told the reason, in the commit that stops money out."""
Log = Callable[[Connection], Awaitable[None]]
"""Writes down who resumed it, in that commit."""

_SLICE: Final = 50_000
_SLICES: Final = 10
_POSTINGS: Final = 500_000
_FACTS: Final = 500_000
PACE: Final = Pace()
_ONE_WHOLE_AUDIT: Final = 7_401_004  # of a database: it goes with the connection of whoever dies in the middle
_BY: Final = "audit"
# Every statement names its rows by their keys: indexes are right however small, new or unknown a table still is.
_SESSION: Final = """
    SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL plan_cache_mode = force_custom_plan;
    SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
    SET LOCAL work_mem = '32MB'
"""
_TAIL: Final = """
    SELECT last_posting, last_move, last_fact, (SELECT coalesce(max(id), 0) FROM journal) AS move FROM ledger_tail
"""
# A time that lies ahead is that of a clock which was put back since: waiting for it would silence the audit.
_TAKE: Final = "SELECT * FROM ledger_watch WHERE at <= $1 - $2::bigint OR at > $1 + $2 FOR UPDATE SKIP LOCKED"
_IS_DONE: Final = "SELECT EXISTS (SELECT FROM ledger_audit WHERE at > $1 - $2::bigint AND at <= $1 + $2)"
_KEYS: Final = "SELECT count(*) AS keys, count(DISTINCT id) AS postings FROM keys WHERE id > $1 AND id <= $2"


@dataclass(slots=True)
class Step:
    """One step: `behind` moves are new and not looked at yet; `stopped`: it was this step that stopped money out."""

    problems: list[str] = field(default_factory=list)
    behind: int = 0
    stopped: bool = False


async def watch(
    db: Database,
    wall: int,
    *,
    explained: Sequence[Explained] = (),
    alarm: Alarm | None = None,
    every_ms: int = 0,
    pace: Pace = PACE,
) -> Step | None:
    """Make the next step of the running audit; the very first one is a whole audit.

    None where another worker makes it, or made it less than `every_ms` ago.
    """
    if not await db.value("SELECT EXISTS (SELECT FROM ledger_watch)"):
        return await _begin(db, wall, explained, alarm)
    try:
        async with db.connection() as connection, connection.transaction(isolation="repeatable_read"):
            await connection.execute(_SESSION)
            row = await connection.fetchrow(_TAKE, wall, every_ms)
            return None if row is None else await _Look(connection, wall, row, explained, pace).step(alarm)
    except asyncpg.SerializationError:  # another worker has just made it
        return None
    except UNREADABLE as problem:
        async with db.transaction() as step:
            found = [unreadable(problem)]
            return Step(found, stopped=await stop_and_tell(step, found, wall, alarm))


@dataclass(frozen=True, slots=True)
class WatchFigures:
    """For metrics: `age_seconds` since the last step, None before the first."""

    money_out_stopped: bool
    age_seconds: float | None
    behind_rows: int


async def watch_figures(db: Database, wall: int) -> WatchFigures:
    row = await db.row("SELECT w.at, t.last_move - w.move AS new FROM ledger_watch w, ledger_tail t")
    stopped = await money_out_stopped(db) is not None
    if row is None:
        return WatchFigures(stopped, None, 0)
    return WatchFigures(stopped, max(wall - row["at"], 0) / 1000, max(row["new"], 0))


async def resume_money_out(
    db: Database, *, reason: str, by: str, wall: int, explained: Sequence[Explained], log: Log | None = None
) -> list[str]:
    """Audit everything, and clear the flag only where nothing is found, in one commit with what `log` writes. Returns
    what was found.

    The running audit goes on from that snapshot: what it had kept of the time before is dropped. Where money out was
    stopped once more meanwhile, for another reason, it stays so.
    """
    flag = await money_out_stopped(db)
    whole = await look_whole(db, explained)
    if not whole.problems:
        async with db.transaction() as step:
            stood = "" if flag is None else flag.reason
            if flag and not await clear_money_out(step, reason=reason, by=by, wall=wall, stood=stood):
                return ["it was stopped for another reason while this was looked at, or resumed"]
            await _seed(
                step,
                whole,
                wall,
                "DO UPDATE SET move = excluded.move, posting = excluded.posting, fact = excluded.fact, "
                "at = excluded.at, behind = 0, rolled_move = 0, rolled_block = -1, rolled_hold = 0, rolled_quota = '', "
                "rolled_fact = 0",
            )
            if log is not None:
                await log(step)
    return whole.problems


async def audit_daily(
    db: Database, wall: int, *, explained: Sequence[Explained] = (), alarm: Alarm | None = None
) -> Step | None:
    """The whole audit, a day after the last one. None where it isn't due, or another worker makes it."""
    # Not a transaction's lock: PostgreSQL ends a transaction that says nothing for as long as this may take.
    async with db.connection() as claim:
        if not await claim.fetchval("SELECT pg_try_advisory_lock($1)", _ONE_WHOLE_AUDIT):
            return None
        try:
            if await claim.fetchval(_IS_DONE, wall, DAY_MS):
                return None
            problems = await audit(db, explained)
            async with db.transaction() as step:
                await keep_audit(step, wall, problems)
                return Step(problems, stopped=await stop_and_tell(step, problems, wall, alarm))
        finally:
            await claim.execute("SELECT pg_advisory_unlock($1)", _ONE_WHOLE_AUDIT)


async def stop_and_tell(
    db: Connection, problems: Sequence[str], wall: int, alarm: Alarm | None, *, follows: bool = True
) -> bool:
    """Stop money out for these problems, and raise the alarm once. False where there are none, or it was stopped.

    What is found while it stands `follows` its reason: a resume that is under way clears it not with the rest.
    """
    if not problems:
        return False
    reason = "\n".join(problems)
    if not await stop_money_out(db, reason=reason, by=_BY, wall=wall):
        for problem in problems if follows else ():
            await stop_money_out(db, reason=problem, by=_BY, wall=wall, follows=True)
        return False
    if alarm is not None:
        await alarm(db, reason)
    return True


async def _begin(db: Database, wall: int, explained: Sequence[Explained], alarm: Alarm | None) -> Step | None:
    whole = await look_whole(db, explained)
    async with db.transaction() as step:
        if not await _seed(step, whole, wall, "DO NOTHING"):
            return None
        return Step(whole.problems, stopped=await stop_and_tell(step, whole.problems, wall, alarm))


async def _seed(db: Connection, whole: Whole, wall: int, conflict: str) -> bool:
    """Let the running audit go on from a whole one. False where it runs already."""
    made = await db.fetchval(
        f"""
        INSERT INTO ledger_watch
            (one, at, move, posting, fact, behind, rolled_move, rolled_block, rolled_hold, rolled_quota)
        VALUES (true, $1, $2, $3, $4, 0, 0, -1, 0, '') ON CONFLICT (one) {conflict} RETURNING true
        """,
        wall,
        whole.move,
        whole.posting,
        whole.fact,
    )
    if made:
        await db.execute("DELETE FROM ledger_watch_blocks")
        await add_to_blocks(db, whole.blocks)
        newest = max((cell[0] for cell in whole.days), default=None)
        await Days("new", {cell: amount for cell, amount in whole.days.items() if cell[0] == newest}).store(db)
        await Days("old", {}).store(db)
    return bool(made)


class _Look:
    """One step in one snapshot."""

    def __init__(self, db: Connection, wall: int, row: Record, explained: Sequence[Explained], pace: Pace) -> None:
        self.db = db
        self.wall = wall
        self.explained = explained
        self.holds = [one for one in explained if isinstance(one, Holds)]
        self.move: int = row["move"]
        self.posting: int = row["posting"]
        self.fact: int = row["fact"]
        places = ("rolled_move", "rolled_block", "rolled_hold", "rolled_quota", "rolled_fact")
        self.roll = Roll(pace, *(row[place] for place in places))
        self.problems: list[str] = []

    async def step(self, alarm: Alarm | None) -> Step:
        db = self.db
        tail = await db.fetchrow(_TAIL)
        assert tail is not None, "the migration makes this row"
        newest, posting, fact = tail["move"], tail["last_posting"], tail["last_fact"]
        if tail["last_move"] != newest or newest < self.move or posting < self.posting or fact < self.fact:
            seen = f"{newest}, {self.posting}, {self.fact}"
            numbers = f"move {tail['last_move']}, posting {posting}, fact {fact}; seen are {seen}"
            self.problems.append(f"last numbers: {numbers}")
        kinds = frozenset(row["id"] for row in await db.fetch("SELECT id FROM kinds"))
        known = Known(posting, kinds)
        days = await Days.load(db, "new")
        await self._new_moves(newest, known, days)
        await self._new_postings(posting)
        await self._new_facts(fact)
        behind = max(newest - self.move, 0)
        if not behind:
            self.problems += await days.compare(db, newest=True)
        await days.store(db)
        await self._old_rows(known, behind)
        self.problems += await check_sums(db, self.explained)
        self.problems += await check_payables(db)
        await self._store(behind)
        problems = list(dict.fromkeys(self.problems))
        return Step(problems, behind, await stop_and_tell(db, problems, self.wall, alarm))

    async def _new_moves(self, newest: int, known: Known, days: Days) -> None:
        db = self.db
        accounts: set[int] = set()
        until = min(newest, self.move + _SLICE * _SLICES)
        while self.move < until:
            last = min(self.move + _SLICE, until)
            cells, problems = await check_moves(db, self.move, last, known)
            self.problems += problems
            days.add(cells)
            await add_to_blocks(db, await sum_blocks(db, self.move, last))
            accounts.update(await touched(db, self.move, last))
            self.move = last
        ordered = sorted(accounts)
        for place in range(0, len(ordered), _SLICE):
            some = ordered[place : place + _SLICE]
            self.problems += await check_accounts(db, THESE, some)
            self.problems += await check_nothing(db, self.explained, some)
            held = [account for account in some if account & 255 == Purpose.HELD]
            for one in self.holds if held else ():
                self.problems += await check_holds_of(db, one, held)

    async def _new_postings(self, newest: int) -> None:
        """The keys of new postings, and the holds that they opened."""
        first, last = self.posting, min(newest, self.posting + _POSTINGS)
        if last <= first:
            return
        keys, postings = (await self.db.fetch(_KEYS, first, last))[0]
        if (keys, postings) != (last - first, last - first):
            told = f"after {first} up to {last} there are {keys}, of {postings} postings"
            self.problems.append(f"keys of a posting: {told}")
        for one in self.holds:
            self.problems += await check_holds(self.db, one, after=first * 8 + 7, last=last * 8 + 7)
        self.problems += await check_other_holds(self.db, self.explained, after=first * 8 + 7, last=last * 8 + 7)
        self.posting = last

    async def _new_facts(self, newest: int) -> None:
        first = max(self.fact, await first_fact(self.db, self.fact, newest))
        last = max(first, min(newest, first + _FACTS))
        self.problems += await check_facts(self.db, first, last)
        self.fact = last

    async def _old_rows(self, known: Known, behind: int) -> None:
        db, roll = self.db, self.roll
        days = await Days.load(db, "old")
        self.problems += await roll_moves(db, roll, newest=self.move, known=known, behind=bool(behind), days=days)
        await days.store(db)
        if not behind:  # else the blocks lack moves that the accounts have
            self.problems += await roll_accounts(db, roll)
        self.problems += await roll_holds(db, roll, known.posting, self.explained)
        self.problems += await roll_quotas(db, roll)
        self.problems += await roll_facts(db, roll, self.fact)
        sums = await db.fetch("SELECT asset, sum(units) AS units FROM ledger_watch_blocks GROUP BY asset")
        self.problems += unequal_assets({row["asset"]: int(row["units"]) for row in sums})

    async def _store(self, behind: int) -> None:
        roll = self.roll
        await self.db.execute(
            """
            UPDATE ledger_watch SET at = $1, move = $2, posting = $3, behind = $4, rolled_move = $5, rolled_block = $6,
                rolled_hold = $7, rolled_quota = $8, fact = $9, rolled_fact = $10
            """,
            self.wall,
            self.move,
            self.posting,
            behind,
            roll.move,
            roll.block,
            roll.hold,
            roll.quota,
            self.fact,
            roll.fact,
        )
