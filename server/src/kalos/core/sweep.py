"""What has ended goes, in small commits: what visitors can make must go as fast."""

from collections.abc import Sequence
from typing import Final

from kalos.core.database import Database

_AT_ONCE: Final = 1_000
_MOST_ROUNDS: Final = 100


async def sweep(db: Database, tables: Sequence[str], *, before: int, at_once: int = _AT_ONCE) -> int:
    """Delete the rows whose `until_at` is before that time, until a round of the tables leaves nothing over.

    Returns how many rows went.
    """
    swept = 0
    for _ in range(_MOST_ROUNDS):
        gone = sum([await _delete(db, table, before, at_once) for table in tables])
        swept += gone
        if gone < at_once:
            break
    return swept


async def _delete(db: Database, table: str, before: int, most: int) -> int:
    tag = await db.execute(
        f"DELETE FROM {table} WHERE ctid = ANY(ARRAY("
        f"SELECT ctid FROM {table} WHERE until_at < $1 ORDER BY until_at LIMIT $2))",
        before,
        most,
    )
    return int(tag.rpartition(" ")[2])
