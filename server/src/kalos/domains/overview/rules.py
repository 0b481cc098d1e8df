"""Values and the days of the history: pure arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from kalos.core.assets import ASSETS, USDT, Asset
from kalos.core.clock import business_day, day_start_ms
from kalos.core.money import times_down
from kalos.ledger.purse import Purpose, account

HISTORY_DAYS: Final = 30
DAY_MS: Final = 86_400_000
PURPOSES: Final = (Purpose.AVAILABLE, Purpose.HELD)


@dataclass(frozen=True, slots=True)
class Holding:
    """What a member has of one asset, in its smallest units."""

    asset: Asset
    available: int
    held: int

    @property
    def units(self) -> int:
        return self.available + self.held


def accounts_of(member: int) -> dict[int, Asset]:
    """The accounts whose balances make up what a member has."""
    return {account(member, asset, purpose): asset for asset in ASSETS for purpose in PURPOSES}


def holdings_of(member: int, balances: Mapping[int, int]) -> list[Holding]:
    """One holding for each asset, in the order of the table of assets; an account that isn't there holds nothing."""

    def units(asset: Asset, purpose: Purpose) -> int:
        return balances.get(account(member, asset, purpose), 0)

    return [Holding(asset, units(asset, Purpose.AVAILABLE), units(asset, Purpose.HELD)) for asset in ASSETS]


def value(units: int, asset: Asset, rates: Mapping[Asset, Fraction]) -> int:
    """What `units` are worth in the smallest units of USDT, rounded down; `rates` are for whole coins."""
    if asset is USDT:
        return units
    return times_down(units, rates[asset] * Fraction(10**USDT.scale, 10**asset.scale))


def total(units: Mapping[Asset, int], rates: Mapping[Asset, Fraction]) -> int:
    return sum(value(amount, asset, rates) for asset, amount in units.items())


def past_days(now_ms: int) -> list[date]:
    """The business days of the history that are over, oldest first; today comes after them."""
    today = business_day(now_ms)
    return [today - timedelta(days=back) for back in range(HISTORY_DAYS - 1, 0, -1)]


def end_ms(day: date) -> int:
    """The first millisecond after a business day."""
    return day_start_ms(day + timedelta(days=1))
