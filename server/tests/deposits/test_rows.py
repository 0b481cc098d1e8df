"""The row types and the database agree, and only the writer may write deposits."""

from dataclasses import fields

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.domains.deposits.tables import ROWS


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


@pytest.mark.parametrize("statement", ["DELETE FROM deposits", "UPDATE deposits SET status = 'approved'"])
async def test_app_role_cannot_write_deposits(db: Database, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute(statement)
