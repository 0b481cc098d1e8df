"""The row types and the database agree."""

from dataclasses import fields

import pytest

from kalos.core.database import Database
from kalos.domains.entry.tables import ROWS


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}
