"""Payables: what a house account owes because it couldn't pay. Opened by riders, read by member and by account."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, NamedTuple

from kalos.core.database import Database, Record
from kalos.core.errors import Refusal
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.ledger.postings import Insert, Stamp, Take
from kalos.ledger.purse import owner_of

TABLE: Final = "payables"
MOST: Final = 2**40
"""Open payables of one account; its quota has all of them left while nothing is owed."""

PaidFrom = Literal["account", "distribution"]

COLUMNS: Final = "id, account, member, target, kind, reference, day, units, left_units, paid_from, since, settled_at"
_OF_MEMBER: Final = f"SELECT {COLUMNS} FROM payables WHERE member = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
_OF_ACCOUNT: Final = f"""
    SELECT {COLUMNS} FROM payables WHERE account = $1 AND left_units > 0 AND id > $2 ORDER BY id LIMIT $3
"""
_COUNT_OF_MEMBER: Final = "SELECT count(*) FROM (SELECT 1 FROM payables WHERE member = $1 LIMIT $2) AS found"
_COUNT_OF_ACCOUNT: Final = """
    SELECT count(*) FROM (SELECT 1 FROM payables WHERE account = $1 AND left_units > 0 LIMIT $2) AS found
"""
OWING: Final = """
    WITH RECURSIVE owing (account) AS (
        (SELECT account FROM payables WHERE left_units > 0 ORDER BY account LIMIT 1)
        UNION ALL
        SELECT (SELECT p.account FROM payables p WHERE p.left_units > 0 AND p.account > o.account
            ORDER BY p.account LIMIT 1)
        FROM owing o WHERE o.account IS NOT NULL
    )
"""
"""The accounts that owe, each once, and a last row of none: by steps through the index, as quick with a million open
payables as with one."""


class OlderPayables(Refusal):
    """The account owes others already: who comes now stands in line behind them. No member ever sees it."""

    code, name = 422, "wrong_state"


class Debt(NamedTuple):
    """What should have been moved from the account: `kind`, `target`, `units`, `reference` as in `Move`."""

    kind: str
    target: int
    units: int
    reference: int


@dataclass(frozen=True, slots=True)
class Payable:
    """`day` is the business day that it is owed for, `since` when it was found that the account couldn't pay.

    `paid_from`: "account" is paid as soon as money arrives there; "distribution" by a midnight's distribution alone.
    """

    id: int
    account: int
    member: int
    target: int
    kind: str
    reference: int
    day: date
    units: int
    left_units: int
    paid_from: PaidFrom
    since: int
    settled_at: int | None

    def age_ms(self, now: int) -> int:
        """How long it has waited, or waited until it was settled."""
        return (now if self.settled_at is None else self.settled_at) - self.since


def quota_of(account: int) -> str:
    return f"payables:{account}"


def in_turn(account: int) -> tuple[Take, Take]:
    """The takes of a posting that pays from a house account directly: refused where older payables wait for it."""
    name = quota_of(account)
    return Take(name, (MOST,), first=(MOST,), short=OlderPayables), Take(name, (-MOST,))


def owe(
    account: int, debts: Sequence[Debt], day: date, paid_from: PaidFrom = "account"
) -> tuple[list[Take], list[Insert]]:
    """Takes and riders of a posting that makes these debts of a house account payables, in this order of age."""
    takes = [Take(quota_of(account), (len(debts),), first=(MOST,))] if paid_from == "account" else []
    riders = [
        Insert(
            TABLE,
            {
                "posting": Stamp.ID,
                "place": place,
                "account": account,
                "member": owner_of(debt.target),
                "target": debt.target,
                "asset": account >> 8 & 0xFF,
                "kind": debt.kind,
                "reference": debt.reference,
                "day": str(day),
                "units": debt.units,
                "left_units": debt.units,
                "paid_from": paid_from,
                "since": Stamp.AT,
            },
        )
        for place, debt in enumerate(debts)
    ]
    return takes, riders


async def list_of_member(db: Database, member: int, query: PageQuery) -> Page[Payable]:
    """What a member is and was owed, newest first; the key is the id."""
    last = 2**63 - 1 if query.after is None else query.after
    found = await db.rows(_OF_MEMBER, member, last, query.skip + query.size + 1)
    return _page(found, query, await db.value(_COUNT_OF_MEMBER, member, MOST_COUNTED + 1))


async def list_of_account(db: Database, account: int, query: PageQuery) -> Page[Payable]:
    """What an account still owes, oldest first: the order in which it is paid; the key is the id."""
    found = await db.rows(_OF_ACCOUNT, account, query.after or 0, query.skip + query.size + 1)
    return _page(found, query, await db.value(_COUNT_OF_ACCOUNT, account, MOST_COUNTED + 1))


def _page(found: Sequence[Record], query: PageQuery, total: int) -> Page[Payable]:
    return counted_page([payable_of(row) for row in found[query.skip :]], query, total, lambda debt: debt.id)


def payable_of(row: Record) -> Payable:
    values: dict[str, Any] = dict(row)
    return Payable(**values)
