"""Shapes of figures that several calls show."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import Meta

from kalos.core.assets import USDT
from kalos.core.fields import DecimalText
from kalos.core.money import text_of
from kalos.domains.teams import rules
from kalos.domains.teams.tables import TeamRow
from kalos.wire.calls import Answer

Turnover = Annotated[DecimalText, Meta(examples=["1250.000000"])]
Zone = Annotated[DecimalText, Meta(examples=["800.000000"])]
Level = Annotated[int, Meta(ge=0, le=4, examples=[1])]
Users = Annotated[int, Meta(ge=0, examples=[3])]


class Figures(Answer, frozen=True):
    """Turnover in USDT: own and of everybody below; the performances are those of the running month.

    The large zone is the direct line with the largest turnover, the small zone all others together.
    """

    turnover: Turnover
    team_turnover: Turnover
    personal_performance: Turnover
    team_performance: Turnover
    large_zone: Zone
    small_zone: Zone
    level: Level
    direct_users: Users
    team_users: Users


def figures_of(row: TeamRow, levels: Sequence[int], today: date, bands: Sequence[int] = ()) -> dict[str, Any]:
    """The fields of `Figures`; with `bands` each turnover is the edge below it."""

    def text(units: int) -> str:
        return text_of(rules.band_of(units, bands) if bands else units, USDT)

    own_month, team_month = rules.of_month(row, today)
    return {
        "turnover": text(row.own_units),
        "team_turnover": text(row.team_units),
        "personal_performance": text(own_month),
        "team_performance": text(team_month),
        "large_zone": text(row.large_units),
        "small_zone": text(rules.small_zone(row)),
        "level": rules.level_of(rules.small_zone(row), levels),
        "direct_users": row.direct_users,
        "team_users": row.team_users,
    }
