"""From time to time: nonces that have ended go."""

from kalos.core.clock import DAY_MS
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import House
from kalos.domains.wallets import queries


async def sweep(house: House) -> int:
    """Delete nonces that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)
