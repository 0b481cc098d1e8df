"""Calls that show a member's team: path, use case, shape."""

from typing import Annotated

from msgspec import Meta, field

from kalos.core.assets import USDT
from kalos.core.clock import business_day
from kalos.core.errors import NotFound, TooMany
from kalos.core.fields import DecimalText, Time
from kalos.core.money import text_of
from kalos.domains.context import Context
from kalos.domains.teams import rules, service
from kalos.domains.teams.queries import Line
from kalos.domains.teams.service import Team
from kalos.domains.teams.shapes import Figures, figures_of
from kalos.wire.calls import Calls
from kalos.wire.shapes import Paged, Rows, rows_of

calls = Calls("teams")

Account = Annotated[str, Meta(pattern="^[1-9][0-9]{7}$", description="eight digits", examples=["48213957"])]
ShownAccount = Annotated[str, Meta(pattern=r"^[1-9][0-9]([0-9]{4}|\*{4})[0-9]{2}$", examples=["48213957"])]


class TeamBody(Paged, frozen=True):
    """`account` is somebody in the caller's team; absent: the caller."""

    account: Account | None = None


class TeamLine(Figures, frozen=True):
    """Somebody who was invited, with their own figures. Below the caller's direct line `account` is masked."""

    account: ShownAccount
    registered_at: Time


class TeamAnswer(Rows[TeamLine], frozen=True, omit_defaults=True):
    """`bands` stands there only below the caller's direct line: each turnover is then the edge below it."""

    bands: Annotated[list[DecimalText], Meta(examples=[["0.000000", "1000.000000"]])] = field(default_factory=list)


@calls.add("/api/user/teamList", NotFound, TooMany)
async def team_list(ctx: Context, body: TeamBody) -> TeamAnswer:
    team = await service.list_team(ctx, body.query(ctx.terms.page_size), account=body.account)
    rows = rows_of(team.page, lambda line: _line(ctx, team, line))
    edges = [text_of(edge, USDT) for edge in team.bands]
    return TeamAnswer(list=rows.list, total=rows.total, next=rows.next, bands=edges)


@calls.add("/api/user/shareList")
async def share_list(ctx: Context, body: Paged) -> Rows[TeamLine]:
    team = await service.list_team(ctx, body.query(ctx.terms.page_size))
    return rows_of(team.page, lambda line: _line(ctx, team, line))


def _line(ctx: Context, team: Team, line: Line) -> TeamLine:
    return TeamLine(
        account=rules.masked(line.account) if team.bands else line.account,
        registered_at=line.registered_at,
        **figures_of(line.row, ctx.terms.team_levels, business_day(ctx.now), team.bands),
    )
