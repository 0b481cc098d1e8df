"""What is packed is what PostgreSQL reads; what has no room in its type is refused before it is sent."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kalos.ledger.arrays import pack, take_packed
from kalos.ledger.checks import BadPosting
from kalos.ledger.postings import Insert, Set, Stamp
from kalos.ledger.writer import Writer
from support.ledger import posting

WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=300)
COLUMNS = {
    "bigint": st.integers(-(2**63), 2**63 - 1),
    "smallint": st.integers(-(2**15), 2**15 - 1),
    "text": WORDS,
}


@pytest.fixture(scope="module")
async def packing(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    take_packed(db)
    yield db
    await db.close()


@pytest.mark.parametrize("kind", COLUMNS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(data=st.data())
async def test_what_goes_in_comes_out(packing: asyncpg.Connection, kind: str, data: st.DataObject) -> None:
    column = data.draw(st.lists(st.one_of(st.none(), COLUMNS[kind]), max_size=70))
    rows = await packing.fetch(
        f"SELECT one FROM unnest($1::{kind}[]) WITH ORDINALITY AS c(one, place) ORDER BY place", pack(kind, column)
    )
    assert [row["one"] for row in rows] == column


@pytest.mark.parametrize(("kind", "number"), [("bigint", 2**63), ("bigint", -(2**63) - 1), ("smallint", 2**15)])
async def test_a_number_without_room_is_refused(packing: asyncpg.Connection, kind: str, number: int) -> None:
    for column in ([number], [None, number]):
        with pytest.raises(ValueError, match="number"):
            pack(kind, column)


async def test_a_row_with_a_number_that_its_column_can_t_hold_fails_alone(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    with pytest.raises(BadPosting):
        await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID, "member": "no number"})]))
    number = (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID, "member": None})]))).id
    await writer.post(posting(riders=[Set(rows, {"id": number}, {"member": None}, {"member": -5})]))
    assert await owner.fetchval(f"SELECT member FROM {rows} WHERE id = $1", number) == -5
