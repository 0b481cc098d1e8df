"""The row types and the database agree; who may write what; what no row may say, PostgreSQL itself refuses."""

from collections.abc import AsyncIterator
from dataclasses import fields
from typing import Any

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database
from kalos.domains.withdrawals import service
from kalos.domains.withdrawals.tables import ROWS, WITHDRAWALS
from support.clusters import SECRET
from withdrawals.conftest import MakeRich
from withdrawals.scene import TRANSACTION, withdraw


@pytest.fixture(scope="module")
async def writing(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """As the writer's role."""
    db = await asyncpg.connect(role_url(database_url, "kalos_writer", SECRET))
    yield db
    await db.close()


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM withdrawals",
        "UPDATE withdrawals SET status = 'approved'",
        "INSERT INTO withdrawal_reviews VALUES (1, 1, 'no', '', NULL, 1)",
        "INSERT INTO broadcast_ends SELECT 1, 'failed', '', 1, 1 WHERE false",
        "INSERT INTO broadcast_returns SELECT 1, 1, 'account_frozen', NULL, 1 WHERE false",
    ],
)
async def test_app_role_cannot_write_withdrawals_reviews_and_ends(db: Database, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute(statement)


async def test_signers_role_writes_ends_alone(database_url: str) -> None:
    db = await asyncpg.connect(database_url)
    await db.execute("SET ROLE kalos_signer")
    for statement in (
        "UPDATE broadcast_ends SET outcome = 'failed'",
        "UPDATE broadcast_returns SET revision = 2",
        "DELETE FROM broadcast_ends",
        "UPDATE withdrawals SET status = 'approved'",
        "INSERT INTO withdrawal_reviews VALUES (1, 1, 'no', '', NULL, 1)",
        "SELECT FROM withdrawal_proofs",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await db.execute(statement)
    await db.close()


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"units": 0}, "withdrawals_units_check"),
        ({"fee_units": -1}, "withdrawals_fee_units_check"),
        ({"asset": "USDC"}, "withdrawals_asset_check"),
        ({"needed": 3}, "withdrawals_needed_check"),
        ({"status": "lost"}, "withdrawals_status_check"),
        ({"hold": 7}, "withdrawals_hold"),
        ({"free_units": 1}, "withdrawals_free"),
        ({"needed": 0, "status": "pending_review", "decided_at": None}, "withdrawals_reviewed"),
        ({"needed": 0, "risks": '[{"reason": "listed_address", "detail": ""}]'}, "withdrawals_risky"),
        ({"decided_at": None}, "withdrawals_decided"),
        ({"reason": "why"}, "withdrawals_explained"),
        ({"transaction": "0x" + "ab" * 32}, "withdrawals_sent"),
        ({"status": "approved"}, "withdrawals_sent"),
        ({"changed_at": 1}, "withdrawals_times"),
    ],
)
async def test_no_row_says_what_cannot_be(
    rich: MakeRich, database_url: str, values: dict[str, Any], constraint: str
) -> None:
    me = await rich(usdt="100", kls="10")
    one = (await withdraw(me, "10")).withdrawal
    db = await asyncpg.connect(database_url)
    try:
        await db.execute("ALTER TABLE withdrawals DISABLE TRIGGER withdrawals_go_on")
        sets = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, 2))
        with pytest.raises(asyncpg.CheckViolationError) as refused:
            await db.execute(f"UPDATE withdrawals SET {sets} WHERE id = $1", one.id, *values.values())
        assert refused.value.constraint_name == constraint
    finally:
        await db.execute("ALTER TABLE withdrawals ENABLE TRIGGER withdrawals_go_on")
        await db.close()


@pytest.mark.parametrize(
    ("start", "change"),
    [
        ("on its way", "status = 'pending_review', decided_at = NULL, needed = 1"),
        ("on its way", "status = 'refused', reason = 'x', needed = 1"),
        ("on its way", "changed_at = changed_at + 1"),
        ("sent", "status = 'failed', reason = 'x'"),
        ("sent", "changed_at = changed_at + 1"),
        ("waiting", "status = 'approved', decided_at = 1"),
        ("waiting", "revision = revision + 2"),
    ],
)
async def test_a_withdrawal_goes_its_way_alone(rich: MakeRich, database_url: str, start: str, change: str) -> None:
    me = await rich(usdt="20000", kls="1000")
    one = (await withdraw(me, "10001" if start == "waiting" else "10")).withdrawal
    if start == "sent":
        await service.settle(me.house, withdrawal=one.id, transaction=TRANSACTION, outcome="approved")
    step = (
        change.replace("revision + 1", "revision + 2") if "revision" in change else f"{change}, revision = revision + 1"
    )
    db = await asyncpg.connect(database_url)
    with pytest.raises(asyncpg.PostgresError, match="goes no such way"):
        await db.execute(f"UPDATE withdrawals SET {step} WHERE id = $1", one.id)
    await db.close()


async def test_a_yes_is_signed_and_nobody_speaks_twice(rich: MakeRich, writing: asyncpg.Connection) -> None:
    me = await rich(usdt="100", kls="10")
    number = (await withdraw(me, "10")).withdrawal.id
    turn = writing.transaction()
    await turn.start()
    for verdict, signature, problem in (
        ("yes", None, asyncpg.CheckViolationError),
        ("yes", b"s" * 63, asyncpg.CheckViolationError),
        ("perhaps", b"s" * 64, asyncpg.CheckViolationError),
    ):
        with pytest.raises(problem):
            async with writing.transaction():
                await writing.execute(SAY, number, 0, 1, verdict, signature, None)
    await writing.execute(SAY, number, 0, 1, "no", None, None)
    with pytest.raises(asyncpg.UniqueViolationError, match="withdrawal_reviews_pkey"):
        async with writing.transaction():
            await writing.execute(SAY, number, 0, 1, "yes", b"s" * 64, 2)
    await turn.rollback()


@pytest.mark.parametrize(
    ("said", "constraint"),
    [
        ([(1, None), (2, 1), (3, 2)], None),
        ([(1, 1)], "withdrawal_reviews_another"),
        ([(1, None), (2, None)], "withdrawal_reviews_in_turn"),
        ([(1, None), (2, 1), (3, 1)], "withdrawal_reviews_in_turn"),
        ([(1, None), (2, 3)], "withdrawal_reviews_follows"),
    ],
)
async def test_who_reviews_second_follows_another_person(
    rich: MakeRich, writing: asyncpg.Connection, said: list[tuple[int, int | None]], constraint: str | None
) -> None:
    number = (await withdraw(await rich(usdt="100", kls="10"), "10")).withdrawal.id
    turn, found = writing.transaction(), None
    await turn.start()
    try:
        for staff, follows in said:
            await writing.execute(SAY, number, 0, staff, "yes", b"s" * 64, follows)
    except asyncpg.IntegrityConstraintViolationError as refusal:
        found = refusal.constraint_name
    finally:
        await turn.rollback()
    assert found == constraint


SAY = """
    INSERT INTO withdrawal_reviews (withdrawal, round, staff, verdict, reason, signature, at, follows)
    VALUES ($1, $2, $3, $4, '', $5, 1, $6)
"""
GO_ON = """
    UPDATE withdrawals SET status = 'on_chain_processing', decided_at = changed_at, revision = revision + 1
    WHERE id = $1
"""


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ([], False),
        ([(0, 1, "yes", None)], False),
        ([(0, 1, "yes", None), (1, 2, "yes", None)], False),
        ([(0, 1, "yes", None), (0, 2, "no", 1)], False),
        ([(0, 1, "yes", None), (0, 2, "yes", 1)], True),
    ],
)
async def test_the_table_itself_lets_none_go_that_fewer_than_needed_have_reviewed(
    rich: MakeRich, writing: asyncpg.Connection, said: list[tuple[int, int, str, int | None]], passes: bool
) -> None:
    """Two different people, and of this round."""
    me = await rich(usdt="50000", kls="1000")
    one = (await withdraw(me, "50000")).withdrawal
    assert (one.status, one.needed, one.returned) == ("pending_review", 2, 0)
    turn = writing.transaction()
    await turn.start()
    for turns, staff, verdict, follows in said:
        await writing.execute(SAY, one.id, turns, staff, verdict, b"s" * 64, follows)
    if passes:
        assert await writing.execute(GO_ON, one.id) == "UPDATE 1"
    else:
        with pytest.raises(asyncpg.PostgresError, match="too few have reviewed"):
            await writing.execute(GO_ON, one.id)
    await turn.rollback()


@pytest.mark.parametrize("needed", [0, 1])
async def test_the_table_itself_takes_none_as_reviewed_that_nobody_looked_at(
    rich: MakeRich, writing: asyncpg.Connection, needed: int
) -> None:
    one = (await withdraw(await rich(usdt="100", kls="10"), "10")).withdrawal
    columns = ", ".join(field.name for field in fields(ROWS[WITHDRAWALS]) if field.name != "fee_hold")
    again = f"""
        INSERT INTO withdrawals ({columns}) SELECT {columns} FROM (
            SELECT (jsonb_populate_record(
                w, jsonb_build_object('id', w.id + 10000000, 'hold', (w.id + 10000000) * 8, 'needed', $2::integer)
            )).* FROM withdrawals w WHERE id = $1
        ) AS further
    """
    turn = writing.transaction()
    await turn.start()
    if needed:
        with pytest.raises(asyncpg.PostgresError, match="too few have reviewed"):
            await writing.execute(again, one.id, needed)
    else:
        assert await writing.execute(again, one.id, needed) == "INSERT 0 1"
    await turn.rollback()
