"""Every statement of the signer but those on deposit addresses' sums, orders of limits and lost payments."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final

from kalos.core.assets import USDT
from kalos.core.database import Connection, Database, Record
from kalos.core.payments import Fees, Signed
from kalos.signer import sums
from kalos.signer.tables import (
    FLOOR,
    ON_CHAIN,
    Attempt,
    Book,
    Brakes,
    Due,
    Hold,
    Open,
    Outcome,
    Returned,
    Seen,
    State,
)

_MOST_REASON: Final = 2000
_MOST_ADDED: Final = 1000
_ONE_SIGNER: Final = 7_401_026
"""Of the advisory lock that the one working signer holds."""


async def take_place(db: Connection) -> None:
    """Wait until this connection's process is the one that signs; it is until the connection ends."""
    await db.execute("SELECT pg_advisory_lock($1)", _ONE_SIGNER)


async def find_state(db: Database) -> State:
    row = await db.row(
        "SELECT paused, reason, by, at, waiting, native_units, gas_low, beat_at FROM signer_state WHERE one"
    )
    assert row is not None
    native = row["native_units"]
    return State(**{**dict(row), "native_units": None if native is None else int(native)})


async def pause(db: Database, *, reason: str, by: str, wall: int) -> bool:
    """False where it is paused already: the first reason stays."""
    tag = await db.execute(
        "UPDATE signer_state SET paused = true, reason = $1, by = $2, at = greatest($3, at + 1) WHERE NOT paused",
        reason[:_MOST_REASON],
        by,
        wall,
    )
    return tag == "UPDATE 1"


async def add_reason(db: Database, *, reason: str, by: str, wall: int) -> bool:
    """A further one, under its own name, for who looks for the first alone; false where it isn't paused any more."""
    behind = f"\n{by}: {reason}"[:_MOST_ADDED]
    tag = await db.execute(
        "UPDATE signer_state SET reason = left(reason, $1) || $2, at = greatest($3, at + 1) WHERE paused",
        _MOST_REASON - len(behind),
        behind,
        wall,
    )
    return tag == "UPDATE 1"


async def unpause(db: Connection, *, reason: str, by: str, wall: int, stood: int) -> bool:
    """False where something was said of a pause since `stood`, the time of the state that was looked at."""
    tag = await db.execute(
        "UPDATE signer_state SET paused = false, reason = $1, by = $2, at = greatest($3, at + 1) WHERE at = $4",
        reason[:_MOST_REASON],
        by,
        wall,
        stood,
    )
    return tag == "UPDATE 1"


async def beat(db: Database, *, waiting: str | None, head: int, wall: int) -> None:
    await db.execute(
        "UPDATE signer_state SET waiting = $1, head = $2, beat_at = $3", waiting and waiting[:200], head, wall
    )


async def put_gas(db: Database, *, hot: str, units: int, is_low: bool, wall: int) -> None:
    await db.execute(
        "UPDATE signer_state SET hot = $1, native_units = $2, gas_low = $3, looked_at = $4",
        hot,
        Decimal(units),
        is_low,
        wall,
    )


_STOPPED: Final = "EXISTS (SELECT FROM ledger_flags WHERE name = 'money_out_stopped')"


async def find_halt(db: Database) -> tuple[bool, bool, int]:
    """At this moment: whether money out is stopped, whether the signer is paused, and the database's clock."""
    row = await db.row(
        f"SELECT {_STOPPED} AS stopped, paused, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS wall "
        "FROM signer_state WHERE one"
    )
    assert row is not None
    return row["stopped"], row["paused"], row["wall"]


_DUE: Final = """
    SELECT w.id, w.revision, w.member, w.asset, w.units, w.chain_id, w.address, w.value_units, w.needed, w.hold,
        h.account_id, h.left_units, k.name AS kind,
        a.id AS book, a.member AS book_member, a.chain, a.address AS book_address, a.is_listed, a.written_at,
        a.removed_at IS NOT NULL AS is_removed, a.is_listed AND NOT is_told_listed(w.risks) AS is_listed_since,
        ARRAY(SELECT signature FROM withdrawal_reviews r
              WHERE r.withdrawal = w.id AND r.verdict = 'yes' AND r.signature IS NOT NULL
        ) AS signatures,
        (SELECT m.frozen_at IS NOT NULL FROM members m WHERE m.id = w.member) AS is_frozen,
        (SELECT max(e.held_until) FROM security_events e WHERE e.member = w.member
            AND e.held_until > $4 + (SELECT offset_ms FROM clock)) AS held_until,
        EXISTS (SELECT FROM deposit_addresses d WHERE d.address = w.address) AS is_deposit,
        (SELECT count(*) FROM broadcast_returns b WHERE b.withdrawal = w.id) AS round
    FROM withdrawals w
    LEFT JOIN holds h ON h.id = w.hold AND h.state = 'open'
    LEFT JOIN kinds k ON k.id = h.kind
    LEFT JOIN withdrawal_addresses a ON a.id = w.wallet
    WHERE w.status = $1 AND w.asset <> ALL($3::text[])
        AND NOT EXISTS (SELECT FROM broadcast_returns b WHERE b.withdrawal = w.id AND b.revision = w.revision)
        AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.withdrawal = w.id)
        AND NOT EXISTS (SELECT FROM broadcast_ends e WHERE e.withdrawal = w.id)
    ORDER BY w.id LIMIT $2
"""


_BOOK: Final = ("book_member", "chain", "book_address", "is_listed", "written_at", "is_removed")


async def list_due(db: Database, most: int, *, wall: int, besides: Collection[str] = ()) -> list[Due]:
    """Withdrawals that wait for their first signature, the oldest first, but for those of some coins."""
    return [_due(row) for row in await db.rows(_DUE, ON_CHAIN, most, list(besides), wall)]


def _due(row: Record) -> Due:
    held = row["account_id"]
    return Due(
        id=row["id"],
        revision=row["revision"],
        member=row["member"],
        asset=row["asset"],
        units=row["units"],
        chain_id=row["chain_id"],
        address=row["address"],
        value_units=row["value_units"],
        needed=row["needed"],
        round=row["round"],
        hold_id=row["hold"],
        hold=None if held is None else Hold(held, row["left_units"], row["kind"]),
        book=None if row["book"] is None else Book(*(row[name] for name in _BOOK)),
        signatures=tuple(row["signatures"]),
        brakes=Brakes(row["is_frozen"] is True, row["held_until"], row["is_deposit"], row["is_listed_since"] is True),
    )


async def put_return(db: Database, due: Due, why: Returned, *, wall: int) -> None:
    """Write down that a withdrawal isn't signed as it stands: the worker puts it before people again."""
    await db.execute(
        "INSERT INTO broadcast_returns (withdrawal, revision, reason, until_at, at, needed) "
        "VALUES ($1, $2, $3, $4, $5, $6)",
        due.id,
        due.revision,
        why.reason,
        why.until_at,
        wall,
        why.needed,
    )


_SPENT: Final = """
    SELECT coalesce(sum(value_units), 0) FROM signer_nonces
    WHERE purpose IN ('withdrawal', 'found') AND taken_at > $1
"""


async def sum_spent(db: Database, since: int) -> int:
    """The value of all that left the house or may have since then, withdrawals and what was found on the chain."""
    return int(await db.value(_SPENT, since))


async def next_nonce(db: Database, sender: str) -> int:
    """One after the last that our records have."""
    return int(await db.value("SELECT coalesce(max(nonce) + 1, 0) FROM signer_nonces WHERE sender = $1", sender))


_OPEN: Final = """
    SELECT n.sender, n.nonce, n.purpose, n.withdrawal, n.owner, n.asset, n.recipient, n.units, n.gas, n.taken_block,
        n.seen_hash, n.seen_block, b.attempt, b.raw, b.hash, b.max_fee, b.tip, b.made_block, b.sent_at
    FROM signer_nonces n JOIN broadcasts b USING (sender, nonce)
    WHERE n.ended_at IS NULL ORDER BY n.sender, n.nonce, b.attempt
"""


async def list_open(db: Database) -> list[Open]:
    """Payments that aren't final, each sender's in the order of its nonces."""
    rows = await db.rows(_OPEN)
    return [_open(list(group)) for _, group in groupby(rows, key=lambda row: (row["sender"], row["nonce"]))]


def _open(rows: Sequence[Record]) -> Open:
    first = rows[0]
    return Open(
        sender=first["sender"],
        nonce=first["nonce"],
        purpose=first["purpose"],
        withdrawal=first["withdrawal"],
        owner=first["owner"],
        asset=first["asset"],
        recipient=first["recipient"],
        units=int(first["units"]),
        gas=first["gas"],
        taken_block=first["taken_block"],
        attempts=tuple(
            Attempt(
                row["attempt"],
                row["raw"],
                row["hash"],
                Fees(int(row["max_fee"]), int(row["tip"])),
                row["made_block"],
                row["sent_at"] is not None,
            )
            for row in rows
        ),
        seen=None if first["seen_hash"] is None else Seen(first["seen_hash"], first["seen_block"]),
    )


_TAKE: Final = f"""
    INSERT INTO signer_nonces (sender, nonce, purpose, withdrawal, hold, asset, recipient, units, value_units, gas,
        taken_at, taken_block, price_numerator, price_denominator, price_at, price_source)
    SELECT $1, $2, 'withdrawal', w.id, w.hold, w.asset, w.address, w.units, $4, $5, $6, $7, p.*
    FROM withdrawals w JOIN holds h ON h.id = w.hold
    LEFT JOIN LATERAL (
        SELECT w.price_numerator, w.price_denominator, w.price_at, w.price_source WHERE w.value_units >= $4
        UNION ALL SELECT $11::bigint, $12::bigint, $6, '{FLOOR}' WHERE w.value_units < $4
    ) AS p ON w.asset <> $10
    WHERE w.id = $3 AND w.revision = $9 AND w.status = $8 AND h.state = 'open' AND h.left_units = w.units
        AND NOT EXISTS (SELECT FROM members m WHERE m.id = w.member AND m.frozen_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM security_events e WHERE e.member = w.member
            AND e.held_until > $6 + (SELECT offset_ms FROM clock))
        AND EXISTS (SELECT FROM withdrawal_addresses a WHERE a.id = w.wallet AND a.removed_at IS NULL
            AND (NOT a.is_listed OR is_told_listed(w.risks)))
        AND NOT EXISTS (SELECT FROM deposit_addresses d WHERE d.address = w.address)
        AND NOT {_STOPPED} AND NOT (SELECT paused FROM signer_state WHERE one)
"""


async def take_nonce(
    db: Connection, due: Due, *, sender: str, nonce: int, value: int, floor: Fraction, gas: int, wall: int, head: int
) -> bool:
    """Give a withdrawal its nonce; False where its row, hold, member or address has changed, or all was stopped.

    What its value was made with stands beside it: the price in the withdrawal's row or, where that counts for less,
    the `floor`; of USDT none.
    """
    values = sender, nonce, due.id, value, gas, wall, head, ON_CHAIN, due.revision
    tag = await db.execute(_TAKE, *values, USDT.code, floor.numerator, floor.denominator)
    return bool(tag == "INSERT 0 1")


async def take_own_nonce(
    db: Connection,
    *,
    sender: str,
    nonce: int,
    purpose: str,
    owner: int,
    asset: str | None,
    recipient: str,
    units: int,
    gas: int,
    wall: int,
    head: int,
) -> None:
    """Give a sweep, or the gas of one, its nonce."""
    await db.execute(
        """
        INSERT INTO signer_nonces (sender, nonce, purpose, owner, asset, recipient, units, value_units, gas,
            taken_at, taken_block)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10)
        """,
        sender,
        nonce,
        purpose,
        owner,
        asset,
        recipient,
        Decimal(units),
        gas,
        wall,
        head,
    )
    if purpose == "sweep":
        assert asset is not None, nonce
        await sums.take(db, owner, asset, units)


async def is_deposit_address(db: Connection, address: str) -> bool:
    return bool(await db.fetchval("SELECT EXISTS (SELECT FROM deposit_addresses WHERE address = $1)", address))


async def put_broadcast(
    db: Connection | Database,
    *,
    sender: str,
    nonce: int,
    attempt: int,
    withdrawal: int | None,
    signed: Signed,
    fees: Fees,
    wall: int,
    head: int,
) -> None:
    """Store signed bytes."""
    await db.execute(
        """
        INSERT INTO broadcasts (sender, nonce, attempt, withdrawal, raw, hash, max_fee, tip, made_at, made_block)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """,
        sender,
        nonce,
        attempt,
        withdrawal,
        signed.raw,
        signed.hash,
        Decimal(fees.max_fee),
        Decimal(fees.tip),
        wall,
        head,
    )


async def mark_sent(db: Database, transaction: str, *, wall: int) -> None:
    await db.execute(
        "UPDATE broadcasts SET sent_at = greatest($2, made_at) WHERE hash = $1 AND sent_at IS NULL", transaction, wall
    )


async def note_seen(db: Database, payment: Open, seen: Seen | None) -> None:
    """Where a payment stands on the chain now, for whoever waits for it; None: in no block."""
    await db.execute(
        "UPDATE signer_nonces SET seen_hash = $3, seen_block = $4 WHERE sender = $1 AND nonce = $2",
        payment.sender,
        payment.nonce,
        seen and seen.transaction,
        seen and seen.block,
    )


async def end_payment(
    db: Connection, payment: Open, *, outcome: Outcome, transaction: str, block: int, wall: int
) -> None:
    """Write down what became of a payment; of a withdrawal the worker books it."""
    tag = await db.execute(
        """
        UPDATE signer_nonces SET ended_at = greatest($3, taken_at), outcome = $4, transaction = $5
        WHERE sender = $1 AND nonce = $2 AND ended_at IS NULL
        """,
        payment.sender,
        payment.nonce,
        wall,
        outcome,
        transaction,
    )
    assert tag == "UPDATE 1", tag
    if payment.purpose == "sweep" and outcome == "failed":
        assert payment.owner is not None, payment.nonce
        assert payment.asset is not None, payment.nonce
        await sums.take(db, payment.owner, payment.asset, -payment.units)
    if payment.withdrawal is not None:
        await put_end(db, payment.withdrawal, outcome=outcome, transaction=transaction, block=block, wall=wall)


async def put_end(
    db: Connection, withdrawal: int, *, outcome: Outcome, transaction: str, block: int, wall: int
) -> None:
    await db.execute(
        "INSERT INTO broadcast_ends (withdrawal, outcome, transaction, block, at) VALUES ($1, $2, $3, $4, $5)",
        withdrawal,
        outcome,
        transaction,
        block,
        wall,
    )
