"""From time to time: pictures that nothing used go, and what failed or died goes with them."""

from typing import Final

from kalos.core.clock import HOUR_MS
from kalos.domains.context import House
from kalos.domains.uploads import queries

_AT_ONCE: Final = 100
_STEPS: Final = 100


async def sweep(house: House) -> int:
    """Delete what was begun `upload_unused` ago and isn't used: first the files, then the rows that name them.

    Killed in between, it finds the rows again. Returns how many went.
    """
    before = house.clock.wall() - house.terms.upload_unused * HOUR_MS
    swept = 0
    for _ in range(_STEPS):
        ended = await queries.end_unused(house.db, before=before, most=_AT_ONCE)
        await house.files.delete([row.name for row in ended])
        await queries.delete_ended(house.db, [row.id for row in ended])
        swept += len(ended)
        if len(ended) < _AT_ONCE:
            break
    return swept
