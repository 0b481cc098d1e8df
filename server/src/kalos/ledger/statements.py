"""Reads of the ledger: balances, what quotas have left, and statements: the moves of one account by its versions."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from kalos.core.database import Database, Record
from kalos.core.pages import Page, PageQuery

MOST_COUNTED: Final = 1_000
"""With a kind, a total is exact up to this number. Source: wire.md, paging."""

_BALANCES: Final = """
    SELECT a.id, a.balance FROM unnest($1::bigint[]) AS o(owner)
    CROSS JOIN LATERAL (SELECT id, balance FROM accounts WHERE id >= owner << 16 AND id < (owner + 1) << 16) AS a
"""
_LEFT: Final = "SELECT id, left_units FROM quotas WHERE id = ANY($1::text[]) AND state = 'open'"

_SIDES: Final = """
    SELECT j.id, j.posting_id, j.at, j.day, j.kind, -j.amount AS amount, j.from_balance AS balance, j.reference,
        j.from_version AS version, j.to_id AS other
    FROM journal j WHERE j.from_id = $1 AND j.from_version BETWEEN $2 AND $3{source}
    UNION ALL
    SELECT j.id, j.posting_id, j.at, j.day, j.kind, j.amount, j.to_balance, j.reference, j.to_version, j.from_id
    FROM journal j WHERE j.to_id = $1 AND j.to_version BETWEEN $2 AND $3{target}
"""
_RANGE: Final = f"""
    SELECT s.*, k.name FROM ({_SIDES.format(source="", target="")}) AS s JOIN kinds k ON k.id = s.kind
    ORDER BY s.version DESC
"""
_ONE_SIDE: Final = " AND j.{side}_id >= 65536000 AND j.kind = $4 ORDER BY j.{side}_version DESC LIMIT $5"
_BY_KIND: Final = """
    SELECT s.*, k.name FROM (({source}) UNION ALL ({target})) AS s JOIN kinds k ON k.id = s.kind
    ORDER BY s.version DESC LIMIT $5
""".format(
    source=_SIDES.split("UNION ALL")[0].format(source=_ONE_SIDE.format(side="from")),
    target=_SIDES.split("UNION ALL")[1].format(target=_ONE_SIDE.format(side="to")),
)
_COUNT: Final = """
    SELECT count(*) FROM (
        (SELECT 1 FROM journal j WHERE j.from_id = $1 AND j.from_id >= 65536000 AND j.kind = $4
            AND j.from_version BETWEEN $2 AND $3 LIMIT $5)
        UNION ALL
        (SELECT 1 FROM journal j WHERE j.to_id = $1 AND j.to_id >= 65536000 AND j.kind = $4
            AND j.to_version BETWEEN $2 AND $3 LIMIT $5)
    ) AS found
"""
# The first version at or after a point in time, by halving: times never fall along an account's versions.
_FIRST_VERSION: Final = """
    WITH RECURSIVE look (low, high) AS (
        SELECT 0::bigint, version + 1 FROM accounts WHERE id = $1
        UNION ALL
        SELECT CASE WHEN here.at < $2 THEN middle ELSE low END, CASE WHEN here.at < $2 THEN high ELSE middle END
        FROM (SELECT low, high, (low + high) / 2 AS middle FROM look WHERE high - low > 1) AS half
        CROSS JOIN LATERAL (
            SELECT at FROM journal WHERE from_id = $1 AND from_version = middle
            UNION ALL
            SELECT at FROM journal WHERE to_id = $1 AND to_version = middle
        ) AS here
    )
    SELECT min(high) FROM look
"""


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One move as its account sees it: `amount` is signed, `balance` is what it had after it."""

    id: int
    posting: int
    version: int
    at: int
    day: date
    kind: str
    amount: int
    balance: int
    reference: int
    other: int


async def balances(db: Database, owners: Iterable[int]) -> dict[int, int]:
    """The committed balances of all accounts of these owners, by account id. Returns nothing for one never touched."""
    return {row["id"]: row["balance"] for row in await db.rows(_BALANCES, list(owners))}


async def quotas_left(db: Database, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """What the open ones of these quotas have left, as committed."""
    return {row["id"]: tuple(row["left_units"]) for row in await db.rows(_LEFT, list(names))}


async def page(
    db: Database,
    account_id: int,
    query: PageQuery,
    *,
    start: int | None = None,
    end: int | None = None,
    kind: str | None = None,
) -> Page[StatementRow]:
    """One page of an account's moves, newest first; the key is the version.

    `start` and `end` are points in time, both included. `kind` is for members' accounts; then the total is exact up to
    `MOST_COUNTED`. Without it the total is a difference of versions, and any depth costs the same.
    Source: ledger.md, "Statements".
    """
    assert query.size > 0
    low, high = await _range(db, account_id, start, end)
    top = high if query.after is None else min(high, query.after - 1)
    if kind is None:
        last = top - query.skip
        first = max(low, last - query.size + 1)
        rows = await db.rows(_RANGE, account_id, first, last) if first <= last else []
        return Page([_row(row) for row in rows], max(0, high - low + 1), first if rows and first > low else None)
    return await _page_of_kind(db, account_id, query, kind, low, high, top)


async def _page_of_kind(
    db: Database, account_id: int, query: PageQuery, kind: str, low: int, high: int, top: int
) -> Page[StatementRow]:
    number = await db.value("SELECT id FROM kinds WHERE name = $1", kind)
    if number is None:
        return Page([], 0, None)
    total = await db.value(_COUNT, account_id, low, high, number, MOST_COUNTED + 1)
    found = await db.rows(_BY_KIND, account_id, low, top, number, query.skip + query.size + 1)
    rows = [_row(row) for row in found[query.skip : query.skip + query.size]]
    follows = len(found) > query.skip + query.size
    return Page(rows, min(total, MOST_COUNTED), rows[-1].version if follows else None, more=total > MOST_COUNTED)


async def _range(db: Database, account_id: int, start: int | None, end: int | None) -> tuple[int, int]:
    """The first and last version in a span of time; empty where the last is lower."""
    version: int = await db.value("SELECT version FROM accounts WHERE id = $1", account_id) or 0
    low, high = 1, version
    if version and start is not None:
        low = await db.value(_FIRST_VERSION, account_id, start)
    if version and end is not None:
        high = await db.value(_FIRST_VERSION, account_id, end + 1) - 1
    return low, high


def _row(row: Record) -> StatementRow:
    values: dict[str, Any] = dict(row)
    return StatementRow(
        id=values["id"],
        posting=values["posting_id"],
        version=values["version"],
        at=values["at"],
        day=values["day"],
        kind=values["name"],
        amount=values["amount"],
        balance=values["balance"],
        reference=values["reference"],
        other=values["other"],
    )
