"""Amounts: integers of the smallest unit with their asset, and the one grammar that reads them."""

import re
from dataclasses import dataclass
from fractions import Fraction

from kalos.core.assets import Asset
from kalos.core.errors import InvalidAmount

_GRAMMAR = re.compile(r"(0|[1-9][0-9]{0,17})(?:\.([0-9]{1,8}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Amount:
    """`units` of the smallest unit of `asset`; never negative, never a float."""

    units: int
    asset: Asset

    def __post_init__(self) -> None:
        assert type(self.units) is int, self.units
        assert self.units >= 0, self.units

    def __str__(self) -> str:
        return text_of(self.units, self.asset)


def parse_amount(text: str | int, asset: Asset) -> Amount:
    """Read an amount as it stands in a request: a decimal string or a JSON integer.

    Raises: InvalidAmount (grammar, more decimals than the asset has, above its maximum).
    Source: wire.md, "Numbers, time, text".
    """
    if isinstance(text, bool):
        raise InvalidAmount(asset=asset.code)
    match = _GRAMMAR.fullmatch(str(text) if isinstance(text, int) else text)
    if match is None:
        raise InvalidAmount(asset=asset.code)
    whole, decimals = match[1], match[2] or ""
    if len(decimals) > asset.scale:
        raise InvalidAmount(asset=asset.code)
    units = int(whole) * 10**asset.scale + int(decimals.ljust(asset.scale, "0") or "0")
    if units > asset.maximum_units:
        raise InvalidAmount(asset=asset.code)
    return Amount(units, asset)


def text_of(units: int, asset: Asset) -> str:
    """Write `units` as a decimal string with the asset's scale: 12500000 USDT is "12.500000"."""
    sign, units = ("-" if units < 0 else ""), abs(units)
    if asset.scale == 0:
        return f"{sign}{units}"
    whole, decimals = divmod(units, 10**asset.scale)
    return f"{sign}{whole}.{decimals:0{asset.scale}d}"


def times_down(units: int, rate: Fraction) -> int:
    """Multiply by a fraction and round down: what a member receives."""
    assert units >= 0
    assert rate.numerator >= 0
    return units * rate.numerator // rate.denominator


def times_up(units: int, rate: Fraction) -> int:
    """Multiply by a fraction and round up: what a member pays."""
    assert units >= 0
    assert rate.numerator >= 0
    return -(-units * rate.numerator // rate.denominator)
