"""Tokens that the house doesn't know at its addresses: support writes down what became of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kalos.core.errors import InvalidInput, NotFound, WrongState
from kalos.core.pages import Page, PageQuery
from kalos.domains.deposits import queries as deposits
from kalos.domains.deposits import service
from kalos.domains.deposits.rules import StrayState, StrayVerdict
from kalos.domains.deposits.tables import Stray
from kalos.operator import desk_queries
from kalos.operator.context import Desk
from kalos.operator.requests import note_answered
from kalos.operator.reviews import READERS
from kalos.operator.tables import Act


@dataclass(frozen=True, slots=True)
class Looked:
    """A stray with its owner's account (empty for the house), who decided it, and whether the list of sanctions has its
    sender."""

    stray: Stray
    account: str
    staff: str | None
    is_listed: bool


async def list_strays(desk: Desk, page: PageQuery, *, state: StrayState, account: str | None) -> Page[Looked]:
    """Everybody's in a state, or one account's; open ones the oldest first. Raises: Forbidden."""
    desk.need(*READERS)
    found = await deposits.list_strays(desk.db, page, state=state, account=account)
    return Page(await _looked(desk, found.rows), found.total, found.next, found.more)


async def decide_stray(
    desk: Desk, number: int, *, verdict: StrayVerdict, payment: str | None, reason: str, request_id: str
) -> Looked:
    """Write down that it was sent back by hand, with the transaction, or why it stays where it is. No money moves.

    Raises: Forbidden, NotFound, OwnAccount, WrongState, InvalidInput (no such payment), RequestConflict, Outage.
    Source: treasury.md, "Top-up".
    """
    desk.need("support")
    stray = await _find(desk, number)
    desk.not_own(stray.owner)
    if stray.state in ("returned", verdict):
        raise WrongState()
    if (verdict == "returned") != (payment is not None):
        raise InvalidInput(errors=[{"field": "payment", "reason": "needed" if payment is None else "not_needed"}])
    sent_units = 0 if payment is None else await service.sent_back(desk.house, stray, payment)
    decided = replace(stray, state=verdict, staff=desk.caller.id, reason=reason, payment=payment, decided_at=desk.now)
    act: Act = "stray.returned" if verdict == "returned" else "stray.left"
    async with desk.db.transaction() as db:
        before = await service.decide_stray(db, decided, sent_units)
        await note_answered(desk, db, request_id, str(number))
        await desk.record(db, act, f"stray {number}", _seen(before), {**_seen(decided), "reason": reason})
    return await show_stray(desk, number)


async def show_stray(desk: Desk, number: int) -> Looked:
    """Raises: NotFound."""
    stray = await _find(desk, number)
    return (await _looked(desk, [(stray, await desk_queries.find_account(desk.db, stray.owner))]))[0]


async def _find(desk: Desk, number: int) -> Stray:
    stray = await deposits.find_stray(desk.db, number)
    if stray is None:
        raise NotFound()
    return stray


async def _looked(desk: Desk, rows: Sequence[tuple[Stray, str]]) -> list[Looked]:
    names = await desk_queries.list_names(desk.db, [one.staff for one, _ in rows if one.staff is not None])
    is_listed = desk.house.screening.is_listed
    return [
        Looked(one, account, None if one.staff is None else names[one.staff], await is_listed(one.sender))
        for one, account in rows
    ]


def _seen(stray: Stray) -> Mapping[str, Any]:
    return {
        "state": stray.state,
        "chain": stray.chain_id,
        "contract": stray.contract,
        "address": stray.recipient,
        "units": str(stray.units),
        "payment": stray.payment or "",
    }
