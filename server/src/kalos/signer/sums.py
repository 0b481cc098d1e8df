"""What can be swept from each deposit address: every statement on these sums.

A sum is what came, as the database itself tells of each deposit that counts (`sweep_news`), less what was swept. So a
look costs what is new since the last one, however many deposits there ever were.
"""

from collections.abc import Collection
from decimal import Decimal
from typing import Final

from kalos.core.database import Connection, Database
from kalos.signer.tables import Full

_ADD_UP: Final = """
    WITH news AS (
        DELETE FROM sweep_news WHERE chain_id = $1
            AND id = ANY(ARRAY(SELECT id FROM sweep_news WHERE chain_id = $1 ORDER BY id LIMIT $2))
        RETURNING owner, asset, units
    )
    INSERT INTO sweep_sums AS known (owner, asset, units)
    SELECT owner, asset, sum(units) FROM news GROUP BY owner, asset
    ON CONFLICT (owner, asset) DO UPDATE SET units = known.units + excluded.units
"""


async def add_up(db: Connection, chain_id: int, most: int) -> None:
    """Add what came to deposit addresses since the last time to their sums, the oldest first, and forget it."""
    await db.execute(_ADD_UP, chain_id, most)


_FULL: Final = """
    SELECT a.owner, a.address, s.asset FROM sweep_sums s JOIN deposit_addresses a USING (owner)
    WHERE s.asset = $1 AND s.units >= $2 AND s.owner <> ALL($4::bigint[])
        AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.owner = s.owner AND n.ended_at IS NULL)
    ORDER BY s.units DESC LIMIT $3
"""


async def list_full(db: Connection, asset: str, least: int, most: int, *, besides: Collection[int]) -> list[Full]:
    """Deposit addresses to which so much more came than was swept, the fullest first, and no payment is under way, but
    for those of some owners. `least` in the asset's units."""
    rows = await db.fetch(_FULL, asset, Decimal(least), most, list(besides))
    return [Full(**dict(row)) for row in rows]


_UNLIKE: Final = """
    SELECT owner FROM (
        SELECT owner, asset, units FROM deposits
        WHERE chain_id = $1 AND status IN ('approved', 'pending_review', 'refused')
        UNION ALL
        SELECT owner, asset, -units FROM signer_nonces
        WHERE purpose = 'sweep' AND outcome IS DISTINCT FROM 'failed'
        UNION ALL SELECT owner, asset, -units FROM sweep_sums
        UNION ALL SELECT owner, asset, -units FROM sweep_news WHERE chain_id = $1
    ) AS all_of_it
    GROUP BY owner, asset HAVING sum(units) <> 0 ORDER BY owner
"""


async def list_unlike(db: Database, chain_id: int) -> list[int]:
    """Owners whose sum isn't what all of their deposits and sweeps add up to: reads them all, for the audit."""
    return [row["owner"] for row in await db.rows(_UNLIKE, chain_id)]


async def take(db: Connection, owner: int, asset: str, units: int) -> None:
    """A sweep takes them away; one that failed (below zero) leaves them there."""
    await db.execute(
        """
        INSERT INTO sweep_sums AS known (owner, asset, units) VALUES ($1, $2, $3)
        ON CONFLICT (owner, asset) DO UPDATE SET units = known.units + excluded.units
        """,
        owner,
        asset,
        Decimal(-units),
    )
