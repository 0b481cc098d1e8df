"""After commit: what was turned over and who has joined is added to everybody above. Old days go."""

from datetime import timedelta
from typing import Final

from kalos.core.assets import KLS
from kalos.core.clock import business_day
from kalos.core.errors import Outage, PriceUnavailable
from kalos.core.failpoints import reach
from kalos.domains.context import House
from kalos.domains.teams import queries, rules
from kalos.ledger.moves import moves_after

MOVES: Final = 4_000
JOINED: Final = 1_000
"""What one transaction looks at, at most."""

PAUSE_SECONDS: Final = 0.4
"""From one look to the next: what is counted together costs one change of a row."""
_STEPS: Final = 50
_DELETED_AT_ONCE: Final = 5_000


async def follow(house: House, *, most: int = MOVES) -> int:
    """Count what the ledger has committed and who has registered since; returns how many moves were looked at.

    What is added up and how far the journal is read are one commit: each move counts once, whoever dies when. Any
    number of workers may ask, one does it. All lines that meet in a member are one change of that member's row.
    Raises: Outage (no price for KLS: nothing is counted at a wrong one).
    """
    seen = 0
    for _ in range(_STEPS):
        moves, joined = await _step(house, most)
        seen += moves
        if moves < most and joined < JOINED:
            break
    return seen


async def sweep(house: House) -> int:
    """Delete the days that no level asks for any more; returns how many rows went."""
    before = rules.volume_days(business_day(house.clock.now()))[0] - timedelta(days=1)
    gone = 0
    for _ in range(_STEPS):
        deleted = await queries.delete_days(house.db, before=before, most=_DELETED_AT_ONCE)
        gone += deleted
        if deleted < _DELETED_AT_ONCE:
            break
    return gone


async def _step(house: House, most: int) -> tuple[int, int]:
    """How many moves it looked at, and how many who joined it counted."""
    try:
        price = await house.prices.last(KLS)
    except PriceUnavailable as problem:
        raise Outage("there is no price of KLS to count turnover at") from problem
    async with house.db.transaction() as db:
        after = await queries.lock_cursor(db)
        if after is None:
            return 0, 0
        moves, last = await moves_after(db, after, rules.KINDS, most=most)
        joined = await queries.list_joined(db, most=JOINED)
        gains = rules.gains_of(moves, rules.rates_with(price.rate))
        if uplines := await queries.read_up(db, {*gains.units, *joined}):
            known = {upline.member for upline in uplines}
            await queries.add_days(db, {key: units for key, units in gains.days.items() if key[1] in known})
            await queries.grow(db, rules.carried_up(uplines, gains, {*joined}), gains.month)
        if last > after:
            reach("teams_counted")
            await queries.note_price(db, price, first=after + 1, last=last)
            await queries.move_cursor(db, last)
    return last - after, len(joined)
