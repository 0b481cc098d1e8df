"""/metrics of an API process: its own counters, the writer's figures, and what the tables say of the whole house."""

import asyncio
import math
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from asyncpg import PostgresError
from prometheus_client import REGISTRY, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import CollectorRegistry

from kalos.app.figures import gauge, read_figures
from kalos.app.numbers import FollowedNumbers
from kalos.app.settings import Settings
from kalos.app.signer_watch import signer_figures
from kalos.core.assets import BY_CODE, KLS
from kalos.core.clock import HOUR_MS, Clock, business_day, skew
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.outbox import domain_outbox_lag, list_refused
from kalos.core.terms import Terms, load_terms
from kalos.domains.deposits.queries import find_behind
from kalos.domains.prices.queries import find_latest
from kalos.domains.pulse.queries import read_database_time, read_pulse
from kalos.domains.pulse.rules import shown
from kalos.domains.reserves import queries as reserves
from kalos.domains.reserves.rules import GWEI
from kalos.ledger.days import next_day
from kalos.ledger.lease import BEATING
from kalos.ledger.outbox import outbox_lag
from kalos.ledger.stamps import ahead_ms
from kalos.ledger.watch import watch_figures

_PATIENCE_SECONDS: Final = 8.0
_LEASE: Final = """
    SELECT extract(epoch FROM clock_timestamp() - beat_at)::float8 AS age, epoch, (
        SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()
    ) AS writers
    FROM writer_lease
"""
# Also of a server whose archive its operator keeps: each failure is counted until a segment goes through.
_ARCHIVE: Final = """
    SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) FROM pg_stat_archiver
"""


@asynccontextmanager
async def serve_metrics(settings: Settings) -> AsyncIterator[None]:
    """Answer /metrics on loopback until the block ends. It has a database connection of its own."""
    db = Database(settings.app_url, size=1)
    try:
        async with serve_registry(settings.meter_port, _Everything(db, settings)):
            yield
    finally:
        await db.close()


@asynccontextmanager
async def serve_registry(port: int, registry: CollectorRegistry = REGISTRY) -> AsyncIterator[None]:
    """Answer /metrics on loopback with what is in a registry, else this process's own, until the block ends."""
    server, _ = start_http_server(port, addr="127.0.0.1", registry=registry)
    try:
        yield
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()


class _Everything(CollectorRegistry):
    """What one scrape shows. A thread of the page asks; the process's own loop reads."""

    def __init__(self, db: Database, settings: Settings) -> None:
        super().__init__()
        self._db = db
        self._writer = settings.socket("writer-figures")
        self._chain_id = settings.chain_id
        self._terms = load_terms(settings.terms_file)
        self._numbers = FollowedNumbers(db, self._terms, settings.terms_file)
        self._loop = asyncio.get_running_loop()

    def collect(self) -> Iterable[Metric]:
        yield from REGISTRY.collect()
        yield from asyncio.run_coroutine_threadsafe(self._read(), self._loop).result(_PATIENCE_SECONDS)

    async def _read(self) -> list[Metric]:
        found = await read_figures(self._writer)
        found.append(gauge("kalos_writer_up", "1 where the writer answers", bool(found)))
        try:
            await self._numbers.look()
            found += await read_house(self._db, self._chain_id, self._terms)
            up = True
        except (Outage, PostgresError):
            up = False
        found.append(gauge("kalos_database_up", "1 where the database answers", up))
        return found


async def read_house(db: Database, chain_id: int, terms: Terms) -> list[Metric]:
    """What the tables say, whichever process asks. Raises: Outage."""
    wall_ms = Clock.wall()
    lease = await db.row(_LEASE, BEATING)
    assert lease is not None, "the migration makes this row"
    found = [
        gauge("kalos_lease_age_seconds", "Time since the writer's last beat", lease["age"]),
        gauge("kalos_lease_epoch", "How often a writer has taken the lease", lease["epoch"]),
        gauge("kalos_writers", "Writers connected to the database, standbys too", lease["writers"]),
        gauge("kalos_ledger_ahead_seconds", "How far the ledger's stamps are ahead", await ahead_ms(db) / 1000),
        gauge("kalos_archive_fails", "1 while PostgreSQL can't archive its log", await db.value(_ARCHIVE)),
    ]
    found += _lag("outbox", "consumer", await outbox_lag(db))
    found += _lag("domain_outbox", "topic", await domain_outbox_lag(db))
    found.append(_refused(await list_refused(db, wall=wall_ms)))
    found.append(await _deposits(db, chain_id))
    house = [await _days(db, wall_ms), *await _audit(db, wall_ms), *await _reserves(db, wall_ms)]
    return [*found, *house, *await _pulse(db), *await _price(db, wall_ms, terms.ref_stale), *await signer_figures(db)]


def _lag(outbox: str, reader: str, lags: Mapping[str, tuple[int, float]]) -> Iterable[Metric]:
    facts = GaugeMetricFamily(f"kalos_{outbox}_waiting", "Facts that wait for their effect", labels=(reader,))
    age = GaugeMetricFamily(f"kalos_{outbox}_lag_seconds", "Age of the oldest of them", labels=(reader,))
    for name, (waiting, seconds) in lags.items():
        facts.add_metric((name,), waiting)
        age.add_metric((name,), seconds)
    return facts, age


def _refused(facts: Mapping[str, int]) -> Metric:
    found = GaugeMetricFamily("kalos_domain_outbox_refused", "Facts of a day that nobody will take", labels=("topic",))
    for topic, count in facts.items():
        found.add_metric((topic,), count)
    return found


async def _days(db: Database, wall_ms: int) -> Metric:
    now = wall_ms + await db.value("SELECT offset_ms FROM clock")
    day = await next_day(db, now)
    waiting = 0 if day is None else (business_day(now) - day).days
    return gauge("kalos_days_waiting", "Business days that have ended and whose midnight isn't finished", waiting)


async def _deposits(db: Database, chain_id: int) -> Metric:
    behind = await find_behind(db, chain_id)
    about = "Blocks that the watcher of deposits is off the newest one, +Inf before both are known"
    return gauge("kalos_deposits_behind_blocks", about, math.inf if behind is None else behind)


async def _audit(db: Database, wall_ms: int) -> list[Metric]:
    watch = await watch_figures(db, wall_ms)
    age = math.inf if watch.age_seconds is None else watch.age_seconds
    return [
        gauge("kalos_money_out_stopped", "1 while no money is let out", watch.money_out_stopped),
        gauge("kalos_audit_behind_moves", "Moves that the running audit hasn't looked at", watch.behind_rows),
        gauge("kalos_audit_age_seconds", "Time since the running audit's last step, +Inf before its first", age),
    ]


async def _reserves(db: Database, wall_ms: int) -> list[Metric]:
    """In whole coins: an alarm compares marks and shortages, which the worker has found on exact numbers."""
    there = GaugeMetricFamily("kalos_reserves", "Coins that a place had at the last look", labels=("asset", "place"))
    owed = GaugeMetricFamily("kalos_reserves_owed", "Coins that the ledger owes", labels=("asset",))
    missing = GaugeMetricFamily("kalos_reserves_missing", "Coins that must be there and aren't", labels=("asset",))
    marks = GaugeMetricFamily("kalos_hot_mark", "1 where the hot wallets pass a mark", labels=("asset", "mark"))
    gas = GaugeMetricFamily("kalos_gas", "What the paying wallet has of the chain's own coin")
    for look in await reserves.list_looks(db):
        row, one = look.check, 10 ** BY_CODE[look.check.asset].scale
        for place, units in look.units.items():
            there.add_metric((row.asset, place), units / one)
        owed.add_metric((row.asset,), row.owed / one)
        missing.add_metric((row.asset,), row.missing / one)
        for mark in ("low", "high"):
            marks.add_metric((row.asset, mark), row.hot_mark == mark)
    state = await reserves.find_state(db)
    if state.gas_gwei is not None:
        gas.add_metric((), state.gas_gwei / GWEI)
    seconds = math.inf if state.at is None else max(wall_ms - state.at, 0) / 1000
    age = gauge("kalos_reserves_age_seconds", "Time since the last look at them, +Inf before the first", seconds)
    is_low = gauge("kalos_gas_low", "1 where the paying wallet has too little of it", state.is_gas_low)
    return [there, owed, missing, marks, gas, is_low, age]


async def _pulse(db: Database) -> list[Metric]:
    pulse = await read_pulse(db)
    before = Clock.wall()
    own = skew(before, await read_database_time(db), max(before, Clock.wall()))
    writer = pulse.writer_off_ms
    closed = shown(pulse.reason, age_seconds=pulse.age_seconds, own_skew_ms=own, writer_skew_ms=writer) is not None
    clock_off = max(abs(pulse.clock_off_ms), abs(own), abs(writer)) / 1000
    return [
        gauge("kalos_betting_closed", "1 while games take no bets, for chain or clocks disagree", closed),
        gauge("kalos_chain_nodes_left_out", "Chain endpoints that don't vote, or were outvoted", pulse.left_out),
        gauge("kalos_clock_off_seconds", "How far our clocks are off the database's, at the least", clock_off),
        gauge("kalos_block_off_seconds", "How far the newest block is off its time", abs(pulse.block_off_ms) / 1000),
    ]


async def _price(db: Database, wall_ms: int, stale_hours: int) -> list[Metric]:
    latest = await find_latest(db, KLS)
    age = 0.0
    if latest is not None:
        age = (wall_ms + await db.value("SELECT offset_ms FROM clock") - latest.at) / 1000
    left = stale_hours * HOUR_MS / 1000 - age
    return [
        gauge("kalos_price_age_seconds", "Age of the price of KLS", age),
        gauge("kalos_price_left_seconds", "Time until nothing trades at it, below 0 since then", left),
    ]
