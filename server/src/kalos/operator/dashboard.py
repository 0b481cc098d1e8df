"""The dashboard: what the house owes and has, turned over and gave back, what waits, and whether its jobs run."""

from dataclasses import dataclass, replace
from typing import Final

from kalos.core.assets import KLS
from kalos.core.clock import DAY_MS, HOUR_MS, MINUTE_MS, business_day
from kalos.core.errors import Outage, PriceUnavailable
from kalos.core.money import Amount
from kalos.core.ports import Price
from kalos.domains.deposits import queries as deposits
from kalos.domains.reserves import queries as reserves
from kalos.domains.reserves.queries import Look
from kalos.domains.reserves.tables import StateRow
from kalos.ledger import purse
from kalos.ledger.days import next_day
from kalos.ledger.flags import Flag, money_out_stopped
from kalos.ledger.outbox import outbox_lag
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from kalos.operator import desk_queries as queries
from kalos.operator import results
from kalos.operator.context import Desk
from kalos.operator.desk_queries import JobRun, Owed, Queue
from kalos.operator.results import COINS, Results

LATE_MS: Final = {"running audit": MINUTE_MS, "whole audit": DAY_MS + 2 * HOUR_MS, "reserves": 5 * MINUTE_MS}
"""How old a job's last run may be, by its name."""

_FACTS_LATE_SECONDS: Final = 300
_SILENT_MS: Final = MINUTE_MS
_SILENT_RUNS: Final = 3
_GONE_MS: Final = 30 * DAY_MS
"""A job that didn't run for so long is one of an earlier release."""


@dataclass(frozen=True, slots=True)
class Job:
    """`last_at` is None where it never ran, or where what it does has no single last time; `run` is what its
    worker wrote down last."""

    name: str
    last_at: int | None
    is_late: bool
    run: JobRun | None = None


@dataclass(frozen=True, slots=True)
class Priced:
    price: Price
    is_stale: bool


@dataclass(frozen=True, slots=True)
class Dashboard:
    """`head` is None while the chain's nodes don't answer; `height` is the last block that was read."""

    at: int
    held: list[Look]
    bankroll: list[tuple[Amount, Amount]]
    owed: list[Owed]
    queues: list[Queue]
    jobs: list[Job]
    height: int
    head: int | None
    reserves: StateRow
    money_out: Flag | None
    prices: list[Priced]
    results: Results


async def show(desk: Desk) -> Dashboard:
    """Read all of it. Source: content.md, "Operator console"."""
    db = desk.db
    cursor = await deposits.find_cursor(db, desk.house.chain.network.chain_id)
    state = await reserves.find_state(db)
    return Dashboard(
        at=desk.now,
        held=await reserves.list_looks(db),
        bankroll=await _bankroll(desk),
        owed=await queries.list_owed(db),
        queues=await queries.list_queues(db),
        jobs=await _jobs(desk, state),
        height=0 if cursor is None else cursor.number,
        head=await _head(desk),
        reserves=state,
        money_out=await money_out_stopped(db),
        prices=[await _price(desk)],
        results=await results.show(desk),
    )


async def _bankroll(desk: Desk) -> list[tuple[Amount, Amount]]:
    """What is free in the bankroll, and what is set aside for the heights whose betting is open."""
    found = await balances(desk.db, [purse.HOUSE])
    return [
        (
            Amount(found.get(purse.house(Purpose.BANKROLL, asset), 0), asset),
            Amount(found.get(purse.house(Purpose.BANKROLL_RESERVED, asset), 0), asset),
        )
        for asset in COINS
    ]


async def _jobs(desk: Desk, state: StateRow) -> list[Job]:
    running, whole = await queries.find_audited(desk.db)
    timed = {"running audit": running, "whole audit": whole, "reserves": state.at}
    jobs = [Job(name, at, is_late(name, at, desk.wall)) for name, at in timed.items()]
    day = await next_day(desk.db, desk.now)
    jobs.append(Job("midnight", None, day is not None and day < business_day(desk.now)))
    for consumer, (_, seconds) in sorted((await outbox_lag(desk.db)).items()):
        jobs.append(Job(f"facts of {consumer}", None, seconds > _FACTS_LATE_SECONDS))
    runs = {run.name: run for run in await queries.list_runs(desk.db, desk.wall - _GONE_MS)}
    known = [replace(job, run=runs.pop(job.name, None)) for job in jobs]
    return known + [Job(name, run.ended_at, is_silent(run, desk.wall), run) for name, run in runs.items()]


def is_silent(run: JobRun, wall: int) -> bool:
    """Whether a job should have begun or ended a run since."""
    return wall - max(run.started_at, run.ended_at or 0) > _SILENT_MS + _SILENT_RUNS * run.every_ms


def is_late(name: str, at: int | None, wall: int) -> bool:
    return at is None or wall - at > LATE_MS[name]


async def _head(desk: Desk) -> int | None:
    try:
        return await desk.house.chain.head()
    except Outage:  # that the nodes don't answer is what the dashboard is there to show
        return None


async def _price(desk: Desk) -> Priced:
    prices = desk.house.prices
    try:
        return Priced(await prices.price(KLS), is_stale=False)
    except PriceUnavailable:
        return Priced(await prices.last(KLS), is_stale=True)
