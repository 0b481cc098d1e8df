"""The audit finds whatever is broken by hand."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger import audit
from kalos.ledger.postings import Fact, Move, Open, Take
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import FEES, funded, posting


@pytest.fixture(scope="module")
async def books(database_url: str) -> AsyncIterator[Database]:
    """A small ledger whose writer has stopped."""
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), Clock())
    await writer.start()
    account = await funded(writer, 100)
    for _ in range(3):
        await writer.post(posting(Move("test.a", account, FEES, 5)))
    await writer.post(posting(opens=[Open("test.stake", account, 20)], takes=[Take("q", (1,), first=(5,))]))
    await writer.post(posting(facts=[Fact("rounds", {})]))
    await writer.stop()
    db = Database(role_url(database_url, "kalos_app", SECRET), size=2)
    yield db
    await db.close()


_MAY_BE_NEGATIVE = "ALTER TABLE accounts DROP CONSTRAINT accounts_never_negative; "
BROKEN = {
    "UPDATE accounts SET balance = balance + 1 WHERE id >> 16 > 2 AND id & 255 = 1": ("sums to", "moves sum to"),
    _MAY_BE_NEGATIVE + "UPDATE accounts SET balance = -5 WHERE id % 256 = 35": (
        "is negative",
        "sums to",
        "moves sum to",
    ),
    "UPDATE accounts SET version = version + 1 WHERE id = 131363": ("in version",),
    "ALTER TABLE journal DISABLE TRIGGER USER; DELETE FROM journal WHERE id = 3": (
        "goes from version",
        "moves sum to",
        "follows move",
    ),
    "ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET amount = amount + 1 WHERE id = 3": (
        "goes from version",
        "moves sum to",
    ),
    "ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET to_balance = to_balance + 1 WHERE id = 3": (
        "goes from version",
    ),
    "ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET at = 1, day = '1970-01-01' WHERE id = 3": (
        "earlier posting or time",
    ),
    "ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET day = '2026-01-01' WHERE id = 3": ("its day",),
    "UPDATE holds SET left_units = left_units - 1": ("its open holds sum to",),
    "DELETE FROM holds": ("its open holds sum to",),
    "ALTER TABLE quotas DROP CONSTRAINT quotas_never_negative; UPDATE quotas SET left_units = '{-1}'": ("quota q has",),
    "UPDATE ledger_tail SET last_move = last_move + 1": ("the last numbers are",),
    "DELETE FROM kinds WHERE name = 'test.a'": ("both sides must",),
}


async def test_sound_books_have_no_problem(books: Database) -> None:
    assert await audit.audit(books) == []


@pytest.mark.parametrize(("statement", "found"), BROKEN.items())
async def test_what_was_broken_by_hand_is_found(
    books: Database, owner: asyncpg.Connection, statement: str, found: tuple[str, ...]
) -> None:
    breaking = owner.transaction()
    await breaking.start()
    try:
        await owner.execute(statement)
        problems = await audit._lane(owner, list(audit._CHECKS.items()))
    finally:
        await breaking.rollback()
    for words in found:
        assert any(words in problem for problem in problems), problems
    assert await audit.audit(books) == []
