"""From time to time: challenges that have ended go."""

from kalos.core.clock import DAY_MS
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.challenges import queries
from kalos.domains.context import House


async def sweep(house: House) -> int:
    """Delete captchas, codes and tries that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)
