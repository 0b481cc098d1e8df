"""From time to time: challenges that have ended go."""

from kalos.core.clock import DAY_MS, MINUTE_MS
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.challenges import queries
from kalos.domains.context import House


async def sweep(house: House) -> int:
    """Delete captchas that ended a minute ago, codes and tries that did a day ago; returns how many went."""
    wall = house.clock.wall()
    drawn = await sweep_ended(house.db, queries.DRAWN, before=wall - MINUTE_MS)
    return drawn + await sweep_ended(house.db, queries.ENDING, before=wall - DAY_MS)
