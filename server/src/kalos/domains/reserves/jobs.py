"""The look at the reserves, once a minute by one worker."""

from typing import Final

import structlog

from kalos.core.assets import Asset
from kalos.core.clock import Clock
from kalos.domains.context import House
from kalos.domains.reserves import queries, service
from kalos.domains.reserves.queries import Told
from kalos.domains.reserves.service import Wallets
from kalos.ledger.watch import Alarm

SECONDS: Final = 60
_log = structlog.get_logger("reserves")


async def watch(house: House, wallets: dict[Asset, Wallets], told: Told, alarm: Alarm) -> None:
    """One look, unless another worker began one less than a minute ago."""
    wall = Clock.wall()
    if not await queries.claim(house.db, wall, SECONDS * 900):
        return
    found = await service.look(house, wallets, told, wall=wall, alarm=alarm)
    if found is None:
        return
    for problem in found.problems:
        _log.error("reserves don't cover what is owed", problem=problem)
    if found.stopped:
        _log.critical("money out is stopped", reason=found.problems[0])
