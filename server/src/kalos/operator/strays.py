"""Tokens that the house doesn't know at its addresses: support writes down what became of each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kalos.core.errors import InvalidInput, NotFound
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


async def list_strays(desk: Desk, page: PageQuery, state: StrayState) -> Page[tuple[Stray, str]]:
    """Everybody's in a state with their accounts; open ones the oldest first. Raises: Forbidden."""
    desk.need(*READERS)
    return await deposits.list_strays(desk.db, page, state)


async def decide_stray(
    desk: Desk, number: int, *, verdict: StrayVerdict, payment: str | None, reason: str, request_id: str
) -> tuple[Stray, str]:
    """Write down that it was sent back by hand, with the transaction, or why it stays where it is. No money moves.

    Raises: Forbidden, NotFound, OwnAccount, WrongState, InvalidInput (no such payment), RequestConflict, Outage.
    Source: treasury.md, "Top-up".
    """
    desk.need("support")
    stray = await deposits.find_stray(desk.db, number)
    if stray is None:
        raise NotFound()
    desk.not_own(stray.owner)
    if (verdict == "returned") != (payment is not None):
        raise InvalidInput(errors=[{"field": "payment", "reason": "missing" if payment is None else "nothing_given"}])
    units = 0 if payment is None else await service.units_sent_back(desk.house, stray, payment)
    decided = replace(stray, state=verdict, staff=desk.caller.id, reason=reason, payment=payment, decided_at=desk.now)
    act: Act = "stray.returned" if verdict == "returned" else "stray.left"
    async with desk.db.transaction() as db:
        await service.decide_stray(db, decided, units)
        await note_answered(desk, db, request_id, str(number))
        await desk.record(db, act, f"stray {number}", _seen(stray), {**_seen(decided), "reason": reason})
    return decided, await desk_queries.find_account(desk.db, stray.owner)


async def show_stray(desk: Desk, number: int) -> tuple[Stray, str]:
    """One that was decided. Raises: NotFound."""
    stray = await deposits.find_stray(desk.db, number)
    if stray is None:
        raise NotFound()
    return stray, await desk_queries.find_account(desk.db, stray.owner)


def _seen(stray: Stray) -> Mapping[str, Any]:
    return {
        "state": stray.state,
        "contract": stray.contract,
        "address": stray.recipient,
        "units": str(stray.units),
        "payment": stray.payment or "",
    }
