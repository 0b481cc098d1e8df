"""/metrics: one scrape shows the process, the writer and the house, and a part that is dead is a figure, not a gap."""

import asyncio
import importlib
import json
import stat
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from kalos.app.figures import serve_figures
from kalos.app.kept import free_port
from kalos.app.metrics import serve_metrics
from kalos.app.settings import Settings
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.outbox import tell
from kalos.core.terms import Terms
from kalos.ledger import outbox
from kalos.ledger.postings import Fact, Move, Take
from kalos.ledger.watch import watch
from kalos.ledger.writer import Writer
from kalos.wire import metrics
from support.budget import least
from support.clusters import SECRET
from support.ledger import FEES, funded, posting, results
from support.loopback import loopback_client
from support.papers import first_words
from support.promql import Scrape, of_writer
from wire import support as wire

NAME: Final = "writer-figures"
ECHO: Final = "/api/trial/echo"


@pytest.fixture
async def settings(database_url: str, tmp_path: Path) -> AsyncIterator[Settings]:
    """Those of a page of figures that runs; the writer's socket is not there yet."""
    chosen = Settings(
        data_dir=tmp_path, database_url=database_url, installation_secret=SECRET.hex(), metrics_port=free_port()
    )
    chosen.sockets.mkdir()
    async with serve_metrics(chosen):
        yield chosen


@pytest.fixture
async def told(settings: Settings, writer: Writer) -> AsyncIterator[Settings]:
    """Where the writer tells its figures."""
    server = await serve_figures(writer, settings.socket(NAME))
    yield settings
    server.close()


async def page(settings: Settings) -> str:
    async with loopback_client(seconds=60) as http:
        answer = await http.get(f"http://127.0.0.1:{settings.meter_port}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text


async def scrape(settings: Settings) -> Scrape:
    return Scrape.of(await page(settings), time.monotonic())


async def scrape_of_writer(settings: Settings) -> Scrape:
    return await of_writer(partial(page, settings))


def calls(scrape: Scrape, code: int) -> float:
    """How many echoes were answered so; before the first one there is no row."""
    labels = {"path": ECHO, "code": str(code)}
    return scrape.series.get("kalos_calls_total", {}).get(frozenset(labels.items()), 0.0)


async def drop(*_: object) -> None:
    """A consumer that does nothing."""


async def test_every_figure_has_its_row_in_the_papers_and_every_row_its_figure(told: Settings, db: Database) -> None:
    importlib.import_module("kalos.live.state")  # the hub's figures are those of its own process
    await outbox.consume(db, "test_reader", ["test.facts"], drop, wall=Clock.wall())
    await watch(db, Clock.wall())
    metrics.answered("/test", 200, 0.001)
    await scrape_of_writer(told)
    lines = [line.split() for line in (await page(told)).splitlines() if line.startswith("# HELP kalos_")]
    shown = {line[2] for line in lines if not line[2].endswith("_created")}
    assert {name for name in shown if "_process_" not in name} == first_words("operations.md", "Figures")


async def test_what_the_wire_refuses_is_shown_by_its_code(settings: Settings, db: Database, terms: Terms) -> None:
    parts = await wire.make_parts(db, terms, modes=("signed", "sealed"))
    page = await wire.open_page(parts)
    before = await scrape(settings)
    once = page.sealed(ECHO, json.dumps(page.signed(ECHO, {"text": "a"})).encode())
    assert [(await page.post(ECHO, once))["code"] for _ in range(2)] == [200, 462]
    assert (await page.call(ECHO, {"text": "a"}, sign="0" * 64))["code"] == 460
    page.shift_seconds = -3_600
    assert (await page.call(ECHO, {"text": "a"}))["code"] == 461
    assert (await page.post(ECHO, once | {"sid": "lost"}))["code"] == 463
    assert (await page.post(ECHO, {"text": "a"}))["code"] == 464
    after = await scrape(settings)
    for code in (200, 460, 461, 462, 463, 464):
        assert calls(after, code) - calls(before, code) == 1, code


async def test_how_long_calls_take_is_shown_by_classes_their_count_and_their_sum(settings: Settings) -> None:
    path = "/test/latency"
    for seconds in (0.0005, 0.001, 0.003, 0.2, 3.0, 12.5):
        metrics.answered(path, 200, seconds)
    shown = await scrape(settings)
    reached = {
        bound: shown.value("kalos_call_seconds_bucket", path=path, le=bound)
        for bound in ("0.001", "0.0025", "0.005", "0.1", "0.25", "2.5", "10.0", "+Inf")
    }
    assert list(reached.values()) == [2, 2, 3, 3, 4, 4, 5, 6]
    assert shown.value("kalos_call_seconds_count", path=path) == 6
    assert shown.value("kalos_call_seconds_sum", path=path) == pytest.approx(15.7045)


async def test_a_calls_own_time_is_counted_once(settings: Settings, db: Database, terms: Terms) -> None:
    parts = await wire.make_parts(db, terms)
    waits = {"path": "/api/trial/held"}
    async with wire.http_client(parts.kernel) as http:
        wire.gate.set()
        assert (await http.post(waits["path"], json={})).json()["code"] == 200
        before = await scrape(settings)
        wire.gate.clear()
        held = asyncio.create_task(http.post(waits["path"], json={}))
        await wire.until_running(parts.kernel, 1)
        await asyncio.sleep(0.3)
        wire.gate.set()
        assert (await held).json()["code"] == 200
    after = await scrape(settings)

    def grown(name: str, **labels: str) -> float:
        return after.value(name, **waits, **labels) - before.value(name, **waits, **labels)

    assert grown("kalos_call_seconds_count") == grown("kalos_call_seconds_bucket", le="+Inf") == 1
    assert grown("kalos_call_seconds_bucket", le="0.25") == 0
    assert 0.25 < grown("kalos_call_seconds_sum") < 30


async def test_what_is_shed_is_shown_and_what_runs(settings: Settings, db: Database, terms: Terms) -> None:
    parts = await wire.make_parts(db, terms, most_running=4)
    before = await scrape(settings)
    async with wire.http_client(parts.kernel) as http:
        wire.gate.clear()
        held = [asyncio.create_task(http.post("/api/trial/held", json={})) for _ in range(3)]
        await wire.until_running(parts.kernel, 3)
        turned_away = [(await http.post(ECHO, json={"text": "a"})).status_code for _ in range(2)]
        meanwhile = await scrape(settings)
        wire.gate.set()
        await asyncio.gather(*held)
    assert turned_away == [503, 503]
    assert meanwhile.value("kalos_calls_shed_total") - before.value("kalos_calls_shed_total") == 2
    assert calls(meanwhile, 503) - calls(before, 503) == 2
    assert meanwhile.value("kalos_calls_running") == 3
    assert (await scrape(settings)).value("kalos_calls_running") == 0


async def test_the_writer_counts_what_became_of_each_posting(told: Settings, writer: Writer) -> None:
    account = await funded(writer, 10)
    before = await scrape_of_writer(told)
    first = posting(Move("test.a", account, FEES, 4))
    await writer.post(first)
    await writer.post(first)
    await writer.post(posting(takes=[Take("test.stock", (3,), first=(5,))]))
    ended = await results(
        writer.post(posting(Move("test.a", account, FEES, 7))),
        writer.post(posting(takes=[Take("test.stock", (3,))])),
        writer.post(posting(not_after=1)),
        writer.post(posting(not_after=0)),  # asks only whether its key was used, and is counted as nothing
    )
    assert all(isinstance(one, Exception) for one in ended)
    after = await scrape_of_writer(told)

    def grown(name: str, **labels: str) -> float:
        return after.value(name, **labels) - before.value(name, **labels)

    assert grown("kalos_writer_posted_total") == 2
    assert grown("kalos_writer_outcomes_total", outcome="replayed") == 1
    assert grown("kalos_writer_outcomes_total", outcome="refused") == 3
    assert grown("kalos_writer_outcomes_total", outcome="bug") == 0
    assert grown("kalos_writer_questions_total") == 1
    refusals = {name: grown("kalos_writer_refusals_total", reason=name) for name in ("move", "take_short", "late")}
    assert refusals == {"move": 1, "take_short": 1, "late": 1}
    assert grown("kalos_writer_commit_seconds_count") == grown("kalos_writer_commit_seconds_bucket", le="+Inf") == 2
    assert 0 < grown("kalos_writer_commit_seconds_sum") < 10
    assert after.value("kalos_writer_leads") == 1
    assert after.value("kalos_writer_unanswered") == after.value("kalos_writer_queue", line="live") == 0
    assert after.value("kalos_writers") == 1
    assert after.value("kalos_lease_age_seconds") < 30


async def test_facts_are_shown_until_they_have_their_effect(told: Settings, writer: Writer, db: Database) -> None:
    async with db.transaction() as step:
        await tell(step, "test.mails", {}, wall=Clock.wall() - 60_000)
    await outbox.consume(db, "test_slow", ["test.facts"], drop, wall=Clock.wall())
    for _ in range(3):
        await writer.post(posting(facts=[Fact("test.facts", {})]))
    shown = await scrape(told)
    assert shown.value("kalos_domain_outbox_waiting", topic="test.mails") == 1
    assert 60 <= shown.value("kalos_domain_outbox_lag_seconds", topic="test.mails") < 90
    assert shown.value("kalos_outbox_waiting", consumer="test_slow") == 3
    await outbox.consume(db, "test_slow", ["test.facts"], drop, wall=Clock.wall())
    assert (await scrape(told)).value("kalos_outbox_waiting", consumer="test_slow") == 0


async def test_without_a_writer_the_rest_is_shown(settings: Settings, writer: Writer) -> None:
    shown = await scrape(settings)
    assert (shown.value("kalos_writer_up"), shown.value("kalos_database_up")) == (0, 1)
    server = await serve_figures(writer, settings.socket(NAME))
    await scrape_of_writer(settings)
    server.close()
    assert (await scrape(settings)).value("kalos_writer_up") == 0


async def test_a_writer_that_hangs_is_not_waited_for(settings: Settings) -> None:
    ended = asyncio.Event()

    async def say_nothing(_: asyncio.StreamReader, stream: asyncio.StreamWriter) -> None:
        await ended.wait()
        stream.close()

    async def waited() -> float:
        began = time.monotonic()
        assert (await scrape(settings)).value("kalos_writer_up") == 0
        return time.monotonic() - began

    server = await asyncio.start_unix_server(say_nothing, str(settings.socket(NAME)))
    assert await least(waited, below=3) < 3
    ended.set()
    server.close()


async def test_the_figures_are_for_this_user_alone(told: Settings) -> None:
    assert stat.S_IMODE(told.socket(NAME).stat().st_mode) == 0o600
