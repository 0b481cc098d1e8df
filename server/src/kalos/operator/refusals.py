"""Log-ins and renewals that were refused: counted with each refusal, and written into the log a row a minute.

A stranger who tries for a day so adds a row a minute to the log, whatever the number of tries and networks; what is
counted is exact all the same. Names that nobody has are counted together, for the same work: what was typed there may
be a password.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

from kalos.core.clock import MINUTE_MS
from kalos.core.errors import TooMany
from kalos.domains.challenges.errors import WrongCode
from kalos.domains.identity.errors import WrongCredentials
from kalos.operator import queries
from kalos.operator.context import Desk
from kalos.operator.tables import Act, RefusalRow

LOGIN: Final = "login.refused"
RENEWAL: Final = "staff.renewal_refused"
NOBODY: Final = "names of nobody"
_MOST_NETWORKS: Final = 8
"""That a row of the log names; of all others it has the number."""


@asynccontextmanager
async def counted(desk: Desk, act: Act, staff: int | None, *, on_known: bool) -> AsyncIterator[None]:
    """Count what the block refuses: what was judged and wrong, and what was turned away as one try too many.

    `staff` is whose name it was; `on_known`: on a device that they have logged in with.
    """
    try:
        yield
    except (WrongCredentials, WrongCode, TooMany) as refusal:
        away = isinstance(refusal, TooMany)
        minute = desk.wall // MINUTE_MS * MINUTE_MS
        row = RefusalRow(minute, act, staff, desk.network, int(not away), int(away), int(on_known))
        await queries.count_refusal(desk.db, row)
        raise


async def write_down(desk: Desk) -> int:
    """Write into the log what was refused in minutes that are over. Returns how many rows it got."""
    before = desk.wall // MINUTE_MS * MINUTE_MS
    async with desk.db.transaction() as db:
        found = await queries.take_refusals(db, before=before, most_networks=_MOST_NETWORKS)
        for one in found:
            about = NOBODY if one.name is None else f"staff {one.name}"
            begun = datetime.fromtimestamp(one.minute / 1000, UTC)
            told = {
                "minute": begun.strftime("%Y-%m-%d %H:%M UTC"),
                "wrong": one.wrong,
                "turned_away": one.turned_away,
                "on_known_devices": one.on_known,
                "networks": ", ".join(one.networks),
                "more_networks": one.more_networks,
            }
            await desk.record(db, one.act, about, {}, told)
    return len(found)
