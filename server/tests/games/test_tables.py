"""The row types are the tables' columns, both ways."""

import msgspec
import pytest

from kalos.core.database import Database
from kalos.domains.games import tables
from kalos.domains.games.tables import Bet, Height, Limit, Round


@pytest.mark.parametrize(
    ("table", "shape"),
    [(tables.HEIGHTS, Height), (tables.LIMITS, Limit), (tables.ROUNDS, Round), (tables.BETS, Bet)],
)
async def test_columns_are_fields(db: Database, table: str, shape: type[msgspec.Struct]) -> None:
    rows = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in rows} == set(shape.__struct_fields__)
