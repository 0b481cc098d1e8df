"""Each alarm of deploy/alarms.yml: its cause is made, and it fires; before that, over calm traffic, it does not."""

import asyncio
import json
import os
import re
import shutil
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import asyncpg
import httpx
import pytest
from picows import WSListener, ws_connect

from kalos.adapters.chain.sandbox import SandboxChain
from kalos.app.embedded.postgres import RunningCluster
from kalos.app.kept import free_port
from kalos.app.live import feed
from kalos.app.metrics import serve_metrics
from kalos.app.migrate import migrate, role_url
from kalos.app.settings import PROJECT, Settings
from kalos.app.signer_watch import tell_of_pause
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.outbox import tell
from kalos.core.terms import Terms
from kalos.domains.prices.service import set_first_price
from kalos.domains.pulse.jobs import Heart
from kalos.ledger import days, outbox, purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Fact, Insert, Move
from kalos.ledger.watch import resume_money_out, watch
from kalos.live.channels import Limits, Ports, Visitor
from kalos.live.hub import Hub
from support import clusters
from support.clusters import SECRET, at
from support.doors import house_of
from support.ledger import CHAIN, FEES, WriterProcess, funded, new_owner, posting, results
from support.promql import Scrape, fires

RULES: Final = (PROJECT / "deploy" / "alarms.yml").read_text()
ALARMS: Final[dict[str, str]] = dict(re.findall(r"- alert: (\w+)\n +expr: (.+)", RULES))
_PATIENCE_SECONDS: Final = 15.0
_FLOOD: Final = 6_000


class Station:
    """A writer process, those who call it, and the page of figures that is scraped."""

    def __init__(self, url: str, folder: Path, process: WriterProcess, owner: asyncpg.Connection, page: str) -> None:
        self.url, self.folder, self.process, self.owner = url, folder, process, owner
        self.db = Database(role_url(url, "kalos_app", SECRET), size=4)
        self.client = LedgerClient(process.socket)
        self.account = 0
        self._page = page
        self._http = httpx.AsyncClient(timeout=10)

    async def scrape(self) -> Scrape:
        answer = await self._http.get(self._page)
        assert answer.status_code == 200
        return Scrape.of(answer.text, time.monotonic())

    async def traffic(self) -> None:
        """What is normal: postings on accounts that are known."""
        for _ in range(20):
            await self.client.post(
                posting(Move("test.a", self.account, FEES, 1), Move("test.b", FEES, self.account, 1))
            )

    def flood(self, callers: asyncio.TaskGroup) -> None:
        """More at once than a quarter of the queue."""
        for _ in range(_FLOOD):
            callers.create_task(self.client.post(posting(Move("test.a", self.account, FEES, 1))))

    async def recovered(self) -> None:
        """Return when the writer takes postings again."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                with suppress(Outage):
                    await self.client.post(posting())
                    return
                await asyncio.sleep(0.05)

    @asynccontextmanager
    async def expect(self, name: str) -> AsyncIterator[None]:
        """The alarm is silent over calm traffic, and fires after what the block does."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            first = await self.scrape()
            await self.traffic()
            calm = await self.scrape()
            if not fires(ALARMS[name], first, calm):
                break
            assert time.monotonic() < until, name  # a busy machine may disturb the calm
        yield
        await self.fired(name, calm)

    async def fired(self, name: str, calm: Scrape) -> None:
        until = time.monotonic() + _PATIENCE_SECONDS
        while not fires(ALARMS[name], calm, await self.scrape()):
            assert time.monotonic() < until, name
            await asyncio.sleep(0.1)

    @asynccontextmanager
    async def slow_disk(self) -> AsyncIterator[None]:
        """The database's process of the writer stands still: a commit takes as long as the block."""
        backend: int = await self.owner.fetchval("SELECT backend FROM writer_lease")
        os.kill(backend, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(backend, signal.SIGCONT)

    async def close(self) -> None:
        await self._http.aclose()
        await self.client.close()
        await self.db.close()


@asynccontextmanager
async def open_station(url: str, folder: Path) -> AsyncIterator[Station]:
    process = WriterProcess(url, folder)
    owner = await asyncpg.connect(url)
    port = free_port()
    settings = Settings(data_dir=folder, database_url=url, installation_secret=SECRET.hex(), metrics_port=port)
    await process.start()
    async with serve_metrics(settings):
        made = Station(url, folder, process, owner, f"http://127.0.0.1:{port}/metrics")
        try:
            made.account = await funded(made.client, 1_000_000)
            await watch(made.db, Clock.wall())
            yield made
        finally:
            await made.close()
            await process.end(signal.SIGKILL)
            await owner.close()


@pytest.fixture(scope="module")
async def station(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Station]:
    async with open_station(database_url, tmp_path_factory.mktemp("writer")) as made:
        yield made


async def test_a_dead_writer(station: Station) -> None:
    async with station.expect("WriterDown"), station.expect("NobodyWrites"):
        await station.process.end(signal.SIGKILL)
    await station.process.start()


async def test_a_stopped_writer(station: Station) -> None:
    async with station.expect("WriterDown"), station.expect("NobodyWrites"):
        station.process.send(signal.SIGSTOP)
    station.process.send(signal.SIGCONT)
    await station.recovered()  # a beat that was under way has timed out meanwhile: then the lease is taken anew


async def test_a_standby_that_went(station: Station) -> None:
    standby = WriterProcess(station.url, station.folder)
    await standby.begin()
    while (await station.scrape()).value("kalos_writers") < 2:
        await asyncio.sleep(0.1)
    async with station.expect("StandbyAbsent"):
        await standby.end(signal.SIGKILL)


async def test_a_lease_that_wanders(station: Station) -> None:
    async with station.expect("LeaseWanders"):
        for _ in range(3):
            await station.owner.execute("SELECT pg_terminate_backend(backend) FROM writer_lease")
            with pytest.raises(Outage):  # an idle writer learns of it by the next posting
                await station.client.post(posting())
            await station.recovered()


async def test_a_database_that_lets_nobody_in(station: Station) -> None:
    name: str = await station.owner.fetchval("SELECT current_database()")
    admin = await asyncpg.connect(at(station.url, "postgres"))
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = 'kalos_app'"
    try:
        async with station.expect("DatabaseDown"):
            await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            await admin.execute(end, name)
    finally:
        await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        await admin.close()


async def test_a_queue_that_fills(station: Station) -> None:
    async with asyncio.TaskGroup() as callers, AsyncExitStack() as disk, station.expect("QueueFills"):
        await disk.enter_async_context(station.slow_disk())
        station.flood(callers)
    now = await station.scrape()
    assert not fires(ALARMS["QueueFills"], now, now)


async def test_batches_that_are_full(station: Station) -> None:
    async with station.expect("BatchesFull"), asyncio.TaskGroup() as callers, station.slow_disk():
        station.flood(callers)
        async with asyncio.timeout(_PATIENCE_SECONDS):  # till all of them wait
            while (await station.scrape()).value("kalos_writer_unanswered") < _FLOOD:
                await asyncio.sleep(0.05)


async def test_batches_that_are_halved_and_a_bug(station: Station) -> None:
    await station.owner.execute(
        "CREATE TABLE test_alarm_rows (id bigint PRIMARY KEY CHECK (id > 0)); "
        "GRANT SELECT, INSERT ON test_alarm_rows TO kalos_writer"
    )
    wrong = [posting(riders=[Insert("test_alarm_rows", {"id": -number})]) for number in range(50)]
    async with station.expect("BatchesHalved"), station.expect("WriterBug"):
        ended = await results(*(station.client.post(one) for one in wrong))
    assert {type(one).__name__ for one in ended} == {"BadPosting"}


async def test_slow_commits(station: Station) -> None:
    async with station.expect("CommitsSlow"):
        for _ in range(3):
            async with station.slow_disk():
                waiting = asyncio.create_task(station.client.post(posting(Move("test.a", station.account, FEES, 1))))
                await asyncio.sleep(0.15)
            await waiting


async def test_rows_that_another_session_keeps_locked(station: Station) -> None:
    async with station.expect("RowsLocked"), station.owner.transaction():
        await station.owner.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", station.account)
        wanted = [posting(Move("test.a", station.account, FEES, 1)) for _ in range(10)]
        ended = await results(*(station.client.post(one) for one in wanted))
    assert {type(one).__name__ for one in ended} == {"Busy"}


async def test_refusals_without_end(station: Station) -> None:
    poor = await funded(station.client, 1)
    async with station.expect("MostRefused"):
        calm = await station.scrape()
        await results(*(station.client.post(posting(Move("test.a", poor, FEES, 2))) for _ in range(30)))
        grown = (await station.scrape()).value("kalos_writer_refusals_total", reason="move")
        assert grown - calm.value("kalos_writer_refusals_total", reason="move") == 30


async def test_a_cache_that_does_not_know(station: Station) -> None:
    async with station.expect("CacheMisses"):
        for _ in range(20):
            moves = (Move("test.a", CHAIN, purse.available(new_owner(), USDT), 1) for _ in range(8))
            await station.client.post(posting(*moves))


async def test_a_consumer_that_does_not_read(station: Station) -> None:
    async def drop(*_: object) -> None:
        return None

    await outbox.consume(station.db, "test_reader", ["test.facts"], drop, wall=Clock.wall())
    async with station.expect("FactsUnread"):
        await station.client.post(posting(facts=[Fact("test.facts", {"n": 1})]))
        await station.owner.execute("UPDATE outbox SET at = at - 400000")
    while await outbox.consume(station.db, "test_reader", ["test.facts"], drop, wall=Clock.wall()):
        pass
    assert not fires(ALARMS["FactsUnread"], await station.scrape(), await station.scrape())


async def test_facts_of_a_domain_that_nobody_takes(station: Station) -> None:
    async with station.expect("DomainFactsUnread"), station.db.transaction() as db:
        await tell(db, "test.mails", {"n": 1}, wall=Clock.wall() - 400_000)
    await station.db.execute("UPDATE domain_outbox SET done_at = 1")


async def test_an_invariant_broken_by_hand(station: Station) -> None:
    breaks = "UPDATE accounts SET balance = balance + $1 WHERE id = $2"
    async with station.expect("MoneyOutStopped"):
        await station.owner.execute(breaks, 1, FEES)
        step = await watch(station.db, Clock.wall())
        assert step is not None
        assert step.stopped
    await station.owner.execute(breaks, -1, FEES)
    assert await resume_money_out(station.db, reason="mended", by="tests", wall=Clock.wall(), explained=()) == []
    now = await station.scrape()
    assert not fires(ALARMS["MoneyOutStopped"], now, now)


async def look_at_reserves(station: Station, **found: object) -> None:
    """What a look leaves behind: nothing is amiss but what is told."""
    told = {"missing": 0, "hot_mark": None, "is_gas_low": False, "at": Clock.wall()} | found
    await station.db.execute(
        """
        INSERT INTO reserve_checks (asset, owed, expected, missing, hot_mark, block, at)
        VALUES ('USDT', 5, 5, $1, $2, 1, $3) ON CONFLICT (asset)
        DO UPDATE SET missing = excluded.missing, hot_mark = excluded.hot_mark, at = excluded.at
        """,
        told["missing"],
        told["hot_mark"],
        told["at"],
    )
    await station.db.execute(
        "UPDATE reserve_state SET at = $1, block = 1, gas_gwei = 1, is_gas_low = $2", told["at"], told["is_gas_low"]
    )


async def test_reserves_that_are_short(station: Station) -> None:
    await look_at_reserves(station)
    async with station.expect("ReservesShort"):
        await look_at_reserves(station, missing=1)


async def test_reserves_that_nobody_looks_at(station: Station) -> None:
    await look_at_reserves(station)
    async with station.expect("ReservesUnseen"):
        await look_at_reserves(station, at=Clock.wall() - 400_000)


async def test_a_hot_wallet_beyond_its_marks_and_little_gas(station: Station) -> None:
    for mark in ("low", "high"):
        await look_at_reserves(station)
        async with station.expect("HotWalletMark"), station.expect("GasLow"):
            await look_at_reserves(station, hot_mark=mark, is_gas_low=True)


async def test_a_signer_that_stops(station: Station) -> None:
    now = Clock.wall()
    await station.owner.execute("UPDATE signer_state SET beat_at = $1", now)
    async with station.expect("SignerPaused"), station.expect("SignerGasLow"), station.expect("SignerDown"):
        await station.owner.execute(
            "UPDATE signer_state SET paused = true, reason = 'a test', gas_low = true, beat_at = $1", now - 120_000
        )
    settings = Settings(database_url=station.url, installation_secret=SECRET.hex())
    assert [await tell_of_pause(station.db, settings) for _ in range(2)] == [True, False]
    mails = "SELECT count(*) FROM domain_outbox WHERE body ->> 'mail' = 'signer_paused'"
    assert await station.db.value(mails) == 1
    await station.owner.execute("UPDATE signer_state SET at = at + 1")
    assert await tell_of_pause(station.db, settings)
    await station.owner.execute("UPDATE signer_state SET paused = false, gas_low = false, beat_at = NULL")
    assert not await tell_of_pause(station.db, settings)


async def test_an_audit_that_stands_still(station: Station) -> None:
    async with station.expect("AuditOld"):
        await station.db.execute("UPDATE ledger_watch SET at = at - 120000")


async def test_an_audit_that_falls_behind(station: Station) -> None:
    async with station.expect("AuditBehind"):
        await station.owner.execute("UPDATE ledger_tail SET last_move = last_move + 2000000")
    await station.owner.execute("UPDATE ledger_tail SET last_move = last_move - 2000000")


async def test_a_midnight_that_was_not_done(station: Station) -> None:
    while day := await days.next_day(station.db, Clock.wall()):
        await days.finish(station.client, days.MIDNIGHT, day)
    async with station.expect("DayNotClosed"):
        await station.db.execute("UPDATE clock SET offset_ms = offset_ms + 86400000")


@asynccontextmanager
async def open_hub(limit: int) -> AsyncIterator[Hub]:
    """One that lets everybody in."""

    async def visitor(_: str) -> Visitor:
        return Visitor(1, b"s")

    async def all_living(sessions: Sequence[bytes]) -> set[bytes]:
        return set(sessions)

    ports = Ports(visitor, all_living, lambda _, name: name, lambda *_: "")
    hub = Hub(channels=[], ports=ports, origins=["http://page"], limits=Limits(sockets=limit))
    await hub.start("127.0.0.1", 0)
    yield hub
    await hub.stop()


async def test_a_hub_that_is_nearly_full(station: Station) -> None:
    async with open_hub(limit=2) as hub, station.expect("SocketsFull"):
        for _ in range(2):
            await ws_connect(WSListener, f"ws://127.0.0.1:{hub.port}/ws", extra_headers={"Origin": "http://page"})


async def test_a_hub_that_hears_nothing(station: Station) -> None:
    async with open_hub(limit=2) as hub:
        feeding = asyncio.create_task(feed(hub, station.db, role_url(station.url, "kalos_app", SECRET)))
        while not (await station.scrape()).value("kalos_live_feed_up"):
            await asyncio.sleep(0.02)
        async with station.expect("LiveFeedDown"):
            feeding.cancel()
            feeding = asyncio.create_task(feed(hub, station.db, f"postgresql://nobody@127.0.0.1:{free_port()}/none"))
        feeding.cancel()


async def heart_of(station: Station, terms: Terms, clock: Clock) -> tuple[Heart, SandboxChain]:
    """A worker's heart that has beaten over a chain whose block came in time."""
    house = replace(house_of(station.db, station.client, clock, terms), is_demo=False)
    assert isinstance(house.chain, SandboxChain)
    for ago in (4, 2, 0):
        house.chain.mine(time=clock.now() // 1000 - ago)
    heart = Heart(house)
    await station.db.execute("UPDATE chain_pulse SET holder = NULL, beat_at = NULL")
    await heart.beat()
    return heart, house.chain


async def test_games_that_are_closed(station: Station, terms: Terms) -> None:
    heart, chain = await heart_of(station, terms, Clock())
    async with station.expect("BettingClosed"):
        chain.away = True
        await heart.beat()
    chain.away = False
    await heart.beat()
    now = await station.scrape()
    assert not fires(ALARMS["BettingClosed"], now, now)


async def test_a_chain_node_that_does_not_vote(station: Station, terms: Terms) -> None:
    heart, chain = await heart_of(station, terms, Clock())
    async with station.expect("ChainNodesLeftOut"):
        chain.faults = {2: "is 9 blocks behind"}
        await heart.beat()
    chain.faults = {}
    await heart.beat()


async def test_a_clock_that_is_off(station: Station, terms: Terms) -> None:
    class Fast(Clock):
        @staticmethod
        def wall() -> int:
            return Clock.wall() + 1_500

    await heart_of(station, terms, Clock())
    async with station.expect("ClockOff"):
        await heart_of(station, terms, Fast(-1_500))
    await heart_of(station, terms, Clock())


async def test_a_block_that_is_off(station: Station, terms: Terms) -> None:
    heart, chain = await heart_of(station, terms, Clock())
    async with station.expect("BlocksOff"):
        chain.mine(time=Clock.wall() // 1000 + 60)
        await heart.beat()
    await heart_of(station, terms, Clock())


async def test_a_price_that_nobody_orders_anew(station: Station, terms: Terms) -> None:
    async with station.expect("PriceOld"):
        first: dict[str, Any] = {"asset": KLS, "rate": terms.ref_first, "ordered_by": "test", "reason": "test"}
        await set_first_price(station.db, terms, **first, now=Clock.wall() - 72_010_000)


async def test_an_archive_that_takes_nothing(tmp_path: Path) -> None:
    folder = clusters.new_folder(in_memory=True)
    cluster = clusters.cluster_in(folder, durable=False)
    running = RunningCluster(replace(cluster, extra=cluster.extra | {"archive_mode": "on"}))
    running.start()
    try:
        await migrate(running.cluster.url(), SECRET)
        async with open_station(running.cluster.url(), tmp_path) as own, own.expect("ArchiveFails"):
            await own.owner.execute("ALTER SYSTEM SET archive_command = 'false'")
            await own.owner.execute("SELECT pg_reload_conf()")
            await own.owner.execute("SELECT pg_switch_wal()")
    finally:
        running.kill()
        shutil.rmtree(folder)


def test_every_alarm_has_its_test_and_stands_in_the_papers_as_in_the_rules() -> None:
    source = Path(__file__).read_text()
    paper = (PROJECT / "docs" / "operations.md").read_text().split("## Alarms", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in paper.splitlines() if "`" in line[:3]]
    assert {row[0].strip("`"): row[1].strip("`") for row in rows} == ALARMS
    for name, _, why, act, test in rows:
        body = source.split(f"def {test.strip('` |')}(", 1)[1].split("\nasync def ", 1)[0]
        assert f'expect("{name.strip("`")}")' in body
        assert why
        assert act


def test_the_rules_are_of_the_form_that_prometheus_reads() -> None:
    for block in RULES.split("- alert: ")[1:]:
        name, *lines = block.strip().splitlines()
        fields = dict(line.strip().split(": ", 1) for line in lines)
        assert fields.keys() <= {"expr", "for", "labels"}, name
        assert fields["labels"] in ("{severity: page}", "{severity: ticket}")
        assert re.fullmatch(r"\d+[smh]", fields.get("for", "1m"))
        assert ": " not in fields["expr"]
        json.dumps(fields["expr"])
