"""What tests of teams share: members with inviters, and turnover as the ledger has it."""

from typing import Any, Final

from kalos.core.assets import USDT, Asset
from kalos.core.database import Database
from kalos.domains.context import Member
from kalos.domains.teams.queries import find_team
from kalos.ledger import purse
from kalos.ledger.postings import Ledger, Move
from kalos.ledger.purse import Purpose
from support.ledger import posting
from support.members import make_member

LOST: Final = "game.lost"
_OUTSIDE: Final = {USDT: Purpose.CHAIN}


async def line(owner_url: str, count: int, inviter: Member | None = None) -> list[Member]:
    """So many members, each invited by the one before."""
    made: list[Member] = []
    for _ in range(count):
        inviter = await make_member(owner_url, inviter=None if inviter is None else inviter.id)
        made.append(inviter)
    return made


async def turn_over(ledger: Ledger, member: Member, units: int, asset: Asset = USDT, kind: str = LOST) -> None:
    """A settled stake: it comes from the member, to whom it was brought from outside."""
    outside = purse.outside(_OUTSIDE.get(asset, Purpose.ISSUANCE), asset)
    mine = purse.available(member.id, asset)
    await ledger.post(posting(Move("test.fund", outside, mine, units), Move(kind, mine, outside, units)))


async def figures(db: Database, member: Member) -> dict[str, Any]:
    row = await find_team(db, member.id)
    return {"own": row.own_units, "team": row.team_units, "large": row.large_units, "users": row.team_users}
