"""Only the writer's role writes the ledger, and nobody changes a journal row."""

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database
from kalos.ledger.postings import Move
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import FEES, funded, posting

TABLES = ("kinds", "accounts", "journal", "keys", "holds", "quotas", "outbox", "ledger_tail", "writer_lease")


@pytest.mark.parametrize("table", TABLES)
async def test_the_app_may_read_but_not_write(db: Database, writer: Writer, table: str) -> None:
    assert await db.value(f"SELECT count(*) FROM {table}") >= 0
    for statement in (
        f"INSERT INTO {table} DEFAULT VALUES",
        f"UPDATE {table} SET {'id' if table not in ('ledger_tail', 'writer_lease') else 'one'} = DEFAULT",
        f"DELETE FROM {table}",
        f"TRUNCATE {table}",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await db.execute(statement)


async def test_a_rider_table_is_closed_to_the_app(db: Database, rows: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute(f"INSERT INTO {rows} (id) VALUES (1)")


async def test_the_writer_may_not_rewrite_history(database_url: str, writer: Writer) -> None:
    await funded(writer, 5)
    db = await asyncpg.connect(role_url(database_url, "kalos_writer", SECRET))
    for statement in (
        "UPDATE journal SET amount = 1",
        "DELETE FROM journal",
        "DELETE FROM accounts",
        "UPDATE accounts SET id = 5",
        "DELETE FROM keys",
        "UPDATE keys SET at = 0",
        "UPDATE holds SET account_id = 1",
        "UPDATE outbox SET body = '{}'",
        "DELETE FROM ledger_tail",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await db.execute(statement)
    await db.close()


@pytest.mark.parametrize("statement", ["UPDATE journal SET amount = 1", "DELETE FROM journal", "TRUNCATE journal"])
async def test_not_even_the_owner_changes_the_journal(
    owner: asyncpg.Connection, writer: Writer, statement: str
) -> None:
    await funded(writer, 5)
    with pytest.raises(asyncpg.RaiseError, match="never changed"):
        await owner.execute(statement)


ROW = "INSERT INTO journal VALUES ({}, 1, {}, {}, {}, {}, {}, {}, {}, 1, 1, '2026-01-01', 1)"


@pytest.mark.parametrize(
    ("constraint", "statement"),
    [
        ("accounts_never_negative", "UPDATE accounts SET balance = -1 WHERE id >> 16 > 1"),
        ("accounts_version_check", "UPDATE accounts SET version = 0"),
        ("journal_amount_check", ROW.format(9_000_001, 65888, 131363, 0, 9001, 9001, 1, 1)),
        ("journal_one_asset", ROW.format(9_000_001, 65888, 131619, 1, 9001, 9001, 1, 1)),
        ("journal_never_negative", ROW.format(9_000_001, 65888, 131363, 1, 9001, 9001, 1, -1)),
        ("journal_check", ROW.format(9_000_001, 65888, 65888, 1, 9001, 9001, 1, 1)),
        ("holds_left_units_check", "INSERT INTO holds VALUES (1, 65536258, -1, 1, 1, 'open')"),
        ("holds_end_at_zero", "INSERT INTO holds VALUES (1, 65536258, 0, 1, 1, 'open')"),
        ("holds_account_id_check", "INSERT INTO holds VALUES (1, 65536257, 1, 1, 1, 'open')"),
        ("quotas_never_negative", "INSERT INTO quotas VALUES ('q', '{1,-1}', 1, 'open')"),
        ("quotas_size", "INSERT INTO quotas VALUES ('q', array_fill(1::bigint, ARRAY[17]), 1, 'open')"),
        ("quotas_size", "INSERT INTO quotas VALUES ('q', '{}', 1, 'open')"),
    ],
)
async def test_the_database_itself_refuses_what_must_never_be(
    owner: asyncpg.Connection, writer: Writer, constraint: str, statement: str
) -> None:
    await funded(writer, 5)
    with pytest.raises(asyncpg.CheckViolationError, match=f'"{constraint}"'):
        await owner.execute(statement)


async def test_a_version_of_an_account_stands_once(owner: asyncpg.Connection, writer: Writer) -> None:
    account = await funded(writer, 5)
    posted = await writer.post(posting(Move("test.a", account, FEES, 1)))
    copy = "INSERT INTO journal SELECT {} FROM journal WHERE posting_id = $1"
    columns = "id + 1000000, posting_id, {}, {}, amount, {}, {}, from_balance, to_balance, reference, at, day, kind"
    for name, chosen in (
        ("journal_from", columns.format("from_id", "to_id", "from_version", "to_version + 1000000")),
        ("journal_to", columns.format("from_id", "to_id", "from_version + 1000000", "to_version")),
    ):
        with pytest.raises(asyncpg.UniqueViolationError, match=f'"{name}"'):
            await owner.execute(copy.format(chosen), posted.id)
