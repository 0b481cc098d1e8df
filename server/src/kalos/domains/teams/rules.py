"""What counts as turnover, how it is carried up the line, zones, levels, bands: pure arithmetic."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from kalos.core.assets import KLS, USA, USDT, USO, Asset
from kalos.core.clock import DAY_MS, HOUR_MS
from kalos.core.money import times_down
from kalos.domains.challenges.rules import Limit

if TYPE_CHECKING:
    from kalos.domains.teams.tables import TeamRow
    from kalos.ledger.moves import StoredMove

KINDS: Final = ("game.lost", "game.stake_back")
"""The kinds of moves whose units are turnover of who they come from: a settled stake is lost or comes back.

What is void or tied is a refund and doesn't count. Source: earn.md, "Teams and levels"; games.md, "House rules".
"""
VOLUME_DAYS: Final = 30
"""The business days, today included, whose own turnover makes the VIP level."""
_ONE: Final = Fraction(1)


def misses(member: int) -> Limit:
    """How often somebody may ask for an account that isn't below them: a masked one leaves ten thousand to try."""
    return Limit(f"team:{member}", 20, HOUR_MS, also=((60, DAY_MS),))


def rates_with(kls: Fraction) -> dict[Asset, Fraction]:
    """What whole coins count for in USDT; other coins count for nothing."""
    return {USDT: _ONE, USA: _ONE, USO: _ONE, KLS: kls}


def worth(units: int, asset: Asset, rates: Mapping[Asset, Fraction]) -> int:
    """Units of USDT, rounded down."""
    return times_down(units, rates.get(asset, Fraction(0)) * Fraction(10**USDT.scale, 10**asset.scale))


def month_of(day: date) -> int:
    """A number for a calendar month; a later month's is higher."""
    return day.year * 12 + day.month


def volume_days(today: date) -> list[date]:
    """The business days that count for the VIP level, oldest first."""
    return [today - timedelta(days=back) for back in range(VOLUME_DAYS - 1, -1, -1)]


@dataclass(slots=True)
class Gains:
    """What members turned over: all of it, by business day, and what falls into the latest `month`."""

    month: int = 0
    units: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    month_units: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    days: defaultdict[tuple[date, int], int] = field(default_factory=lambda: defaultdict(int))


def gains_of(moves: Iterable[StoredMove], rates: Mapping[Asset, Fraction]) -> Gains:
    """Each move counts alone, so that nothing depends on which moves were read together."""
    gains = Gains()
    for move in moves:
        units, month = worth(move.units, move.asset, rates), month_of(move.day)
        if not units:
            continue
        if month > gains.month:
            gains.month, gains.month_units = month, defaultdict(int)
        gains.units[move.owner] += units
        gains.days[move.day, move.owner] += units
        if month == gains.month:
            gains.month_units[move.owner] += units
    return gains


@dataclass(frozen=True, slots=True)
class Upline:
    """A member as carrying up needs it: `line_units` is what the member and everybody below turned over so far."""

    member: int
    inviter: int | None
    line_units: int


class Change(NamedTuple):
    """What one member's row grows by; `highest` is the largest line below among those that grew."""

    member: int
    joins: bool
    own_units: int
    team_units: int
    highest: int
    own_month_units: int
    team_month_units: int
    direct_users: int
    team_users: int


@dataclass(slots=True)
class _Carry:
    """What comes from below to one member."""

    units: int = 0
    month_units: int = 0
    direct_users: int = 0
    users: int = 0
    highest: int = 0


def carried_up(uplines: Iterable[Upline], gains: Gains, joined: AbstractSet[int] = frozenset()) -> list[Change]:
    """What everybody's row grows by, once the gains and those who `joined` are added to all above them.

    `uplines` holds everybody above each of its members. An inviter is older than the invited, so each is done once,
    the youngest first: the cost is one change for each member touched, however many lines meet there.
    """
    carries: defaultdict[int, _Carry] = defaultdict(_Carry)
    changes = []
    for one in sorted(uplines, key=lambda upline: upline.member, reverse=True):
        member, joins = one.member, one.member in joined
        carry = carries.pop(member, None) or _Carry()
        own, own_month = gains.units.get(member, 0), gains.month_units.get(member, 0)
        changes.append(
            Change(member, joins, own, carry.units, carry.highest, own_month, carry.month_units, carry.direct_users,
                carry.users)
        )  # fmt: skip
        if one.inviter is not None:
            above, grown = carries[one.inviter], own + carry.units
            above.units += grown
            above.month_units += own_month + carry.month_units
            above.direct_users += joins
            above.users += joins + carry.users
            above.highest = max(above.highest, one.line_units + grown)
    assert not carries, "somebody above is missing"
    return changes


def small_zone(row: TeamRow) -> int:
    return row.team_units - row.large_units


def of_month(row: TeamRow, today: date) -> tuple[int, int]:
    """Own and team turnover of the running month."""
    return (row.own_month_units, row.team_month_units) if row.month == month_of(today) else (0, 0)


def level_of(units: int, levels: Sequence[int]) -> int:
    """How many of the levels' first turnovers, in whole USDT and rising, are reached."""
    return bisect_right([level * 10**USDT.scale for level in levels], units)


def band_of(units: int, edges: Sequence[int]) -> int:
    """The lower edge of the band that a turnover lies in; the first edge is 0."""
    return edges[bisect_right(edges, units) - 1]


def band_edges(levels: Sequence[int]) -> list[int]:
    """Where the bands begin, in units of USDT: at nothing, and at each level."""
    return [0, *(level * 10**USDT.scale for level in levels)]


def masked(account: str) -> str:
    """How an account is shown to those who may not know it."""
    return f"{account[:2]}****{account[-2:]}"
