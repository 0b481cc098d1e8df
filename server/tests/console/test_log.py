"""The log: dense, chained, only ever added to; whatever was changed shows."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.scene import desk_of
from kalos.core.database import Database
from kalos.domains.context import House
from kalos.operator import queries, rules
from kalos.operator.tables import AuditRow


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


async def record(house: House, about: str, **after: Any) -> None:
    async with house.db.transaction() as db:
        await desk_of(house).record(db, "ticket.close", about, {}, after)


async def test_two_at_once_stand_one_behind_the_other(house: House) -> None:
    acts = [record(house, f"thing {number}", number=number) for number in range(12)]
    assert await asyncio.gather(*acts, return_exceptions=True) == [None] * 12
    rows = (await queries.list_audit(house.db, before=None, most=12))[::-1]
    assert [row.id for row in rows] == list(range(rows[0].id, rows[0].id + 12))
    assert [row.previous for row in rows[1:]] == [row.hash for row in rows[:-1]]
    assert await queries.verify_audit(house.db) == []


async def test_what_is_rolled_back_leaves_no_row_and_no_gap(house: House) -> None:
    await record(house, "before")
    last = await queries.last_audit(house.db)
    with pytest.raises(RuntimeError):
        await _fail_after_recording(house)
    await record(house, "after")
    assert await queries.last_audit(house.db) == last + 1
    assert await queries.verify_audit(house.db) == []


async def _fail_after_recording(house: House) -> None:
    async with house.db.transaction() as db:
        await desk_of(house).record(db, "ticket.close", "lost", {}, {})
        raise RuntimeError


async def test_a_text_of_any_letters_hashes_the_same_when_it_is_read_again(house: House) -> None:
    await record(house, 'ก 日本 \U0001f512 "\\', text='ก 日本 \U0001f512 "\\/', deep={"b": [1, None, True], "a": "é"})
    assert await queries.verify_audit(house.db) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE operator_audit SET name = 'somebody'",
        "DELETE FROM operator_audit",
        "TRUNCATE operator_audit",
    ],
)
async def test_nobody_changes_the_log_not_even_the_schemas_owner(
    house: House, owner: asyncpg.Connection, statement: str
) -> None:
    await record(house, "stays")
    before = await queries.last_audit(house.db)
    with pytest.raises(asyncpg.IntegrityConstraintViolationError):
        await owner.execute(statement)
    assert await queries.last_audit(house.db) == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('UPDATE operator_audit SET after = \'{"value": "2"}\' WHERE id = $1', "was changed"),
        ("UPDATE operator_audit SET name = 'somebody' WHERE id = $1", "was changed"),
        ("UPDATE operator_audit SET at = at + 1 WHERE id = $1", "was changed"),
        ("DELETE FROM operator_audit WHERE id = $1", "misses rows"),
    ],
)
async def test_a_row_that_was_changed_or_taken_out_is_found(
    house: House, owner: asyncpg.Connection, change: str, problem: str
) -> None:
    """By somebody who may even take the trigger away."""
    await record(house, "one", value="1")
    number = await queries.last_audit(house.db)
    await record(house, "two")
    rows = await owner.fetch("SELECT * FROM operator_audit ORDER BY id")
    try:
        await owner.execute("ALTER TABLE operator_audit DISABLE TRIGGER operator_audit_stays")
        await owner.execute(change, number)
        found = await queries.verify_audit(house.db)
        assert [problem in one and str(number) in one for one in found] == [True], found
    finally:
        await owner.execute("DELETE FROM operator_audit")
        await owner.executemany(
            "INSERT INTO operator_audit VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [tuple(row) for row in rows]
        )
        await owner.execute("ALTER TABLE operator_audit ENABLE TRIGGER operator_audit_stays")
    assert await queries.verify_audit(house.db) == []


async def test_a_second_row_behind_the_same_one_is_refused(house: House, db: Database) -> None:
    await record(house, "one")
    last = (await queries.list_audit(house.db, before=None, most=1))[0]
    with pytest.raises(asyncpg.UniqueViolationError):
        await db.execute(
            """
            INSERT INTO operator_audit (id, at, name, act, object, before, after, previous, hash)
            SELECT id + 7, at, name, act, object, before, after, previous, sha256(hash) FROM operator_audit
            WHERE id = $1
            """,
            last.id,
        )


def chain(texts: list[str]) -> list[AuditRow]:
    rows, previous = [], rules.FIRST
    for number, text in enumerate(texts, 1):
        row = AuditRow(number, number, None, "n", "ticket.close", text or "x", {}, {"text": text}, previous)
        rows.append(replace(row, hash=rules.hash_of(row)))
        previous = rows[-1].hash
    return rows


@given(texts=st.lists(st.text(max_size=5), min_size=1, max_size=6), data=st.data())
def test_any_change_of_a_chain_is_told(texts: list[str], data: st.DataObject) -> None:
    rows = chain(texts)
    assert rules.check_chain(rows, after=0, previous=rules.FIRST) == []
    place = data.draw(st.integers(0, len(rows) - 1))
    forged = replace(rows[place], after={"text": texts[place] + "!"})
    for own in (forged, replace(forged, hash=rules.hash_of(forged))):
        changed = [*rows[:place], own, *rows[place + 1 :]]
        is_last_made_anew = place == len(rows) - 1 and own.hash != rows[place].hash
        assert is_last_made_anew or rules.check_chain(changed, after=0, previous=rules.FIRST) != []
    if place < len(rows) - 1:
        assert rules.check_chain(rows[:place] + rows[place + 1 :], after=0, previous=rules.FIRST) != []


def test_a_fraction_is_nothing_that_can_be_hashed() -> None:
    assert rules.only_whole({"a": 1, "b": {"c": "0.5", "d": None}})
    assert not rules.only_whole({"a": {"b": 0.5}})
