"""A writer that takes over reads ahead which accounts moved last, and believes nothing that may have changed since."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger import ahead, purse
from kalos.ledger.ahead import read_ahead
from kalos.ledger.postings import Close, Move
from kalos.ledger.state import State
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import CHAIN, FEES, funded, new_owner, posting

MOST = 10_000


class Interrupted:
    """A connection that lets something happen once it has read accounts, before its reader hears of them."""

    def __init__(self, db: asyncpg.Connection, happens: Callable[[], Awaitable[Any]]) -> None:
        self._db = db
        self._happens = happens

    async def fetch(self, query: str, *values: Any) -> list[asyncpg.Record]:
        rows = await self._db.fetch(query, *values)
        if "FROM accounts" in query:
            await self._happens()
        return rows


@pytest.fixture
async def reads(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(role_url(database_url, "kalos_writer", SECRET))
    yield db
    await db.close()


@pytest.fixture
def state(writer: Writer) -> State:
    assert writer._engine is not None
    return writer._engine.state


async def fresh(db: Database) -> State:
    """What a writer begins with."""
    state = State()
    state.move = await db.value("SELECT last_move FROM ledger_tail")
    return state


async def committed(db: Database) -> dict[int, tuple[int, int]]:
    return {row["id"]: (row["balance"], row["version"]) for row in await db.rows("SELECT * FROM accounts")}


async def test_all_that_moved_is_known_as_it_stands(
    writer: Writer, db: Database, reads: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = purse.available(new_owner(), USDT)
    await writer.post(posting(Move("test.a", CHAIN, closed, 5)))
    await writer.post(posting(Move("test.a", closed, FEES, 5), closes=[Close(account=closed)]))
    for units in (3, 5, 8):
        await funded(writer, units)
    expected = await committed(db)
    for step in (1, 2, 1_000):
        monkeypatch.setattr(ahead, "_STEP", step)
        state = await fresh(db)
        assert await read_ahead(reads, state, MOST) == len(expected)
        assert state.accounts == expected
        assert closed in state.closed
        assert len(state.closed) == await db.value("SELECT count(*) FROM accounts WHERE NOT open")


async def test_those_that_moved_last_come_first_and_it_ends_at_its_bounds(
    writer: Writer, db: Database, reads: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_STEP", 1)
    last = [await funded(writer, 1) for _ in range(5)]
    state = await fresh(db)
    await read_ahead(reads, state, 3)
    assert state.accounts.keys() == {CHAIN, *last[-2:]}
    monkeypatch.setattr(ahead, "MOST_MOVES", 4)
    state = await fresh(db)
    await read_ahead(reads, state, MOST)
    assert state.accounts.keys() == {CHAIN, *last[-4:]}


async def test_what_is_known_is_ahead_of_what_was_read(
    writer: Writer, db: Database, reads: asyncpg.Connection, state: State
) -> None:
    mine = await funded(writer, 100)
    del state.accounts[mine]

    async def spend() -> None:
        await writer.post(posting(Move("test.a", mine, FEES, 30)))

    await read_ahead(Interrupted(reads, spend), state, MOST)  # type: ignore[arg-type]
    assert state.accounts[mine] == (70, 2)
    assert (await writer.post(posting(Move("test.a", mine, FEES, 70)))).balances[mine] == 0
    assert writer.figures.halvings == 0


@pytest.mark.parametrize("way", ["shrunk", "forgotten"])
async def test_what_was_dropped_meanwhile_may_have_changed(
    writer: Writer, reads: asyncpg.Connection, state: State, way: str
) -> None:
    mine = await funded(writer, 100)
    del state.accounts[mine]

    async def spend_and_drop() -> None:
        await writer.post(posting(Move("test.a", mine, FEES, 30)))
        if way == "forgotten":
            state.forget(0, [mine], ())
        else:
            for _ in range(3):
                state.shrink(0, (), (), ())
        assert mine not in state.accounts

    await read_ahead(Interrupted(reads, spend_and_drop), state, MOST)  # type: ignore[arg-type]
    assert mine not in state.accounts
    assert (await writer.post(posting(Move("test.a", mine, FEES, 70)))).balances[mine] == 0
    assert writer.figures.halvings == 0


async def test_members_play_while_it_reads_and_copies_go(
    writer: Writer, reads: asyncpg.Connection, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read so late that a posting would be decided on it: none fails in the database."""
    monkeypatch.setattr(ahead, "_STEP", 3)
    monkeypatch.setattr(ahead, "_REST", 0)
    monkeypatch.setattr("kalos.ledger.engine.MOST_COPIES", 30)
    members = [await funded(writer, 1_000) for _ in range(40)]
    halvings = writer.figures.halvings
    playing = True

    async def play(mine: int) -> int:
        spent = 0
        while playing:
            await writer.post(posting(Move("test.a", mine, FEES, 1)))
            spent += 1
        return spent

    games = [asyncio.create_task(play(mine)) for mine in members]
    for _ in range(30):
        await read_ahead(reads, state, MOST)
        await asyncio.sleep(0.01)
    playing = False
    spent = await asyncio.gather(*games)
    for mine, units in zip(members, spent, strict=True):
        assert (await writer.post(posting(Move("test.a", mine, FEES, 1)))).balances[mine] == 999 - units
    assert writer.figures.halvings == halvings


@asynccontextmanager
async def taking_over(before: Writer, url: str, clock: Clock) -> AsyncIterator[Writer]:
    """Another writer in the place of one that has ended."""
    await before.stop()
    after = Writer(role_url(url, "kalos_writer", SECRET), clock)
    await after.start()
    try:
        yield after
    finally:
        await after.stop()


async def test_a_new_writer_looks_up_no_account_that_moved(writer: Writer, database_url: str, clock: Clock) -> None:
    mine = await funded(writer, 100)
    async with taking_over(writer, database_url, clock) as other:
        assert other._engine is not None
        async with asyncio.timeout(30):
            while not {mine, FEES} <= other._engine.state.accounts.keys():
                await asyncio.sleep(0.01)
        await other.post(posting(Move("test.a", mine, FEES, 1)))
        assert other.figures.cache_misses == 0


@pytest.mark.parametrize("problem", [asyncpg.UndefinedTableError("no such table"), ConnectionResetError()])
async def test_a_writer_that_can_not_read_ahead_does_without(
    writer: Writer, database_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    tried = asyncio.Event()

    async def broken(*_: object) -> int:
        tried.set()
        raise problem

    monkeypatch.setattr("kalos.ledger.writer.read_ahead", broken)
    async with taking_over(writer, database_url, clock) as other:
        async with asyncio.timeout(30):
            await tried.wait()
        mine = await funded(other, 100)
        assert (await other.post(posting(Move("test.a", mine, FEES, 1)))).balances[mine] == 99
