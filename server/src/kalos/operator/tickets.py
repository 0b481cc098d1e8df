"""Customer service: what members ask, and what one of the house's people answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.errors import NotFound
from kalos.core.pages import Page, PageQuery
from kalos.domains.support import queries as tickets
from kalos.domains.support import service
from kalos.domains.support.queries import Queued
from kalos.domains.support.rules import Draft, State
from kalos.domains.support.tables import MessageRow
from kalos.operator import desk_queries
from kalos.operator.context import Desk
from kalos.operator.requests import note_answered
from kalos.operator.rules import Role

READERS: Final[tuple[Role, ...]] = ("support", "auditor", "owner")


@dataclass(frozen=True, slots=True)
class Opened:
    """A ticket with all that was written in it, and the names of who answered in the console."""

    ticket: Queued
    messages: Sequence[MessageRow]
    names: Mapping[int, str]


async def list_tickets(desk: Desk, page: PageQuery, *, state: State, account: str | None) -> Page[Queued]:
    """Everybody's in a state; of the open ones first who has waited longest. Raises: Forbidden."""
    desk.need(*READERS)
    return await tickets.list_queue(desk.db, page, state=state, account=account)


async def open_ticket(desk: Desk, number: int) -> Opened:
    """What was written in it. The member's own marks of what was read stay as they are. Raises: Forbidden, NotFound."""
    desk.need(*READERS)
    row = await tickets.find_ticket(desk.db, number)
    if row is None:
        raise NotFound()
    account = await desk_queries.find_account(desk.db, row.member)
    messages = await tickets.list_messages(desk.db, number)
    names = await desk_queries.list_names(desk.db, [one.staff for one in messages if one.staff is not None])
    return Opened(Queued(row, account, messages[-1].text, len(messages)), messages, names)


async def answer_ticket(desk: Desk, number: int, *, seen: int, draft: Draft, request_id: str) -> Opened:
    """Write to the member, who is told by mail; `seen` is the last message of the ticket as it was shown.

    Raises: Forbidden, NotFound, WrongState (closed, or somebody has written since), RequestConflict.
    Source: content.md, "Operator console".
    """
    desk.need("support")
    async with desk.db.transaction() as db:
        was, message = await service.answer(db, number, draft, wall=desk.wall, seen=seen, staff=desk.caller.id)
        await note_answered(desk, db, request_id, str(number))
        # The log is for ever, a ticket isn't: of the words it has the number alone.
        before, after = {"state": was.state, "last_message": seen}, {"state": "answered", "last_message": message}
        await desk.record(db, "ticket.answer", f"ticket {number}", before, after)
    return await open_ticket(desk, number)


async def close_ticket(desk: Desk, number: int, *, seen: int, request_id: str) -> Opened:
    """Nothing more is written in it. Raises: as `answer_ticket`. Source: content.md, "Operator console"."""
    desk.need("support")
    async with desk.db.transaction() as db:
        was = await service.close(db, number, seen=seen)
        await note_answered(desk, db, request_id, str(number))
        await desk.record(db, "ticket.close", f"ticket {number}", {"state": was.state}, {"state": "closed"})
    return await open_ticket(desk, number)
