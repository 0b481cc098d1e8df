"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

TEAMS: Final = "teams"
TURNOVER_DAYS: Final = "turnover_days"
CURSOR: Final = "teams_cursor"
PRICES: Final = "turnover_prices"


@dataclass(frozen=True, slots=True)
class TeamRow:
    """In units of USDT; `team` is everybody below, `large` the largest direct line with the member at its head.

    The figures of a month are those of `month` alone: in a later one they count as nothing. `is_counted`: the member
    stands in the counts of those above.
    """

    member: int
    inviter: int | None
    is_counted: bool = False
    own_units: int = 0
    team_units: int = 0
    large_units: int = 0
    month: int = 0
    own_month_units: int = 0
    team_month_units: int = 0
    direct_users: int = 0
    team_users: int = 0


@dataclass(frozen=True, slots=True)
class DayRow:
    """What a member turned over on a business day."""

    day: date
    member: int
    units: int


@dataclass(frozen=True, slots=True)
class CursorRow:
    one: bool
    last_move: int


@dataclass(frozen=True, slots=True)
class PriceRow:
    """At which price of `asset`, from which time and source, the moves from one to another were counted."""

    first_move: int
    last_move: int
    asset: str
    numerator: int
    denominator: int
    at: int
    source: str


ROWS: Final[dict[str, type[Any]]] = {
    TEAMS: TeamRow,
    TURNOVER_DAYS: DayRow,
    CURSOR: CursorRow,
    PRICES: PriceRow,
}
