"""The time of the ledger's last posting: stamps never fall, so one from a clock that was ahead is all others', too."""

from typing import Final

from kalos.core.database import Database

AHEAD_MS: Final = """
    last_at - (extract(epoch FROM clock_timestamp()) * 1000)::bigint - (SELECT max(offset_ms) FROM clock)
"""
"""Of the row of `ledger_tail`: how far it is ahead of business time as the database has it."""


async def ahead_ms(db: Database) -> int:
    """How far the ledger's stamps are ahead of business time. 0: they aren't."""
    found: int = await db.value(f"SELECT {AHEAD_MS} FROM ledger_tail")
    return max(found, 0)
