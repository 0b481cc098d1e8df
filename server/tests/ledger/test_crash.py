"""A writer that dies, hangs or loses its database: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import os
import signal
import statistics
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.app.embedded.postgres import RunningCluster
from kalos.app.migrate import role_url
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.ledger import commit as commit_module
from kalos.ledger import lease as lease_module
from kalos.ledger import writer as writer_module
from kalos.ledger.client import LedgerClient
from kalos.ledger.lease import BEAT_SECONDS, BEATING
from kalos.ledger.postings import Move
from kalos.ledger.writer import Writer
from support.budget import SOAK, count, figures
from support.clusters import SECRET
from support.force import Bets, books_of, standby_of
from support.ledger import FEES, WriterProcess, funded, posting, writer_process, writer_socket

_SLOWER: Final = 1 if SOAK else 5
"""How much longer it may take on a machine that has other things to do."""


@pytest.fixture
async def books(durable_url: str) -> AsyncIterator[Database]:
    async with books_of(durable_url) as db:
        yield db


@dataclass
class Scene:
    """A writer process under the load of 64 members, and how long each blow kept the ledger away."""

    url: str
    folder: Path
    cluster: RunningCluster
    writer: WriterProcess
    bets: Bets
    away: list[float] = field(default_factory=list)

    async def strike(self, blow: Callable[["Scene"], Awaitable[None]], *, limit: float) -> None:
        """Load and blow, as often as the budget says: nothing is lost, nothing doubled, and the ledger back in time."""
        for _ in range(count("ledger.crash.times")):
            await asyncio.sleep(count("ledger.crash.seconds"))
            before = len(self.bets.acknowledged)
            assert before > 0
            await blow(self)
            assert len(self.bets.acknowledged) > before
        await self.bets.end()
        async with books_of(self.url) as books:
            await self.bets.check(books)
        figures(
            blow.__name__,
            times=len(self.away),
            median_seconds=statistics.median(self.away),
            longest_seconds=max(self.away),
            acknowledged=len(self.bets.acknowledged),
            resent=self.bets.resent,
        )
        assert self.bets.resent >= len(self.away)
        assert max(self.away) < limit * _SLOWER, self.away


@pytest.fixture
async def scene(durable_url: str, durable_cluster: RunningCluster, tmp_path: Path) -> AsyncIterator[Scene]:
    client = LedgerClient(writer_socket(tmp_path))
    async with writer_process(durable_url, tmp_path) as writer:
        made = Scene(durable_url, tmp_path, durable_cluster, writer, await Bets.begin(durable_url, client))
        try:
            yield made
        finally:
            await made.bets.abandon()
            if made.writer is not writer:
                await made.writer.end(signal.SIGKILL)
            await client.close()


async def writer_killed(scene: Scene) -> None:
    back = scene.bets.strike()
    scene.writer.send(signal.SIGKILL)
    await scene.writer.ended()
    await scene.writer.begin()
    scene.away.append(await asyncio.wait_for(back, 30))


async def writer_stopped(scene: Scene) -> None:
    """The standby takes over; the old one ends itself when it wakes."""
    async with standby_of(scene.url, scene.folder) as standby:
        old, scene.writer = scene.writer, standby
        back = scene.bets.strike()
        old.send(signal.SIGSTOP)
        try:
            scene.away.append(await asyncio.wait_for(back, 30))
        finally:
            old.send(signal.SIGCONT)
        assert await old.ended() != 0


async def postgres_killed(scene: Scene) -> None:
    back = scene.bets.strike()
    scene.cluster.kill()
    scene.cluster.start()
    scene.away.append(await asyncio.wait_for(back, 30))


async def test_a_killed_writer_loses_and_doubles_nothing_and_is_back_within_three_seconds(scene: Scene) -> None:
    await scene.strike(writer_killed, limit=3)


async def test_a_stopped_writer_is_replaced_within_three_seconds_and_ends_when_it_wakes(scene: Scene) -> None:
    await scene.strike(writer_stopped, limit=3)


async def test_a_killed_database_loses_and_doubles_nothing_and_is_back_within_five_seconds(scene: Scene) -> None:
    # L9 is after so many seconds of load, not after all that the tests before have written: a recovery ends like this.
    owner = await asyncpg.connect(scene.url)
    await owner.execute("CHECKPOINT")
    await owner.close()
    await scene.strike(postgres_killed, limit=5)


async def test_a_lost_database_connection_is_an_outage_and_then_over(scene: Scene) -> None:
    schema = await asyncpg.connect(scene.url)
    for _ in range(3):
        back = scene.bets.strike()
        await schema.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'kalos_writer'")
        assert await asyncio.wait_for(back, 30) < 2 * _SLOWER
    await schema.close()
    await scene.bets.end()
    assert scene.bets.resent >= 1
    async with books_of(scene.url) as books:
        await scene.bets.check(books)


async def test_a_second_writer_waits_for_the_first(
    durable_url: str, books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long a machine stands still, the first one's lease lasts.
    monkeypatch.setattr(lease_module, "_TAKE", lease_module._TAKE.replace(lease_module._DEAD_AFTER, "1 minute"))
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
    async with asyncio.timeout(15):
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
    monkeypatch.setattr(writer_module, "_BEAT_PATIENCE_SECONDS", 60.0)  # the commit alone ends it
    monkeypatch.setattr(lease_module, "_END_BACKEND", "SELECT $1::int, $2::int, $3::text")
    async with asyncio.timeout(15):
        await new.start()
    assert (await new.post(posting(Move("test.a", source, FEES, 60)))).balances[source] == 40
    with pytest.raises(Outage):
        await old.post(posting(Move("test.a", source, FEES, 100)))
    assert "taken over" in await asyncio.wait_for(old.lost, 15)
    with pytest.raises(Outage):
        await old.post(posting(Move("test.a", source, FEES, 1)))
    assert (await new.post(posting(Move("test.a", source, FEES, 40)))).balances[source] == 0
    await old.stop()
    await new.stop()


async def test_a_writer_that_stood_still_takes_the_answers_that_came_meanwhile(
    durable_url: str, books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its beat and a commit were under way: by its clock both are too late, but it alone was."""
    monkeypatch.setattr(writer_module, "_BEAT_PATIENCE_SECONDS", 3.0)
    monkeypatch.setattr(commit_module, "_LONGEST_SECONDS", 3.0)
    writer = Writer(role_url(durable_url, "kalos_writer", SECRET), Clock())
    await writer.start()
    source = await funded(writer, 10)
    beating = await books.value(
        "SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start DESC LIMIT 1", BEATING
    )
    backends = (beating, await books.value("SELECT backend FROM writer_lease"))
    stand(signal.SIGSTOP, backends)
    try:
        asked = asyncio.create_task(writer.post(posting(Move("test.a", source, FEES, 4))))
        await asyncio.sleep(BEAT_SECONDS * 1.4)
        threading.Timer(0.1, stand, (signal.SIGCONT, backends)).start()
        time.sleep(3.5)  # the whole process stands still
    finally:
        stand(signal.SIGCONT, backends)
    assert (await asked).balances[source] == 6
    assert (await writer.post(posting(Move("test.a", source, FEES, 6)))).balances[source] == 0
    assert writer.epoch == await books.value("SELECT epoch FROM writer_lease")
    await writer.stop()


def stand(number: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        os.kill(pid, number)


async def test_a_look_up_that_nobody_answers_is_an_outage_and_not_for_ever(
    durable_url: str, books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection idles while all is known here, so that nobody hears when its other end is gone."""
    monkeypatch.setattr(writer_module, "LOOK_SECONDS", 3.0)
    writer = Writer(role_url(durable_url, "kalos_writer", SECRET), Clock())
    await writer.start()
    source, other = await funded(writer, 10), await funded(writer, 10)
    engine = writer._engine
    assert engine is not None
    looking = engine._reads.get_server_pid()
    engine.state.accounts.clear()
    stand(signal.SIGSTOP, [looking])
    asked = asyncio.create_task(writer.post(posting(Move("test.a", source, FEES, 4))))
    try:
        await asyncio.wait([asked], timeout=30)
        assert asked.done()
    finally:
        stand(signal.SIGCONT, [looking])
    with pytest.raises(Outage):
        await asked
    again = posting(Move("test.a", other, FEES, 4))
    async with asyncio.timeout(30):
        while True:
            with suppress(Outage):  # it is taking its lease anew
                assert (await writer.post(again)).balances[other] == 6
                break
            await asyncio.sleep(0.05)
    await writer.stop()


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
    async with asyncio.timeout(15):
        while (after := await writer.post(posting())).at < before.at + day:
            await asyncio.sleep(0.05)
    assert after.at - before.at - day < 20_000
    await writer.stop()
    again = Writer(role_url(durable_url, "kalos_writer", SECRET), Clock())
    await again.start()
    assert (await again.post(posting())).at >= after.at
    await again.stop()
