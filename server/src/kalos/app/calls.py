"""The union of every domain's calls: one line each, so that nothing is served by accident."""

from collections.abc import Sequence
from typing import Final

from kalos.domains.challenges.api import calls as challenges
from kalos.domains.content.api import calls as content
from kalos.domains.deposits.api import calls as deposits
from kalos.domains.entry.api import calls as entry
from kalos.domains.factors.api import calls as factors
from kalos.domains.games.api import calls as games
from kalos.domains.identity.api import calls as identity
from kalos.domains.overview.api import calls as overview
from kalos.domains.protection.api import calls as protection
from kalos.domains.security.api import calls as security
from kalos.domains.shop.api import calls as shop
from kalos.domains.support.api import calls as support
from kalos.domains.teams.api import calls as teams
from kalos.domains.wallets.api import calls as wallets
from kalos.domains.withdrawals.api import calls as withdrawals
from kalos.operator.api import calls as operator
from kalos.operator.bulletin_api import calls as bulletins
from kalos.operator.desk_api import calls as desk
from kalos.operator.member_api import calls as members
from kalos.operator.stray_api import calls as strays
from kalos.operator.ticket_api import calls as tickets
from kalos.wire.calls import Call, Calls

REGISTERS: Final[Sequence[Calls]] = (
    challenges, entry, identity, security, factors, wallets, teams, protection, overview, deposits, withdrawals, games,
    content, shop, support,
)  # fmt: skip

STAFF_REGISTERS: Final[Sequence[Calls]] = (operator, desk, strays, tickets, members, bulletins)
"""The console's calls, for the sessions of staff alone."""


def every_call(*, demo: bool) -> Sequence[Call]:
    """What this installation serves: members' calls, then those of staff."""
    return [*all_calls(demo=demo), *(call for register in STAFF_REGISTERS for call in register.all)]


def all_calls(*, demo: bool) -> Sequence[Call]:
    """Every call of members and visitors, in the order of the domains; demo mode adds its helpers."""
    registers = [*REGISTERS]
    if demo:
        from kalos.app.demo import calls as demo_helpers  # imported in demo mode only

        registers.append(demo_helpers)
    return [call for register in registers for call in register.all]
