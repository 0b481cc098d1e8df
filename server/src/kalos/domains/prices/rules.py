"""How a price is written, how far it may move on a day, and how long it stands."""

import re
from fractions import Fraction
from typing import Final

from kalos.core.assets import KLS, Asset
from kalos.core.clock import HOUR_MS
from kalos.core.errors import InvalidInput
from kalos.domains.prices.errors import PriceStepTooLarge

PRICED: Final[tuple[Asset, ...]] = (KLS,)
"""Coins whose price is ordered; all others are USDT itself, count one for one, or have none."""

DECIMALS: Final = 8
LARGEST_STEP: Final = Fraction(1, 5)
"""What the database itself refuses to be passed, whatever the setting says. Source: settings.md, `price_daily_step`."""

_RATE: Final = re.compile(rf"(0|[1-9][0-9]{{0,8}})(?:\.([0-9]{{1,{DECIMALS}}}))?", re.ASCII)


def rate_of(text: str) -> Fraction:
    """Read USDT for one coin, such as "0.51".

    Raises: InvalidInput.
    """
    found = _RATE.fullmatch(text)
    rate = Fraction(text) if found else Fraction(0)
    if rate <= 0:
        raise InvalidInput(errors=[{"field": "rate", "reason": "invalid"}])
    return rate


def rate_text(rate: Fraction) -> str:
    """With eight decimals; further ones are cut off."""
    units = rate.numerator * 10**DECIMALS // rate.denominator
    whole, decimals = divmod(units, 10**DECIMALS)
    return f"{whole}.{decimals:0{DECIMALS}d}"


def check_step(rate: Fraction, *, low: Fraction, high: Fraction, step: Fraction) -> None:
    """Refuse a rate that is further than `step` off the lowest or the highest that stood in its business day.

    Raises: PriceStepTooLarge.
    Source: settings.md, `price_daily_step`.
    """
    assert 0 < low <= high, (low, high)
    assert 0 <= step <= LARGEST_STEP, step
    lowest, highest = high * (1 - step), low * (1 + step)
    if not lowest <= rate <= highest:
        raise PriceStepTooLarge(lowest=rate_text(_up(lowest)), highest=rate_text(highest))


def is_stale(at: int, *, now: int, stale_hours: int) -> bool:
    """Whether what was ordered at `at` is too old to trade at. Source: markets.md, "REF"."""
    return now - at > stale_hours * HOUR_MS


def _up(rate: Fraction) -> Fraction:
    """The next rate with eight decimals that isn't below."""
    return Fraction(-(-rate.numerator * 10**DECIMALS // rate.denominator), 10**DECIMALS)
