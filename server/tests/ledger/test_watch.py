"""The running audit: what it finds how soon, whom it tells, and that a busy ledger never alarms it."""

import asyncio
import math
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.database import Connection, Database
from kalos.core.errors import Outage
from kalos.ledger import audit as audits
from kalos.ledger import flags, purse, watch
from kalos.ledger.audit import audit, last_audit
from kalos.ledger.postings import Move
from kalos.ledger.watch import Step, WatchFigures
from kalos.ledger.watch_roll import Pace
from kalos.ledger.writer import Writer
from support import books
from support.books import broken, step_here
from support.clusters import SECRET, copy_template, drop
from support.ledger import FEES, funded, posting

_SLOW: Final = Pace(moves=1, accounts=1, holds=1, quotas=1, facts=1)
_CHANGED: Final = "ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET "
_OTHERS: Final = "UPDATE holds SET kind = (SELECT id FROM kinds WHERE name = 'test.fund') WHERE {}"
_NEWEST: Final = "WHERE id = (SELECT max(id) FROM journal WHERE to_id = {})"

# Both connections of who makes a whole audit: its claim, and what it was about to commit.
_ENDED: Final = """
    SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
        AND (state = 'idle in transaction' OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))
"""

TOUCHED: Final = {
    "a balance": (f"UPDATE accounts SET balance = balance + 1 WHERE id = {books.SECOND}", "balance and moves differ"),
    "a version": (f"UPDATE accounts SET version = version + 1 WHERE id = {books.SECOND}", "balance and moves differ"),
    "an account": (f"DELETE FROM accounts WHERE id = {books.SECOND}", "broken history"),
    "a move's amount": (_CHANGED + f"amount = amount + 1 {_NEWEST.format(books.SECOND)}", "broken history"),
    "a move's version": (_CHANGED + f"to_version = to_version + 9 {_NEWEST.format(books.SECOND)}", "broken history"),
    "a move's day": (_CHANGED + f"day = '2020-02-02' {_NEWEST.format(books.SECOND)}", "wrong move"),
    "a move": (
        f"ALTER TABLE journal DISABLE TRIGGER USER; DELETE FROM journal {_NEWEST.format(books.SECOND)}",
        "order of moves",
    ),
    "a sum of the day": ("UPDATE daily_sums SET moves = moves + 1", "sum of the day"),
    "a hold": (
        f"UPDATE holds SET left_units = left_units + 1 WHERE account_id = {purse.held(900_000, USDT)}",
        "held and holds differ",
    ),
    "a hold's row": ("UPDATE test_stakes SET units = units + 1 WHERE waits", "hold not explained"),
    "a hold's kind": (_OTHERS.format("id >> 3 > (SELECT posting FROM ledger_watch)"), "hold of nobody"),
    "a fact": ("DELETE FROM outbox WHERE id = (SELECT max(id) - 1 FROM outbox)", "lost fact"),
    "the last fact": ("DELETE FROM outbox WHERE id = (SELECT max(id) FROM outbox)", "lost fact"),
    "a key": ("DELETE FROM keys WHERE id = (SELECT max(id) FROM keys)", "keys of a posting"),
}
"""What lies in rows that were made or touched since the last step."""

OLD: Final = {
    "a balance": (f"UPDATE accounts SET balance = balance + 1 WHERE id = {books.EMPTY}", "balance and moves differ"),
    "an account": (f"DELETE FROM accounts WHERE id = {books.SECOND}", "sum of accounts"),
    "a move": ("ALTER TABLE journal DISABLE TRIGGER USER; DELETE FROM journal WHERE id = 12", "order of moves"),
    "a move's balance": (_CHANGED + "to_balance = to_balance + 1 WHERE id = 12", "broken history"),
    "a move's kind": (_CHANGED + "kind = (SELECT max(id) FROM kinds) WHERE id = 12", "sum of the day"),
    "a hold": ("DELETE FROM holds WHERE state = 'open'", "held and holds differ"),
    "a hold's kind": (_OTHERS.format("state = 'open'"), "hold of nobody"),
    "a fact": ("DELETE FROM outbox WHERE id = 2", "lost fact"),
    "a quota": (
        "ALTER TABLE quotas DROP CONSTRAINT quotas_never_negative; UPDATE quotas SET left_units = '{-1}'",
        "negative quota",
    ),
}
"""What lies in rows that nothing has touched for long."""


@pytest.fixture(scope="module")
async def half_seen(template: str) -> AsyncIterator[asyncpg.Connection]:
    """A ledger of which the running audit has seen the first half."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    url = await copy_template(template, name)
    await books.build(url, half=True)
    db = await asyncpg.connect(url)
    yield db
    await db.close()
    await drop(template, name)


def titles(step: Step) -> set[str]:
    return {problem.partition(":")[0] for problem in step.problems}


@pytest.mark.parametrize(("statement", "title"), TOUCHED.values(), ids=TOUCHED)
async def test_what_was_touched_is_looked_at_in_the_next_step(
    half_seen: asyncpg.Connection, statement: str, title: str
) -> None:
    async with broken(half_seen, "SELECT"):
        assert await step_here(half_seen, _SLOW) == Step()
    async with broken(half_seen, statement):
        assert title in titles(await step_here(half_seen, _SLOW))


@pytest.mark.parametrize(("statement", "title"), OLD.values(), ids=OLD)
async def test_what_was_not_touched_is_found_within_two_rounds(
    half_seen: asyncpg.Connection, statement: str, title: str
) -> None:
    pace = Pace(moves=7, accounts=1, holds=1, quotas=1, facts=1)
    async with broken(half_seen, "SELECT"):
        for _ in range(3):
            assert await step_here(half_seen, pace) == Step()
        await half_seen.execute(statement)
        counts = "(SELECT count(*) FROM journal), (SELECT count(DISTINCT id >> 26) FROM accounts), "
        counts += "(SELECT count(*) FROM holds), (SELECT count(*) FROM quotas), (SELECT max(id) FROM outbox)"
        moves, *others = (await half_seen.fetch(f"SELECT {counts}"))[0]
        steps = 2 * max(math.ceil(moves / pace.moves), *(count + 1 for count in others))
        found: set[str] = set()
        for _ in range(steps):
            found |= titles(await step_here(half_seen, pace))
        assert title in found


async def test_a_step_has_its_limit(half_seen: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_SLICE", 5)
    monkeypatch.setattr(watch, "_SLICES", 2)
    monkeypatch.setattr(watch, "_POSTINGS", 3)
    monkeypatch.setattr(watch, "_FACTS", 1)
    async with broken(half_seen, "SELECT"):
        new = await half_seen.fetchval("SELECT last_move - move FROM ledger_tail, ledger_watch")
        behind = [(await step_here(half_seen)).behind for _ in range(4)]
        assert behind == [max(new - 10 * step, 0) for step in range(1, 5)]
        assert behind[0] > 0
        for _ in range(10):
            assert await step_here(half_seen) == Step()
        left = "SELECT last_posting - posting AS postings, last_fact - fact AS facts FROM ledger_tail, ledger_watch"
        assert tuple(await half_seen.fetchrow(left) or ()) == (0, 0)


class Told:
    """An alarm that remembers what it was told."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    async def __call__(self, db: Connection, reason: str) -> None:
        self.reasons.append(reason)


async def break_balance(owner: asyncpg.Connection, account: int, units: int) -> None:
    await owner.execute("UPDATE accounts SET balance = balance + $2 WHERE id = $1", account, units)


async def test_money_out_is_stopped_once_and_resumed_by_an_operator_alone(
    writer: Writer, db: Database, owner: asyncpg.Connection
) -> None:
    told = Told()
    account = await funded(writer, 100)
    assert await watch.watch(db, 1, alarm=told) == Step()
    assert await flags.money_out_stopped(db) is None
    await break_balance(owner, account, 1)
    assert await watch.resume_money_out(db, reason="too early", by="eve", wall=2, explained=()) != []
    step = await watch.watch(db, 3, alarm=told)
    assert step is not None
    first = f"balance and moves differ: account {account} has 101 in version 1, its last move led to 100 in 1"
    assert (step.stopped, step.problems[0]) == (True, first)
    assert told.reasons == ["\n".join(step.problems)]
    assert await flags.money_out_stopped(db) == flags.Flag(told.reasons[0], 3)
    assert await watch.watch_figures(db, 4_003) == WatchFigures(True, 4.0, 0)

    again = await watch.watch(db, 4, alarm=told)
    assert again is not None
    assert (again.stopped, again.problems != [], len(told.reasons)) == (False, True, 1)
    assert await watch.resume_money_out(db, reason="looked", by="eve", wall=5, explained=()) != []
    await break_balance(owner, account, -1)
    await watch.watch(db, 6, alarm=told)
    flag = await flags.money_out_stopped(db)
    assert flag is not None
    assert (flag.reason.startswith(told.reasons[0]), flag.since) == (True, 3)

    assert await watch.resume_money_out(db, reason="put back", by="eve", wall=7, explained=()) == []
    assert await flags.money_out_stopped(db) is None
    assert await watch.watch(db, 8, alarm=told) == Step()
    rows = await db.rows("SELECT stands, reason, made_by, at FROM ledger_flag_changes WHERE at < 50 ORDER BY id")
    assert [tuple(row) for row in rows] == [(True, told.reasons[0], "audit", 3), (False, "put back", "eve", 7)]


async def somebody_stops(step: Connection) -> bool:
    return await flags.stop_money_out(step, reason="robbed", by="bob", wall=61, follows=True)


async def an_audit_finds_it(step: Connection) -> bool:
    return await watch.stop_and_tell(step, ["late", "robbed"], 61, None)


@pytest.mark.parametrize("stop", [somebody_stops, an_audit_finds_it])
async def test_what_stops_money_out_while_it_is_looked_at_is_not_cleared_with_the_rest(
    writer: Writer, db: Database, monkeypatch: pytest.MonkeyPatch, stop: Callable[[Connection], Awaitable[bool]]
) -> None:
    look = audits.look_whole

    async def stopped_meanwhile(*asked: Any) -> Any:
        found = await look(*asked)
        async with db.transaction() as step:
            assert not await stop(step)
        return found

    async with db.transaction() as step:
        assert await flags.stop_money_out(step, reason="late", by="eve", wall=60)
    monkeypatch.setattr(watch, "look_whole", stopped_meanwhile)
    refused = await watch.resume_money_out(db, reason="looked", by="eve", wall=62, explained=())
    assert refused == ["it was stopped for another reason while this was looked at, or resumed"]
    assert await flags.money_out_stopped(db) == flags.Flag("late\nrobbed", 60)
    # The same words once more are no news.
    assert await watch.resume_money_out(db, reason="looked", by="eve", wall=63, explained=()) == []
    assert await flags.money_out_stopped(db) is None


async def test_a_number_that_no_sum_can_take_stops_money_out_too(
    writer: Writer, db: Database, owner: asyncpg.Connection
) -> None:
    await watch.watch(db, 50)
    account = await funded(writer, 100)
    await owner.execute("ALTER TABLE journal DISABLE TRIGGER USER, DROP CONSTRAINT journal_to_version_check")
    change = f"UPDATE journal SET to_version = {{}} WHERE to_id = {account}"
    await owner.execute(change.format("-9223372036854775808"))
    step = await watch.watch(db, 51)
    assert step is not None
    (problem,) = step.problems
    assert step.stopped
    assert problem.startswith("rows that can't be judged: NumericValueOutOfRangeError: bigint out of range")
    assert await flags.money_out_stopped(db) == flags.Flag(problem, 51)
    assert any(found.startswith("beyond 64 bits") for found in await audit(db))
    await owner.execute(change.format("1"))
    await owner.execute("ALTER TABLE journal ENABLE TRIGGER USER, ADD CHECK (to_version >= 1)")
    assert await watch.resume_money_out(db, reason="put back", by="eve", wall=52, explained=()) == []


async def test_the_next_worker_goes_on_where_the_last_one_stopped(
    writer: Writer, db: Database, owner: asyncpg.Connection
) -> None:
    account = await funded(writer, 100)
    await watch.watch(db, 100)
    await writer.post(posting(Move("test.a", account, FEES, 5)))
    assert await watch.watch_figures(db, 100) == WatchFigures(False, 0.0, 1)
    assert await watch.watch(db, 101, every_ms=2) is None
    before = await owner.fetchval("SELECT move FROM ledger_watch")
    steps = await asyncio.gather(*(watch.watch(db, 102, every_ms=2) for _ in range(4)))
    assert [step for step in steps if step is not None] == [Step()]
    assert await owner.fetchval("SELECT move FROM ledger_watch") == before + 1


async def test_the_first_step_is_made_by_one_worker(writer: Writer, db: Database, owner: asyncpg.Connection) -> None:
    await funded(writer, 100)
    await owner.execute("DELETE FROM ledger_watch; DELETE FROM ledger_watch_blocks; DELETE FROM ledger_watch_days")
    steps = await asyncio.gather(*(watch.watch(db, 200, every_ms=1) for _ in range(3)))
    assert [step for step in steps if step is not None] == [Step()]
    assert await watch.watch(db, 201, every_ms=1) == Step()


async def test_everything_is_audited_once_a_day(writer: Writer, db: Database, owner: asyncpg.Connection) -> None:
    day, now = 86_400_000, 1_000 * 86_400_000
    account = await funded(writer, 100)
    told = Told()
    assert await watch.audit_daily(db, now, alarm=told) == Step()
    assert await last_audit(db) == (now, [])
    assert await watch.audit_daily(db, now + day - 1, alarm=told) is None
    await break_balance(owner, account, 1)
    steps = await asyncio.gather(*(watch.audit_daily(db, now + day, alarm=told) for _ in range(3)))
    await break_balance(owner, account, -1)
    made = [step for step in steps if step is not None]
    assert len(made) == 1
    (step,) = made
    assert (step.stopped, told.reasons) == (True, ["\n".join(step.problems)])
    assert await last_audit(db) == (now + day, step.problems)
    assert await watch.resume_money_out(db, reason="put back", by="eve", wall=1, explained=()) == []


async def test_a_whole_audit_that_failed_is_made_at_the_next_turn(
    writer: Writer, db: Database, owner: asyncpg.Connection
) -> None:
    """Also by another worker, and where its findings stood already: money out is stopped in the same commit."""

    async def untold(_db: Connection, _reason: str) -> None:
        raise Outage

    now = 3_000 * 86_400_000
    account = await funded(writer, 100)
    before = await last_audit(db)
    await break_balance(owner, account, 1)
    with pytest.raises(Outage):
        await watch.audit_daily(db, now, alarm=untold)
    assert await last_audit(db) == before
    other = Database(db.url, size=3)
    step = await watch.audit_daily(other, now + 1)
    await other.close()
    await break_balance(owner, account, -1)
    assert step is not None
    assert step.stopped
    assert await watch.resume_money_out(db, reason="put back", by="eve", wall=1, explained=()) == []


async def test_who_dies_in_a_whole_audit_leaves_it_to_the_next_turn(
    writer: Writer, db: Database, owner: asyncpg.Connection
) -> None:
    told, dead = asyncio.Event(), asyncio.Event()

    async def dying(_db: Connection, _reason: str) -> None:
        told.set()
        await dead.wait()

    now = 5_000 * 86_400_000
    account = await funded(writer, 100)
    await break_balance(owner, account, 1)
    first = asyncio.create_task(watch.audit_daily(db, now, alarm=dying))
    await told.wait()
    assert await watch.audit_daily(db, now) is None
    assert await db.value(_ENDED) == 2
    step = await watch.audit_daily(db, now)
    await break_balance(owner, account, -1)
    dead.set()
    with pytest.raises(Outage):
        await first
    assert step is not None
    assert step.stopped
    assert await watch.resume_money_out(db, reason="put back", by="eve", wall=1, explained=()) == []


async def test_a_clock_that_was_ahead_silences_no_audit(template: str) -> None:
    name, day = f"test_{uuid.uuid4().hex[:12]}", 86_400_000
    db = Database(role_url(await copy_template(template, name), "kalos_app", SECRET), size=3)
    assert await watch.watch(db, 9 * day, every_ms=1_000) == Step()
    assert await watch.watch(db, 9 * day - 1_000, every_ms=1_000) is None
    assert await watch.watch(db, day, every_ms=1_000) == Step()
    assert await watch.watch_figures(db, day) == WatchFigures(False, 0, 0)
    assert await watch.audit_daily(db, 9 * day) == Step()
    assert await watch.audit_daily(db, 9 * day - 1) is None
    assert await watch.audit_daily(db, day) == Step()
    assert await last_audit(db) == (day, [])
    await db.close()
    await drop(template, name)


async def test_an_empty_ledger_is_sound(template: str) -> None:
    name = f"test_{uuid.uuid4().hex[:12]}"
    empty = Database(role_url(await copy_template(template, name), "kalos_app", SECRET), size=2)
    assert await watch.watch_figures(empty, 0) == WatchFigures(False, None, 0)
    assert await audit(empty) == []
    assert [await watch.watch(empty, wall) for wall in (1, 2, 3)] == [Step(), Step(), Step()]
    await empty.close()
    await drop(template, name)
