"""Balances as they were: read from the journal by bisection, since an account's versions are its history."""

from collections.abc import Sequence

from kalos.core.database import Database

_BALANCES_BEFORE = """
WITH RECURSIVE search AS (
    SELECT a.id, e.at AS edge, 0::bigint AS low, a.version AS high
    FROM accounts a CROSS JOIN unnest($2::bigint[]) AS e(at) WHERE a.id = ANY($1::bigint[])
    UNION ALL
    SELECT s.id, s.edge,
        CASE WHEN probe.at < s.edge THEN (s.low + s.high + 1) / 2 ELSE s.low END,
        CASE WHEN probe.at < s.edge THEN s.high ELSE (s.low + s.high + 1) / 2 - 1 END
    FROM search s CROSS JOIN LATERAL (
        SELECT at FROM journal WHERE from_id = s.id AND from_version = (s.low + s.high + 1) / 2
        UNION ALL
        SELECT at FROM journal WHERE to_id = s.id AND to_version = (s.low + s.high + 1) / 2
    ) probe
    WHERE s.low < s.high
)
SELECT s.id, s.edge, found.balance FROM search s CROSS JOIN LATERAL (
    SELECT from_balance AS balance FROM journal WHERE from_id = s.id AND from_version = s.low
    UNION ALL
    SELECT to_balance FROM journal WHERE to_id = s.id AND to_version = s.low
) found
WHERE s.low = s.high
"""


async def balances_before(db: Database, accounts: Sequence[int], edges: Sequence[int]) -> dict[tuple[int, int], int]:
    """The balance that each account had just before each point in time, by (account, point).

    What isn't there had no history yet. Costs a few index probes a pair, however long the history is.
    """
    rows = await db.rows(_BALANCES_BEFORE, list(accounts), list(edges))
    return {(row["id"], row["edge"]): row["balance"] for row in rows}
