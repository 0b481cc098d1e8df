"""From time to time: what was signed and not carried out, commands whose time is over, refused log-ins, what ended."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import structlog

from kalos.core.clock import DAY_MS, SECOND_MS
from kalos.core.errors import Refusal
from kalos.core.sweep import sweep as sweep_ended
from kalos.core.terms import Number
from kalos.domains.context import House
from kalos.ledger.outbox import consume
from kalos.operator import command_queries, commands, queries, refusals
from kalos.operator.context import Desk
from kalos.operator.reviews import TOPIC, write_log

_LATE_MS: Final = 10 * SECOND_MS
_AT_ONCE: Final = 100
_log = structlog.get_logger("operator")


async def turn(house: House, numbers: Mapping[str, Number]) -> None:
    """Finish what a process that ended left signed, end commands that nobody signed in time, write down refusals."""
    desk = Desk(house=house, numbers=numbers)
    for row in await command_queries.list_signed(house.db, before=desk.wall - _LATE_MS, most=_AT_ONCE):
        try:
            await commands.finish(desk, row)
        except Refusal as refusal:
            _log.warning("a signed command was refused", command=row.id, reason=refusal.name)
    for about in await command_queries.list_expired(house.db, wall=desk.wall, most=_AT_ONCE):
        await commands.expire(desk, about)
    await refusals.write_down(desk)


async def follow(house: House) -> int:
    """Write into the log what came with postings; returns how many facts were passed."""
    wall = house.clock.wall()
    return await consume(house.db, "console", [TOPIC], partial(write_log, wall=wall), wall=wall)


async def sweep(house: House) -> int:
    """Delete sessions, secrets and devices that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)
