"""From time to time: secrets that nobody bound go."""

from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import House
from kalos.domains.factors import queries


async def sweep(house: House) -> int:
    """Delete secrets that waited in vain; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall())
