"""`price`: what coins count for, and the first price of a new installation."""

import getpass
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kalos.app.numbers import FollowedNumbers
from kalos.core.assets import BY_CODE
from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.errors import InvalidInput, WrongState
from kalos.core.terms import Terms, load_terms
from kalos.domains.prices import queries, rules, service
from kalos.domains.prices.errors import PriceStepTooLarge
from kalos.operator.queries import append_audit

USAGE: Final = """\
price show | price set ASSET RATE --reason TEXT
ASSET is KLS, RATE are USDT for one of it with at most eight decimals.
`set` orders the first price alone; two people change it in the console."""

_MOST_REASON: Final = 500


async def obey(db: Database, terms_file: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator on the machine orders, by the numbers that count now. Returns exit code and text."""
    terms = load_terms(terms_file)
    await FollowedNumbers(db, terms, terms_file).look()
    match list(arguments):
        case ["show"]:
            return 0, await _show(db, terms, await _now(db))
        case ["set", code, rate, "--reason", reason] if code in {asset.code for asset in rules.PRICED}:
            return await _set(db, terms, code, rate, reason)
    return 2, USAGE


async def _now(db: Database) -> int:
    offset_ms: int = await db.value("SELECT offset_ms FROM clock")
    return Clock(offset_ms).now()


async def _set(db: Database, terms: Terms, code: str, text: str, reason: str) -> tuple[int, str]:
    if not 1 <= len(reason.strip()) <= len(reason) <= _MOST_REASON:
        return 1, f"a reason has 1 to {_MOST_REASON} characters"
    who, wall = getpass.getuser(), Clock.wall()

    async def log(step: Connection) -> None:
        after = {"price": text, "reason": reason}
        about, before = f"price of {code}", {"price": None}  # only a first one is ordered here
        await append_audit(
            step, at=wall, staff=None, name=who, act="machine.order", about=about, before=before, after=after
        )

    try:
        rate = rules.rate_of(text)
        await service.set_first_price(
            db,
            terms,
            asset=BY_CODE[code],
            rate=rate,
            now=await _now(db),
            ordered_by=who,
            reason=reason,
            log=log,
        )
    except InvalidInput:
        return 1, "a price is a number above 0 with at most eight decimals"
    except PriceStepTooLarge as far:
        return 1, f"a day may bring the price to {far.lowest} to {far.highest} (price_daily_step, ref_first)"
    except WrongState:
        return 1, f"{code} has a price: two people change it in the console"
    return 0, f"{code} is {rules.rate_text(rate)} USDT"


async def _show(db: Database, terms: Terms, now: int) -> str:
    """What counts now, and the orders behind it, newest first: when, what, who and why."""
    lines = []
    for asset in rules.PRICED:
        latest = await queries.find_latest(db, asset)
        if latest is None:
            first = rules.rate_text(terms.ref_first)
            lines.append(f"{asset.code} {first} USDT (ref_first: nobody has ordered a price)")
            continue
        is_stale = rules.is_stale(latest.at, now=now, stale_hours=terms.ref_stale)
        lines.append(f"{asset.code} {rules.rate_text(latest.rate)} USDT{' (stale)' if is_stale else ''}")
    orders = await queries.list_orders(db)
    lines += [f"{one.at}  {one.asset} {rules.rate_text(one.rate)}  {one.ordered_by}: {one.reason}" for one in orders]
    return "\n".join(lines)
