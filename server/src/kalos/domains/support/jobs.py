"""From time to time: tickets that nobody touched for two years go."""

from typing import Final

from kalos.domains.context import House
from kalos.domains.support import rules, service

_AT_ONCE: Final = 500


async def sweep(house: House) -> int:
    """Returns how many tickets went."""
    async with house.db.transaction() as db:
        return await service.forget_before(db, house.clock.wall() - rules.KEPT_MS, most=_AT_ONCE)
