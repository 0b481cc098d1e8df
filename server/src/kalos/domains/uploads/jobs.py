"""From time to time: pictures that nothing used go, and what failed or died goes with them."""

from typing import Final

from kalos.core.clock import HOUR_MS
from kalos.core.errors import Outage
from kalos.domains.context import House
from kalos.domains.uploads import queries

_AT_ONCE: Final = 100
_STEPS: Final = 100


async def sweep(house: House) -> int:
    """Delete what was begun `upload_unused` ago and isn't used: first the files, then the rows that name them.

    Killed in between, it finds the rows again. Returns how many went. Raises: Outage, where a file couldn't be deleted:
      its row stays, and those behind it have been gone on with.
    """
    before = house.clock.wall() - house.terms.upload_unused * HOUR_MS
    swept, last, problem = 0, (0, ""), None
    for _ in range(_STEPS):
        ended = await queries.end_unused(house.db, before=before, after=last, most=_AT_ONCE)
        gone = []
        for row in ended:
            try:
                await house.files.delete([row.name])
                gone.append(row.id)
            except Outage as outage:
                problem = outage
        await queries.delete_ended(house.db, gone)
        swept += len(gone)
        if len(ended) < _AT_ONCE:
            break
        last = max((row.created_at, row.id) for row in ended)
    if problem is not None:
        raise problem
    return swept
