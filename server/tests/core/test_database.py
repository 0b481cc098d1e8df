"""A connection goes back to the queue only as it came out of it."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database
from support.clusters import SECRET


@pytest.fixture
async def single(database_url: str) -> AsyncIterator[Database]:
    """A database of one connection: whoever comes next gets what was given back last."""
    database = Database(role_url(database_url, "kalos_app", SECRET), size=1)
    yield database
    await database.close()


async def test_a_connection_that_was_cut_off_in_its_begin_is_not_given_out_again(single: Database) -> None:
    backend = await single.value("SELECT pg_backend_pid()")
    entered = False

    async def begin() -> None:
        nonlocal entered
        async with single.transaction():
            entered = True

    cut_off = asyncio.create_task(begin())
    await asyncio.sleep(0)  # the connection is open and free: the first thing to wait for is the answer to BEGIN
    cut_off.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cut_off
    assert not entered
    async with single.connection() as db, db.transaction(isolation="repeatable_read"):
        assert await db.fetchval("SHOW transaction_isolation") == "repeatable read"
        assert await db.fetchval("SELECT pg_backend_pid()") != backend


async def test_whoever_waits_longest_is_next(single: Database) -> None:
    await single.value("SELECT 1")
    asked = 0

    async def ask_again_and_again() -> None:
        nonlocal asked
        for _ in range(200):
            await single.value("SELECT 1")
            asked += 1

    busy = asyncio.create_task(ask_again_and_again())
    await asyncio.sleep(0)
    for _ in range(5):
        before = asked
        await single.value("SELECT 2")
        assert asked - before <= 2
    await busy
