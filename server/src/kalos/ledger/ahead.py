"""What a writer that takes over reads ahead: the accounts that moved last.

It begins without copies, and would have to look up every member's account when they come. So it walks back along the
journal, a few moves at a time between the live postings, and reads the accounts that it finds, until it knows so many
as it may, or has gone far enough.
"""

import asyncio
from typing import Final

import asyncpg

from kalos.ledger.state import State

MOST_MOVES: Final = 4_000_000
"""So far back the journal is walked."""
_STEP: Final = 1_000  # moves: their accounts are taken up in some two milliseconds
_REST: Final = 2  # times as long as a step took: live postings need the database and the loop, too

_MOVED: Final = """
    SELECT from_id FROM journal WHERE id > $1 AND id <= $2 UNION
    SELECT to_id FROM journal WHERE id > $1 AND id <= $2
"""
_ACCOUNTS: Final = "SELECT id, balance, version, open FROM accounts WHERE id = ANY($1::bigint[])"


async def read_ahead(db: asyncpg.Connection, state: State, most: int) -> int:
    """Take up accounts until `most` are known. Returns how many were read.

    An account that has become known meanwhile is ahead of what was read, and one that has been dropped since then may
    be: where copies are being dropped, enough are known.
    """
    loop = asyncio.get_running_loop()
    read, last = 0, state.move
    lowest = max(0, last - MOST_MOVES)
    while last > lowest and len(state.accounts) < most:
        begun = loop.time()
        first = max(lowest, last - _STEP)
        moved = [row[0] for row in await db.fetch(_MOVED, first, last)]
        dropped = state.dropped
        rows = await db.fetch(_ACCOUNTS, [account for account in moved if account not in state.accounts])
        if state.dropped != dropped:
            break
        read += _take_up(state, rows)
        last = first
        await asyncio.sleep(_REST * (loop.time() - begun))
    return read


def _take_up(state: State, rows: list[asyncpg.Record]) -> int:
    new = [row for row in rows if row["id"] not in state.accounts]
    state.accounts.update((row["id"], (row["balance"], row["version"])) for row in new)
    state.closed.update(row["id"] for row in new if not row["open"])
    return len(new)
