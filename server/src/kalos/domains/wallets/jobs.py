"""From time to time: nonces that have ended go."""

from kalos.core.clock import MINUTE_MS
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import House
from kalos.domains.wallets import queries


async def sweep(house: House) -> int:
    """Delete nonces that ended a minute ago, for any visitor makes one with a call; returns how many went."""
    return await sweep_ended(house.db, queries.DRAWN, before=house.clock.wall() - MINUTE_MS)
