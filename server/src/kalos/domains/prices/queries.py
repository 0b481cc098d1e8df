"""Every statement on the table of prices."""

from fractions import Fraction
from typing import Final

from kalos.core.assets import Asset
from kalos.core.database import Connection, Database, Record
from kalos.domains.prices.tables import PriceOrder

_COLUMNS: Final = ", ".join(PriceOrder.__dataclass_fields__)
_LATEST: Final = f"SELECT {_COLUMNS} FROM price_orders WHERE asset = $1 ORDER BY id DESC LIMIT 1"
_SHOWN: Final = 100


def _order(row: Record | None) -> PriceOrder | None:
    return None if row is None else PriceOrder(**dict(row))


async def find_latest(db: Database, asset: Asset) -> PriceOrder | None:
    return _order(await db.row(_LATEST, asset.code))


async def lock_latest(db: Connection, asset: Asset) -> PriceOrder | None:
    """The latest order, which stays the latest until this transaction ends."""
    await db.execute("SELECT pg_advisory_xact_lock(hashtextextended('price ' || $1, 0))", asset.code)
    return _order(await db.fetchrow(_LATEST, asset.code))


async def find_before(db: Connection, asset: Asset, at: int) -> PriceOrder | None:
    """The latest order from before a point in business time."""
    query = f"SELECT {_COLUMNS} FROM price_orders WHERE asset = $1 AND at < $2 ORDER BY id DESC LIMIT 1"
    return _order(await db.fetchrow(query, asset.code, at))


async def list_extremes(db: Connection, asset: Asset, since: int) -> list[PriceOrder]:
    """The lowest order since a point in business time and the highest; none where nobody ordered one."""
    since_then = f"SELECT {_COLUMNS} FROM price_orders WHERE asset = $1 AND at >= $2"
    by_rate = f"{since_then} ORDER BY numerator::numeric / denominator"
    rows = await db.fetch(f"({by_rate} LIMIT 1) UNION ALL ({by_rate} DESC LIMIT 1)", asset.code, since)
    return [PriceOrder(**dict(row)) for row in rows]


async def insert_order(
    db: Connection,
    *,
    asset: Asset,
    rate: Fraction,
    at: int,
    staff: int,
    command: int,
    ordered_by: str,
    reason: str,
) -> PriceOrder:
    row = await db.fetchrow(
        f"""
        INSERT INTO price_orders (asset, numerator, denominator, at, staff, command, ordered_by, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING {_COLUMNS}
        """,
        asset.code,
        rate.numerator,
        rate.denominator,
        at,
        staff,
        command,
        ordered_by,
        reason,
    )
    order = _order(row)
    assert order is not None
    return order


async def list_orders(db: Database) -> list[PriceOrder]:
    """The latest orders of all coins, newest first."""
    rows = await db.rows(f"SELECT {_COLUMNS} FROM price_orders ORDER BY id DESC LIMIT $1", _SHOWN)
    return [PriceOrder(**dict(row)) for row in rows]
