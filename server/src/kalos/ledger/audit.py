"""Every invariant of the ledger as a statement that finds what breaks it. Source: ledger.md, "Invariants"."""

import asyncio
from typing import Final

from kalos.core.database import Connection, Database

_MOST_SHOWN: Final = 20

_CHECKS: Final = {
    "asset {0} sums to {1}, not to zero": """
        SELECT id >> 8 & 255, sum(balance) FROM accounts GROUP BY 1 HAVING sum(balance) <> 0
    """,
    "account {0} is negative: {1}": "SELECT id, balance FROM accounts WHERE balance < 0 AND id >> 16 <> 1",
    "account {0} has {1} in version {2}, its {3} moves sum to {4}": """
        SELECT coalesce(a.id, s.id), a.balance, a.version, s.moves, s.total FROM (
            SELECT id, count(*) AS moves, sum(units) AS total FROM (
                SELECT from_id AS id, -amount AS units FROM journal
                UNION ALL SELECT to_id, amount FROM journal
            ) AS sides GROUP BY id
        ) AS s FULL JOIN accounts a ON a.id = s.id
        WHERE a.balance IS DISTINCT FROM s.total OR a.version IS DISTINCT FROM s.moves
    """,
    "account {0} goes from version {1} to {2} and from {3} by {4} to {5}": """
        SELECT id, was_version, version, was, units, balance FROM (
            SELECT id, version, units, balance, lag(version, 1, 0::bigint) OVER history AS was_version,
                lag(balance, 1, 0::bigint) OVER history AS was
            FROM (
                SELECT from_id AS id, from_version AS version, -amount AS units, from_balance AS balance FROM journal
                UNION ALL SELECT to_id, to_version, amount, to_balance FROM journal
            ) AS sides
            WINDOW history AS (PARTITION BY id ORDER BY version)
        ) AS steps
        WHERE version <> was_version + 1 OR was::numeric + units <> balance
    """,
    "held account {0} has {1}, its open holds sum to {2}": """
        SELECT coalesce(a.id, h.account_id), coalesce(a.balance, 0), coalesce(h.total, 0)
        FROM (SELECT id, balance FROM accounts WHERE id & 255 = 2) AS a FULL JOIN (
            SELECT account_id, sum(left_units) AS total FROM holds WHERE state = 'open' GROUP BY account_id
        ) AS h ON h.account_id = a.id
        WHERE coalesce(a.balance, 0) <> coalesce(h.total, 0)
    """,
    "hold {0} has {1} left and is {2}": """
        SELECT id, left_units, state FROM holds WHERE left_units < 0 OR (state = 'ended') <> (left_units = 0)
    """,
    "quota {0} has {1} left": "SELECT id, left_units FROM quotas WHERE NOT 0 <= ALL (left_units)",
    "move {0}: both sides must be of one asset, its amount positive, its posting known, its day its time's": """
        SELECT j.id FROM journal j CROSS JOIN ledger_tail t
        WHERE j.from_id >> 8 & 255 <> j.to_id >> 8 & 255 OR j.amount <= 0 OR j.posting_id > t.last_posting
            OR j.day <> ((to_timestamp(j.at / 1000) AT TIME ZONE 'UTC') + interval '8 hours')::date
            OR NOT EXISTS (SELECT 1 FROM kinds k WHERE k.id = j.kind)
    """,
    "move {0} follows move {1} with an earlier posting or time": """
        SELECT id, before FROM (
            SELECT id, posting_id, at, lag(id, 1, 0::bigint) OVER line AS before,
                lag(posting_id, 1, 0::bigint) OVER line AS was_posting, lag(at, 1, 0::bigint) OVER line AS was_at
            FROM journal WINDOW line AS (ORDER BY id)
        ) AS steps WHERE id <> before + 1 OR posting_id < was_posting OR at < was_at
    """,
    "the last numbers are posting {0}, move {1}, fact {2}; the tables have {3}, {4}, {5}": """
        SELECT * FROM (
            SELECT last_posting, last_move, last_fact, (SELECT coalesce(max(id), 0) FROM keys) AS posting,
                (SELECT coalesce(max(id), 0) FROM journal) AS move, (SELECT coalesce(max(id), 0) FROM outbox) AS fact
            FROM ledger_tail
        ) AS numbers WHERE last_move <> move OR last_posting < posting OR last_fact < fact
    """,
    "posting {0} stands under {1} keys": "SELECT id, count(*) FROM keys GROUP BY id HAVING count(*) > 1",
}


async def audit(db: Database) -> list[str]:
    """Check everything in one snapshot, while the house runs. Returns a sentence for each problem."""
    checks = list(_CHECKS.items())
    async with db.connection() as main, main.transaction(isolation="repeatable_read", readonly=True):
        snapshot: str = await main.fetchval("SELECT pg_export_snapshot()")
        async with asyncio.TaskGroup() as lanes:
            second = lanes.create_task(_second_lane(db, snapshot, checks[1::2]))
            first = lanes.create_task(_lane(main, checks[::2]))
    return first.result() + second.result()


async def keep_audit(db: Database, wall: int) -> list[str]:
    """Audit, and keep what was found for `last_audit`."""
    problems = await audit(db)
    await db.execute(
        """
        INSERT INTO ledger_audit (one, at, problems) VALUES (true, $1, $2)
        ON CONFLICT (one) DO UPDATE SET at = excluded.at, problems = excluded.problems
        """,
        wall,
        problems,
    )
    return problems


async def last_audit(db: Database) -> tuple[int, list[str]] | None:
    """When the ledger was audited last, and what was found; None where it never was."""
    row = await db.row("SELECT at, problems FROM ledger_audit")
    return None if row is None else (row["at"], row["problems"])


async def _second_lane(db: Database, snapshot: str, checks: list[tuple[str, str]]) -> list[str]:
    async with db.connection() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
        return await _lane(connection, checks)


async def _lane(connection: Connection, checks: list[tuple[str, str]]) -> list[str]:
    problems: list[str] = []
    for sentence, statement in checks:
        rows = await connection.fetch(f"{statement} LIMIT {_MOST_SHOWN}", timeout=600)
        problems += [sentence.format(*row.values()) for row in rows]
    return problems
