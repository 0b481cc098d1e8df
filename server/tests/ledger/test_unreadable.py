"""Rows that no writer makes and no look was written for: whoever puts one in blinds no audit, money out stops."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from datetime import date
from typing import Final, TypeVar

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.ledger import audit as whole
from kalos.ledger import flags, watch
from kalos.ledger.audit import audit
from kalos.ledger.postings import Move
from kalos.ledger.writer import Writer
from support.ledger import FEES, funded, posting

Found = TypeVar("Found")
_PATIENCE_SECONDS: Final = 30
LARGEST: Final = 2**63 - 1
WHOLE: Final = {
    "a day of the far future": (
        "kalos_writer",
        "INSERT INTO daily_sums SELECT '20000-01-01', asset, kind, 1, 1 FROM daily_sums LIMIT 1",
        "DELETE FROM daily_sums WHERE day = '20000-01-01'",
    ),
    "a last posting out of all measure": (
        "kalos_writer",
        f"UPDATE ledger_tail SET last_posting = last_posting + {LARGEST - 10**9}",
        f"UPDATE ledger_tail SET last_posting = last_posting - {LARGEST - 10**9}",
    ),
    "a key out of all measure": (
        "kalos_writer",
        f"INSERT INTO keys SELECT {LARGEST}, at, gen_random_uuid(), fingerprint FROM keys LIMIT 1",
        f"DELETE FROM keys WHERE id = {LARGEST}",
    ),
    "a last move out of all measure": (
        "kalos_writer",
        f"UPDATE ledger_tail SET last_move = last_move + {LARGEST - 10**9}",
        f"UPDATE ledger_tail SET last_move = last_move - {LARGEST - 10**9}",
    ),
    "a move out of all measure that is the last": (
        "kalos_writer",
        f"""
        INSERT INTO journal SELECT (jsonb_populate_record(j, jsonb_build_object(
            'id', {LARGEST}, 'from_version', from_version + 1000000, 'to_version', to_version + 1000000))).*
        FROM journal j LIMIT 1;
        UPDATE ledger_tail SET last_move = {LARGEST}
        """,
        f"""
        ALTER TABLE journal DISABLE TRIGGER USER;
        DELETE FROM journal WHERE id = {LARGEST};
        ALTER TABLE journal ENABLE TRIGGER USER;
        UPDATE ledger_tail SET last_move = (SELECT max(id) FROM journal)
        """,
    ),
}
RUNNING: Final = {
    "an account of the last block": (
        "kalos_writer",
        f"INSERT INTO accounts VALUES ({LARGEST}, 0, 1)",
        f"DELETE FROM accounts WHERE id = {LARGEST}",
    ),
    "a block that is no number": (
        "kalos_app",
        "INSERT INTO ledger_watch_blocks VALUES (77, 9, 'NaN')",
        "DELETE FROM ledger_watch_blocks WHERE block = 77",
    ),
    "a day of the far future": (
        "kalos_app",
        "INSERT INTO ledger_watch_days VALUES ('old', '20000-01-01', 1, 1, 1, 1)",
        "DELETE FROM ledger_watch_days WHERE day = '20000-01-01'",
    ),
}


@pytest.fixture
async def clean(db: Database, owner: asyncpg.Connection, writer: Writer) -> AsyncIterator[int]:
    """An account with money in sound books, which the running audit has begun to look at."""
    account = await funded(writer, 100)
    await writer.post(posting(Move("test.a", account, FEES, 5)))
    assert await watch.watch(db, 1) == watch.Step()
    yield account
    await owner.execute("DELETE FROM ledger_flags; DELETE FROM ledger_audit; DELETE FROM ledger_watch")
    await owner.execute("DELETE FROM ledger_watch_blocks; DELETE FROM ledger_watch_days")
    assert await audit(db) == []


async def put(owner: asyncpg.Connection, role: str, statement: str) -> None:
    """As one of our own processes could, with its rights and all that the tables refuse."""
    await owner.execute(f"SET ROLE {role}")
    try:
        await owner.execute(statement)
    finally:
        await owner.execute("RESET ROLE")


async def ended(look: Coroutine[None, None, Found]) -> Found:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await look
    except TimeoutError:
        raise AssertionError("it doesn't end") from None


@pytest.mark.parametrize("case", WHOLE)
async def test_a_whole_audit_ends_and_stops_money_out(
    clean: int, db: Database, owner: asyncpg.Connection, case: str
) -> None:
    role, do, undo = WHOLE[case]
    await put(owner, role, do)
    try:
        step = await ended(watch.audit_daily(db, 10**12))
        assert step is not None
        assert step.problems
        assert step.stopped
        assert await whole.last_audit(db) == (10**12, step.problems)
        resumed = watch.resume_money_out(db, reason="x", by="eve", wall=2, explained=())
        assert await ended(resumed)
        assert await flags.money_out_stopped(db) is not None
    finally:
        await owner.execute(undo)


@pytest.mark.parametrize("case", RUNNING)
async def test_the_running_audit_stops_money_out(
    clean: int, db: Database, owner: asyncpg.Connection, case: str
) -> None:
    role, do, undo = RUNNING[case]
    await put(owner, role, do)
    try:
        steps = [await watch.watch(db, 100 + number) for number in range(8)]
    finally:
        await owner.execute(undo)
    assert [step.stopped for step in steps if step].count(True) == 1
    assert await flags.money_out_stopped(db) is not None


async def test_what_cannot_be_judged_says_where(clean: int, db: Database, owner: asyncpg.Connection) -> None:
    role, do, undo = WHOLE["a day of the far future"]
    await put(owner, role, do)
    try:
        (found,) = await asyncio.gather(audit(db), return_exceptions=True)
    finally:
        await owner.execute(undo)
    assert isinstance(found, list)
    (problem,) = found
    assert problem.startswith("rows that can't be judged: ValueError: year 20000 is out of range (kalos.ledger.")


async def test_a_database_that_is_away_is_no_finding(clean: int, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> None:
        raise asyncpg.ConnectionDoesNotExistError

    monkeypatch.setattr(whole, "_keys", away)
    with pytest.raises(Outage):
        await audit(db)


async def test_a_grant_that_was_left_behind_is_found(clean: int, db: Database, owner: asyncpg.Connection) -> None:
    behind, done = date(2026, 1, 1), date(2026, 1, 3)
    await owner.execute(
        """
        INSERT INTO grants (id, member, source, target, kind, reference, total, daily, released, opened_day, first_day,
            last_day, released_day, status)
        VALUES (1, 1000, $1, $2, 'test.grant', 0, 10, 1, 1, $3, $3, $3::date + 9, $3, 'running')
        """,
        (2 << 16) + 1,
        (1000 << 16) + 1,
        behind,
    )
    try:
        await owner.execute("INSERT INTO day_runs VALUES ('grants', '', $1, 1, $1::date + 1)", done)
        assert "grant left behind: 1 was released up to 2026-01-01, and all of them up to 2026-01-03" in await audit(db)
    finally:
        await owner.execute("DELETE FROM grants; DELETE FROM day_runs WHERE job = 'grants'")
