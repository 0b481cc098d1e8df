"""The writer's own session: how long it waits for others, how much it keeps there, and who may wait for it."""

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import combinations
from typing import Final

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.core.errors import Busy
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Insert, Posted, Posting, Set, Stamp
from kalos.ledger.writer import Writer
from support.budget import SOAK, least
from support.ledger import new_key, posting, results

_BUSY_SECONDS: Final = 1.0 if SOAK else 3.0
"""One is promised; a machine that is busy with other things may take longer, and without the bound it is five."""
_MOST_STATEMENTS: Final = 200


@pytest.fixture(scope="module")
async def told(owner: asyncpg.Connection) -> AsyncIterator[str]:
    """A rider's table that takes `seconds` for a row, and writes down how it finds the session that writes it."""
    await owner.execute(
        """
        CREATE TABLE test_told (
            id bigint PRIMARY KEY, seconds bigint, lock_timeout text, statement_timeout text, statements bigint
        );
        GRANT SELECT, INSERT ON test_told TO kalos_writer;
        CREATE FUNCTION test_tell() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.lock_timeout = current_setting('lock_timeout');
            NEW.statement_timeout = current_setting('statement_timeout');
            NEW.statements = (SELECT count(*) FROM pg_prepared_statements);
            PERFORM pg_sleep(NEW.seconds);
            RETURN NEW;
        END $$;
        CREATE TRIGGER test_tell BEFORE INSERT ON test_told FOR EACH ROW EXECUTE FUNCTION test_tell();
        """
    )
    yield "test_told"
    await owner.execute("DROP TABLE test_told; DROP FUNCTION test_tell")


async def session(writer: Writer, owner: asyncpg.Connection, told: str) -> asyncpg.Record:
    made = await writer.post(posting(riders=[Insert(told, {"id": Stamp.ID})]))
    found = await owner.fetchrow(f"SELECT * FROM {told} WHERE id = $1", made.id)
    assert found is not None
    return found


async def test_a_row_that_an_outsider_holds_is_busy_within_a_second(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    async def refused() -> float:
        """How long it takes until a change of a row that is held is refused."""
        number = (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID, "state": "open"})]))).id
        change = posting(riders=[Set(rows, {"id": number}, {}, {"state": "theirs"})])
        async with owner.transaction():
            await owner.execute(f"SELECT FROM {rows} WHERE id = $1 FOR UPDATE", number)
            begun = time.monotonic()
            with pytest.raises(Busy):
                await writer.post(change)
            seconds = time.monotonic() - begun
            assert isinstance(await writer.post(posting()), Posted)
        assert isinstance(await writer.post(change), Posted)
        return seconds

    assert await least(refused, below=_BUSY_SECONDS) < _BUSY_SECONDS


async def test_no_statement_of_the_writer_waits_or_runs_for_long(
    writer: Writer, owner: asyncpg.Connection, told: str
) -> None:
    found = await session(writer, owner, told)
    assert (found["lock_timeout"], found["statement_timeout"]) == ("200ms", "5s")


async def test_a_statement_that_ran_too_long_is_busy_and_the_next_goes_on(
    writer: Writer, owner: asyncpg.Connection, told: str
) -> None:
    epoch, long = writer.epoch, posting(riders=[Insert(told, {"id": Stamp.ID, "seconds": 30})])
    ends = asyncio.create_task(results(writer.post(long)))
    ended = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    async with asyncio.timeout(30):
        while not ends.done() and not await owner.fetchval(ended):  # as the timeout does, where that comes first
            await asyncio.sleep(0.02)
    assert [type(one) for one in await ends] == [Busy]
    assert isinstance(await writer.post(posting()), Posted)
    assert writer.epoch == epoch


async def test_the_statements_that_are_kept_are_bounded(
    writer: Writer, owner: asyncpg.Connection, rows: str, told: str
) -> None:
    """Each set of columns has a text of its own, and there are more of them than are kept."""
    columns: dict[str, object] = {"member": 5, "state": "x", "at": 1, "hold": 2, "note": {}, "secret": b"", "day": None}
    shapes = [shape for count in range(len(columns) + 1) for shape in combinations(columns, count)]
    both = [Insert(rows, {"id": Stamp.ID} | {name: columns[name] for name in shape}) for shape in shapes]
    for riders in [*([one] for one in both), *([one, Insert(told, {"id": Stamp.ID})] for one in both)]:
        await writer.post(posting(riders=riders))
    assert len(shapes) * 2 > _MOST_STATEMENTS
    assert (await session(writer, owner, told))["statements"] <= _MOST_STATEMENTS


async def test_nobody_waits_for_the_writers_process_with_a_transaction_open(db: Database) -> None:
    """Who did would hold rows as long as the writer takes, and the writer might wait for them."""
    client = LedgerClient("/nowhere")
    async with db.transaction():
        with pytest.raises(AssertionError, match="no transaction may be open"):
            await client.post(Posting(new_key()))
        with pytest.raises(AssertionError, match="no transaction may be open"):
            await client.post_many([Posting(new_key())])


async def test_nobody_has_many_posted_with_a_transaction_open(writer: Writer, db: Database) -> None:
    async with db.transaction():
        with pytest.raises(AssertionError, match="no transaction may be open"):
            await writer.post_many([Posting(new_key())])
