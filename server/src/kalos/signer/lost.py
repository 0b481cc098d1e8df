"""The statements of a resume: what it ended, and payments that the chain has and our records had lost."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from kalos.core.database import Connection, Database, Record
from kalos.signer.tables import MadeWith, Open, Outcome, Unpaid

_MOST_UNITS: Final = 2**63 - 1


async def last_block(db: Database, sender: str) -> int | None:
    """The block at which the last payment was made that our records have."""
    found: int | None = await db.value("SELECT max(taken_block) FROM signer_nonces WHERE sender = $1", sender)
    return found


async def list_ended(db: Database, payments: Sequence[Open]) -> list[Record]:
    """Those of the payments that have ended: transaction, purpose, withdrawal, outcome."""
    return await db.rows(
        """
        SELECT n.transaction, n.purpose, n.withdrawal, n.outcome
        FROM signer_nonces n JOIN unnest($1::text[], $2::bigint[]) AS p(sender, nonce) USING (sender, nonce)
        WHERE n.ended_at IS NOT NULL ORDER BY n.sender, n.nonce
        """,
        [payment.sender for payment in payments],
        [payment.nonce for payment in payments],
    )


async def match_unpaid(db: Connection, *, asset: str, address: str, units: int) -> Unpaid | None:
    """The oldest withdrawal of that amount to that address that no payment is known of."""
    if units > _MOST_UNITS:  # a transfer that reverted may name any number
        return None
    row = await db.fetchrow(
        """
        SELECT id, hold, status, value_units, price_numerator, price_denominator, price_at, price_source
        FROM withdrawals w
        WHERE asset = $1 AND address = $2 AND units = $3 AND status IN ('on_chain_processing', 'pending_review')
            AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.withdrawal = w.id)
            AND NOT EXISTS (SELECT FROM broadcast_ends e WHERE e.withdrawal = w.id)
        ORDER BY status, id LIMIT 1
        """,
        asset,
        address,
        units,
    )
    if row is None:
        return None
    number, hold, status, value_units, *price = row
    return Unpaid(number, hold, status, value_units, MadeWith(*price))


async def return_unpaid(db: Connection, wall: int) -> list[int]:
    """Give back to people what was on its way when the database was copied and the chain hasn't: its member may have
    frozen the account, or a person refused it, in the time that is lost. Returns their numbers."""
    rows = await db.fetch(
        """
        INSERT INTO broadcast_returns (withdrawal, revision, reason, at)
        SELECT w.id, w.revision, 'restored', $1 FROM withdrawals w
        WHERE w.status = 'on_chain_processing'
            AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.withdrawal = w.id)
            AND NOT EXISTS (SELECT FROM broadcast_ends e WHERE e.withdrawal = w.id)
            AND NOT EXISTS (SELECT FROM broadcast_returns b WHERE b.withdrawal = w.id AND b.revision = w.revision)
        ORDER BY w.id RETURNING withdrawal
        """,
        wall,
    )
    return [row["withdrawal"] for row in rows]


async def put_found(
    db: Connection,
    *,
    sender: str,
    nonce: int,
    withdrawal: Unpaid | None,
    asset: str | None,
    recipient: str,
    units: int,
    value: int,
    price: MadeWith | None,
    outcome: Outcome,
    transaction: str,
    block: int,
    at: int,
) -> None:
    """Write down a payment that the chain has and our records had lost, as of the time of its block."""
    values: Sequence[Any] = (
        sender,
        nonce,
        "found" if withdrawal is None else "withdrawal",
        withdrawal and withdrawal.id,
        withdrawal and withdrawal.hold,
        asset,
        recipient,
        Decimal(units),
        value,
        at,
        block,
        outcome,
        transaction,
        *(price or (None,) * 4),
    )
    await db.execute(
        """
        INSERT INTO signer_nonces (sender, nonce, purpose, withdrawal, hold, asset, recipient, units, value_units, gas,
            taken_at, taken_block, ended_at, outcome, transaction, price_numerator, price_denominator, price_at,
            price_source)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $10, $12, $13, $14, $15, $16, $17)
        """,
        *values,
    )
