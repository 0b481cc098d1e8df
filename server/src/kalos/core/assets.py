"""The assets: code, number, scale and largest supply."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Asset:
    """A thing that is counted in integers of its smallest unit.

    `number` stands in account ids and never changes; `scale` is the count of decimal places;
    `maximum_units` is the largest amount that one call may name.
    """

    code: str
    number: int
    scale: int
    maximum_units: int

    def __str__(self) -> str:
        return self.code


USDT: Final = Asset("USDT", 1, 6, 10**18)
KLS: Final = Asset("KLS", 2, 8, 10**17)

ASSETS: Final = (USDT, KLS)
BY_CODE: Final = {asset.code: asset for asset in ASSETS}
BY_NUMBER: Final = {asset.number: asset for asset in ASSETS}
