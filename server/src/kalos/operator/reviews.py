"""What waits for one of the house's people: withdrawals to look at, top-ups in suspense."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from kalos.core.database import Connection
from kalos.core.errors import Busy, NotFound, Refusal, RequestConflict, RequestRunning, TooMany
from kalos.core.pages import Page, PageQuery
from kalos.domains.deposits import queries as deposits
from kalos.domains.deposits.rules import Verdict
from kalos.domains.deposits.service import decide
from kalos.domains.deposits.tables import Deposit
from kalos.domains.withdrawals import queries as withdrawals
from kalos.domains.withdrawals import rules as withdrawal_rules
from kalos.domains.withdrawals.rules import Status
from kalos.domains.withdrawals.service import review
from kalos.domains.withdrawals.tables import Review, Withdrawal
from kalos.ledger import purse
from kalos.ledger.outbox import StoredFact
from kalos.ledger.postings import Fact, Posting
from kalos.operator import desk_queries, effects, queries
from kalos.operator.context import Desk
from kalos.operator.effects import Effect
from kalos.operator.rules import Role
from kalos.operator.signatures import check_signature
from kalos.operator.tables import Act

TOPIC: Final = "console"
"""Facts of this topic are rows of the log that come with a posting."""

READERS: Final[tuple[Role, ...]] = ("reviewer", "treasurer", "support", "auditor", "owner")
DECIDERS: Final[tuple[Role, ...]] = ("reviewer", "treasurer")


@dataclass(frozen=True, slots=True)
class Looked:
    """A withdrawal with what was said of it, the names of who said it, and what an answer would change.

    `unheard` are who is no reviewer any more.
    """

    withdrawal: Withdrawal
    reviews: list[Review]
    unheard: Collection[int]
    names: Mapping[int, str]
    effects: list[Effect]

    def counts(self, said: Review) -> bool:
        """Whether it was said of this round, and while it is open not by who has ceased to review."""
        is_open = self.withdrawal.status == "pending_review"
        return said.round == self.withdrawal.returned and not (is_open and said.staff in self.unheard)


async def list_withdrawals(desk: Desk, page: PageQuery, status: Status) -> Page[Looked]:
    """Everybody's of a state, the oldest first. Raises: Forbidden."""
    desk.need(*READERS)
    found = await withdrawals.list_queue(desk.db, page, status)
    return Page(await _looked(desk, found.rows), found.total, found.next, found.more)


async def review_withdrawal(
    desk: Desk,
    number: int,
    *,
    revision: int,
    verdict: Literal["yes", "no"],
    reason: str,
    signature: str | None,
    request_id: str,
) -> Looked:
    """Say yes, with a signature of what was looked at, or no.

    Moves: with a no, amount and fee, member held -> member available.
    Raises: Forbidden, OwnAccount, NotFound, InvalidInput (no such signature), WrongState, MoneyOutStopped,
      HouseAddress, AddressRemoved, AddressWaiting, AccountFrozen, SecurityHold, RequestConflict.
    """
    desk.need("reviewer")
    found = await withdrawals.find(desk.db, number)
    if found is None:
        raise NotFound()
    desk.not_own(found.member)
    is_yes = verdict == "yes"
    act: Act = "withdrawal.yes" if is_yes else "withdrawal.no"
    signed = check_signature(desk, withdrawal_rules.message(found), signature) if is_yes else b""
    changed = await review(
        desk.house,
        withdrawal=number,
        revision=revision,
        staff=desk.caller.id,
        is_yes=is_yes,
        reason=reason,
        signature=signed,
        key=desk.key(request_id),
        fingerprint=desk.fingerprint,
        unheard=await desk_queries.list_past_reviewers(desk.db),
        log=lambda after: [_log(desk, act, f"withdrawal {number}", _seen(found), {"reason": reason, **after})],
    )
    return (await _looked(desk, [changed]))[0]


async def find_review(desk: Desk, number: int, request_id: str) -> Withdrawal | None:
    """The withdrawal, where this very request has said something of it. Raises: as `find_decided`."""
    return await withdrawals.find(desk.db, number) if await _was_posted(desk, request_id) else None


async def show_withdrawal(desk: Desk, found: Withdrawal) -> Looked:
    return (await _looked(desk, [found]))[0]


async def _looked(desk: Desk, rows: list[Withdrawal]) -> list[Looked]:
    reviews = await withdrawals.list_reviews(desk.db, [row.id for row in rows])
    names = await desk_queries.list_names(desk.db, [one.staff for said in reviews.values() for one in said])
    unheard = await desk_queries.list_past_reviewers(desk.db)
    changes = await effects.of_withdrawals(desk, rows)
    return [Looked(row, reviews[row.id], unheard, names, changes.get(row.id, [])) for row in rows]


def _seen(found: Withdrawal) -> dict[str, Any]:
    return {
        "status": found.status,
        "revision": found.revision,
        "asset": found.asset,
        "units": found.units,
        "address": found.address,
        "needed": found.needed,
    }


# Top-ups


async def list_deposits(desk: Desk, page: PageQuery) -> Page[tuple[Deposit, str, list[Effect]]]:
    """Top-ups that wait, the oldest first, each with its account and what a decision changes. Raises: Forbidden."""
    desk.need(*READERS)
    found = await deposits.list_review(desk.db, page)
    changes = await effects.of_deposits(desk, [one for one, _ in found.rows])
    rows = [(one, account, changes.get(one.id, [])) for one, account in found.rows]
    return Page(rows, found.total, found.next, found.more)


async def decide_deposit(
    desk: Desk, number: int, *, revision: int, verdict: Verdict, reason: str, request_id: str
) -> Deposit:
    """Credit or refuse a top-up that waits: a member's is a reviewer's, the house's own a treasurer's.

    Raises: Forbidden, OwnAccount, NotFound, WrongState, MoneyOutStopped, RequestConflict.
    """
    desk.need(*DECIDERS)
    found = await deposits.find_deposit(desk.db, number)
    if found is None:
        raise NotFound()
    desk.not_own(found.owner)
    desk.need("treasurer" if found.owner == purse.HOUSE else "reviewer")
    act: Act = "deposit.credit" if verdict == "credit" else "deposit.refuse"
    before = {
        "status": found.status,
        "revision": found.revision,
        "reason": found.reason or "",
        "asset": found.asset,
        "units": found.units,
    }
    return await decide(
        desk.house,
        number,
        revision=revision,
        verdict=verdict,
        staff=desk.caller.id,
        reason=reason,
        key=desk.key(request_id),
        fingerprint=desk.fingerprint,
        log=lambda after: [_log(desk, act, f"deposit {number}", before, {"reason": reason, **after})],
    )


async def find_decided(desk: Desk, number: int, request_id: str) -> Deposit | None:
    """The top-up, where this very request has decided on it. Raises: RequestConflict (another body), Busy, Outage."""
    return await deposits.find_deposit(desk.db, number) if await _was_posted(desk, request_id) else None


async def _was_posted(desk: Desk, request_id: str) -> bool:
    """Whether the ledger knows a request. Asked with a posting that is too late to be accepted: so it says it itself.

    Raises: RequestConflict (of another body), RequestRunning, Busy, TooMany, Outage.
    """
    try:
        await desk.ledger.post(Posting(desk.key(request_id), fingerprint=desk.fingerprint, not_after=0))
    except (RequestConflict, RequestRunning, Busy, TooMany):
        raise
    except Refusal:
        return False
    return True


async def find_account(desk: Desk, found: Deposit) -> str:
    """The eight digits of a top-up's member; empty for the house."""
    return await desk_queries.find_account(desk.db, found.owner)


# The log


def _log(desk: Desk, act: Act, about: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Fact:
    """A row of the log that stands or falls with the posting that it comes with."""
    staff = desk.caller
    body = {"staff": staff.id, "name": staff.name, "act": act, "about": about, "before": before, "after": after}
    return Fact(TOPIC, body)


async def write_log(db: Connection, facts: list[StoredFact], *, wall: int) -> None:
    """Write the rows that came with postings, in the transaction that moves the reader's cursor: each exactly once."""
    for fact in facts:
        body = fact.body
        await queries.append_audit(
            db,
            at=wall,
            staff=body["staff"],
            name=body["name"],
            act=body["act"],
            about=body["about"],
            before=body["before"],
            after=body["after"],
        )
