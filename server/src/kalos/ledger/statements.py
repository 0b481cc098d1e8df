"""Reads of the ledger: balances now and then, what quotas have left, sums of days, and statements.

A statement is the moves of one account by its versions, which are its history without gaps.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from kalos.core.assets import Asset
from kalos.core.database import Connection, Database, Record
from kalos.core.pages import MOST_COUNTED, Page, PageQuery
from kalos.ledger.purse import FIRST_MEMBER, owner_of

MOST_WALKED: Final = 20_000
"""So many versions are looked at in one step for a page of a frequent kind."""
MOST_STEPS: Final = 5
"""A page that is still empty looks further down, so many steps in all: some 0.2 s."""

_BALANCES: Final = """
    SELECT o.owner, a.id, a.balance FROM unnest($1::bigint[]) AS o(owner)
    CROSS JOIN LATERAL (SELECT id, balance FROM accounts WHERE id >= owner << 16 AND id < (owner + 1) << 16) AS a
"""
# The last version before each point in time, by halving: times never fall along an account's versions.
_BEFORE: Final = """
    WITH RECURSIVE search AS (
        SELECT a.id, e.at AS edge, 0::bigint AS low, a.version AS high
        FROM accounts a CROSS JOIN unnest($2::bigint[]) AS e(at) WHERE a.id = ANY($1::bigint[])
        UNION ALL
        SELECT s.id, s.edge, CASE WHEN probe.at < s.edge THEN middle ELSE low END,
            CASE WHEN probe.at < s.edge THEN high ELSE middle - 1 END
        FROM (SELECT id, edge, low, high, (low + high + 1) / 2 AS middle FROM search WHERE low < high) AS s
        CROSS JOIN LATERAL (
            SELECT at FROM journal WHERE from_id = s.id AND from_version = middle
            UNION ALL
            SELECT at FROM journal WHERE to_id = s.id AND to_version = middle
        ) AS probe
    )
    SELECT s.id, s.edge, s.low AS version, found.balance FROM search s CROSS JOIN LATERAL (
        SELECT from_balance AS balance FROM journal WHERE from_id = s.id AND from_version = s.low
        UNION ALL
        SELECT to_balance FROM journal WHERE to_id = s.id AND to_version = s.low
    ) AS found
    WHERE s.low = s.high
"""
# The last version of a posting or an older one, in the same way: postings never fall along them either.
_LAST_OF: Final = """
    WITH RECURSIVE search AS (
        SELECT 1::bigint AS low, version AS high FROM accounts WHERE id = $1
        UNION ALL
        SELECT CASE WHEN probe.posting_id <= $2 THEN middle ELSE low END,
            CASE WHEN probe.posting_id <= $2 THEN high ELSE middle - 1 END
        FROM (SELECT low, high, (low + high + 1) / 2 AS middle FROM search WHERE low < high) AS s
        CROSS JOIN LATERAL (
            SELECT posting_id FROM journal WHERE from_id = $1 AND from_version = middle
            UNION ALL
            SELECT posting_id FROM journal WHERE to_id = $1 AND to_version = middle
        ) AS probe
    )
    SELECT low FROM search WHERE low = high
"""
_HELD_FOR: Final = """
    SELECT h.account_id, sum(h.left_units) AS units FROM holds h JOIN kinds k ON k.id = h.kind
    WHERE h.account_id = ANY($1::bigint[]) AND h.state = 'open' AND k.name = ANY($2::text[]) GROUP BY 1
"""
_LEFT: Final = "SELECT id, left_units FROM quotas WHERE id = ANY($1::text[]) AND state = 'open'"
_SUM: Final = """
    SELECT coalesce(sum(s.units), 0) FROM daily_sums s JOIN kinds k ON k.id = s.kind
    WHERE s.day = $1 AND s.asset = $2 AND k.name = ANY($3::text[])
"""
_SUMS: Final = """
    SELECT s.day, k.name, s.units, s.moves FROM daily_sums s JOIN kinds k ON k.id = s.kind
    WHERE s.day BETWEEN $1 AND $2 AND s.asset = $3 ORDER BY s.day, k.name
"""

_FROM: Final = """
    SELECT j.id, j.posting_id, j.at, j.day, j.kind, -j.amount AS amount, j.from_balance AS balance, j.reference,
        j.from_version AS version, j.to_id AS other
    FROM journal j WHERE j.from_id = $1 AND j.from_version BETWEEN $2 AND $3
"""
_TO: Final = """
    SELECT j.id, j.posting_id, j.at, j.day, j.kind, j.amount, j.to_balance, j.reference, j.to_version, j.from_id
    FROM journal j WHERE j.to_id = $1 AND j.to_version BETWEEN $2 AND $3
"""
_PAGE: Final = "SELECT s.*, k.name FROM ({}) AS s JOIN kinds k ON k.id = s.kind ORDER BY s.version DESC"
_NUMBERS: Final = "SELECT id FROM kinds WHERE ($1::text IS NULL OR name = $1) AND right(name, length($2)) = $2"
# Rare kinds (numbers above zero) have an index entry for each of a member's moves.
_RARE: Final = f"""
    SELECT side.* FROM unnest($4::smallint[]) AS one(kind) CROSS JOIN LATERAL (
        ({_FROM} AND j.from_id >= 65536000 AND j.kind > 0 AND j.kind = one.kind ORDER BY j.from_version DESC LIMIT $5)
        UNION ALL
        ({_TO} AND j.to_id >= 65536000 AND j.kind > 0 AND j.kind = one.kind ORDER BY j.to_version DESC LIMIT $5)
    ) AS side
"""
# Frequent kinds have none: the versions are walked downwards, both sides as one line, until enough are found. The
# inner limit keeps the filter out of the sides: it would walk a side without that kind to its end.
_WALKED: Final = f"""
    SELECT line.* FROM (
        SELECT sides.* FROM ({_FROM} UNION ALL {_TO}) AS sides ORDER BY sides.version DESC LIMIT {MOST_WALKED}
    ) AS line WHERE line.kind = ANY($4::smallint[]) LIMIT $5
"""
_RANGE: Final = _PAGE.format(f"{_FROM} UNION ALL {_TO}")
_OF_KIND: Final = {False: f"{_PAGE.format(_RARE)} LIMIT $5", True: _PAGE.format(_WALKED)}
_COUNT: Final = {
    walked: f"SELECT count(*) FROM ({lines}) AS found"
    for walked, lines in ((False, f"{_RARE} LIMIT $5"), (True, _WALKED))
}


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


@dataclass(frozen=True, slots=True)
class DaySum:
    """What moved in one kind on a business day, between all accounts."""

    day: date
    kind: str
    units: int
    moves: int


async def balances(db: Database, owners: Iterable[int]) -> dict[int, int]:
    """The committed balances of all accounts of these owners, by account id. Returns nothing for one never touched."""
    return {row["id"]: row["balance"] for row in await db.rows(_BALANCES, list(owners))}


async def balances_of(db: Database, owner: int) -> dict[int, int]:
    """The same of one owner, read together with those of others who call at this moment."""
    return {row["id"]: row["balance"] for row in await db.rows_of(_BALANCES, owner)}


async def owns_anything(db: Connection, owner: int) -> bool:
    """Whether an account of the owner isn't empty, something is owed to it, or a grant still runs."""
    return bool(
        await db.fetchval(
            """
            SELECT EXISTS (SELECT FROM accounts WHERE id >= $1 << 16 AND id < ($1 + 1) << 16 AND balance <> 0)
                OR EXISTS (SELECT FROM payables WHERE member = $1 AND left_units > 0)
                OR EXISTS (SELECT FROM grants WHERE member = $1 AND status = 'running')
            """,
            owner,
        )
    )


async def balances_before(db: Database, accounts: Iterable[int], edges: Iterable[int]) -> dict[tuple[int, int], int]:
    """The balance that each account had just before each point in time, by (account, point).

    What isn't there had no history yet. Costs a few index probes a pair, however long the history is.
    """
    rows = await db.rows(_BEFORE, list(accounts), list(edges))
    return {(row["id"], row["edge"]): row["balance"] for row in rows}


async def versions_before(db: Database, accounts: Iterable[int], edges: Iterable[int]) -> dict[tuple[int, int], int]:
    """The last version that each account had before each point in time, in the same way."""
    rows = await db.rows(_BEFORE, list(accounts), list(edges))
    return {(row["id"], row["edge"]): row["version"] for row in rows}


async def quotas_left(db: Database, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """What the open ones of these quotas have left, as committed."""
    return {row["id"]: tuple(row["left_units"]) for row in await db.rows(_LEFT, list(names))}


async def held_for(db: Database, accounts: Iterable[int], kinds: Iterable[str]) -> dict[int, int]:
    """What open holds of these kinds bind, by the account that their money lies in."""
    return {row["account_id"]: int(row["units"]) for row in await db.rows(_HELD_FOR, list(accounts), list(kinds))}


async def sum_of_day(db: Database, day: date, asset: Asset, kinds: Iterable[str]) -> int:
    """The units of an asset that moved in these kinds on a business day."""
    return int(await db.value(_SUM, day, asset.number, list(kinds)))


async def sums_between(db: Database, first: date, last: date, asset: Asset) -> list[DaySum]:
    """The sums of an asset by kind on the business days from `first` to `last`, both included, oldest first."""
    rows = await db.rows(_SUMS, first, last, asset.number)
    return [DaySum(row["day"], row["name"], int(row["units"]), row["moves"]) for row in rows]


async def find_last_move(db: Database, account_id: int, posting: int) -> StatementRow | None:
    """The last move that a posting made in an account; None where it made none there.

    It is looked for by the posting, not by its time: any number of moves may have the same millisecond. Costs a few
    index probes, however long the history is.
    """
    version = await db.value(_LAST_OF, account_id, posting)
    rows = [] if version is None else await db.rows(_RANGE, account_id, version, version)
    return row_of(rows[0]) if rows and rows[0]["posting_id"] == posting else None


async def page(
    db: Database,
    account_id: int,
    query: PageQuery,
    *,
    start: int | None = None,
    end: int | None = None,
    kind: str | None = None,
    ending: str = "",
) -> Page[StatementRow]:
    """One page of an account's moves, newest first; the key is the version.

    `start` and `end` are points in time, both included. `kind` is one kind, `ending` the last word of several
    (".fee"); both are for members' accounts. Without them the total is a difference of versions, and any depth costs
    the same. With them it is exact up to `MOST_COUNTED`. Where one of the kinds is frequent, so many versions are
    looked at and no more: a page may then end early or even be empty with a `next`, and the total is what is known to
    be there, never less than the page shows, with `more` until all was looked at.
    Source: ledger.md, "Statements".
    """
    assert query.size > 0
    low, high = await _range(db, account_id, start, end)
    top = high if query.after is None else min(high, query.after - 1)
    if kind is not None or ending:
        return await _page_of_kinds(db, account_id, query, (kind, ending), (low, top, high))
    last = top - query.skip
    first = max(low, last - query.size + 1)
    rows = await db.rows(_RANGE, account_id, first, last) if first <= last else []
    return Page([row_of(row) for row in rows], max(0, high - low + 1), first if rows and first > low else None)


async def _page_of_kinds(
    db: Database, account_id: int, query: PageQuery, named: tuple[str | None, str], versions: tuple[int, int, int]
) -> Page[StatementRow]:
    """The part of a page below `top` that has these kinds, counted from `high` on, both down to `low`."""
    assert owner_of(account_id) >= FIRST_MEMBER, account_id
    low, top, high = versions
    numbers = [row["id"] for row in await db.rows(_NUMBERS, *named)]
    if not numbers:
        return Page([], 0, None)
    walked, shown = any(number < 0 for number in numbers), query.skip + query.size
    # Who counts pages gets whole ones, as far as is looked: what a page lacks would stand on none.
    enough = shown if query.after is None else 0
    found: list[Record] = []
    floor = top + 1
    for _ in range(MOST_STEPS):
        step, floor = floor - 1, max(low, floor - MOST_WALKED) if walked else low
        found += await db.rows(_OF_KIND[walked], account_id, floor, step, numbers, shown + 1 - len(found))
        if len(found) > enough or floor <= low:
            break
    rows = [row_of(row) for row in found[query.skip : shown]]
    follows = rows[-1].version if len(found) > shown else floor if floor > low else None
    if walked and query.after is None and follows is None:  # all was looked at
        return Page(rows, min(len(found), MOST_COUNTED), None, more=len(found) > MOST_COUNTED)
    count_floor = max(low, high - MOST_WALKED + 1) if walked else low
    total = await db.value(_COUNT[walked], account_id, count_floor, high, numbers, MOST_COUNTED + 1)
    known = max(total, min(len(found), shown))
    return Page(rows, min(known, MOST_COUNTED), follows, more=known > MOST_COUNTED or count_floor > low)


async def _range(db: Database, account_id: int, start: int | None, end: int | None) -> tuple[int, int]:
    """The first and last version in a span of time; empty where the last is lower."""
    version: int = await db.value("SELECT version FROM accounts WHERE id = $1", account_id) or 0
    edges = [edge for edge in (start, None if end is None else end + 1) if edge is not None]
    if not version or not edges:
        return 1, version
    before = {row["edge"]: row["version"] for row in await db.rows(_BEFORE, [account_id], edges)}
    low = 1 if start is None else before.get(start, 0) + 1
    return low, version if end is None else before.get(end + 1, 0)


def row_of(row: Record) -> StatementRow:
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
