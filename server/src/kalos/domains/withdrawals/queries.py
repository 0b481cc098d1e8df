"""Every statement on the tables of withdrawals."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import msgspec

from kalos.core.assets import ASSETS, Asset
from kalos.core.clock import business_day, day_start_ms
from kalos.core.database import Connection, Database, Record
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.domains.withdrawals import rules
from kalos.domains.withdrawals.rules import Seen, Status
from kalos.domains.withdrawals.tables import PROOFS, End, Proof, Returned, Review, Withdrawal
from kalos.ledger import purse, statements
from kalos.ledger.explained import Holds, Quotas

ENDING: Final = (PROOFS,)
"""What goes some time after its `until_at`."""

_COLUMNS: Final = ", ".join(Withdrawal.__dataclass_fields__)
_OPEN: Final = "status IN ('pending_review', 'on_chain_processing')"
_MINE: Final = """
    member = $1 AND ($2::text[] IS NULL OR asset = ANY($2)) AND ($3::text IS NULL OR status = $3)
"""

# What the day's first withdrawal began its room with, less what all of the day took and didn't give back. A room
# without a withdrawal is nobody's.
_ROOMS: Final = """
    WITH days AS (
        SELECT 'withdraw.day:' || member || ':' || to_char(day, 'YYYY-MM-DD') AS quota, ARRAY[
            (array_agg(day_value_units ORDER BY id))[1] - coalesce(sum(value_units) FILTER (WHERE took), 0),
            (array_agg(day_free_units ORDER BY id))[1] - coalesce(sum(free_units) FILTER (WHERE took), 0)
        ]::bigint[] AS units
        FROM (SELECT *, status NOT IN ('refused', 'failed') AS took FROM withdrawals) AS w GROUP BY member, day
    )
    SELECT coalesce(d.quota, q.id), d.units
    FROM days d FULL JOIN (SELECT id FROM quotas WHERE id LIKE 'withdraw.day:%') AS q ON q.id = d.quota
"""
EXPLAINED: Final = (
    Holds(rules.OPENED, f"SELECT id, units, {_OPEN} FROM withdrawals", times=8),
    Holds(rules.FEE_OPENED, f"SELECT fee_hold, fee_units, {_OPEN} FROM withdrawals WHERE fee_hold IS NOT NULL"),
    Quotas(_ROOMS, seldom=True),
)
"""Amounts and fees of withdrawals that aren't final; the room that is left of each member's day."""

SETTLED_LATER: Final = """
    SELECT w.asset, w.units FROM broadcast_ends e JOIN withdrawals w ON w.id = e.withdrawal
    WHERE w.chain_id = $1 AND e.block > $2 AND w.status = 'approved'
"""
"""For the reserves: what the ledger has paid in blocks beyond one."""

SENT: Final = """
    SELECT w.id, w.asset, w.units, t.hash, t.seen FROM withdrawals w JOIN (
        SELECT withdrawal, hash, NULL::bigint AS seen FROM broadcasts
        UNION ALL SELECT withdrawal, seen_hash, seen_block FROM signer_nonces WHERE seen_hash IS NOT NULL
    ) t ON t.withdrawal = w.id
    WHERE w.chain_id = $1 AND w.status = 'on_chain_processing'
"""
"""For the reserves: each transaction that may have paid a withdrawal which the ledger still holds."""


async def find(db: Database | Connection, number: int) -> Withdrawal | None:
    statement = f"SELECT {_COLUMNS} FROM withdrawals WHERE id = $1"
    row = await (db.row(statement, number) if isinstance(db, Database) else db.fetchrow(statement, number))
    return None if row is None else _withdrawal(row)


async def list_mine(
    db: Database, member: int, query: PageQuery, *, asset: str | None, status: Status | None
) -> Page[Withdrawal]:
    """A member's own, the newest first."""
    chosen = (member, None if asset is None else [asset], status)
    rows = await db.rows(
        f"""
        SELECT {_COLUMNS} FROM withdrawals WHERE {_MINE} AND ($4::bigint IS NULL OR id < $4)
        ORDER BY id DESC LIMIT $5 OFFSET $6
        """,
        *chosen, query.after, query.size + 1, query.skip,
    )  # fmt: skip
    total = await db.value(
        f"SELECT count(*) FROM (SELECT FROM withdrawals WHERE {_MINE} LIMIT {MOST_COUNTED + 1}) AS mine", *chosen
    )
    return counted_page([_withdrawal(row) for row in rows], query, total, lambda one: one.id)


async def list_queue(db: Database, query: PageQuery, status: Status = "pending_review") -> Page[Withdrawal]:
    """Everybody's of a state, the oldest first: `after` is the last one that was shown."""
    rows = await db.rows(
        f"""
        SELECT {_COLUMNS} FROM withdrawals WHERE status = $1 AND ($2::bigint IS NULL OR id > $2)
        ORDER BY id LIMIT $3 OFFSET $4
        """,
        status, query.after, query.size + 1, query.skip,
    )  # fmt: skip
    total = await db.value(
        f"SELECT count(*) FROM (SELECT FROM withdrawals WHERE status = $1 LIMIT {MOST_COUNTED + 1}) AS these", status
    )
    return counted_page([_withdrawal(row) for row in rows], query, total, lambda one: one.id)


async def list_reviews(db: Database, withdrawals: Sequence[int]) -> dict[int, list[Review]]:
    """Of each of these withdrawals, in the order in which they were said."""
    rows = await db.rows(
        "SELECT * FROM withdrawal_reviews WHERE withdrawal = ANY($1::bigint[]) ORDER BY at, staff", withdrawals
    )
    found: dict[int, list[Review]] = {number: [] for number in withdrawals}
    for row in rows:
        found[row["withdrawal"]].append(Review(**row))
    return found


async def list_said(db: Database, one: Withdrawal) -> list[Review]:
    """What counts of it: since the withdrawal came back for the last time."""
    return [said for said in (await list_reviews(db, [one.id]))[one.id] if said.round == one.returned]


async def sum_value(db: Database, member: int, *, since: int, before: int) -> int:
    """What a member asked for in a time and didn't get back, in units of USDT."""
    units: int = await db.value(
        """
        SELECT coalesce(sum(value_units), 0)::bigint FROM withdrawals
        WHERE member = $1 AND requested_at >= $2 AND requested_at < $3 AND status NOT IN ('refused', 'failed')
        """,
        member, since, before,
    )  # fmt: skip
    return units


async def list_available(db: Database, member: int) -> dict[Asset, int]:
    """Units of every asset."""
    balances = await statements.balances_of(db, member)
    return {asset: balances.get(purse.available(member, asset), 0) for asset in ASSETS}


async def daily_left(db: Database, member: int, *, now: int, limit: int) -> int:
    """In units of USDT: by the limit (USDT) as it is now, and by what the day's quota has left."""
    day = business_day(now)
    left = rules.room(limit, await sum_value(db, member, since=day_start_ms(day), before=now + 1))
    quota = rules.quota_of(member, day)
    return min(left, (await statements.quotas_left(db, [quota])).get(quota, (left,))[0])


async def free_room(db: Database, member: int, *, now: int, limit: int) -> int:
    """What the past days leave of the limit (USDT) without an approved identity, in units of USDT."""
    day = business_day(now)
    first, today = day_start_ms(day - timedelta(days=rules.FREE_DAYS - 1)), day_start_ms(day)
    return rules.room(limit, await sum_value(db, member, since=first, before=today))


async def list_ended(db: Database, most: int) -> list[End]:
    """What the signer has ended and the ledger doesn't know of yet, the oldest first."""
    rows = await db.rows(
        """
        SELECT e.* FROM withdrawals w JOIN broadcast_ends e ON e.withdrawal = w.id
        WHERE w.status = 'on_chain_processing' ORDER BY w.id LIMIT $1
        """,
        most,
    )
    return [End(**row) for row in rows]


async def is_signers(db: Database, address: str) -> bool:
    """Whether the signer pays from it, as it told itself."""
    return await db.value("SELECT true FROM signer_state WHERE hot = $1", address) is True


async def list_returned(db: Database, most: int) -> list[Returned]:
    """What the signer gave back and people don't see yet, the oldest first; nothing of which it knows a payment."""
    rows = await db.rows(
        """
        SELECT r.* FROM withdrawals w JOIN broadcast_returns r ON r.withdrawal = w.id AND r.revision = w.revision
        WHERE w.status = 'on_chain_processing' AND NOT EXISTS (SELECT FROM signer_nonces n WHERE n.withdrawal = w.id)
        ORDER BY w.id LIMIT $1
        """,
        most,
    )
    return [Returned(**row) for row in rows]


async def list_unlisted(db: Database, status: Status, *, after: int, most: int) -> list[tuple[int, int, str]]:
    """Withdrawals of a status, after one of them, whose address isn't known to be listed: each with its entry of the
    book and the address there."""
    rows = await db.rows(
        """
        SELECT w.id, w.wallet, a.address FROM withdrawals w JOIN withdrawal_addresses a ON a.id = w.wallet
        WHERE w.status = $1 AND w.id > $2 AND NOT a.is_listed ORDER BY w.id LIMIT $3
        """,
        status, after, most,
    )  # fmt: skip
    return [(row["id"], row["wallet"], row["address"]) for row in rows]


async def list_untold(db: Database, most: int) -> list[Withdrawal]:
    """What people look at without having been told that its address is listed, the oldest first."""
    rows = await db.rows(
        f"""
        SELECT {_COLUMNS} FROM withdrawals
        WHERE status = 'pending_review' AND NOT is_told_listed(risks)
            AND wallet IN (SELECT id FROM withdrawal_addresses WHERE is_listed)
        ORDER BY id LIMIT $1
        """,
        most,
    )
    return [_withdrawal(row) for row in rows]


async def last_uses(db: Database, entries: Sequence[int]) -> dict[int, int]:
    """When a withdrawal to each of these entries of the book was last asked for, whatever became of it."""
    rows = await db.rows(
        """
        SELECT entry, (SELECT max(requested_at) FROM withdrawals WHERE wallet = entry) AS at
        FROM unnest($1::bigint[]) AS entry
        """,
        entries,
    )
    return {row["entry"]: row["at"] for row in rows if row["at"] is not None}


async def list_seen(db: Database, withdrawals: Sequence[Withdrawal]) -> dict[int, Seen]:
    """Of those of them that are on their way and in a block: what the signer saw last."""
    sent = [one.id for one in withdrawals if one.status == "on_chain_processing"]
    if not sent:
        return {}
    rows = await db.rows(
        """
        SELECT n.withdrawal, n.seen_hash, n.seen_block, s.head FROM signer_nonces n CROSS JOIN signer_state s
        WHERE n.withdrawal = ANY($1::bigint[]) AND n.seen_block IS NOT NULL AND s.head IS NOT NULL
        """,
        sent,
    )
    return {row["withdrawal"]: Seen(row["seen_hash"], row["seen_block"], row["head"]) for row in rows}


# Requests whose second factor was shown


async def is_paid(db: Database, number: int) -> bool:
    """Whether the signer knows a payment of it that didn't fail: what a restore put back into review may have one."""
    statement = "SELECT true FROM signer_nonces WHERE withdrawal = $1 AND outcome IS DISTINCT FROM 'failed'"
    return await db.value(statement, number) is True


async def find_proof(db: Database, member: int, request_id: str) -> Proof | None:
    row = await db.row("SELECT * FROM withdrawal_proofs WHERE member = $1 AND request_id = $2", member, request_id)
    return None if row is None else Proof(**row)


async def insert_proof(db: Connection, proof: Proof, wall: int) -> None:
    """The same request shown again is the same proof, where that has not ended; another body takes its place."""
    await db.execute(
        "DELETE FROM withdrawal_proofs"
        " WHERE member = $1 AND request_id = $2 AND (until_at <= $3 OR request_hash <> $4)",
        proof.member, proof.request_id, wall, proof.request_hash,
    )  # fmt: skip
    await db.execute(
        """
        INSERT INTO withdrawal_proofs (member, request_id, request_hash, until_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING
        """,
        proof.member, proof.request_id, proof.request_hash, proof.until_at,
    )  # fmt: skip


def _withdrawal(row: Record) -> Withdrawal:
    return Withdrawal(**dict(row) | {"risks": msgspec.json.decode(row["risks"])})
