"""Who comes first is the ledger's to say: a domain locks rows of the app's own, never one that the writer writes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database
from support.clusters import SECRET

DOMAINS: Final = Path(__file__).parents[2] / "src" / "kalos" / "domains"
LOCKED: Final = {
    ("content", "'bulletin '"): "of two who publish one name, the second sees what the first did",
    ("deposits", "strays"): "what a payment sent back is counted once, however many strays name it",
    ("identity", "members"): "a log-in, a freeze and a closing of one account don't pass each other",
    ("identity", "sessions"): "a token for a session that is ending is not made",
    ("prices", "'price '"): "an order of a price sees the one before it",
    ("protection", "members"): "two changes of one member's limits don't pass each other",
    ("protection", "'numbers'"): "of two numbers that fit each other, each change sees the other",
    ("support", "members"): "one member's messages are counted one after the other",
    ("support", "tickets"): "a ticket's messages are numbered one after the other",
    ("teams", "teams_cursor"): "one worker counts a move, the others pass by",
    ("uploads", "members"): "one member's files are counted one after the other",
    ("uploads", "uploads"): "one worker ends a file, the others pass by",
    ("wallets", "login_wallets"): "a wallet that logs in isn't removed meanwhile",
    ("wallets", "members"): "one member's wallets and addresses are counted one after the other",
}
"""Every lock that a domain takes in the database: whose, on which table or by which name, and why."""
LEDGER: Final = {
    *("accounts", "journal", "holds", "quotas", "keys", "outbox", "ledger_tail", "writer_lease", "daily_sums"),
    *("kinds", "grants", "payables", "day_runs"),
}
_TAKES: Final = re.compile(r"\bFOR\s+(?:NO\s+KEY\s+|KEY\s+)?(?:UPDATE|SHARE)\b|\bLOCK\s|pg_(?:try_)?advisory\w*\(")
_TABLE: Final = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)")
_MODES: Final = (
    *("ROW SHARE", "ROW EXCLUSIVE", "SHARE UPDATE EXCLUSIVE", "SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE"),
    "ACCESS EXCLUSIVE",
)


def statements() -> Iterator[tuple[str, str]]:
    """Each text of a domain that locks; what is put into it stands there as `{}`."""
    for source in sorted(DOMAINS.rglob("*.py")):
        tree = ast.parse(source.read_text())
        papers = {
            node.body[0].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and isinstance(node.body[0], ast.Expr)
        }
        parts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            text = written(node) if node not in papers | parts else ""
            if _TAKES.search(text):
                yield source.relative_to(DOMAINS).parts[0], text


def written(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(written(value) or "{}" for value in values)
        case _:
            return ""


def taken(text: str) -> set[str]:
    """The tables that a statement may lock: all before its clause, or the one that LOCK names; else the lock's name."""
    found = set[str]()
    for lock in _TAKES.finditer(text):
        after = text[lock.end() :]
        if lock[0].startswith("pg_"):
            found.add(next(iter(re.findall(r"'[^']*'", after)), after))
        elif lock[0].startswith("LOCK"):
            found.add(after.removeprefix("TABLE ").split()[0])
        else:
            found.update(_TABLE.findall(text[: lock.start()]) or [text])
    return found


def test_a_domain_takes_no_lock_but_those_with_a_reason() -> None:
    assert {(domain, lock) for domain, text in statements() for lock in taken(text)} == LOCKED.keys()


def test_locks_of_two_things_have_two_numbers() -> None:
    found = [
        re.findall(r"_\w*(?:LOCK|ONE_SIGNER): Final = ([\d_]+)", file.read_text())
        for file in DOMAINS.parent.rglob("*.py")
    ]
    numbers = [number for some in found for number in some]
    assert len(numbers) >= 4
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(
    ("text", "locks"),
    [
        ("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", {"accounts"}),
        ("SELECT FROM holds h JOIN quotas q ON q.id = h.id\n  FOR NO KEY UPDATE OF h", {"holds", "quotas"}),
        ("LOCK TABLE journal IN SHARE MODE", {"journal"}),
        ("SELECT pg_try_advisory_xact_lock_shared(7)", {"7)"}),
        ("SELECT 1 FROM accounts", set()),
    ],
)
def test_each_way_to_lock_is_seen(text: str, locks: set[str]) -> None:
    assert taken(text) == locks


async def test_what_a_domain_locks_the_writer_never_writes(db: Database) -> None:
    tables = {name for _, name in LOCKED if not name.startswith("'")}
    assert tables & await written_by(db, "kalos_writer") == set()
    assert tables <= await written_by(db, "kalos_app")


async def test_the_database_lets_no_domain_lock_what_the_writer_writes(db: Database, database_url: str) -> None:
    """Whatever a statement says: a lock of rows needs a right to change them, one of a table a right to write it."""
    tables = await written_by(db, "kalos_writer")
    assert tables >= LEDGER
    app = await asyncpg.connect(role_url(database_url, "kalos_app", SECRET))
    try:
        for table in sorted(tables):
            for strength in ("KEY SHARE", "SHARE", "NO KEY UPDATE", "UPDATE"):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await app.execute(f"SELECT FROM {table} FOR {strength}")
            for mode in _MODES:
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await app.execute(f"BEGIN; LOCK TABLE {table} IN {mode} MODE")
                await app.execute("ROLLBACK")
    finally:
        await app.close()


async def written_by(db: Database, role: str) -> set[str]:
    rows = await db.rows(
        """
        SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND (
            has_any_column_privilege($1, oid, 'INSERT, UPDATE') OR has_table_privilege($1, oid, 'DELETE'))
        """,
        role,
    )
    return {row["relname"] for row in rows}
