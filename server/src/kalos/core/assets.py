"""The assets: code, number, scale, kind and largest supply. Source: ledger.md, "Assets"."""

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["chain", "coin", "unit"]
"""chain: coins in custody; coin: a further coin that holders may have; unit: counted by the platform alone."""

_MOST_UNITS: Final = 10**15
"""Of POINT, ENERGY, POWER and tickets."""


@dataclass(frozen=True, slots=True, eq=False)
class Asset:
    """A thing that is counted in integers of its smallest unit.

    `number` stands in account ids and never changes; `scale` is the count of decimal places;
    `maximum_units` is the largest amount that one call may name.
    """

    code: str
    number: int
    scale: int
    kind: Kind
    maximum_units: int

    def __str__(self) -> str:
        return self.code


USDT: Final = Asset("USDT", 1, 6, "chain", 10**18)
KLS: Final = Asset("KLS", 2, 8, "chain", 10**17)
USA: Final = Asset("USA", 3, 6, "unit", 10**18)
USO: Final = Asset("USO", 4, 6, "unit", 10**18)
USDC: Final = Asset("USDC", 5, 6, "chain", 10**18)
BWC: Final = Asset("BWC", 6, 8, "coin", 10**18)
BWT: Final = Asset("BWT", 7, 8, "coin", 10**18)
RRT: Final = Asset("RRT", 8, 8, "coin", 10**18)
SATS: Final = Asset("SATS", 9, 8, "coin", 10**18)
DOMI: Final = Asset("DOMI", 10, 8, "coin", 10**18)
ALEO: Final = Asset("ALEO", 11, 8, "coin", 10**18)
POINT: Final = Asset("POINT", 12, 2, "unit", _MOST_UNITS)
ENERGY: Final = Asset("ENERGY", 13, 2, "unit", _MOST_UNITS)
POWER: Final = Asset("POWER", 14, 2, "unit", _MOST_UNITS)
TICKET: Final = Asset("TICKET", 15, 0, "unit", _MOST_UNITS)
TICKET_BONUS: Final = Asset("TICKET_BONUS", 16, 0, "unit", _MOST_UNITS)

ASSETS: Final = (
    USDT, KLS, USA, USO, USDC, BWC, BWT, RRT, SATS, DOMI, ALEO, POINT, ENERGY, POWER, TICKET, TICKET_BONUS,
)  # fmt: skip
BY_CODE: Final = {asset.code: asset for asset in ASSETS}
BY_NUMBER: Final = {asset.number: asset for asset in ASSETS}
CAPPED: Final = (POINT, ENERGY, POWER, TICKET, TICKET_BONUS)
"""No more than `maximum_units` of each of these exists. Source: ledger.md, "Assets"."""
