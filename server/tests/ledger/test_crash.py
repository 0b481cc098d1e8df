"""A writer that dies, hangs or loses its database: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.ledger import lease as lease_module
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Move, Posted, Posting
from kalos.ledger.statements import balances
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import CHAIN, FEES, WriterProcess, clients, funded, new_owner, posting, writer_process


@pytest.fixture
async def process(durable_url: str, tmp_path: Path) -> AsyncIterator[WriterProcess]:
    async with writer_process(durable_url, tmp_path) as running:
        yield running


@pytest.fixture
async def books(durable_url: str) -> AsyncIterator[Database]:
    db = Database(role_url(durable_url, "kalos_app", SECRET), size=3)
    yield db
    assert await audit(db) == []
    await db.close()


async def insist(client: LedgerClient, asked: Posting) -> Posted:
    """Send until it is answered, as a caller does who keeps his key."""
    for _ in range(400):
        try:
            return await client.post(asked)
        except Outage:
            await asyncio.sleep(0.05)
    raise AssertionError("no writer for 20 s")


class Load:
    """Clients that move one unit again and again; each remembers what was acknowledged."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.acknowledged: dict[bytes, int] = {}
        self.resent = 0
        self.ending = False

    async def run(self, client: LedgerClient) -> None:
        while not self.ending:
            asked = posting(Move("test.load", CHAIN, self.target, 1))
            try:
                posted = await client.post(asked)
            except Outage:
                self.resent += 1
                posted = await insist(client, asked)
            self.acknowledged[asked.key] = posted.id


async def test_kill_loses_nothing_and_doubles_nothing(process: WriterProcess, books: Database) -> None:
    target = purse.available(new_owner(), USDT)
    load = Load(target)
    async with clients(process.socket, 16) as callers:
        tasks = [asyncio.create_task(load.run(client)) for client in callers]
        for _ in range(3):
            await asyncio.sleep(0.6)
            await process.end(signal.SIGKILL)
            died = time.monotonic()
            await process.start()
            await insist(callers[0], posting())
            assert time.monotonic() - died < 5
        await asyncio.sleep(0.3)
        load.ending = True
        await asyncio.gather(*tasks)
    assert load.resent >= 3
    assert (await balances(books, [purse.owner_of(target)]))[target] == len(load.acknowledged)
    stored = {row["posting_id"] for row in await books.rows("SELECT posting_id FROM journal WHERE to_id = $1", target)}
    assert stored == set(load.acknowledged.values())


async def test_a_lost_database_connection_is_an_outage_and_then_over(
    durable_url: str, process: WriterProcess, books: Database
) -> None:
    async with clients(process.socket, 1) as (client,):
        target = purse.available(new_owner(), USDT)
        load = Load(target)
        task = asyncio.create_task(load.run(client))
        schema = await asyncpg.connect(durable_url)
        for _ in range(3):
            await asyncio.sleep(0.2)
            await schema.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'kalos_writer'"
            )
        await insist(client, posting())
        load.ending = True
        await task
        await schema.close()
    assert load.resent >= 1
    assert (await balances(books, [purse.owner_of(target)]))[target] == len(load.acknowledged)


async def test_a_stopped_writer_is_replaced_and_ends_when_it_wakes(
    durable_url: str, process: WriterProcess, books: Database, tmp_path: Path
) -> None:
    standby = WriterProcess(durable_url, tmp_path)
    async with clients(process.socket, 1) as (client,):
        source = await funded(client, 100)
        await standby.begin()
        await asyncio.sleep(1)
        before = process.socket.stat().st_ino
        process.send(signal.SIGSTOP)
        async with asyncio.timeout(10):
            while process.socket.stat().st_ino == before:
                await asyncio.sleep(0.05)
    async with clients(process.socket, 1) as (client,):
        posted = await insist(client, posting(Move("test.a", source, FEES, 60)))
        assert posted.balances[source] == 40
        process.send(signal.SIGCONT)
        assert await process.ended() != 0
        assert (await insist(client, posting(Move("test.a", source, FEES, 40)))).balances[source] == 0
    assert await standby.end() == 0


async def test_a_second_writer_waits_for_the_first(durable_url: str, books: Database) -> None:
    url = role_url(durable_url, "kalos_writer", SECRET)
    first, second = Writer(url, Clock()), Writer(url, Clock())
    await first.start()
    waiting = asyncio.create_task(second.start())
    await asyncio.sleep(1)
    assert not waiting.done()
    with pytest.raises(Outage):
        await second.post(posting())
    source = await funded(first, 10)
    await first.stop()
    async with asyncio.timeout(3):
        await waiting
    assert (await second.post(posting(Move("test.a", source, FEES, 10)))).balances[source] == 0
    with pytest.raises(Outage):
        await first.post(posting())
    await second.stop()


async def test_of_two_writers_only_the_newer_commits(
    durable_url: str, books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the old holder's connections live on: the epoch in every commit stops it."""
    url = role_url(durable_url, "kalos_writer", SECRET)
    old, new = Writer(url, Clock()), Writer(url, Clock())
    await old.start()
    source = await funded(old, 100)

    async def hang(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(old._lease, "beat", hang)
    monkeypatch.setattr(lease_module, "_END_BACKEND", "SELECT $1::int, $2::int, $3::text")
    async with asyncio.timeout(6):
        await new.start()
    assert (await new.post(posting(Move("test.a", source, FEES, 60)))).balances[source] == 40
    with pytest.raises(Outage):
        await old.post(posting(Move("test.a", source, FEES, 100)))
    assert "taken over" in await asyncio.wait_for(old.lost, 3)
    with pytest.raises(Outage):
        await old.post(posting(Move("test.a", source, FEES, 1)))
    assert (await new.post(posting(Move("test.a", source, FEES, 40)))).balances[source] == 0
    await old.stop()
    await new.stop()


async def test_a_graceful_stop_answers_all_that_wait(durable_url: str, books: Database) -> None:
    writer = Writer(role_url(durable_url, "kalos_writer", SECRET), Clock())
    await writer.start()
    source = await funded(writer, 1_000)
    asked = [asyncio.create_task(writer.post(posting(Move("test.a", source, FEES, 1)))) for _ in range(200)]
    await asyncio.sleep(0)
    await writer.stop()
    ended = await asyncio.gather(*asked)
    assert sorted(one.balances[source] for one in ended) == list(range(800, 1_000))
    assert writer.waiting == 0


async def test_without_a_writer_the_ledger_is_away(tmp_path: Path) -> None:
    client = LedgerClient(tmp_path / "nobody.sock")
    with pytest.raises(Outage):
        await client.post(posting())
    assert [type(one) for one in await client.post_many([posting()] * 3)] == [Outage] * 3


async def test_business_time_follows_its_stored_row(durable_url: str, books: Database) -> None:
    clock = Clock()
    writer = Writer(role_url(durable_url, "kalos_writer", SECRET), clock)
    await writer.start()
    day = 86_400_000
    before = await writer.post(posting())
    await books.execute("UPDATE clock SET offset_ms = $1", day)
    await asyncio.sleep(0.8)
    after = await writer.post(posting())
    assert 0 <= after.at - before.at - day < 5_000
    await writer.stop()
    again = Writer(role_url(durable_url, "kalos_writer", SECRET), Clock())
    await again.start()
    assert (await again.post(posting())).at >= after.at
    await again.stop()
