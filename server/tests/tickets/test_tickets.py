"""Customer service: who may read and write what, sent twice, at once, at the limit, odd signs, and the operator."""

import asyncio
import json
from dataclasses import fields
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from conftest import MakeContext, MakeMember
from kalos.app.support import obey
from kalos.core.database import Database
from kalos.core.errors import InvalidInput, NotFound, TooMany, WrongState
from kalos.core.pages import PageQuery
from kalos.core.passwords import hash_password
from kalos.core.tokens import new_id, new_token
from kalos.domains.context import Context, House
from kalos.domains.identity.jobs import compose
from kalos.domains.identity.queries import erase_member
from kalos.domains.support import jobs, rules, service
from kalos.domains.support.api import calls
from kalos.domains.support.rules import Draft
from kalos.domains.support.tables import ROWS
from support.members import begin_session
from support.people import new_email, register
from support.plain import plain_api

ASKED = Draft("Where is my top-up?")


@pytest.fixture
async def here(ctx: MakeContext, member: MakeMember) -> Context:
    return ctx(await member())


async def picture(ctx: Context, purpose: str = "picture") -> str:
    """One that the caller has sent."""
    upload = new_id()
    await ctx.db.execute(
        """
        INSERT INTO uploads (id, owner, purpose, kind, state, sent_bytes, sent_sha256, name, created_at, kept_bytes,
            kept_sha256, width, height, kept_at)
        VALUES ($1, $2, $3, 'image/png', 'kept', 1, $4, md5($1), 1, 1, $4, 12, 8, 1)
        """,
        upload, ctx.caller.id, purpose, b"s" * 32,
    )  # fmt: skip
    return upload


async def said(ctx: Context, ticket: int) -> list[tuple[bool, str]]:
    return [(row.by_house, row.text) for row in (await service.read(ctx, ticket)).messages]


async def answered(ctx: Context, ticket: int, text: str) -> None:
    async with ctx.db.transaction() as step:
        await service.answer(step, ticket, Draft(text), wall=ctx.wall)


async def unread(ctx: Context) -> int:
    return (await service.list_tickets(ctx, PageQuery(10)))[1]


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def test_ticket_is_asked_answered_read_and_closed(here: Context) -> None:
    ticket = await service.open_ticket(here, "Top-up", ASKED)
    assert await unread(here) == 0
    assert f"{ticket:>6}" in (await obey(here.db, ["list"]))[1]
    assert (await obey(here.db, ["answer", str(ticket), "Its block comes soon."]))[0] == 0
    assert f"{ticket:>6}" not in (await obey(here.db, ["list"]))[1]
    page, count = await service.list_tickets(here, PageQuery(10))
    assert (count, page.rows[0].unread, page.rows[0].last) == (1, 1, "Its block comes soon.")
    assert await said(here, ticket) == [(False, ASKED.text), (True, "Its block comes soon.")]
    assert await unread(here) == 0
    await service.reply(here, ticket, Draft("Thank you"))
    assert (await service.read(here, ticket)).row.state == "open"
    shown = (await obey(here.db, ["show", str(ticket)]))[1]
    assert shown.startswith("Top-up (open)")
    assert "Its block comes soon." in shown
    assert (await obey(here.db, ["close", str(ticket)]))[0] == 0
    with pytest.raises(WrongState):
        await service.reply(here, ticket, Draft("One more thing"))
    assert len(await said(here, ticket)) == 3


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["show"], 2),
        (["answer", "1"], 2),
        (["show", "-1"], 2),
        (["show", "9" * 19], 2),
        (["show", "987654321"], 1),
        (["close", "987654321"], 1),
        (["answer", "987654321", "x"], 1),
    ],
)
async def test_orders_that_can_not_be_obeyed(db: Database, arguments: list[str], code: int) -> None:
    assert (await obey(db, arguments))[0] == code


@pytest.mark.usefixtures("root")
async def test_a_mail_tells_once_that_the_house_has_answered(ctx: MakeContext) -> None:
    """In the language that the member wrote in last, and nothing of what was said."""
    email = new_email()
    member, _ = await register(ctx(), email)
    here = replace(ctx(member), lang="ja")
    ticket = await service.open_ticket(here, "Top-up <b>", ASKED)

    async def mails() -> list[dict[str, Any]]:
        rows = await here.db.rows(
            "SELECT body FROM domain_outbox WHERE topic = 'mail' AND body ->> 'mail' = 'ticket_answer' "
            "AND body ->> 'recipient' = $1 ORDER BY id",
            email,
        )
        return [json.loads(row["body"]) for row in rows]

    await answered(here, ticket, "Its block comes soon.")
    await answered(here, ticket, "And here it is.")
    (told,) = await mails()
    mail = compose(told)
    assert (mail.subject, "block" in mail.text) == ("Kalos から回答: Top-up <b>", False)
    await service.reply(replace(here, lang="ko"), ticket, Draft("Thank you"))
    await answered(here, ticket, "You are welcome.")
    assert [body["lang"] for body in await mails()] == ["ja", "ko"]


async def test_a_closed_account_is_sent_no_mail_of_an_answer(here: Context) -> None:
    ticket = await service.open_ticket(here, "Top-up", ASKED)
    async with here.db.transaction() as db:
        assert await erase_member(db, here.caller.id, password_hash=await hash_password(new_token()), at=here.now)
    await answered(here, ticket, "Its block comes soon.")
    mails = "SELECT count(*) FROM domain_outbox WHERE topic = 'mail' AND body ->> 'recipient' LIKE $1"
    assert await here.db.value(mails, f"%{here.caller.account}@%") == 0
    assert (await said(here, ticket))[-1] == (True, "Its block comes soon.")


async def test_an_operator_s_empty_or_late_answer_is_refused(here: Context) -> None:
    ticket = str(await service.open_ticket(here, "Top-up", ASKED))
    assert (await obey(here.db, ["answer", ticket, " "]))[0] == 1
    await obey(here.db, ["close", ticket])
    assert (await obey(here.db, ["answer", ticket, "too late"]))[0] == 1
    assert (await obey(here.db, ["close", ticket]))[0] == 1


async def test_nobody_reads_or_writes_in_another_s_ticket(here: Context, ctx: MakeContext, member: MakeMember) -> None:
    ticket = await service.open_ticket(here, "Top-up", ASKED)
    stranger = ctx(await member())
    for attempt in (service.read(stranger, ticket), service.reply(stranger, ticket, Draft("mine"))):
        with pytest.raises(NotFound):
            await attempt
    assert (await service.list_tickets(stranger, PageQuery(10)))[0].total == 0
    assert await said(here, ticket) == [(False, ASKED.text)]


async def test_the_same_words_64_times_at_once_are_one_ticket_and_one_message(here: Context) -> None:
    tickets = await asyncio.gather(*(service.open_ticket(here, "Top-up", ASKED) for _ in range(64)))
    assert len(set(tickets)) == 1
    await asyncio.gather(*(service.reply(here, tickets[0], Draft("Hello?")) for _ in range(64)))
    assert await said(here, tickets[0]) == [(False, ASKED.text), (False, "Hello?")]
    await obey(here.db, ["answer", str(tickets[0]), "Yes?"])
    await service.reply(here, tickets[0], Draft("Hello?"))
    assert len(await said(here, tickets[0])) == 4


async def test_a_day_has_thirty_messages_also_at_once(here: Context) -> None:
    results = await asyncio.gather(
        *(service.open_ticket(here, f"Ticket {number}", ASKED) for number in range(64)), return_exceptions=True
    )
    assert sum(isinstance(one, int) for one in results) == rules.MOST_DAILY
    assert {type(one) for one in results} == {int, TooMany}
    ticket = next(one for one in results if isinstance(one, int))
    with pytest.raises(TooMany) as refusal:
        await service.reply(here, ticket, Draft("more"))
    assert 86_000 < refusal.value.retry_after <= 86_400


async def test_a_ticket_has_two_hundred_messages(here: Context) -> None:
    ticket = await service.open_ticket(here, "Top-up", ASKED)
    await here.db.execute(
        "INSERT INTO ticket_messages (ticket, by_house, text, pictures, at) "
        "SELECT $1, true, 'x', '{}', 1 FROM generate_series(2, $2)",
        ticket, rules.MOST_MESSAGES,
    )  # fmt: skip
    with pytest.raises(WrongState):
        await service.reply(here, ticket, Draft("more"))


async def test_pictures_are_the_caller_s_own_and_used_once(here: Context, ctx: MakeContext, member: MakeMember) -> None:
    own, paper = await picture(here), await picture(here, "kyc")
    foreign = await picture(ctx(await member()))
    for wrong in (paper, foreign, "a" * 22):
        with pytest.raises(NotFound):
            await service.open_ticket(here, "Top-up", Draft("See", (own, wrong)))
    assert (await service.list_tickets(here, PageQuery(10)))[0].total == 0
    ticket = await service.open_ticket(here, "Top-up", Draft("See", (own,)))
    with pytest.raises(NotFound):
        await service.reply(here, ticket, Draft("See again", (own,)))
    assert list((await service.read(here, ticket)).messages[0].pictures) == [own]


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("", "x"),
        (" \u00a0", "x"),
        ("a\nb", "x"),
        ("a\u2028b", "x"),
        ("a", "b\u2029c"),
        ("a", "b\rc"),
        ("a" * 81, "x"),
        ("a\u202eb", "x"),
        ("a\x00b", "x"),
        ("\u200b", "x"),
        ("a", ""),
        ("a", "\n\n"),
        ("a", "b\u2066c"),
        ("a", "\ud800"),
        ("a", "b\x1b[2J"),
        ("a", "x" * 2_001),
    ],
)
def test_words_out_of_form_are_refused(subject: str, text: str) -> None:
    with pytest.raises(InvalidInput):
        _ = rules.read_subject(subject) + rules.read_text(text)


@pytest.mark.parametrize(
    "text", ["a" * 2_000, "xin chào\n\nbạn", "ขอบคุณ", "감사합니다 👍🏽", "👨\u200d👩\u200d👧", " a "]
)
def test_words_of_every_language_pass(text: str) -> None:
    assert rules.read_draft(text.split("\n"), ()).text == text.strip()


def test_a_picture_stands_once_and_there_are_four() -> None:
    for pictures in (("a", "a"), ("a", "b", "c", "d", "e")):
        with pytest.raises(InvalidInput):
            rules.read_draft(["x"], pictures)


async def test_pages_follow_the_last_message(here: Context) -> None:
    tickets = [await service.open_ticket(here, f"Ticket {number}", ASKED) for number in range(5)]
    await service.reply(here, tickets[1], Draft("more"))
    first, _ = await service.list_tickets(here, PageQuery(3))
    assert [one.row.id for one in first.rows] == [tickets[1], tickets[4], tickets[3]]
    second, _ = await service.list_tickets(here, PageQuery(3, after=first.next))
    assert [one.row.id for one in second.rows] == [tickets[2], tickets[0]]
    assert (first.total, second.next) == (5, None)


async def test_on_the_wire(house: House, here: Context) -> None:
    api, token = await plain_api(house, [calls]), await begin_session(here.db, here.caller)

    async def ask(name: str, body: dict[str, Any]) -> Any:
        return (await api.post(f"/api/support/{name}", body, token=token))["data"]

    ticket = (await ask("open", {"subject": "Top-up", "text": ["See", "it"], "images": [await picture(here)]}))[
        "ticket_id"
    ]
    await answered(here, int(ticket), "Seen")
    listed = await ask("list", {})
    assert (listed["unread"], listed["total"], listed["next"]) == (1, 1, None)
    assert {"id": ticket, "state": "answered", "last": "Seen"}.items() <= listed["list"][0].items()
    thread = await ask("read", {"ticket_id": ticket})
    assert [(one["by"], one["text"], len(one["images"])) for one in thread["messages"]] == [
        ("member", "See\nit", 1),
        ("house", "Seen", 0),
    ]
    assert thread["messages"][0]["images"][0].startswith("/api/upload/")
    assert await ask("reply", {"ticket_id": ticket, "text": "Thanks"}) == {}


async def test_what_was_written_stays(here: Context, database_url: str) -> None:
    await service.open_ticket(here, "Top-up", ASKED)
    owner = await asyncpg.connect(database_url)
    with pytest.raises(asyncpg.RaiseError, match="stays as it is"):
        await owner.execute("UPDATE ticket_messages SET text = 'other'")
    await owner.close()


async def test_a_picture_goes_with_its_ticket(here: Context, ctx: MakeContext, member: MakeMember) -> None:
    shown, state = await picture(here), "SELECT state FROM uploads WHERE id = $1"
    ticket = await service.open_ticket(here, "Top-up", Draft("Look", (shown,)))
    assert await here.db.value(state, shown) == "used"
    async with here.db.transaction() as db:
        await service.forget(db, ctx(await member()).caller.id)
    assert (await service.read(here, ticket)).row.id == ticket
    async with here.db.transaction() as db:
        await service.forget(db, here.caller.id)
    assert await here.db.value(state, shown) == "ended"
    assert await here.db.value("SELECT count(*) FROM ticket_messages WHERE ticket = $1", ticket) == 0


async def test_a_ticket_goes_two_years_after_its_last_message(here: Context, database_url: str) -> None:
    late = here.wall - rules.KEPT_MS
    tickets = {at: await service.open_ticket(here, f"Ticket {at}", ASKED) for at in (late - 5_000, late + 60_000)}
    owner = await asyncpg.connect(database_url)
    for at, ticket in tickets.items():
        await owner.execute(
            "UPDATE tickets SET created_at = 0, asked_at = 0, touched_at = $2 WHERE id = $1", ticket, at
        )
    await owner.close()
    assert await jobs.sweep(here.house) == 1
    page, _ = await service.list_tickets(here, PageQuery(10))
    assert [one.row.id for one in page.rows] == [tickets[late + 60_000]]
    assert await here.db.value("SELECT count(*) FROM ticket_messages WHERE ticket = $1", tickets[late - 5_000]) == 0


async def test_the_same_words_after_a_ticket_was_closed_are_asked_anew(here: Context) -> None:
    ticket = await service.open_ticket(here, "Top-up", ASKED)
    assert (await obey(here.db, ["close", str(ticket)]))[0] == 0
    with pytest.raises(WrongState):
        await service.reply(here, ticket, ASKED)
    again = await service.open_ticket(here, "Top-up", ASKED)
    assert again != ticket
    assert await said(here, again) == [(False, ASKED.text)]
