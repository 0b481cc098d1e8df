"""Calls of customer service in the console: path, use case, shape."""

from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.errors import Forbidden, NotFound, WrongState
from kalos.core.fields import Id, Time
from kalos.domains.support import rules
from kalos.domains.support.api import Said, Subject, Text, TicketId, lines_of, pictures_of
from kalos.domains.support.queries import Queued
from kalos.domains.support.tables import MessageRow
from kalos.operator import tickets as service
from kalos.operator.api import found_before
from kalos.operator.context import Desk
from kalos.operator.desk_shapes import Age, Count
from kalos.operator.tickets import Opened
from kalos.wire.calls import Answer, Body, Calls
from kalos.wire.shapes import Paged, RequestId, Rows, rows_of

calls = Calls("operator", audience="staff")

TicketState = Annotated[Literal["open", "answered", "closed"], Meta(examples=["open"])]
# Nobody's in demo mode: who tries an example out freezes none of its accounts.
Account = Annotated[str, Meta(pattern="^[0-9]{8}$", examples=["20486173"])]
MessageId = Annotated[Id, Meta(max_length=18, examples=["31"])]


class DeskTicketsBody(Paged, frozen=True):
    """`account`: of this member alone."""

    state: TicketState = "open"
    account: Account | None = None


class DeskTicket(Answer, frozen=True):
    """`last` is how the last message begins, `last_message` its number; `lang` the language that the member wrote in.

    `age_seconds`: since when an open one waits for the house; of others, when something was written last.
    """

    id: TicketId
    account: Account
    subject: Subject
    state: TicketState
    lang: Annotated[str, Meta(examples=["vi"])]
    last: Text
    last_message: MessageId
    messages: Count
    created_at: Time
    age_seconds: Age


class DeskMessage(Answer, frozen=True):
    """`staff` is who wrote it in the console, null for members and for commands on the machine; `images` show the
    pictures for an hour at least."""

    id: MessageId
    by: Annotated[Literal["member", "house"], Meta(examples=["member"])]
    staff: Annotated[str | None, Meta(examples=[None])]
    text: Text
    images: Annotated[list[str], Meta(examples=[[]])]
    at: Time


class DeskThread(Answer, frozen=True):
    """The oldest message first."""

    ticket: DeskTicket
    messages: list[DeskMessage]


class DeskTicketBody(Body, frozen=True):
    id: TicketId


class CloseTicketBody(Body, frozen=True):
    """`last_message` is that of the ticket as it was shown."""

    id: TicketId
    last_message: MessageId
    request_id: RequestId


class AnswerTicketBody(CloseTicketBody, frozen=True, kw_only=True):
    text: Said


@calls.add("/api/operator/tickets", Forbidden)
async def tickets(desk: Desk, body: DeskTicketsBody) -> Rows[DeskTicket]:
    page = body.query(desk.terms.page_size)
    found = await service.list_tickets(desk, page, state=body.state, account=body.account)
    return rows_of(found, lambda row: _ticket(desk, row))


@calls.add("/api/operator/ticket", Forbidden, NotFound)
async def ticket(desk: Desk, body: DeskTicketBody) -> DeskThread:
    return _thread(desk, await service.open_ticket(desk, int(body.id)))


async def _again(desk: Desk, number: str) -> DeskThread:
    return _thread(desk, await service.open_ticket(desk, int(number)))


@calls.add("/api/operator/answerTicket", Forbidden, NotFound, WrongState, again=_again, find=found_before)
async def answer_ticket(desk: Desk, body: AnswerTicketBody) -> DeskThread:
    draft = rules.read_draft(lines_of(body.text), ())
    seen = int(body.last_message)
    return _thread(
        desk,
        await service.answer_ticket(desk, int(body.id), seen=seen, draft=draft, request_id=body.request_id),
    )


@calls.add("/api/operator/closeTicket", Forbidden, NotFound, WrongState, again=_again, find=found_before)
async def close_ticket(desk: Desk, body: CloseTicketBody) -> DeskThread:
    seen = int(body.last_message)
    return _thread(desk, await service.close_ticket(desk, int(body.id), seen=seen, request_id=body.request_id))


def _ticket(desk: Desk, one: Queued) -> DeskTicket:
    row = one.row
    since = row.asked_at if row.state == "open" else row.touched_at
    return DeskTicket(
        id=str(row.id),
        account=one.account,
        subject=row.subject,
        state=row.state,
        lang=row.lang,
        last=one.last,
        last_message=str(row.last_message),
        messages=one.messages,
        created_at=row.created_at,
        age_seconds=max(0, desk.wall - since) // 1000,
    )


def _thread(desk: Desk, opened: Opened) -> DeskThread:
    return DeskThread(
        ticket=_ticket(desk, opened.ticket), messages=[_message(desk, row, opened) for row in opened.messages]
    )


def _message(desk: Desk, row: MessageRow, opened: Opened) -> DeskMessage:
    return DeskMessage(
        id=str(row.id),
        by="house" if row.by_house else "member",
        staff=None if row.staff is None else opened.names[row.staff],
        text=row.text,
        images=pictures_of(desk.house, row, wall=desk.wall),
        at=row.at,
    )
