"""A connection goes back to the queue only as it came out of it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database, Record, wait_for_database
from kalos.core.errors import Outage
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


async def test_what_the_database_has_cut_off_can_be_closed(single: Database, database_url: str) -> None:
    backend = await single.value("SELECT pg_backend_pid()")
    owner = await asyncpg.connect(database_url)
    assert await owner.fetchval("SELECT pg_terminate_backend($1, 60000)", backend)
    await owner.close()
    await single.close()
    with pytest.raises(Outage):
        await single.value("SELECT 1")


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


_SQUARES = "SELECT n, n * n AS square FROM unnest($1::int[]) AS n CROSS JOIN generate_series(1, n)"


async def test_rows_that_are_asked_for_at_once_are_read_together(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    rows = db.planned.rows

    async def counted(query: str, keys: list[int]) -> list[Record]:
        asked.append(keys)
        return await rows(query, keys)

    monkeypatch.setattr(db.planned, "rows", counted)
    found = await asyncio.gather(*(db.rows_of(_SQUARES, key) for key in (3, 0, 2, 3)))
    assert [[row["square"] for row in mine] for mine in found] == [[9, 9, 9], [], [4, 4], [9, 9, 9]]
    assert asked == [[3, 0, 2]]


async def test_a_key_that_cannot_be_sent_is_told_to_who_asks(db: Database) -> None:
    with pytest.raises(asyncpg.DataError):
        await db.rows_of(_SQUARES, "three")
    assert len(await db.rows_of(_SQUARES, 3)) == 3


async def test_a_statement_that_takes_keys_is_planned_once(single: Database) -> None:
    """Else each of these is planned for its own length, which takes longer than the work."""
    query = "SELECT id, account FROM members WHERE id = ANY($1::bigint[])"
    for key in range(12):
        await single.rows_of(query, key)
    plans = "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1"
    assert [tuple(row) for row in await single.planned.rows(plans, query)] == [(12, 0)]


async def test_closed_connections_are_not_opened_again_for_keys(single: Database) -> None:
    await single.close()
    with pytest.raises(Outage):
        await single.rows_of(_SQUARES, 1)


@pytest.mark.parametrize("state", ["53100", "53200", "53300", "58030", "58P01"])
async def test_a_machine_without_room_or_with_a_broken_disk_is_an_outage(single: Database, state: str) -> None:
    """Whoever asked may ask again; what they asked for was not wrong."""
    failing = single.execute(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$")
    (problem,) = await asyncio.gather(failing, return_exceptions=True)
    assert isinstance(problem, Outage)
    assert await single.value("SELECT 1") == 1


async def test_a_database_that_is_away_is_waited_for(database_url: str, tmp_path: Path) -> None:
    """Its socket lies in a folder to which there is no way at first."""
    (real,) = parse_qs(urlsplit(database_url).query)["host"]
    waiting = asyncio.create_task(wait_for_database(database_url.replace(quote(real, safe=""), str(tmp_path / "way"))))
    async with asyncio.timeout(20):
        await asyncio.sleep(0.2)
        assert not waiting.done()
        (tmp_path / "way").symlink_to(real)
        await waiting


async def test_a_database_that_refuses_is_not_waited_for(database_url: str) -> None:
    async with asyncio.timeout(20):
        with pytest.raises(asyncpg.InvalidPasswordError):
            await wait_for_database(role_url(database_url, "kalos_app", b"another secret"))
        with pytest.raises(asyncpg.ClientConfigurationError):
            await wait_for_database(f"{database_url}&sslmode=bogus")
