"""The whole audit and the running one find whatever is broken by hand."""

import uuid
from collections.abc import AsyncIterator
from typing import Any, Final

import asyncpg
import pytest

from kalos.core.assets import KLS, POINT, USDT
from kalos.core.database import Database
from kalos.ledger import purse
from kalos.ledger.audit import audit, keep_audit, last_audit
from kalos.ledger.explained import Issued
from kalos.ledger.purse import Purpose
from support import books
from support.books import EXPLAINED, broken, look_here, step_here
from support.clusters import copy_template, drop

_CHANGED: Final = "ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET "
_FREE: Final = "ALTER TABLE {} DROP CONSTRAINT {}; "
_MAY_BE_NEGATIVE: Final = _FREE.format("accounts", "accounts_never_negative")
_FIRST: Final = f"WHERE id = {books.FIRST}"
_BOTH: Final = f"WHERE id IN ({books.FIRST}, {books.SECOND})"
_KIND: Final = "(SELECT id FROM kinds WHERE name = '{}')"

BROKEN: Final = {
    "a balance": (f"UPDATE accounts SET balance = balance + 1 {_FIRST}", "balance and moves differ"),
    "a balance, in its asset's sum": (f"UPDATE accounts SET balance = balance + 1 {_FIRST}", "sum of the asset"),
    "two balances that make up for each other": (
        f"UPDATE accounts SET balance = balance + CASE id WHEN {books.FIRST} THEN 5 ELSE -5 END {_BOTH}",
        "balance and moves differ",
    ),
    "two balances whose halves swap a bit": (
        f"UPDATE accounts SET balance = balance # ((1::bigint << 40) | 256) {_BOTH}",
        "balance and moves differ",
    ),
    "a balance below zero": (_MAY_BE_NEGATIVE + f"UPDATE accounts SET balance = -5 {_FIRST}", "negative"),
    "a version": (f"UPDATE accounts SET version = version + 1 {_FIRST}", "balance and moves differ"),
    "an account is gone": (f"DELETE FROM accounts {_FIRST}", "sum of the asset"),
    "an empty account is gone": (f"DELETE FROM accounts WHERE id = {books.EMPTY}", None),
    "an account without moves": (f"INSERT INTO accounts VALUES ({77 << 16 | 257}, 0, 1)", "balance and moves differ"),
    "an asset that doesn't exist": (f"INSERT INTO accounts VALUES ({77 << 16 | 99 << 8}, 0, 1)", None),
    "a closed account with money": (
        _FREE.format("accounts", "accounts_closed_empty") + f"UPDATE accounts SET open = false {_FIRST}",
        "closed account",
    ),
    "a move is gone": ("ALTER TABLE journal DISABLE TRIGGER USER; DELETE FROM journal WHERE id = 6", "order of moves"),
    "the last move is gone": (
        "ALTER TABLE journal DISABLE TRIGGER USER; DELETE FROM journal WHERE id = (SELECT max(id) FROM journal)",
        "last numbers",
    ),
    "a move's amount": (_CHANGED + "amount = amount + 1 WHERE id = 6", "broken history"),
    "a move's amount, in the sum of its day": (_CHANGED + "amount = amount + 1 WHERE id = 6", "sum of the day"),
    "a balance after a move": (_CHANGED + "to_balance = to_balance + 1 WHERE id = 6", "broken history"),
    "a balance that 64 bits can't have come from": (
        _CHANGED + "from_balance = 9223372036854775807 WHERE id = 6",
        "broken history",
    ),
    "a move's version": (_CHANGED + "to_version = to_version + 1000 WHERE id = 6", "broken history"),
    "a move's target": (_CHANGED + f"to_id = {books.EMPTY}, to_version = 900 WHERE id = 6", "broken history"),
    "a move's target in another asset": (
        _FREE.format("journal", "journal_one_asset") + _CHANGED + "to_id = to_id + 256 WHERE id = 6",
        "wrong move",
    ),
    "a move's time": (_CHANGED + "at = 1, day = '1970-01-01' WHERE id = 6", "order of moves"),
    "a move's time, beyond all days": (_CHANGED + "at = 9223372036854775807 WHERE id = 6", "wrong move"),
    "a move's day": (_CHANGED + "day = '2026-01-01' WHERE id = 6", "wrong move"),
    "a move's day, without an end": (_CHANGED + "day = 'infinity' WHERE id = 6", "wrong move"),
    "a move's day, before all days": (_CHANGED + "day = '-infinity' WHERE id = 6", "wrong move"),
    "a move's day, in a year that no date has": (_CHANGED + "day = '20000-01-01' WHERE id = 6", "wrong move"),
    "a move's kind": (_CHANGED + f"kind = {_KIND.format('test.fee')} WHERE id = 6", "sum of the day"),
    "a move's posting": (_CHANGED + "posting_id = 1 WHERE id = 6", "order of moves"),
    "a posting that never was": (_CHANGED + "posting_id = 900 WHERE id >= 16", "unknown posting"),
    "a kind is gone": ("DELETE FROM kinds WHERE name = 'test.a'", "unknown kind"),
    "a sum of the day": (
        f"UPDATE daily_sums SET units = units + 1 WHERE kind = {_KIND.format('test.a')}",
        "sum of the day",
    ),
    "a sum of the day is gone": (f"DELETE FROM daily_sums WHERE kind = {_KIND.format('test.a')}", "sum of the day"),
    "a sum of the day of nothing": (
        f"INSERT INTO daily_sums SELECT day, 2, {_KIND.format('test.a')}, 1, 1 FROM journal LIMIT 1",
        "sum of the day",
    ),
    "a hold": ("UPDATE holds SET left_units = left_units - 1 WHERE state = 'open'", "held and holds differ"),
    "a hold is gone": ("DELETE FROM holds WHERE state = 'open'", "held and holds differ"),
    "a hold that ended is open again": (
        "UPDATE holds SET state = 'open', left_units = 20 WHERE state = 'ended'",
        "held and holds differ",
    ),
    "a hold that ended with something left": (
        _FREE.format("holds", "holds_end_at_zero") + "UPDATE holds SET state = 'ended' WHERE state = 'open'",
        "wrong hold",
    ),
    "a hold of a posting that never was": (
        f"INSERT INTO holds VALUES (99999, {77 << 16 | 258}, 0, 1, 1, 'ended')",
        "wrong hold",
    ),
    "a hold in an account that isn't there": (
        f"INSERT INTO holds VALUES (17, {77 << 16 | 258}, 5, 1, 1, 'open')",
        "held and holds differ",
    ),
    "a hold that its domain has not": (
        "UPDATE test_stakes SET waits = false WHERE waits",
        "hold not explained",
    ),
    "a hold that only its domain has": ("INSERT INTO test_stakes VALUES (3, 9, true)", "hold not explained"),
    "a quota below zero": (
        _FREE.format("quotas", "quotas_never_negative") + "UPDATE quotas SET left_units = '{-1}' WHERE id = 'q'",
        "negative quota",
    ),
    "a quota that its rows left more of": (
        "UPDATE quotas SET left_units = '{2}' WHERE id = 'q'",
        "quota not explained",
    ),
    "a purpose's money": ("UPDATE test_waiting SET units = units + 1", "purpose not explained"),
    "a cap": ("UPDATE quotas SET left_units = '{801}' WHERE id = 'issuance.house_stock'", "issue not explained"),
    "a reserve": (
        f"UPDATE accounts SET balance = balance - 1 WHERE id = {2 << 16 | 256 | 50}",
        "not backed",
    ),
    "a ticket's trust": (f"UPDATE accounts SET balance = balance - 1 WHERE id = {books.TRUST}", "not backed"),
    "a unit beyond its cap": (
        f"INSERT INTO accounts VALUES ({purse.outside(Purpose.ISSUANCE, POINT)}, -1000000000000001, 1)",
        "beyond its cap",
    ),
    "money of a house's purpose that nothing uses": (
        f"INSERT INTO accounts VALUES ({purse.house(Purpose.SHOP_ESCROW, USDT)}, 1, 1)",
        "account of nobody",
    ),
    "the last numbers": ("UPDATE ledger_tail SET last_move = last_move + 1", "last numbers"),
    "the last posting": ("UPDATE ledger_tail SET last_posting = last_posting - 1", None),
}
"""What was done, and how the audits call it; None: each in its own way."""

KEYS: Final = {
    "a key is gone": "DELETE FROM keys WHERE id = (SELECT max(id) - 1 FROM keys)",
    "the first keys are gone": "DELETE FROM keys WHERE id < 5",
    "a posting under two keys": "UPDATE keys SET id = id - 1 WHERE id = (SELECT max(id) FROM keys)",
    "no key is left": "DELETE FROM keys",
}
"""Keys have no second look: the running audit sees those of new postings."""


@pytest.fixture(scope="module")
async def seen(database_url: str, owner: asyncpg.Connection) -> asyncpg.Connection:
    """A ledger whose moves the running audit has all seen."""
    await books.build(database_url, half=False)
    return owner


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


def _is_found(problems: list[str], title: str | None) -> None:
    titles = {problem.partition(":")[0] for problem in problems}
    assert problems
    assert title is None or title in titles, problems


async def test_sound_books_have_no_problem(seen: asyncpg.Connection, db: Database) -> None:
    assert await audit(db, EXPLAINED) == []


@pytest.mark.parametrize(("statement", "title"), BROKEN.values(), ids=BROKEN)
async def test_what_was_broken_by_hand_is_found(seen: asyncpg.Connection, statement: str, title: str | None) -> None:
    async with broken(seen, statement):
        _is_found(await look_here(seen), title)
        _is_found((await step_here(seen)).problems, title)


async def test_what_reads_a_whole_table_has_its_time(
    seen: asyncpg.Connection, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection's own thirty seconds end it in a large house, and with it the only way to resume money out."""
    hasty: list[str] = []

    def watch(name: str) -> None:
        asked = getattr(asyncpg.Connection, name)

        async def patiently(self: Any, query: str, *values: Any, timeout: float | None = None, **more: Any) -> Any:
            hasty.extend([query] if timeout is None else [])
            return await asked(self, query, *values, timeout=timeout, **more)

        monkeypatch.setattr(asyncpg.Connection, name, patiently)

    for name in ("fetch", "fetchrow", "fetchval"):
        watch(name)
    assert await audit(db, EXPLAINED) == []
    few = ("ANY($1", "pg_export_snapshot", "FROM kinds")
    assert [query for query in hasty if not any(part in query for part in few)] == []


async def test_money_of_a_members_purpose_that_nothing_uses_is_found(half_seen: asyncpg.Connection) -> None:
    """Of somebody whom new moves touch; all others the whole audit finds."""
    other = purse.account(900_000, USDT, Purpose.GAME)
    moved = f"""
        ALTER TABLE journal DISABLE TRIGGER USER; UPDATE accounts SET id = {other} WHERE id = {books.SECOND};
        UPDATE journal SET to_id = {other} WHERE to_id = {books.SECOND};
        UPDATE journal SET from_id = {other} WHERE from_id = {books.SECOND}
    """
    async with broken(half_seen, moved):
        _is_found(await look_here(half_seen), "account of nobody")
        _is_found((await step_here(half_seen)).problems, "account of nobody")


@pytest.mark.parametrize("statement", KEYS.values(), ids=KEYS)
async def test_a_posting_has_one_key(half_seen: asyncpg.Connection, statement: str) -> None:
    async with broken(half_seen, statement):
        assert await look_here(half_seen) != []
        if "< 5" not in statement:
            _is_found((await step_here(half_seen)).problems, "keys of a posting")


async def test_keys_may_go_after_400_days(half_seen: asyncpg.Connection) -> None:
    gone = f"""
        DELETE FROM keys WHERE id < 5; DELETE FROM daily_sums;
        {_CHANGED} at = at - 86400000 * 401::bigint, day = day - 401 WHERE posting_id < 5;
        INSERT INTO daily_sums SELECT day, from_id >> 8 & 255, kind, sum(amount), count(*) FROM journal GROUP BY 1, 2, 3
    """
    async with broken(half_seen, gone):
        assert await look_here(half_seen) == []


async def test_the_last_audit_is_kept(seen: asyncpg.Connection, db: Database) -> None:
    for wall, explained in ((5, EXPLAINED), (6, [Issued(KLS, {})])):
        found = await audit(db, explained)
        async with db.transaction() as step:
            await keep_audit(step, wall, found)
        assert await last_audit(db) == (wall, found)
    assert found == ["issue not explained: 200 KLS issued, 0 taken from its caps"]
