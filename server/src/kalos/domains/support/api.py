"""Calls under /api/support: path, use case, shape."""

from typing import Annotated, Literal

from msgspec import Meta, field

from kalos.core.clock import HOUR_MS
from kalos.core.errors import NotFound, TooMany, WrongState
from kalos.core.fields import Count, Time
from kalos.domains.context import Context, House
from kalos.domains.support import rules, service
from kalos.domains.support.queries import Listed
from kalos.domains.support.tables import MessageRow
from kalos.domains.uploads import service as uploads
from kalos.wire.calls import Answer, Body, Calls, Done
from kalos.wire.shapes import Paged, Rows, rows_of
from kalos.wire.uploads import UploadId

calls = Calls("support")

TicketId = Annotated[str, Meta(pattern="^[0-9]{1,18}$", examples=["7"])]
Subject = Annotated[str, Meta(examples=["My top-up doesn't show"])]
Text = Annotated[str, Meta(examples=["I sent 50 USDT an hour ago; the hash is below."])]
Said = (
    Annotated[str, Meta(min_length=1, max_length=rules.LONGEST_TEXT, examples=["Where is my top-up?"])]
    | Annotated[
        list[Annotated[str, Meta(max_length=rules.LONGEST_TEXT)]],
        Meta(min_length=1, max_length=rules.LONGEST_TEXT),
    ]
)
Images = Annotated[list[UploadId], Meta(max_length=rules.MOST_PICTURES, examples=[[]])]


class OpenBody(Body, frozen=True):
    """`subject`: one line of 80 characters, `text`: up to 2,000, as one line or line by line (no control characters
    come over the wire), `images`: up to four uploads of purpose picture."""

    subject: Annotated[Subject, Meta(min_length=1, max_length=rules.LONGEST_SUBJECT)]
    text: Said
    images: Images = field(default_factory=list)


class TicketBody(Body, frozen=True):
    ticket_id: TicketId


class ReplyBody(TicketBody, frozen=True, kw_only=True):
    text: Said
    images: Images = field(default_factory=list)


class OpenAnswer(Answer, frozen=True):
    ticket_id: TicketId


class TicketShape(Answer, frozen=True):
    """`unread` counts messages of the house; `last` is how the last message begins."""

    id: TicketId
    subject: Subject
    state: Annotated[Literal["open", "answered", "closed"], Meta(examples=["open"])]
    unread: Count
    last: Text
    time: Time


class Tickets(Rows[TicketShape], frozen=True, omit_defaults=True, kw_only=True):
    """A page of tickets, the one that was written in last first; `unread` counts what the house wrote in all of them
    and wasn't read yet."""

    unread: Count


class MessageShape(Answer, frozen=True):
    """`images` show the pictures for an hour at least."""

    id: TicketId
    by: Annotated[Literal["member", "house"], Meta(examples=["member"])]
    text: Text
    images: Annotated[list[str], Meta(examples=[[]])]
    time: Time


class Thread(Answer, frozen=True):
    """The oldest message first."""

    subject: Subject
    state: Annotated[Literal["open", "answered", "closed"], Meta(examples=["open"])]
    messages: list[MessageShape]


@calls.add("/api/support/open", NotFound, TooMany)
async def open_(ctx: Context, body: OpenBody) -> OpenAnswer:
    draft = rules.read_draft(lines_of(body.text), tuple(body.images))
    return OpenAnswer(ticket_id=str(await service.open_ticket(ctx, rules.read_subject(body.subject), draft)))


@calls.add("/api/support/list")
async def list_(ctx: Context, body: Paged) -> Tickets:
    page, unread = await service.list_tickets(ctx, body.query(ctx.terms.page_size))
    rows = rows_of(page, _ticket)
    return Tickets(list=rows.list, total=rows.total, next=rows.next, unread=unread)


@calls.add("/api/support/reply", NotFound, WrongState, TooMany)
async def reply(ctx: Context, body: ReplyBody) -> Done:
    await service.reply(ctx, int(body.ticket_id), rules.read_draft(lines_of(body.text), tuple(body.images)))
    return Done()


@calls.add("/api/support/read", NotFound)
async def read(ctx: Context, body: TicketBody) -> Thread:
    thread = await service.read(ctx, int(body.ticket_id))
    messages = [_message(ctx, row) for row in thread.messages]
    return Thread(subject=thread.row.subject, state=thread.row.state, messages=messages)


def lines_of(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


def _ticket(listed: Listed) -> TicketShape:
    row = listed.row
    return TicketShape(
        id=str(row.id),
        subject=row.subject,
        state=row.state,
        unread=listed.unread,
        last=listed.last,
        time=row.touched_at,
    )


def pictures_of(house: House, row: MessageRow, *, wall: int) -> list[str]:
    """Where a message's pictures are shown."""
    # One address for an hour: a page that asks again shows what it has.
    until_at = (wall // HOUR_MS + 2) * HOUR_MS
    return [uploads.url(house, picture, until_at=until_at) for picture in row.pictures]


def _message(ctx: Context, row: MessageRow) -> MessageShape:
    return MessageShape(
        id=str(row.id),
        by="house" if row.by_house else "member",
        text=row.text,
        images=pictures_of(ctx.house, row, wall=ctx.wall),
        time=row.at,
    )
