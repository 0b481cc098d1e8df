"""What the whole audit asks of the tables beside the journal: facts, payables, grants, and whose the open holds are.

The running audit asks the same of all but the grants, a part at a time: `watch_tables`.
"""

from collections.abc import Sequence
from typing import Final

from kalos.core.database import Connection
from kalos.ledger.audit_rows import MOST_SHOWN
from kalos.ledger.explained import Explained, Holds, NoOtherHolds
from kalos.ledger.payables import MOST

TABLES: Final = {
    # Only the oldest facts are ever pruned: what is left of them ends with the last one that was given.
    "lost fact: from {0} to the last one, {1}, there are {2}": """
        SELECT min(o.id), t.last_fact, count(*) FROM outbox o CROSS JOIN ledger_tail t
        GROUP BY t.last_fact HAVING count(*) <> t.last_fact - min(o.id) + 1
    """,
    "payables and their quota differ: {0} has {1} left, {2} are open": f"""
        SELECT id, q.left_units, coalesce(p.open, 0) FROM (
            SELECT id, left_units FROM quotas WHERE id LIKE 'payables:%'
        ) AS q FULL JOIN (
            SELECT 'payables:' || account AS id, count(*) AS open FROM payables
            WHERE left_units > 0 AND paid_from = 'account' GROUP BY account
        ) AS p USING (id)
        WHERE q.left_units IS DISTINCT FROM ARRAY[{MOST} - coalesce(p.open, 0)]
    """,
    # Nobody is paid before an older one, so only the oldest can be paid in part.
    "payable out of turn: {0} is paid in part, account {1} owes {2} longer": """
        SELECT p.id, p.account, o.first FROM payables p JOIN (
            SELECT account, min(id) AS first FROM payables
            WHERE left_units > 0 AND paid_from = 'account' GROUP BY account
        ) AS o ON o.account = p.account AND o.first < p.id
        WHERE p.left_units > 0 AND p.left_units < p.units AND p.paid_from = 'account'
    """,
    # The days' sums are compared with the journal beside this, and a kind of grants is theirs alone.
    "grants and moves differ: {0} of asset {1} has released {2}, {3} moved and {4} are owed": """
        SELECT kind, asset, g.released, coalesce(m.units, 0), coalesce(p.units, 0) FROM (
            SELECT kind, (source >> 8 & 255)::int AS asset, sum(released) AS released FROM grants GROUP BY 1, 2
        ) AS g LEFT JOIN (
            SELECT k.name AS kind, s.asset::int AS asset, sum(s.units) AS units
            FROM daily_sums s JOIN kinds k ON k.id = s.kind GROUP BY 1, 2
        ) AS m USING (kind, asset) LEFT JOIN (
            SELECT kind, asset::int AS asset, sum(left_units) AS units FROM payables WHERE left_units > 0 GROUP BY 1, 2
        ) AS p USING (kind, asset)
        WHERE g.released <> coalesce(m.units, 0) + coalesce(p.units, 0)
    """,
    # A day is looked for in those that have all days before it: nobody would come back to one that has not.
    "grant left behind: {0} was released up to {1}, and all of them up to {2}": """
        SELECT g.id, g.released_day, d.day FROM grants g
        JOIN (SELECT max(day) AS day FROM day_runs WHERE job = 'grants') AS d ON g.released_day < d.day
        WHERE g.status = 'running' ORDER BY g.id
    """,
}
"""Sentences of problems, and the rows that fill them; each reads one snapshot in which every posting is whole."""

_OTHER_HOLDS: Final = f"""
    SELECT k.name, count(*), min(h.id) FROM holds h LEFT JOIN kinds k ON k.id = h.kind
    WHERE h.state = 'open' AND h.id > $2 AND h.id <= $3 AND (k.name = ANY($1::text[])) IS NOT TRUE
    GROUP BY 1 ORDER BY 1 LIMIT {MOST_SHOWN}
"""


async def check_other_holds(
    db: Connection, explained: Sequence[Explained], *, after: int = -1, last: int = 2**63 - 1
) -> list[str]:
    """The open holds with such an id that no domain explains, by kind, where they are said to explain them all."""
    if NoOtherHolds() not in explained:
        return []
    kinds = [one.kind for one in explained if isinstance(one, Holds)]
    rows = await db.fetch(_OTHER_HOLDS, kinds, after, last, timeout=600)
    return [f"hold of nobody: {count} of kind {kind} are open, first {hold}" for kind, count, hold in rows]
