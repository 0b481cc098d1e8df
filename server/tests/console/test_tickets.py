"""Customer service in the console: who may read and answer, in which order, and that two answers never cross."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import asyncpg
import pytest

from conftest import MakeContext, MakeMember
from console.conftest import Hire
from console.scene import Worker, begin_session, request_id
from kalos.app.support import obey
from kalos.core.clock import HOUR_MS
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House
from kalos.domains.support import service
from kalos.domains.support.rules import Draft
from kalos.operator.queries import verify_audit
from kalos.operator.rules import ROLES
from support.members import begin_session as begin_members_session
from support.plain import Plain
from support.waiting import until_waiting

TICKETS: Final = "/api/operator/tickets"
TICKET: Final = "/api/operator/ticket"
ANSWER: Final = "/api/operator/answerTicket"
CLOSE: Final = "/api/operator/closeTicket"
READERS: Final = {"support", "auditor", "owner"}
ASKED: Final = Draft("Where is my top-up?")

Clerk = Callable[..., Awaitable[tuple[Worker, str]]]


@pytest.fixture(scope="module")
def clerk(hire: Hire, house: House) -> Clerk:
    """`await clerk("support")` gives somebody and the token of a session."""

    async def make(*roles: str) -> tuple[Worker, str]:
        worker = await hire(*roles)
        return worker, await begin_session(house.db, worker)

    return make


@pytest.fixture
async def here(ctx: MakeContext, member: MakeMember) -> Context:
    return ctx(await member())


async def ask(here: Context, subject: str = "Top-up") -> int:
    return await service.open_ticket(here, subject, ASKED)


async def shown(api: Plain, token: str, ticket: int) -> dict[str, Any]:
    return await api.data(TICKET, {"id": str(ticket)}, token=token)


async def body_of(api: Plain, token: str, ticket: int, **fields: Any) -> dict[str, Any]:
    """An answer to a ticket as it is shown now; `text=None` leaves one to close it."""
    last = (await shown(api, token, ticket))["ticket"]["last_message"]
    body = {"id": str(ticket), "last_message": last, "text": "It is there now.", "request_id": request_id()} | fields
    return {name: value for name, value in body.items() if value is not None}


async def said(here: Context, ticket: int) -> list[tuple[bool, str]]:
    return [(row.by_house, row.text) for row in (await service.read(here, ticket)).messages]


async def logged(here: Context, ticket: int) -> list[tuple[str, str, str, str]]:
    rows = await here.db.rows(
        "SELECT name, act, before::text, after::text FROM operator_audit WHERE object = $1 ORDER BY id",
        f"ticket {ticket}",
    )
    assert await verify_audit(here.db) == []
    return [tuple(row.values()) for row in rows]


async def test_a_ticket_is_listed_read_answered_closed_and_logged(api: Plain, here: Context, clerk: Clerk) -> None:
    who, token = await clerk("support")
    ticket = await ask(here)
    (row,) = (await api.data(TICKETS, {"account": here.caller.account}, token=token))["list"]
    assert {
        "id": str(ticket), "account": here.caller.account, "subject": "Top-up", "state": "open", "lang": "en",
        "last": ASKED.text, "messages": 1,
    }.items() <= row.items()  # fmt: skip
    opened = await shown(api, token, ticket)
    assert opened["ticket"] | {"age_seconds": 0} == row | {"age_seconds": 0}  # a second may end between them
    assert [(one["by"], one["staff"], one["text"]) for one in opened["messages"]] == [("member", None, ASKED.text)]
    assert (await service.list_tickets(here, PageQuery(10)))[1] == 0
    done = await api.data(
        ANSWER, await body_of(api, token, ticket, text=["Its block comes soon.", "Thank you."]), token=token
    )
    assert (done["ticket"]["state"], done["ticket"]["messages"]) == ("answered", 2)
    assert done["messages"][1]["staff"] == who.name
    assert (await service.list_tickets(here, PageQuery(10)))[1] == 1
    assert await said(here, ticket) == [(False, ASKED.text), (True, "Its block comes soon.\nThank you.")]
    closed = await api.data(CLOSE, await body_of(api, token, ticket, text=None), token=token)
    assert closed["ticket"]["state"] == "closed"
    first, second = opened["ticket"]["last_message"], done["ticket"]["last_message"]
    assert await logged(here, ticket) == [
        (
            who.name, "ticket.answer", f'{{"state": "open", "last_message": {first}}}',
            f'{{"state": "answered", "last_message": {second}}}',
        ),
        (who.name, "ticket.close", '{"state": "answered"}', '{"state": "closed"}'),
    ]  # fmt: skip


async def test_members_are_not_told_who_answered(api: Plain, here: Context, clerk: Clerk) -> None:
    who, token = await clerk("support")
    ticket = await ask(here)
    await api.data(ANSWER, await body_of(api, token, ticket), token=token)
    own = await begin_members_session(here.db, here.caller)
    thread = await api.data("/api/support/read", {"ticket_id": str(ticket)}, token=own)
    assert [sorted(one) for one in thread["messages"]] == [["by", "id", "images", "text", "time"]] * 2
    assert who.name not in str(thread)


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_reads_and_answers_as_it_may(api: Plain, here: Context, clerk: Clerk, role: str) -> None:
    _, token = await clerk(role)
    _, clerks = await clerk("support")
    ticket = await ask(here)
    for path, body in ((TICKETS, {}), (TICKET, {"id": str(ticket)})):
        answer = await api.post(path, body, token=token)
        assert (answer["code"] == 200) == (role in READERS), (path, answer)
    for path, text in ((ANSWER, "It is there now."), (CLOSE, None)):
        body = await body_of(api, clerks, ticket, text=text)
        answer = await api.post(path, body, token=token)
        assert (answer["code"] == 200) == (role == "support"), (path, answer)
    if role != "support":
        assert await said(here, ticket) == [(False, ASKED.text)]
        assert await logged(here, ticket) == []


async def test_of_two_answers_at_once_one_is_written(api: Plain, here: Context, clerk: Clerk) -> None:
    sessions = [(await clerk("support"))[1] for _ in range(4)]
    ticket = await ask(here)
    bodies = [await body_of(api, token, ticket, text=f"Answer {place}") for place, token in enumerate(sessions)]
    async with here.db.transaction() as db:
        await db.execute("SELECT FROM tickets WHERE id = $1 FOR UPDATE", ticket)
        pairs = zip(bodies, sessions, strict=True)
        sent = [asyncio.create_task(api.post(ANSWER, body, token=token)) for body, token in pairs]
        # All of them have come as far as they can before one of them may go on.
        await until_waiting(here.db, len(sent))
    answers = await asyncio.gather(*sent)
    assert sorted(answer["code"] for answer in answers) == [200, 422, 422, 422]
    assert {answer["data"].get("error") for answer in answers} == {None, "wrong_state"}
    assert len(await said(here, ticket)) == 2
    assert len(await logged(here, ticket)) == 1


async def test_what_the_member_wrote_meanwhile_is_read_before_it_is_answered_or_closed(
    api: Plain, here: Context, clerk: Clerk
) -> None:
    _, token = await clerk("support")
    ticket = await ask(here)
    answer, close = await body_of(api, token, ticket), await body_of(api, token, ticket, text=None)
    await service.reply(here, ticket, Draft("It has come, thank you"))
    for path, body in ((ANSWER, answer), (CLOSE, close)):
        assert (await api.post(path, body, token=token))["data"]["error"] == "wrong_state"
    assert len(await said(here, ticket)) == 2
    assert (await shown(api, token, ticket))["ticket"]["state"] == "open"
    assert await logged(here, ticket) == []


async def test_nothing_is_written_in_a_closed_ticket(api: Plain, here: Context, clerk: Clerk) -> None:
    _, token = await clerk("support")
    ticket = await ask(here)
    await api.data(CLOSE, await body_of(api, token, ticket, text=None), token=token)
    for path, text in ((ANSWER, "x"), (CLOSE, None)):
        answer = await api.post(path, await body_of(api, token, ticket, text=text), token=token)
        assert answer["data"]["error"] == "wrong_state"
    assert await said(here, ticket) == [(False, ASKED.text)]
    assert len(await logged(here, ticket)) == 1


async def test_a_request_that_is_sent_again_is_one_answer(api: Plain, here: Context, clerk: Clerk) -> None:
    _, token = await clerk("support")
    ticket = await ask(here)
    body = await body_of(api, token, ticket)
    answers = await asyncio.gather(*(api.post(ANSWER, body, token=token) for _ in range(4)))
    assert [answer["code"] for answer in answers] == [200] * 4
    changed = await api.post(ANSWER, {**body, "text": "another"}, token=token)
    assert changed["data"]["error"] == "request_conflict"
    assert await said(here, ticket) == [(False, ASKED.text), (True, "It is there now.")]
    assert len(await logged(here, ticket)) == 1


async def test_who_writes_once_more_keeps_the_place_in_the_queue(
    api: Plain, here: Context, clerk: Clerk, database_url: str
) -> None:
    """An answer ends the wait; the next question begins another one."""
    _, token = await clerk("support")
    first, second = [await ask(here, f"Ticket {number}") for number in range(2)]
    # As if the first had been asked three hours ago, the second two, and both members had just asked again.
    for ticket, hours in ((first, 3), (second, 2)):
        await ask_earlier(database_url, ticket, hours * HOUR_MS)
        await service.reply(here, ticket, Draft("Hello?"))
    of_member = {"account": here.caller.account}
    rows = (await api.data(TICKETS, of_member, token=token))["list"]
    assert [(row["id"], row["age_seconds"] // 3_600) for row in rows] == [(str(first), 3), (str(second), 2)]
    await api.data(ANSWER, await body_of(api, token, first), token=token)
    await service.reply(here, first, Draft("And now?"))
    rows = (await api.data(TICKETS, of_member, token=token))["list"]
    assert [(row["id"], row["age_seconds"] // 3_600) for row in rows] == [(str(second), 2), (str(first), 0)]


async def ask_earlier(database_url: str, ticket: int, ago_ms: int) -> None:
    """As if it had been asked so long ago."""
    owner = await asyncpg.connect(database_url)
    await owner.execute(
        "UPDATE tickets SET created_at = created_at - $2, asked_at = asked_at - $2 WHERE id = $1", ticket, ago_ms
    )
    await owner.close()


async def test_pages_have_each_ticket_once_in_every_state(api: Plain, here: Context, clerk: Clerk) -> None:
    _, token = await clerk("support")
    made = [await ask(here, f"Ticket {number}") for number in range(9)]
    for ticket in made[3:6]:
        await api.data(ANSWER, await body_of(api, token, ticket), token=token)
    for ticket in made[6:]:
        await api.data(CLOSE, await body_of(api, token, ticket, text=None), token=token)
    wanted = {"open": made[:3], "answered": made[5:2:-1], "closed": made[:5:-1]}
    for state, tickets in wanted.items():
        asked = {"account": here.caller.account, "state": state, "size": 2}
        one = await api.data(TICKETS, asked, token=token)
        other = await api.data(TICKETS, asked | {"after": one["next"]}, token=token)
        found = [int(row["id"]) for row in one["list"] + other["list"]]
        assert (found, one["total"], other["next"]) == (tickets, 3, None), state


async def test_what_is_not_there_is_not_found(api: Plain, clerk: Clerk) -> None:
    _, token = await clerk("support")
    body = {"id": "9" * 17, "last_message": "1", "request_id": request_id()}
    for path, asked in ((TICKET, {"id": "9" * 17}), (CLOSE, body), (ANSWER, body | {"text": "x"})):
        assert (await api.post(path, asked, token=token))["data"]["error"] == "not_found", path
    assert (await api.data(TICKETS, {"account": "99999999"}, token=token))["list"] == []


async def test_an_answer_of_nothing_to_be_seen_is_refused(api: Plain, here: Context, clerk: Clerk) -> None:
    _, token = await clerk("support")
    ticket = await ask(here)
    for text in (" ", "a\u2066b", "x" * 2_001):
        assert (await api.post(ANSWER, await body_of(api, token, ticket, text=text), token=token))["code"] == 400
    assert await said(here, ticket) == [(False, ASKED.text)]


async def test_what_is_answered_on_the_machine_stands_in_the_log(here: Context) -> None:
    ticket = await ask(here)
    assert (await obey(here.db, ["answer", str(ticket), "Its block comes soon."]))[0] == 0
    assert (await obey(here.db, ["close", str(ticket)]))[0] == 0
    assert [act for _, act, _, _ in await logged(here, ticket)] == ["ticket.answer", "ticket.close"]


async def test_the_table_itself_takes_no_members_message_for_staffs(here: Context, clerk: Clerk) -> None:
    who, _ = await clerk("support")
    ticket = await ask(here)
    with pytest.raises(asyncpg.CheckViolationError, match="ticket_messages_staff"):
        await here.db.execute(
            "INSERT INTO ticket_messages (ticket, by_house, text, pictures, at, staff) "
            "VALUES ($1, false, 'x', '{}', 1, $2)",
            ticket,
            who.staff.id,
        )
