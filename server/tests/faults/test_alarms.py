"""Each alarm of deploy/alarms.yml: its cause is made, and it fires; before that, over calm traffic, it does not."""

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import asyncpg
from picows import WSListener, ws_connect

from faults.station import ALARMS, FLOOD, PATIENCE_SECONDS, PATIENT, RULES, Station
from kalos.app.kept import free_port
from kalos.app.live import feed
from kalos.app.migrate import role_url
from kalos.app.settings import PROJECT
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.core.outbox import tell
from kalos.ledger import days, outbox, purse
from kalos.ledger.postings import Fact, Insert, Move
from kalos.ledger.watch import resume_money_out, watch
from kalos.live.channels import Limits, Ports, Visitor
from kalos.live.hub import Hub
from support.clusters import SECRET, at
from support.ledger import CHAIN, FEES, WriterProcess, funded, new_owner, posting, results
from support.promql import fires


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
    standby = WriterProcess(station.url, station.folder, PATIENT)
    await standby.begin()
    while (await station.scrape()).value("kalos_writers") < 2:
        await asyncio.sleep(0.1)
    async with station.expect("StandbyAbsent"):
        await standby.end(signal.SIGKILL)


async def test_a_lease_that_wanders(station: Station) -> None:
    async with station.expect("LeaseWanders"):
        for _ in range(3):
            held = await station.owner.fetchval("SELECT epoch FROM writer_lease")
            await station.owner.execute("SELECT pg_terminate_backend(backend) FROM writer_lease")
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await station.owner.fetchval("SELECT epoch FROM writer_lease") == held:
                    with suppress(Outage):  # an idle writer learns of it by the next posting
                        await station.client.post(posting())
                    await asyncio.sleep(0.05)
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
    now = await station.of_writer()
    assert not fires(ALARMS["QueueFills"], now, now)


async def test_batches_that_are_full(station: Station) -> None:
    async with station.expect("BatchesFull"), asyncio.TaskGroup() as callers, station.slow_disk():
        station.flood(callers)
        async with asyncio.timeout(PATIENCE_SECONDS):  # till all of them wait
            while (await station.of_writer()).value("kalos_writer_unanswered") < FLOOD:
                await asyncio.sleep(0.05)


async def test_batches_that_are_halved_and_a_bug(station: Station) -> None:
    await station.owner.execute(
        "CREATE TABLE test_alarm_rows (id bigint PRIMARY KEY CHECK (id > 0)); "
        "GRANT SELECT, INSERT ON test_alarm_rows TO kalos_writer"
    )
    wrong = [posting(riders=[Insert("test_alarm_rows", {"id": -number})]) for number in range(100)]
    async with station.expect("BatchesHalved"), station.expect("WriterBug"):
        ended = await results(*(station.client.post(one) for one in wrong))
    assert {type(one).__name__ for one in ended} == {"BadPosting"}


async def test_slow_commits(station: Station) -> None:
    async with station.expect("CommitsSlow"):
        for _ in range(3):
            async with station.slow_disk():
                waiting = asyncio.create_task(station.client.post(posting(Move("test.a", station.account, FEES, 1))))
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while not (await station.of_writer()).value("kalos_writer_unanswered"):
                        await asyncio.sleep(0.02)
                await asyncio.sleep(0.2)
            await waiting


async def test_rows_that_another_session_keeps_locked(station: Station) -> None:
    async with station.expect("RowsLocked"), station.owner.transaction():
        await station.owner.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", station.account)
        wanted = [posting(Move("test.a", station.account, FEES, 1)) for _ in range(20)]
        # One after the other: each waits for the rows once, where halves of a batch would do so again and again.
        ended = [one for posted in wanted for one in await results(station.client.post(posted))]
    assert {type(one).__name__ for one in ended} == {"Busy"}


async def test_refusals_without_end(station: Station) -> None:
    poor = await funded(station.client, 1)
    async with station.expect("MostRefused"):
        calm = await station.of_writer()
        await results(*(station.client.post(posting(Move("test.a", poor, FEES, 2))) for _ in range(30)))
        grown = (await station.of_writer()).value("kalos_writer_refusals_total", reason="move")
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


async def test_an_audit_that_stands_still(station: Station) -> None:
    async with station.expect("AuditOld"):
        await station.db.execute("UPDATE ledger_watch SET at = at - 120000")
    await watch(station.db, Clock.wall())
    async with station.expect("AuditOld"):
        await station.owner.execute("DELETE FROM ledger_watch")  # as before the first step
    await watch(station.db, Clock.wall())


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


def test_every_alarm_has_its_test_and_stands_in_the_papers_as_in_the_rules() -> None:
    source = "\n".join(file.read_text() for file in sorted(Path(__file__).parent.glob("test_alarms*.py")))
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
