"""Values and the days of the history: pure arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, Literal, get_args

from kalos.core.assets import ASSETS, KLS, USA, USDT, USO, Asset
from kalos.core.clock import business_day, day_start_ms
from kalos.core.money import times_down
from kalos.domains.protection.rules import LOSSES, WINS
from kalos.ledger.purse import Purpose, account, asset_of

HISTORY_DAYS: Final = 30
PURPOSES: Final = (Purpose.AVAILABLE, Purpose.HELD)
ALWAYS_SHOWN: Final = (USDT, KLS)
"""What every member can have; a further asset is shown to those who had a move of it."""

FEES: Final = ".fee"
DIVIDENDS: Final = ".dividend"
"""The last words of kinds: money.md."""

Source = Literal["dividend", "referral", "release", "game", "shop"]
"""Where income comes from. Source: identity.md, `auth/income`."""
SOURCES: Final[tuple[Source, ...]] = get_args(Source)
INCOME: Final[Mapping[str, Source]] = dict.fromkeys((*WINS, *LOSSES), "game")
"""The kinds of moves that are a member's income. Games are what was won less the stakes that were lost: who loses more
than they win must not read of an income."""
EARNING: Final = (*PURPOSES, Purpose.CLAIMABLE)
"""Where a member's income comes to; moves between these accounts cancel out."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Which of a member's accounts a statement is of; `ending` leaves only the kinds that end so.

    With `owed` what a house account still owes stands before the moves.
    """

    asset: Asset
    purpose: Purpose = Purpose.AVAILABLE
    ending: str = ""
    owed: bool = False


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
    """One holding for each asset that is shown, in the order of the table of assets.

    An account that isn't there holds nothing; one that was emptied shows that it is empty.
    """
    holdings = []
    for asset in ASSETS:
        available, held = (balances.get(account(member, asset, purpose)) for purpose in PURPOSES)
        if asset in ALWAYS_SHOWN or available is not None or held is not None:
            holdings.append(Holding(asset, available or 0, held or 0))
    return holdings


def rates_with(kls: Fraction) -> dict[Asset, Fraction]:
    """What whole coins are worth in USDT at this price of KLS; what has no price is worth nothing.

    Source: treasury.md, `userFinance`.
    """
    return {USDT: Fraction(1), USA: Fraction(1), USO: Fraction(1), KLS: kls}


def value(units: int, asset: Asset, rates: Mapping[Asset, Fraction]) -> int:
    """What `units` are worth in the smallest units of USDT, rounded down."""
    return times_down(units, rates.get(asset, Fraction(0)) * Fraction(10**USDT.scale, 10**asset.scale))


def total(units: Mapping[Asset, int], rates: Mapping[Asset, Fraction]) -> int:
    return sum(value(amount, asset, rates) for asset, amount in units.items())


Income = Mapping[Source, int]
"""What came to a member in some time by its source, in the smallest units of USDT; below zero where more went."""


def income_accounts(member: int) -> list[int]:
    """The accounts of what has a value that income comes to."""
    return [account(member, asset, purpose) for asset in rates_with(Fraction(0)) for purpose in EARNING]


def income_of(sums: Mapping[tuple[int, str], int], rates: Mapping[Asset, Fraction]) -> Income:
    """Sort what moved, by account and kind, and value each asset of a source, rounded towards zero."""
    units: dict[tuple[Source, Asset], int] = {}
    for (number, kind), moved in sums.items():
        if kind in INCOME:
            part = INCOME[kind], asset_of(number)
            units[part] = units.get(part, 0) + moved
    income = dict.fromkeys(SOURCES, 0)
    for (source, asset), amount in units.items():
        worth = value(abs(amount), asset, rates)
        income[source] += worth if amount > 0 else -worth
    return income


def past_days(now_ms: int) -> list[date]:
    """The business days of the history that are over, oldest first; today comes after them."""
    today = business_day(now_ms)
    return [today - timedelta(days=back) for back in range(HISTORY_DAYS - 1, 0, -1)]


def end_ms(day: date) -> int:
    """The first millisecond after a business day."""
    return day_start_ms(day + timedelta(days=1))
