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
_told: Final[list[str]] = []  # what waits: the log tells of each once, not each second


async def turn(house: House, numbers: Mapping[str, Number]) -> Exception | None:
    """Finish what a process that ended left signed, end commands that nobody signed in time, write down refusals.

    Returns the first command's problem: the others have been gone on with, and the next turn is due as ever.
    """
    desk, waiting = Desk(house=house, numbers=numbers), dict[str, Exception]()
    for row in await command_queries.list_signed(house.db, before=desk.wall - _LATE_MS, most=_AT_ONCE):
        try:
            await commands.finish(desk, row)
        except Refusal as refusal:
            _log.warning("a signed command was refused", command=row.id, reason=refusal.name)
        except Exception as problem:  # noqa: BLE001 - one command must not keep the others
            waiting[f"command {row.id}"] = problem
    for about in await command_queries.list_expired(house.db, wall=desk.wall, most=_AT_ONCE):
        try:
            await commands.expire(desk, about)
        except Exception as problem:  # noqa: BLE001 - as above
            waiting[about] = problem
    for what in waiting.keys() - _told:
        _log.warning("a command waits", command=what, exc_info=waiting[what])
    _told[:] = waiting
    await refusals.write_down(desk)
    return next(iter(waiting.values()), None)


async def follow(house: House) -> int:
    """Write into the log what came with postings; returns how many facts were passed."""
    wall = house.clock.wall()
    return await consume(house.db, "console", [TOPIC], partial(write_log, wall=wall), wall=wall)


async def sweep(house: House) -> int:
    """Delete sessions, secrets and devices that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)
