"""Asking the house, answering, reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalos.core.clock import DAY_MS
from kalos.core.database import Connection
from kalos.core.errors import NotFound, SessionEnded, WrongState
from kalos.core.mails import queue_mail
from kalos.core.pages import Page, PageQuery
from kalos.domains.context import Context
from kalos.domains.identity.queries import find_reader
from kalos.domains.support import queries, rules
from kalos.domains.support.queries import Listed
from kalos.domains.support.rules import Draft
from kalos.domains.support.tables import MessageRow, TicketRow
from kalos.domains.uploads import service as uploads


@dataclass(frozen=True, slots=True)
class Thread:
    row: TicketRow
    messages: list[MessageRow]


async def open_ticket(ctx: Context, subject: str, draft: Draft) -> int:
    """Begin a ticket; the same words sent again within ten minutes are the ticket that they began.

    Raises: TooMany, NotFound (a picture that isn't the caller's own and unused).
    Source: content.md, "Support".
    """
    member, wall = ctx.caller.id, ctx.wall
    async with ctx.db.transaction() as db:
        sent_at = await _begin(db, member, wall)
        same = await queries.find_same_ticket(db, member, subject, draft, wall - rules.SAME_MS)
        if same is not None:
            return same
        rules.check_day(sent_at, wall=wall)
        ticket = await queries.insert_ticket(db, member, subject, wall, lang=ctx.lang)
        await _write(db, ticket, draft, member=member, at=wall)
    return ticket


async def reply(ctx: Context, ticket: int, draft: Draft) -> None:
    """Write in one's own ticket; the same words sent again within ten minutes change nothing.

    Raises: NotFound (no such ticket of the caller; a picture as above), WrongState (it is closed, or as long as a
      ticket gets), TooMany.
    Source: content.md, "Support".
    """
    member, wall = ctx.caller.id, ctx.wall
    async with ctx.db.transaction() as db:
        sent_at = await _begin(db, member, wall)
        row = await queries.lock_ticket(db, ticket)
        if row is None or row.member != member:
            raise NotFound()
        if row.state == "closed":
            raise WrongState()
        last = await queries.find_message(db, row.last_message)
        said = Draft(last.text, tuple(last.pictures))
        if said == draft and not last.by_house and last.at > wall - rules.SAME_MS:
            return
        if await queries.count_messages(db, ticket) >= rules.MOST_MESSAGES:
            raise WrongState()
        rules.check_day(sent_at, wall=wall)
        await queries.set_lang(db, ticket, ctx.lang)
        await _write(db, ticket, draft, member=member, at=wall)


async def read(ctx: Context, ticket: int) -> Thread:
    """One's own ticket with all messages; what the house wrote counts as seen from then on.

    Raises: NotFound.
    Source: content.md, "Support".
    """
    row = await queries.find_ticket(ctx.db, ticket)
    if row is None or row.member != ctx.caller.id:
        raise NotFound()
    messages = await queries.list_messages(ctx.db, ticket)
    await queries.mark_read(ctx.db, ticket, messages[-1].id)
    return Thread(row, messages)


async def list_tickets(ctx: Context, query: PageQuery) -> tuple[Page[Listed], int]:
    """The caller's tickets, and how many messages in them haven't been seen. Source: content.md, "Support"."""
    member = ctx.caller.id
    return await queries.list_of_member(ctx.db, member, query), await queries.count_unread(ctx.db, member)


async def answer(
    db: Connection, ticket: int, draft: Draft, *, wall: int, seen: int | None = None, staff: int | None = None
) -> tuple[TicketRow, int]:
    """What an operator writes; a mail tells the member of the first answer since they wrote, not what it says.

    `seen` is the last message that the operator has read, where that was shown. Returns the ticket as it was and the
    message's id.
    Raises: NotFound, WrongState (closed, or somebody has written since).
    """
    row = await _lock_open(db, ticket, seen)
    number = await queries.insert_message(db, ticket, draft, by_house=True, at=wall, staff=staff)
    if row.state == "open":
        await _mail(db, row, at=wall)
    return row, number


async def close(db: Connection, ticket: int, *, seen: int | None = None) -> TicketRow:
    """Nothing more is written in it. Returns the ticket as it was. Raises: as `answer`."""
    row = await _lock_open(db, ticket, seen)
    await queries.set_state(db, ticket, "closed")
    return row


async def _lock_open(db: Connection, ticket: int, seen: int | None) -> TicketRow:
    """Until the commit nobody else writes in it: of two answers to the same message one finds another last one."""
    row = await queries.lock_ticket(db, ticket)
    if row is None:
        raise NotFound()
    if row.state == "closed" or seen not in (None, row.last_message):
        raise WrongState()
    return row


async def _mail(db: Connection, row: TicketRow, *, at: int) -> None:
    """Whoever closed their account has no address any more."""
    reader = await find_reader(db, row.member)
    if not reader.is_closed:
        values = {"subject": row.subject}
        await queue_mail(db, name="ticket_answer", lang=row.lang, recipient=reader.email, values=values, at=at)


async def _begin(db: Connection, member: int, wall: int) -> list[int]:
    """When the member wrote in the last day; until the commit nobody else writes for them, nor closes their account.

    Raises: SessionEnded (it is closed meanwhile).
    """
    sent_at = await queries.list_sent_at(db, member, wall - DAY_MS)
    if (await find_reader(db, member)).is_closed:
        raise SessionEnded
    return sent_at


async def forget(db: Connection, member: int) -> None:
    """Delete all tickets of a member whose account closes, with the pictures in them."""
    await _delete(db, await queries.lock_of_member(db, member))


async def forget_before(db: Connection, before: int, *, most: int) -> int:
    """Delete the oldest tickets that nobody touched since then, in the same way; returns how many."""
    gone = await queries.lock_before(db, before, most)
    await _delete(db, gone)
    return len(gone)


async def _delete(db: Connection, tickets: Sequence[int]) -> None:
    pictures = await queries.list_pictures(db, tickets)
    await uploads.let_go(db, [(picture, _name(message)) for message, picture in pictures])
    await queries.delete(db, tickets)


def _name(message: int) -> str:
    """Under which the pictures of a message are used."""
    return f"ticket message {message}"


async def _write(db: Connection, ticket: int, draft: Draft, *, member: int, at: int) -> None:
    message = await queries.insert_message(db, ticket, draft, by_house=False, at=at)
    await uploads.use(db, draft.pictures, owner=member, purpose="picture", by=_name(message), wall=at)
