"""`price`: what coins count for, and who ordered it. Two people of the console order another price."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kalos.app.numbers import FollowedNumbers
from kalos.core.clock import Clock, utc_text
from kalos.core.database import Database
from kalos.core.terms import Terms, load_terms
from kalos.domains.prices import queries, rules

USAGE: Final = "price show"


async def obey(db: Database, terms_file: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator on the machine asks, by the numbers that count now. Returns exit code and text."""
    terms = load_terms(terms_file)
    await FollowedNumbers(db, terms, terms_file).look()
    if list(arguments) != ["show"]:
        return 2, USAGE
    offset_ms: int = await db.value("SELECT offset_ms FROM clock")
    return 0, await _show(db, terms, Clock(offset_ms).now())


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
    lines += [
        f"{utc_text(one.at)}  {one.asset} {rules.rate_text(one.rate)}  {one.ordered_by}: {one.reason}" for one in orders
    ]
    return "\n".join(lines)
