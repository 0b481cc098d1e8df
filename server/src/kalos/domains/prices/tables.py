"""Rows of this domain's table; the fields are the columns."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

PRICES: Final = "price_orders"


@dataclass(frozen=True, slots=True)
class PriceOrder:
    """USDT for one whole coin as a fraction, from business time `at` on.

    `staff` and `command` are those of the console; both are None for the first price, which `ordered_by` set from the
    machine itself.
    """

    id: int
    asset: str
    numerator: int
    denominator: int
    at: int
    staff: int | None
    command: int | None
    ordered_by: str
    reason: str

    @property
    def rate(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)


ROWS: Final[dict[str, type[Any]]] = {PRICES: PriceOrder}
