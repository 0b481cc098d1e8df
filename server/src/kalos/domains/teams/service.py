"""A member's standing and team."""

from dataclasses import dataclass
from typing import Final

from kalos.core.clock import business_day
from kalos.core.errors import NotFound
from kalos.core.pages import Page, PageQuery
from kalos.core.turns import Turns
from kalos.domains.challenges import service as challenges
from kalos.domains.context import Context
from kalos.domains.teams import queries, rules
from kalos.domains.teams.queries import Line
from kalos.domains.teams.tables import TeamRow

_NEWEST: Final = 10
_turns: Final = Turns()


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's own row, and the last few whom they invited."""

    row: TeamRow
    vip_level: int
    newest: Page[Line]


@dataclass(frozen=True, slots=True)
class Team:
    """One page of a direct line. `bands` is where turnover is shown by the edge below it alone; empty: exactly."""

    page: Page[Line]
    bands: list[int]


async def show_standing(ctx: Context) -> Standing:
    """Source: earn.md, "Teams and levels"; identity.md, `user/info`."""
    member = ctx.caller.id
    row = await queries.find_team(ctx.db, member)
    volume = await queries.sum_volume(ctx.db, member, rules.volume_days(business_day(ctx.now)))
    return Standing(
        row=row,
        vip_level=rules.level_of(volume, ctx.terms.vip_levels),
        newest=await queries.list_direct(ctx.db, member, PageQuery(_NEWEST)),
    )


async def list_team(ctx: Context, query: PageQuery, *, account: str | None = None) -> Team:
    """List those whom the caller, or an `account` below the caller, invited; the last first.

    What isn't the caller's own direct line is shown in bands, with masked accounts.
    Raises: NotFound (nobody below the caller has that account), TooMany (after some of these: masked accounts aren't
      to be found out by trying).
    Source: earn.md, "Teams and levels"; section 7 /api/user/teamList, /api/user/shareList.
    """
    member = ctx.caller.id
    leader = member if account in (None, ctx.caller.account) else await _find_below(ctx, account)
    page = await queries.list_direct(ctx.db, leader, query)
    return Team(page, [] if leader == member else rules.band_edges(ctx.terms.team_levels))


async def _find_below(ctx: Context, account: str) -> int:
    """One at a time for each member, so that many sent at once are judged by those before them.

    Misses alone are written down: a walk through the own team costs no commit.
    """
    limit = rules.misses(ctx.caller.id)
    async with _turns.of(limit.subject):
        await challenges.check_tries(ctx.db, limit, ctx.wall)
        leader = await queries.find_below(ctx.db, ctx.caller.id, account)
        if leader is None:
            async with ctx.db.transaction() as db:
                await challenges.take_tries(db, [limit], ctx.wall)
            raise NotFound()
    return leader
