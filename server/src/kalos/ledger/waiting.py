"""What a member waits for: what is still owed, then what came to the account that is to be claimed from."""

from typing import Final

from kalos.core.database import Database
from kalos.core.pages import MOST_COUNTED, Page, PageQuery
from kalos.ledger import statements
from kalos.ledger.purse import asset_of, owner_of
from kalos.ledger.statements import StatementRow, row_of

FIRST_OWED: Final = 2**62
"""Payables have ids from here on, moves have theirs below."""
PLACES: Final = 10**20
"""Below it a key is a move's version. From there on it is a payable's, in the last twenty digits; before them stands
one more than the version that the account had at the list's first page."""
LARGEST_KEY: Final = 2**63 * PLACES

# What was owed when the account was last moved before the first page: also what a later move has paid since.
# The balance of a payable is what was owed when it came: itself and all older ones that were open.
_OWED: Final = f"""
    SELECT * FROM (
        SELECT {FIRST_OWED} + id AS id, {FIRST_OWED} + id AS version, posting AS posting_id, since AS at, day,
            kind AS name, amount, sum(amount) OVER (ORDER BY id)::bigint AS balance, reference, account AS other
        FROM (
            SELECT *, CASE left_units WHEN 0 THEN units ELSE left_units END AS amount FROM payables
            WHERE member = $1 AND asset = $2 AND (left_units > 0 OR (target = $8 AND settled_at > $9))
        ) AS owed
    ) AS open
    WHERE version < $3 AND at BETWEEN $4 AND $5 AND ($6::text IS NULL OR name = $6) ORDER BY version DESC LIMIT $7
"""
_COUNT: Final = f"SELECT count(*) FROM ({_OWED}) AS found"
_MOVED_AT: Final = """
    SELECT at FROM journal WHERE from_id = $1 AND from_version = $2
    UNION ALL
    SELECT at FROM journal WHERE to_id = $1 AND to_version = $2
"""
_FOR_EVER: Final = 2**63 - 1


async def page(
    db: Database,
    account_id: int,
    query: PageQuery,
    *,
    start: int | None = None,
    end: int | None = None,
    kind: str | None = None,
) -> Page[StatementRow]:
    """One page of the payables of an account's owner and asset, newest first, and then of the account's moves.

    A payable's `amount` is what is still owed of it. The list stays that of its first page: what is paid whole while it
    is read on shows once, as what was owed, and not as the move that paid it. Filters and paging are those of
    `statements.page`.
    Source: ledger.md, "Statements" (`divvyWaitLog`), "Payables".
    """
    top, below, since = await _begun(db, account_id, query.after)
    whose = (owner_of(account_id), asset_of(account_id).number)
    wanted = (start or 0, _FOR_EVER if end is None else end, kind)
    counted = await db.value(_COUNT, *whose, _FOR_EVER, *wanted, MOST_COUNTED + 1, account_id, since)
    found = await db.rows(_OWED, *whose, below, *wanted, query.skip + query.size + 1, account_id, since)
    owed = [row_of(row) for row in found[query.skip : query.skip + query.size]]
    room = query.size - len(owed)
    after = None if query.after is None else top + 1
    rest = PageQuery(room or 1, after=after, skip=max(0, query.skip - len(found)))
    moves = await statements.page(db, account_id, rest, start=start, end=end, kind=kind)
    rows = [row for row in moves.rows if row.version <= top]
    total, more = min(counted, MOST_COUNTED) + moves.total, moves.more or counted > MOST_COUNTED
    if room:
        return Page([*owed, *rows], total, moves.next, more)
    follows = len(found) > query.skip + query.size or rows or moves.next is not None
    return Page(owed, total, (top + 1) * PLACES + owed[-1].version if follows else None, more)


async def _begun(db: Database, account_id: int, after: int | None) -> tuple[int, int, int]:
    """What a page shows of a list: moves up to a version, payables below one, and of those that were paid what was paid
    later than at a time."""
    if after is None:
        top, below = await db.value("SELECT version FROM accounts WHERE id = $1", account_id) or 0, _FOR_EVER
    elif after < PLACES:
        return after - 1, 0, _FOR_EVER
    else:
        top, below = after // PLACES - 1, min(after % PLACES, _FOR_EVER)
    if not top:
        return top, below, 0
    moved_at: int | None = await db.value(_MOVED_AT, account_id, top)
    return top, below, _FOR_EVER if moved_at is None else moved_at
