"""Rows that a table takes, and cases that change one so that a single constraint refuses it.

A file of tests names its `ROWS` by table and its `CASES` by constraint, and takes the tests of them from here. A soak
also shows that nothing else refuses a case: without its constraint the row is taken.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import asyncpg
import pytest

from support.budget import SOAK

__all__ = [
    "pytest_generate_tests",
    "test_each_constraint_of_these_tables_has_its_case",
    "test_the_database_itself_refuses",
    "test_the_row_that_the_cases_change_is_a_good_one",
]

Rows = Mapping[str, Mapping[str, Any]]


def insert(rows: Rows, table: str, **changes: Any) -> str:
    """An insert of the table's row with some of its values changed, its number too where the table gives them."""
    values = {**rows[table], **changes}
    told = ", ".join("NULL" if value is None else f"'{value}'" for value in values.values())
    return f"INSERT INTO {table} ({', '.join(values)}) OVERRIDING SYSTEM VALUE VALUES ({told})"


def twice(rows: Rows, table: str, **changes: Any) -> str:
    """The table's row, and another one that has in common with it what must stand once."""
    return f"{insert(rows, table)}; {insert(rows, table, **changes)}"


async def written(url: str, statements: str) -> None:
    """Execute them as the owner and without triggers: only the rows' own constraints decide. Nothing stays."""
    db = await asyncpg.connect(url)
    transaction = db.transaction()
    await transaction.start()
    try:
        await db.execute("SET LOCAL session_replication_role = replica")
        await db.execute(statements)
    finally:
        await transaction.rollback()
        await db.close()


async def refusing(url: str, statements: str) -> tuple[str | None, str | None]:
    """The table and the constraint that refuse it; neither where it is taken."""
    try:
        await written(url, statements)
    except asyncpg.IntegrityConstraintViolationError as refusal:
        return refusal.table_name, refusal.constraint_name
    return None, None


async def constraints_of(url: str, tables: Iterable[str]) -> set[str]:
    """All CHECKs, keys and unique indexes of these tables; what a row refers to elsewhere is left out."""
    db = await asyncpg.connect(url)
    try:
        found = await db.fetch(
            """
            SELECT conname::text AS name FROM pg_constraint
            WHERE conrelid::regclass::text = ANY($1) AND contype IN ('c', 'u', 'p')
            UNION SELECT indexrelid::regclass::text FROM pg_index
            WHERE indrelid::regclass::text = ANY($1) AND indisunique
            """,
            list(tables),
        )
    finally:
        await db.close()
    return {one["name"] for one in found}


def names(cases: Iterable[str]) -> set[str]:
    """Where a constraint has several sides, each has its case, named after a stroke."""
    return {case.partition("/")[0] for case in cases}


def table_of(constraint: str, tables: Iterable[str]) -> str:
    return max((table for table in tables if constraint.startswith(table)), key=len)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each table and each case of the file that takes the tests is one of theirs."""
    for name, every in (("table", "ROWS"), ("case", "CASES")):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, getattr(metafunc.module, every))


async def test_the_row_that_the_cases_change_is_a_good_one(
    database_url: str, request: pytest.FixtureRequest, table: str
) -> None:
    # Where one stands for ever, it makes room.
    alone = f"DELETE FROM {table}; {insert(request.module.ROWS, table)}"
    assert await refusing(database_url, alone) == (None, None)


async def test_the_database_itself_refuses(database_url: str, request: pytest.FixtureRequest, case: str) -> None:
    constraint, statements = case.partition("/")[0], request.module.CASES[case]
    table = table_of(constraint, request.module.ROWS)
    assert await refusing(database_url, statements) == (table, constraint)
    if SOAK:
        gone = f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {constraint} CASCADE; DROP INDEX IF EXISTS {constraint}"
        assert await refusing(database_url, f"{gone}; {statements}") == (None, None)


async def test_each_constraint_of_these_tables_has_its_case(database_url: str, request: pytest.FixtureRequest) -> None:
    assert await constraints_of(database_url, request.module.ROWS) == names(request.module.CASES)
