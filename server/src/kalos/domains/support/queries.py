"""Every statement on the tables of customer service."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalos.core.database import Connection, Database
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.domains.support.rules import Draft, State
from kalos.domains.support.tables import MessageRow, TicketRow

_UNREAD: Final = """
    (SELECT count(*) FROM ticket_messages AS message
    WHERE message.ticket = tickets.id AND message.by_house AND message.id > tickets.read_message)
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A ticket with how many of the house's messages its member hasn't seen, and how its last message begins."""

    row: TicketRow
    unread: int
    last: str


@dataclass(frozen=True, slots=True)
class Queued:
    """A ticket as the house sees it: whose it is, how its last message begins, and how many it has."""

    row: TicketRow
    account: str
    last: str
    messages: int


async def list_sent_at(db: Connection, member: int, since: int) -> list[int]:
    """When a member wrote since then. Until the commit nobody else can write for this member."""
    await db.execute("SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE", member)
    rows = await db.fetch(
        """
        SELECT at FROM ticket_messages JOIN tickets ON tickets.id = ticket
        WHERE member = $1 AND touched_at > $2 AND NOT by_house AND at > $2
        """,
        member,
        since,
    )
    return [row["at"] for row in rows]


async def find_same_ticket(db: Connection, member: int, subject: str, draft: Draft, since: int) -> int | None:
    """A ticket that the member began with these words since then, and that isn't closed."""
    number: int | None = await db.fetchval(
        """
        SELECT tickets.id FROM tickets JOIN ticket_messages AS message ON message.ticket = tickets.id
        WHERE member = $1 AND subject = $2 AND created_at > $5 AND state <> 'closed'
            AND message.at = created_at AND NOT by_house AND text = $3 AND pictures = $4
        """,
        member, subject, draft.text, list(draft.pictures), since,
    )  # fmt: skip
    return number


async def insert_ticket(db: Connection, member: int, subject: str, at: int, *, lang: str) -> int:
    """Returns its id; its first message must follow in the same commit."""
    number: int = await db.fetchval(
        "INSERT INTO tickets (member, subject, state, created_at, touched_at, asked_at, lang) "
        "VALUES ($1, $2, 'open', $3, $3, $3, $4) RETURNING id",
        member, subject, at, lang,
    )  # fmt: skip
    return number


async def insert_message(
    db: Connection, ticket: int, draft: Draft, *, by_house: bool, at: int, staff: int | None = None
) -> int:
    """Returns its id; the ticket then waits for the other side."""
    number: int = await db.fetchval(
        "INSERT INTO ticket_messages (ticket, by_house, text, pictures, at, staff) VALUES ($1, $2, $3, $4, $5, $6) "
        "RETURNING id",
        ticket, by_house, draft.text, list(draft.pictures), at, staff,
    )  # fmt: skip
    await db.execute(
        """
        UPDATE tickets SET last_message = $2, touched_at = greatest(touched_at, $3), state = $4,
            asked_at = CASE WHEN $4 = 'open' AND state <> 'open' THEN greatest(touched_at, $3) ELSE asked_at END
        WHERE id = $1
        """,
        ticket, number, at, "answered" if by_house else "open",
    )  # fmt: skip
    return number


async def lock_ticket(db: Connection, ticket: int) -> TicketRow | None:
    """The ticket, while nobody else writes in it."""
    row = await db.fetchrow("SELECT * FROM tickets WHERE id = $1 FOR UPDATE", ticket)
    return None if row is None else TicketRow(**row)


async def count_messages(db: Connection, ticket: int) -> int:
    count: int = await db.fetchval("SELECT count(*) FROM ticket_messages WHERE ticket = $1", ticket)
    return count


async def find_message(db: Connection, message: int) -> MessageRow:
    (row,) = await db.fetch("SELECT * FROM ticket_messages WHERE id = $1", message)
    return MessageRow(**row)


async def find_ticket(db: Database, ticket: int) -> TicketRow | None:
    row = await db.row("SELECT * FROM tickets WHERE id = $1", ticket)
    return None if row is None else TicketRow(**row)


async def list_messages(db: Database, ticket: int) -> list[MessageRow]:
    """The oldest first."""
    rows = await db.rows("SELECT * FROM ticket_messages WHERE ticket = $1 ORDER BY id", ticket)
    return [MessageRow(**row) for row in rows]


async def mark_read(db: Database, ticket: int, message: int) -> None:
    """The member has seen everything up to this message."""
    await db.execute(
        "UPDATE tickets SET read_message = $2 WHERE id = $1 AND read_message < $2 AND last_message >= $2",
        ticket, message,
    )  # fmt: skip


async def set_lang(db: Connection, ticket: int, lang: str) -> None:
    await db.execute("UPDATE tickets SET lang = $2 WHERE id = $1 AND lang <> $2", ticket, lang)


async def set_state(db: Connection, ticket: int, state: State) -> None:
    await db.execute("UPDATE tickets SET state = $2 WHERE id = $1", ticket, state)


async def list_of_member(db: Database, member: int, query: PageQuery) -> Page[Listed]:
    """Those with the latest message first; `after` is a message's id."""
    rows = await db.rows(
        f"""
        SELECT tickets.*, {_UNREAD} AS unread,
            (SELECT left(text, 120) FROM ticket_messages WHERE id = tickets.last_message) AS last
        FROM tickets WHERE member = $1 AND ($2::bigint IS NULL OR last_message < $2)
        ORDER BY last_message DESC LIMIT $3 OFFSET $4
        """,
        member, query.after, query.size + 1, query.skip,
    )  # fmt: skip
    total = await db.value("SELECT count(*) FROM tickets WHERE member = $1", member)
    found = [_listed(dict(row)) for row in rows[: query.size]]
    return Page(found, total, found[-1].row.last_message if len(rows) > query.size else None)


async def count_unread(db: Database, member: int) -> int:
    """Messages of the house that the member hasn't seen, in all tickets."""
    count: int = await db.value(f"SELECT coalesce(sum({_UNREAD}), 0)::bigint FROM tickets WHERE member = $1", member)
    return count


async def list_waiting(db: Database) -> Sequence[tuple[TicketRow, str]]:
    """What the house has to answer, with the account that asks; who has waited longest first."""
    rows = await db.rows(
        "SELECT account, tickets.* FROM tickets JOIN members ON members.id = member WHERE state = 'open' "
        "ORDER BY asked_at, tickets.id LIMIT 200"
    )
    return [(TicketRow(**{name: row[name] for name in TicketRow.__slots__}), row["account"]) for row in rows]


async def list_queue(db: Database, query: PageQuery, *, state: State, account: str | None) -> Page[Queued]:
    """Everybody's, or an account's, in one state: of the open ones first who has waited longest, else the latest.

    `after` is the id of an open ticket, else that of a last message. The total is counted up to 1,000.
    """
    whose = "state = $1 AND ($2::text IS NULL OR account = $2)"
    total = await db.value(
        f"""
        SELECT count(*) FROM (
            SELECT FROM tickets JOIN members ON members.id = member WHERE {whose} LIMIT {MOST_COUNTED + 1}
        ) few
        """,
        state, account,
    )  # fmt: skip
    following, order = "last_message < $3", "last_message DESC"
    if state == "open":
        following = (
            "(asked_at, tickets.id) > (SELECT before.asked_at, before.id FROM tickets before WHERE before.id = $3)"
        )
        order = "asked_at, tickets.id"
    rows = await db.rows(
        f"""
        SELECT tickets.*, account, (SELECT left(text, 120) FROM ticket_messages WHERE id = last_message) AS last,
            (SELECT count(*) FROM ticket_messages WHERE ticket = tickets.id) AS messages
        FROM tickets JOIN members ON members.id = member
        WHERE {whose} AND ($3::bigint IS NULL OR {following}) ORDER BY {order} LIMIT $4 OFFSET $5
        """,
        state, account, query.after, query.size + 1, query.skip,
    )  # fmt: skip
    found = [_queued(dict(row)) for row in rows]
    return counted_page(found, query, total, lambda one: one.row.id if state == "open" else one.row.last_message)


async def lock_of_member(db: Connection, member: int) -> list[int]:
    """All tickets of a member, while nobody writes in them."""
    rows = await db.fetch("SELECT id FROM tickets WHERE member = $1 ORDER BY id FOR UPDATE", member)
    return [row["id"] for row in rows]


async def lock_before(db: Connection, before: int, most: int) -> list[int]:
    """The oldest tickets that nobody touched since then, while nobody writes in them."""
    rows = await db.fetch(
        "SELECT id FROM tickets WHERE touched_at < $1 ORDER BY touched_at LIMIT $2 FOR UPDATE SKIP LOCKED", before, most
    )
    return [row["id"] for row in rows]


async def list_pictures(db: Connection, tickets: Sequence[int]) -> list[tuple[int, str]]:
    """The pictures in these tickets, each behind the message that it came with."""
    rows = await db.fetch(
        "SELECT id, unnest(pictures) AS picture FROM ticket_messages WHERE ticket = ANY($1::bigint[])", list(tickets)
    )
    return [(row["id"], row["picture"]) for row in rows]


async def delete(db: Connection, tickets: Sequence[int]) -> None:
    """With their messages."""
    await db.execute("DELETE FROM tickets WHERE id = ANY($1::bigint[])", list(tickets))


def _listed(row: dict[str, object]) -> Listed:
    unread, last = row.pop("unread"), row.pop("last")
    return Listed(TicketRow(**row), int(str(unread)), str(last))  # type: ignore[arg-type]


def _queued(row: dict[str, object]) -> Queued:
    account, last, messages = str(row.pop("account")), str(row.pop("last")), int(str(row.pop("messages")))
    return Queued(TicketRow(**row), account, last, messages)  # type: ignore[arg-type]
