"""What the running audit asks of tables beside the journal, in bounded steps: facts that are gone, and what is owed."""

from typing import Final

from kalos.core.assets import BY_NUMBER
from kalos.core.database import Connection
from kalos.ledger.payables import MOST, OWING, quota_of
from kalos.ledger.purse import Purpose, house

MOST_LOOKED: Final = 5_000
"""So many open payables of an account are looked at; who owes more is left to the whole audit."""

_QUOTAS: Final = [quota_of(house(purpose, asset)) for purpose in Purpose for asset in BY_NUMBER.values()]

_OLDEST_FACT: Final = "SELECT min(id) FROM outbox"
_FACTS: Final = "SELECT count(*) FROM outbox WHERE id > $1 AND id <= $2"
# Accounts that owe, and those whose quota says so.
_OWED: Final = f"""
    {OWING}
    SELECT n.account, q.left_units[1] AS has, p.open, p.looked < $2 AND q.left_units IS DISTINCT FROM
        ARRAY[{MOST} - p.open] AND (q.id IS NOT NULL OR p.open > 0) AS differs, p.first, p.part
    FROM (
        SELECT account FROM owing WHERE account IS NOT NULL
        UNION SELECT substr(id, {len(quota_of(0))})::bigint FROM quotas WHERE id = ANY($1::text[])
    ) AS n
    LEFT JOIN quotas q ON q.id = 'payables:' || n.account
    CROSS JOIN LATERAL (
        SELECT count(*) AS looked, count(*) FILTER (WHERE own) AS open, min(id) FILTER (WHERE own) AS first,
            max(id) FILTER (WHERE own AND left_units < units) AS part
        FROM (
            SELECT id, units, left_units, paid_from = 'account' AS own FROM payables
            WHERE account = n.account AND left_units > 0 ORDER BY id LIMIT $2
        ) AS oldest
    ) AS p
"""


async def first_fact(db: Connection, after: int, newest: int) -> int:
    """Where to count on: those of before the oldest one that is left were pruned."""
    oldest = await db.fetchval(_OLDEST_FACT)
    return newest if oldest is None else max(after, min(oldest - 1, newest))


async def check_facts(db: Connection, after: int, last: int) -> list[str]:
    """Whether all facts of a range are there; it begins where `first_fact` says."""
    if after >= last:
        return []
    facts = await db.fetchval(_FACTS, after, last)
    return [] if facts == last - after else [f"lost fact: from {after + 1} to {last} there are {facts}"]


async def check_payables(db: Connection) -> list[str]:
    """What accounts owe and their quotas say, and that none is paid before an older one."""
    problems = []
    for account, has, owed, differs, first, part in await db.fetch(_OWED, _QUOTAS, MOST_LOOKED):
        if differs:
            problems.append(f"payables and their quota differ: {quota_of(account)} has {has} left, {owed} are open")
        if part is not None and part > first:
            problems.append(f"payable out of turn: {part} is paid in part, account {account} owes {first} longer")
    return problems
