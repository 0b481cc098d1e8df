"""After commit: members hear that their name was locked. From time to time: devices that aren't used any more go."""

from collections.abc import Sequence
from typing import Final

from kalos.core.clock import DAY_MS
from kalos.core.database import Connection
from kalos.core.outbox import DomainFact, consume
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import Context, House
from kalos.domains.entry import queries
from kalos.domains.entry.service import LOCKED_TOPIC
from kalos.domains.identity.queries import was_noted
from kalos.domains.identity.service import note

_TOLD_AGAIN_MS: Final = DAY_MS


async def tell_of_locks(house: House) -> int:
    """Write into the logs of members that their name waits after too many failures, and mail them once a day.

    A job does it, so that an answer takes the same time whether or not there is such a member.
    """

    async def tell(db: Connection, facts: Sequence[DomainFact]) -> None:
        for fact in facts:
            body = dict(fact.body)
            member = body.pop("member")
            ctx = Context(house=house, **body)
            if member is not None and not await was_noted(db, member, "login_locked", since=ctx.now - _TOLD_AGAIN_MS):
                await note(ctx, db, member, "login_locked")

    return await consume(house.db, LOCKED_TOPIC, tell, wall=house.clock.wall())


async def sweep(house: House) -> int:
    """Delete devices that were last used a year and a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)
