"""From time to time: tickets that nobody touched for two years go."""

from typing import Final

from kalos.domains.context import House
from kalos.domains.support import queries, rules

_AT_ONCE: Final = 500


async def sweep(house: House) -> int:
    """Returns how many tickets went."""
    return await queries.delete_before(house.db, house.clock.wall() - rules.KEPT_MS, _AT_ONCE)
