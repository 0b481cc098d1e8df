"""A house that watches a chain and looks at its reserves; whoever holds what there is known to the last unit."""

from typing import Final

from deposits.scene import SandboxScene
from kalos.app.reserving import TOLD
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.database import Connection
from kalos.domains.reserves import service
from kalos.domains.reserves.service import Look, Wallets

HOT: Final = "0x00000000000000000000000000000000000000b1"
COLD: Final = "0x00000000000000000000000000000000000000b2"
STRANGER: Final = "0x00000000000000000000000000000000000000b3"
FINAL: Final = 3
"""Blocks on top of one until it is final."""
WALLETS: Final = {asset: Wallets((HOT,), (COLD,)) for asset in (USDT, KLS)}


class Told:
    """What the operator was told when money out was stopped."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    async def alarm(self, _db: Connection, reason: str) -> None:
        self.reasons.append(reason)


async def look(scene: SandboxScene, told: Told | None = None, *, wall: int = 1) -> Look:
    found = await service.look(scene.house, WALLETS, TOLD, wall=wall, alarm=None if told is None else told.alarm)
    assert found is not None
    return found


async def usdt(scene: SandboxScene) -> dict[str, int]:
    """What a look finds of USDT."""
    found = await look(scene)
    (standing,) = [one for one in found.standings if one.asset is USDT]
    places = {str(place): units for place, units in standing.units.items()}
    return places | {"owed": standing.books.owed, "missing": standing.missing}


def take(scene: SandboxScene, units: int, *, of: str = HOT, asset: Asset = USDT) -> None:
    """Somebody takes coins by hand in the next block."""
    scene.chain.transfer(asset, STRANGER, units, sender=of)
