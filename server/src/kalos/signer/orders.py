"""Orders of the signer's limits: every statement on them."""

from collections.abc import Mapping

import msgspec

from kalos.core.database import Database
from kalos.signer.tables import SignedOrder


async def list_orders(db: Database, number: int) -> list[SignedOrder]:
    """What was carried out in the console as the order of that number."""
    rows = await db.rows(
        """
        SELECT message, maker_signature, checker_signature FROM commands
        WHERE kind = 'signer_limit' AND state = 'carried_out' AND split_part(message, E'\\n', 2) = $1
        ORDER BY id LIMIT 10
        """,
        str(number),
    )
    return [
        SignedOrder(row["message"], tuple(one for one in (row["maker_signature"], row["checker_signature"]) if one))
        for row in rows
    ]


async def refuse_order(db: Database, number: int, reason: str) -> None:
    await db.execute("UPDATE signer_state SET limits_order = $1, limits_refused = $2", number, reason[:200])


async def tell_limits(db: Database, limits: Mapping[str, int], order: int) -> None:
    """Say which limits count, and since which order: the console shows it and nothing follows from it here."""
    await db.execute(
        """
        UPDATE signer_state SET limits = $1, limits_order = $2,
            limits_refused = CASE WHEN limits_order = $2 THEN limits_refused END
        WHERE (limits, limits_order) IS DISTINCT FROM ($1, $2)
        """,
        msgspec.json.encode(limits).decode(),
        order,
    )
