"""When several at once have come as far as they can."""

import asyncio

from kalos.core.database import Database


async def until_waiting(db: Database, count: int) -> None:
    """So many wait for a row that somebody else holds."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(15):
        while await db.value(waiting) < count:
            await asyncio.sleep(0.01)
