"""What /readyz looks at: schema, writer, watcher of the chain, the ledger's audit, demo data."""

from functools import partial
from typing import Final

from kalos.app.health import Check
from kalos.app.migrate import newest
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT
from kalos.core.clock import MOST_SKEW_MS, skew
from kalos.core.database import Database
from kalos.core.errors import ForOperator, PriceUnavailable
from kalos.domains.context import House
from kalos.domains.deposits.queries import find_cursor
from kalos.domains.deposits.rules import MOST_BEHIND
from kalos.domains.pulse.queries import read_database_time, read_pulse
from kalos.domains.pulse.rules import UNWATCHED_SECONDS, Reason
from kalos.domains.reserves.queries import find_state, list_checks
from kalos.domains.reserves.rules import UNSEEN_SECONDS
from kalos.ledger import purse
from kalos.ledger.flags import money_out_stopped
from kalos.ledger.purse import Purpose
from kalos.ledger.stamps import ahead_ms
from kalos.ledger.statements import balances_of
from kalos.ledger.watch import watch_figures

_AUDIT_SECONDS: Final = 60
_DEMO: Final = ("demo", "demo_data", "hot_wallet")
_SIGNER_SECONDS: Final = 60
_FUNDS: Final = {
    purse.house(Purpose.BANKROLL, USDT): "the bankroll has no USDT: no bet can be taken",
    purse.house(Purpose.KLS_STOCK, KLS): "the stock has no KLS: nobody can buy the fee of a withdrawal",
}
_CLOSED: Final[dict[Reason, str]] = {
    "nodes": "the chain's nodes don't answer or don't agree",
    "late": "the chain's newest block is old",
    "block_time": "the chain's blocks are off business time",
    "clock": "the worker's clock is off the database's",
}


class DemoData(ForOperator):
    """The database has members and staff whose passwords everybody knows."""


async def refuse_demo_data(db: Database) -> None:
    """Raises: DemoData."""
    if await db.value("SELECT 1 FROM installation WHERE name = ANY($1::text[]) LIMIT 1", _DEMO):
        raise DemoData("demo mode made its members and staff in this database (DATABASE_URL): production needs another")


async def is_furnished(house: House, settings: Settings) -> bool:
    """Whether accounts and house have what they are meant to start with; only demo mode brings that itself."""
    return not settings.demo or bool(await house.db.value("SELECT 1 FROM installation WHERE name = 'demo_data'"))


def checks(house: House, settings: Settings) -> dict[str, Check]:
    """What must be well before this installation may serve, by name."""

    async def schema() -> str | None:
        version = await house.db.value("SELECT version_num FROM alembic_version")
        return None if version == newest() else "migrations wait"

    async def writer() -> str | None:
        beats = await house.db.value(
            "SELECT holder IS NOT NULL AND beat_at > clock_timestamp() - interval '3 seconds' FROM writer_lease"
        )
        return None if beats else "does not beat"

    async def chain() -> str | None:
        head = await house.chain.head()
        cursor = await find_cursor(house.db, house.chain.network.chain_id)
        if cursor is None:
            return "the watcher has not begun"
        behind = head - cursor.number
        return None if behind <= MOST_BEHIND else f"the watcher is {behind} blocks behind"

    async def ledger() -> str | None:
        figures = await watch_figures(house.db, house.clock.wall())
        if figures.age_seconds is None:
            return "not audited yet"
        age = int(figures.age_seconds)
        return None if age <= _AUDIT_SECONDS else f"last audited {age} s ago"

    async def demo_data() -> str | None:
        return None if await is_furnished(house, settings) else "demo data is being made"

    found: dict[str, Check] = {"database": schema, "writer": writer, "chain": chain, "ledger": ledger}
    return {**found, "demo_data": demo_data} if settings.demo else found


def notes(house: House) -> dict[str, Check]:
    """What an operator must see, though this installation serves on."""

    async def money_out() -> str | None:
        flag = await money_out_stopped(house.db)
        return None if flag is None else f"money_out_stopped: {_without_figures(flag.reason)}"

    async def reserves() -> str | None:
        state = await find_state(house.db)
        if state.at is None:
            return "not looked at yet"
        age = (house.clock.wall() - state.at) // 1000
        if age > UNSEEN_SECONDS:
            return f"last looked at {age} s ago"
        checks = await list_checks(house.db)
        told = [f"{row.asset} under liabilities" for row in checks if row.missing]
        told += [f"hot {row.asset} is {row.hot_mark}" for row in checks if row.hot_mark]
        return ", ".join([*told, *(["gas is low"] if state.is_gas_low else [])]) or None

    async def betting() -> str | None:
        known = await read_pulse(house.db)
        if known.age_seconds is not None and known.age_seconds > UNWATCHED_SECONDS:
            return f"closed: no worker looked at the chain for {int(known.age_seconds)} s"
        if abs(known.writer_off_ms) > MOST_SKEW_MS:
            return f"closed: the writer's clock is {abs(known.writer_off_ms)} ms off the database's"
        return None if known.reason is None else f"closed: {_CLOSED[known.reason]}"

    async def chain_nodes() -> str | None:
        return "; ".join((await read_pulse(house.db)).faults.splitlines()) or None

    async def clock() -> str | None:
        before = house.clock.wall()
        off = skew(before, await read_database_time(house.db), max(before, house.clock.wall()))
        return None if abs(off) <= MOST_SKEW_MS else f"{abs(off)} ms off the database's"

    return {
        "money_out": money_out,
        "reserves": reserves,
        "signer": partial(_signer, house),
        "price": partial(_price, house),
        "funds": partial(_funds, house),
        "betting": betting,
        "chain_nodes": chain_nodes,
        "sanctions": partial(_sanctions, house),
        "clock": clock,
        "stamps": partial(_stamps, house),
    }


async def _sanctions(house: House) -> str | None:
    problem = house.screening.fault()
    return None if problem is None else f"not read anew: {problem}"


async def _stamps(house: House) -> str | None:
    ahead = await ahead_ms(house.db)
    return None if ahead <= MOST_SKEW_MS else f"the ledger's are {ahead // 1000} s ahead of business time"


async def _signer(house: House) -> str | None:
    row = await house.db.row("SELECT paused, reason, beat_at FROM signer_state")
    assert row is not None, "the migration makes this row"
    if row["paused"]:
        return f"paused: {_without_figures(row['reason'] or '')}"
    if row["beat_at"] is None:
        return "has not looked yet"
    age = (house.clock.wall() - row["beat_at"]) // 1000
    return None if age <= _SIGNER_SECONDS else f"last looked {age} s ago"


async def _funds(house: House) -> str | None:
    held = await balances_of(house.db, purse.HOUSE)
    return "; ".join(said for account, said in _FUNDS.items() if not held.get(account, 0)) or None


async def _price(house: House) -> str | None:
    try:
        await house.prices.price(KLS)
    except PriceUnavailable:
        return "KLS has none, or a stale one: nothing trades at it, withdrawals go on"
    return None


def _without_figures(reason: str) -> str:
    """Which invariants are broken, or why the signer stopped; accounts and amounts are for logs, mails and commands."""
    return ", ".join(dict.fromkeys(line.partition(": ")[0] for line in reason.splitlines()))
