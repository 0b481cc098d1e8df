"""Who may use a feature, and what a member's own limits leave: pure functions over what was read."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, Literal, get_args

from kalos.core.assets import KLS, USA, USDT, USO, Asset
from kalos.core.clock import MINUTE_MS, SECOND_MS, business_day, day_start_ms
from kalos.core.money import text_of
from kalos.core.ports import Feature
from kalos.core.terms import Terms
from kalos.domains.protection.errors import (
    AgeRequired,
    DisclosureRequired,
    FeatureOff,
    KycRequired,
    PlayerLimit,
    SelfExcluded,
    StaffAccount,
)

Kind = Literal["stake", "loss", "topup", "reminder"]
Switches = Mapping[tuple[str, str], bool]
"""By name (a feature, or `GATES`) and country ("" is everywhere): on or off. What isn't there is as the mode says."""

Numbers = Mapping[tuple[str, str], int]
"""What was ordered, by name of the business number and country ("" is everywhere)."""

FEATURES: Final[tuple[Feature, ...]] = get_args(Feature)
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
GATES: Final = "identity_gates"
"""The switch that asks for an approved identity."""
AGE: Final = "age_min"
"""The one number that a country may have of its own."""

VERSIONS: Final[Mapping[Feature, int]] = {"games": 2}
"""The present notice of each feature that is built; its text is `notice.<feature>` of the catalogues."""

PLAYED: Final[frozenset[Feature]] = frozenset(
    {"games", "racer_quiz", "nft", "mining", "divvy", "insurance", "lending", "pledge"}
)
"""Where money is at risk by play or investment: breaks, limits and the asked age count here, not in trade."""

STAKES: Final = ("game.stake",)
LOSSES: Final = ("game.lost",)
WINS: Final = ("game.prize",)
TOPUPS: Final = ("chain.deposit",)
"""Kinds of moves that count for limits: stakes and top-ups when they are made, losses and prizes when they settle."""

ONE: Final = Fraction(1)


@dataclass(frozen=True, slots=True)
class Limit:
    """What a member set himself, in units of USDT (`reminder`: minutes); None is none.

    From `next_from` on, a business day's first millisecond, `next_value` counts instead; None where nothing waits.
    """

    value: int | None
    next_value: int | None = None
    next_from: int | None = None

    def at(self, now: int) -> int | None:
        return self.next_value if self.next_from is not None and now >= self.next_from else self.value


NO_LIMIT: Final = Limit(None)


@dataclass(frozen=True, slots=True)
class Standing:
    """All that decides about one member: whose country, which notices, which brakes.

    `is_bare`: who registered told neither country nor birth date and accepted no terms.
    """

    country: str | None
    is_bare: bool
    is_staff: bool
    accepted: Mapping[str, int]
    paused_until: int
    excluded_until: int
    limits: Mapping[Kind, Limit]


@dataclass(frozen=True, slots=True)
class Installation:
    """What the installation says: its switches and numbers, and what counts without an order."""

    switches: Switches
    is_demo: bool
    age_min: int
    numbers: Numbers = field(default_factory=dict)

    def is_on(self, name: str, country: str) -> bool:
        """Source: principles.md 10: demo mode has all features on and no gates, production the other way round."""
        unless = self.is_demo if name != GATES else not self.is_demo
        everywhere = self.switches.get((name, ""), unless)
        return self.switches.get((name, country), everywhere)

    def allows(self, feature: Feature, countries: Collection[str]) -> bool:
        """Of several countries the strictest says."""
        return all(self.is_on(feature, country) for country in countries)

    def asks_identity(self, countries: Collection[str]) -> bool:
        return any(self.is_on(GATES, country) for country in countries)

    def age(self, countries: Collection[str]) -> int:
        """Years that are asked for: a country's own, else the one for all."""
        everywhere = self.numbers.get((AGE, ""), self.age_min)
        return max(self.numbers.get((AGE, country), everywhere) for country in countries)


def countries_of(home: str | None, network: str | None) -> tuple[str, ...]:
    """Where a member counts as being: at home ("" where nothing is declared), and where the call comes from, if known.

    Source: principles.md, "Features, countries, disclosures".
    """
    return (home or "",) if network is None else (home or "", network)


def may_use(feature: Feature, standing: Standing, house: Installation, *, countries: Collection[str], now: int) -> None:
    """Whether a member may use a feature, apart from the approved identity and the amounts.

    Raises: StaffAccount, FeatureOff, SelfExcluded, DisclosureRequired.
    Source: principles.md, "Features, countries, disclosures"; identity.md, "Player protection".
    """
    if standing.is_staff:
        raise StaffAccount()
    if not house.allows(feature, countries):
        raise FeatureOff()
    until = max(standing.paused_until, standing.excluded_until)
    if feature in PLAYED and now < until:
        raise SelfExcluded(until=until)
    version = VERSIONS[feature]
    if not has_accepted(feature, standing, house):
        raise DisclosureRequired(feature=feature, version=version)


def has_accepted(feature: Feature, standing: Standing, house: Installation) -> bool:
    """Whoever registered in demo mode with nothing of their own has accepted all present notices. Source: demo.md."""
    return (house.is_demo and standing.is_bare) or standing.accepted.get(feature) == VERSIONS[feature]


def check_identity(
    feature: Feature, house: Installation, *, countries: Collection[str], born: date | None, today: date
) -> None:
    """Whether the approved identity allows a feature; `born` is None where nothing is approved.

    Raises: KycRequired, AgeRequired.
    Source: principles.md, "Who may".
    """
    if feature not in PLAYED or not house.asks_identity(countries):
        return
    if born is None:
        raise KycRequired()
    age = house.age(countries)
    if years_between(born, today) < age:
        raise AgeRequired(age=age)


def years_between(born: date, today: date) -> int:
    """Full years; who was born on 29 February has the birthday on 1 March of other years."""
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


@dataclass(frozen=True, slots=True)
class Day:
    """A member's business day so far, in units of USDT: stakes, losses less prizes (open stakes apart), top-ups."""

    staked: int
    lost: int
    open: int
    topped: int

    def used(self, kind: Kind) -> int:
        """What counts against a limit; what is still open may be lost."""
        return {"stake": self.staked, "loss": self.lost + self.open, "topup": self.topped}.get(kind, 0)


def settled_within_ms(terms: Terms) -> int:
    """Until then whatever is staked now has come back or is lost, as long as the chain's nodes answer."""
    return (max(terms.scene_seconds) + terms.result_window) * SECOND_MS + terms.void_after * MINUTE_MS


def check_limits(
    limits: Mapping[Kind, Limit], day: Day, *, stake: int, free: int, now: int, late: bool = False
) -> None:
    """Whether a stake fits the member's own limits. All amounts are units of USDT; `free` is what could be staked.

    A stake counts in full when it is placed; as a loss it counts until it has come back. Where it may be lost tomorrow
    (`late`), what was won today makes no room for it. What was topped up above its limit can't be staked today.

    Raises: PlayerLimit.
    Source: identity.md, "Player protection".
    """
    for kind in ("stake", "loss"):
        most = limits.get(kind, NO_LIMIT).at(now)
        used = max(day.used(kind), day.open) if kind == "loss" and late else day.used(kind)
        if most is not None and used + stake > most:
            raise PlayerLimit(limit=kind, left=usdt_text(max(0, most - used)))
    most = limits.get("topup", NO_LIMIT).at(now)
    if most is not None and day.topped > most and stake > free - (day.topped - most):
        raise PlayerLimit(limit="topup", left=usdt_text(max(0, free - (day.topped - most))))


def has_limits(limits: Mapping[Kind, Limit], now: int) -> bool:
    """Whether any limit of an amount counts now."""
    return any(limit.at(now) is not None for kind, limit in limits.items() if kind != "reminder")


def changed(limit: Limit, wanted: int | None, *, now: int, wait_ms: int) -> Limit:
    """A lower limit counts at once; a higher one, or none, from the first business day that begins after the wait.

    Source: principles.md 7; settings.md, `limit_raise_wait`.
    """
    present = limit.at(now)
    if present is None or (wanted is not None and wanted <= present):
        return Limit(wanted)
    return Limit(present, wanted, raised_from(now, wait_ms=wait_ms))


def raised_from(now: int, *, wait_ms: int) -> int:
    """The first millisecond of the first business day that begins after the wait."""
    at = now + wait_ms
    start = day_start_ms(business_day(at))
    return start if start == at else day_start_ms(business_day(at) + timedelta(days=1))


def months_later(at: int, months: int) -> int:
    """The same time of day so many calendar months later; a day that the month hasn't is its last."""
    day = business_day(at)
    month = day.month - 1 + months
    year, month = day.year + month // 12, month % 12 + 1
    last = (date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)).day
    return day_start_ms(date(year, month, min(day.day, last))) + at - day_start_ms(day)


def rates_with(kls: Fraction) -> dict[Asset, Fraction]:
    """What whole coins count for in USDT."""
    return {USDT: Fraction(1), USA: Fraction(1), USO: Fraction(1), KLS: kls}


def value_of(units: Mapping[Asset, int], rates: Mapping[Asset, Fraction]) -> int:
    """Units of USDT, rounded up: against a limit nothing is lost in rounding."""
    return sum(
        -(-amount * rates[asset].numerator * 10**USDT.scale // (rates[asset].denominator * 10**asset.scale))
        for asset, amount in units.items()
    )


def usdt_text(units: int) -> str:
    return text_of(units, USDT)
