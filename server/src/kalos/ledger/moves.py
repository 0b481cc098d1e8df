"""The journal in its order, for those who keep sums of it: each stores how far it has read with what it made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kalos.core.assets import Asset
from kalos.core.database import Connection
from kalos.ledger.purse import asset_of, owner_of

_LAST: Final = "SELECT greatest($1::bigint, least(last_move, $1::bigint + $2::bigint)) FROM ledger_tail"
_MOVES: Final = """
    SELECT j.from_id, j.amount, j.day FROM journal j
    WHERE j.id > $1 AND j.id <= $2 AND j.kind = ANY(ARRAY(SELECT id FROM kinds WHERE name = ANY($3::text[])))
    ORDER BY j.id
"""


@dataclass(frozen=True, slots=True)
class StoredMove:
    """What left an account of `owner` on a business day."""

    owner: int
    asset: Asset
    units: int
    day: date


async def moves_after(db: Connection, after: int, kinds: Sequence[str], *, most: int) -> tuple[list[StoredMove], int]:
    """The moves of these kinds among the next `most` of the journal, and the number of the last that was looked at.

    The writer commits moves in their order: none can come before that number later.
    """
    last: int = await db.fetchval(_LAST, after, most)
    rows = await db.fetch(_MOVES, after, last, list(kinds)) if last > after else []
    return [StoredMove(owner_of(source), asset_of(source), units, day) for source, units, day in rows], last
