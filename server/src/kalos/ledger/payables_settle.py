"""Settles payables oldest first, as far as the money of their account goes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Final

from kalos.core.database import Database
from kalos.core.errors import PASSING, ForOperator, InsufficientBalance, StateChanged
from kalos.core.failpoints import reach
from kalos.ledger import days
from kalos.ledger.payables import COLUMNS, OWING, TABLE, Payable, payable_of, quota_of
from kalos.ledger.postings import Insert, Ledger, MoveMany, Posting, SetMany, Stamp, Take, key_of

JOB: Final = "payables"
"""Of it each account that paid a part has a mark for that day."""
SLICE: Final = 200
_SLICES_A_TURN: Final = 200
_MOST_NAMED: Final = 5

_OWING: Final = f"""
    {OWING}
    SELECT o.account FROM owing o JOIN accounts a ON a.id = o.account WHERE a.balance > 0
"""
_OLDEST: Final = f"""
    SELECT {COLUMNS} FROM payables WHERE account = $1 AND left_units > 0 AND paid_from = 'account' ORDER BY id LIMIT $2
"""
_FUNDS: Final = """
    SELECT balance, EXISTS (SELECT FROM day_runs WHERE job = $2 AND item = $1::bigint::text AND day = $3) AS had_part
    FROM accounts WHERE id = $1
"""


class NotSettled(ForOperator):
    """An account's oldest payable can't be posted, and somebody must look: its line waits; all others are settled."""


def shares(left: Iterable[int], funds: int, *, in_part: bool) -> Iterator[int]:
    """What each of the oldest gets of `funds`: the first that can't be paid whole ends it, with a part or without."""
    for units in left:
        if units > funds:
            if in_part and funds:
                yield funds
            return
        yield units
        funds -= units


async def settle(db: Database, ledger: Ledger, *, part_of: date | None = None) -> None:
    """Pay what every owing account can pay now; any number of workers may.

    Whole payables at once, so that a trickle doesn't become a thousand rows. For the day `part_of`, which has ended,
    the oldest gets what there is, too: once for each account, however often this is called. Nobody is paid before an
    older one.
    Moves: the account -> target, with the kind and reference of what was owed.
    Raises: Outage, RequestRunning, Busy; what was paid by then is. NotSettled when all is that can be.
    """
    stuck: list[NotSettled] = []
    for row in await db.rows(_OWING):
        try:
            for _ in range(_SLICES_A_TURN):
                if not await _settle_slice(db, ledger, row["account"], SLICE, part_of):
                    break
        except NotSettled as problem:
            stuck.append(problem)
    if stuck:
        which = "; ".join(str(problem) for problem in stuck[:_MOST_NAMED])
        raise NotSettled(f"{len(stuck)} accounts wait: {which}") from stuck[0]


async def _settle_slice(db: Database, ledger: Ledger, account: int, size: int, part_of: date | None) -> bool:
    """One posting for the oldest payables of an account, for half as many where it is refused.

    Returns whether there may be more to pay. Raises: NotSettled where the oldest alone is refused.
    """
    due = [payable_of(row) for row in await db.rows(_OLDEST, account, size)]
    (row,) = await db.rows(_FUNDS, account, JOB, part_of)
    in_part = part_of is not None and not row["had_part"]
    paid = list(shares((one.left_units for one in due), row["balance"], in_part=in_part))
    if not paid:
        return False
    posting = _payment(account, due[: len(paid)], paid, part_of)
    (result,) = await ledger.post_many([posting])
    if isinstance(result, StateChanged):
        return True  # another worker was faster: what is left is read anew
    if isinstance(result, InsufficientBalance):
        return False  # the money went elsewhere meanwhile
    if isinstance(result, PASSING):
        raise result
    if isinstance(result, Exception):
        if len(paid) == 1:
            raise NotSettled(f"account {account} for payable {due[0].id}: {type(result).__name__}") from result
        return await _settle_slice(db, ledger, account, len(paid) // 2, part_of)
    reach("payable_settled")
    return len(paid) == size


def _payment(account: int, due: Sequence[Payable], paid: Sequence[int], part_of: date | None) -> Posting:
    """Its last one may be paid in part: then the day is marked in the same commit, so that it pays no other part."""
    left = [one.left_units - units for one, units in zip(due, paid, strict=True)]
    moves = [
        MoveMany(
            kind=kind,
            sources=[account] * len(group),
            targets=[one.target for one, _ in group],
            units=[units for _, units in group],
            references=[one.reference for one, _ in group],
        )
        for kind, group in _by_kind(zip(due, paid, strict=True))
    ]
    whole = left.count(0)
    part: list[SetMany | Insert] = []
    if whole < len(due):
        assert part_of is not None, "between midnights nothing is paid in part"
        part = [_left(due[whole:], {"left_units": left[whole:]}), days.mark(JOB, str(account), part_of)]
    return Posting(
        key=key_of("payables", account, due[0].id, due[0].left_units, due[-1].id, left[-1]),
        many=moves,
        takes=[Take(quota_of(account), (-whole,))] if whole else [],
        riders=[
            *([_left(due[:whole], {"left_units": left[:whole], "settled_at": Stamp.AT})] if whole else []),
            *part,
        ],
    )


def _left(due: Sequence[Payable], values: Mapping[str, Sequence[int] | Stamp]) -> SetMany:
    """What is paid whole bears the time of the move that paid it: a list goes on from page to page by both."""
    expect = {"left_units": [one.left_units for one in due]}
    return SetMany(TABLE, key={"id": [one.id for one in due]}, expect=expect, values=values)


def _by_kind(pairs: Iterable[tuple[Payable, int]]) -> Iterator[tuple[str, list[tuple[Payable, int]]]]:
    for kind, group in groupby(sorted(pairs, key=lambda pair: (pair[0].kind, pair[0].id)), lambda pair: pair[0].kind):
        yield kind, list(group)
