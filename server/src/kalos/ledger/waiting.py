"""What a member waits for: what is still owed, then what came to the account that is to be claimed from."""

from typing import Final

from kalos.core.database import Database
from kalos.core.pages import Page, PageQuery
from kalos.ledger import statements
from kalos.ledger.purse import asset_of, owner_of
from kalos.ledger.statements import MOST_COUNTED, StatementRow, row_of

FIRST_OWED: Final = 2**62
"""Payables have keys from here on, moves have theirs below: so payables stand first."""

# The balance of a payable is what was owed when it came: itself and all older ones that are open.
_OWED: Final = f"""
    SELECT * FROM (
        SELECT {FIRST_OWED} + id AS id, {FIRST_OWED} + id AS version, posting AS posting_id, since AS at, day,
            kind AS name, left_units AS amount, sum(left_units) OVER (ORDER BY id)::bigint AS balance, reference,
            account AS other
        FROM payables WHERE member = $1 AND asset = $2 AND left_units > 0
    ) AS open
    WHERE version < $3 AND at BETWEEN $4 AND $5 AND ($6::text IS NULL OR name = $6) ORDER BY version DESC LIMIT $7
"""
_COUNT: Final = f"SELECT count(*) FROM ({_OWED}) AS found"
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

    A payable's `amount` is what is still owed of it. One that is paid while the list is read on shows once, as it was;
    only where what is owed takes several pages it may come again, as the move that paid it. Filters and paging are
    those of `statements.page`.
    Source: ledger.md, "Statements" (`divvyWaitLog`), "Payables".
    """
    whose = (owner_of(account_id), asset_of(account_id).number)
    wanted = (start or 0, _FOR_EVER if end is None else end, kind)
    counted = await db.value(_COUNT, *whose, _FOR_EVER, *wanted, MOST_COUNTED + 1)
    below = _FOR_EVER if query.after is None else query.after
    found = await db.rows(_OWED, *whose, below, *wanted, query.skip + query.size + 1)
    owed = [row_of(row) for row in found[query.skip : query.skip + query.size]]
    room = query.size - len(owed)
    rest = PageQuery(room or 1, after=query.after, skip=max(0, query.skip - len(found)))
    moves = await statements.page(db, account_id, rest, start=start, end=end, kind=kind)
    total, more = min(counted, MOST_COUNTED) + moves.total, moves.more or counted > MOST_COUNTED
    if len(found) > query.skip + query.size:
        return Page(owed, total, owed[-1].version, more)
    if not room:
        # Nothing of what comes from now on: it may be what was owed, and that has just been shown.
        return Page(owed, total, moves.rows[0].version + 1 if moves.rows else moves.next, more)
    return Page([*owed, *moves.rows], total, moves.next, more)
