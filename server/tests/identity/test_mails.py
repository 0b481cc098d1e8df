"""Mails: written in one commit with their code, handed over by SMTP, repeated at worst, never lost."""

import asyncio
import json
from collections.abc import AsyncIterator
from email import message_from_bytes
from email.policy import default
from typing import Literal

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from conftest import MakeContext
from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app.demo_mails import list_mails, store_mail
from kalos.app.inbox import serve_inbox
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.outbox import KEPT_MS, prune
from kalos.core.ports import Mail, Mailer
from kalos.domains.context import House
from kalos.domains.entry import service
from kalos.domains.identity import jobs
from kalos.wire.languages import LANGUAGES, TAGS, say
from support.people import application, new_email, register, send_code

pytestmark = pytest.mark.usefixtures("root")


@pytest.fixture(scope="module")
async def port(db: Database) -> AsyncIterator[int]:
    """Where the demo inbox listens."""
    server = await serve_inbox(db, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
async def mailer(port: int, db: Database) -> Mailer:
    """A mailer to the demo inbox; nothing of another test waits."""
    await db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    return SmtpMailer("127.0.0.1", port, "Kalos <no-reply@kalos.example>")


@pytest.fixture
def away(port: int) -> Mailer:
    """A mailer to a server that isn't there."""
    return SmtpMailer("127.0.0.1", 1, "no-reply@kalos.example")


async def make_due(db: Database) -> None:
    await db.execute("UPDATE domain_outbox SET due_at = 0 WHERE done_at IS NULL")


async def test_code_reaches_the_inbox_and_registers_its_reader(ctx: MakeContext, house: House, mailer: Mailer) -> None:
    email = new_email()
    code = await send_code(ctx(lang="vi"), email)
    before = ctx().wall
    assert await jobs.send_codes(house, mailer) == 1
    [mail] = await list_mails(house.db, email.replace("people", "PEOPLE"))
    assert mail.code == code
    assert mail.subject == f"Mã Kalos của bạn: {code}"
    assert mail.text.startswith("Xin chào,\n\nmã để tạo tài khoản Kalos của bạn là ")
    assert "10 phút" in mail.text
    assert before <= mail.at <= ctx().wall
    await service.register(ctx(), application(email, mail.code))
    assert await jobs.send_codes(house, mailer) == 0


async def test_sent_mail_leaves_no_code_behind(ctx: MakeContext, house: House, mailer: Mailer) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    await jobs.send_codes(house, mailer)
    row = await house.db.row("SELECT body, done_at FROM domain_outbox WHERE body ->> 'recipient' = $1", email)
    assert row is not None
    assert row["done_at"] is not None
    assert code not in row["body"]
    assert json.loads(row["body"]).keys() == {"mail", "lang", "recipient"}


async def test_mail_waits_longer_each_time_and_arrives_when_the_server_is_back(
    ctx: MakeContext, house: House, mailer: Mailer, away: Mailer, monkeypatch: pytest.MonkeyPatch
) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    pauses, began = [], house.clock.wall()
    # However long a try takes.
    monkeypatch.setattr(house.clock, "wall", lambda: began)
    for _ in range(3):
        await make_due(house.db)
        assert await jobs.send_codes(house, away) == 0
        due = await house.db.value("SELECT due_at FROM domain_outbox WHERE done_at IS NULL")
        pauses.append((due - began) // 1000)
    assert await jobs.send_codes(house, mailer) == 0
    assert [pause.bit_length() for pause in pauses] == [2, 3, 4], "from 2, 4 and 8 seconds on"
    await make_due(house.db)
    assert await jobs.send_codes(house, mailer) == 1
    assert [mail.code for mail in await list_mails(house.db, email)] == [code]


async def test_two_workers_send_each_mail_once(ctx: MakeContext, house: House, mailer: Mailer) -> None:
    emails = [new_email() for _ in range(24)]
    for email in emails:
        await send_code(ctx(), email)
    sent = await asyncio.gather(*(jobs.send_codes(house, mailer) for _ in range(6)))
    assert sum(sent) == 24
    assert max(sent) <= 10
    assert [len(await list_mails(house.db, email)) for email in emails] == [1] * 24


async def test_mail_of_a_killed_worker_is_sent_again_after_its_lease(
    ctx: MakeContext, house: House, mailer: Mailer
) -> None:
    class Dying:
        async def send(self, _: Mail) -> None:
            raise asyncio.CancelledError

    email = new_email()
    code = await send_code(ctx(), email)
    with pytest.raises(asyncio.CancelledError):
        await jobs.send_codes(house, Dying())
    assert await jobs.send_codes(house, mailer) == 0
    await house.db.execute("UPDATE domain_outbox SET due_at = due_at - 30_000 WHERE done_at IS NULL")
    assert await jobs.send_codes(house, mailer) == 0
    await house.db.execute("UPDATE domain_outbox SET due_at = due_at - 30_000 WHERE done_at IS NULL")
    assert await jobs.send_codes(house, mailer) == 1
    assert [mail.code for mail in await list_mails(house.db, email)] == [code]


async def test_one_mail_that_is_not_taken_does_not_hold_up_the_others(
    ctx: MakeContext, house: House, mailer: Mailer
) -> None:
    blocked, email = new_email(), new_email()
    await send_code(ctx(), blocked)
    await house.db.execute(
        "UPDATE domain_outbox SET body = body || jsonb_build_object('recipient', $1::text) WHERE done_at IS NULL",
        f"{'x' * 330}@people.example",  # longer than the inbox takes
    )
    await send_code(ctx(), email)
    assert await jobs.send_codes(house, mailer) == 1
    assert len(await list_mails(house.db, email)) == 1
    assert await house.db.value("SELECT count(*) FROM domain_outbox WHERE done_at > 1 AND body ? 'refused'") == 1


async def test_server_that_is_away_is_an_outage(away: Mailer) -> None:
    with pytest.raises(Outage):
        await away.send(Mail("a@b.example", "subject", "text", "<p>text</p>"))


async def test_inbox_does_not_take_what_it_cannot_store(db: Database) -> None:
    nowhere = Database("postgresql://nobody@127.0.0.1:1/nothing", size=1)
    server = await serve_inbox(nowhere, "127.0.0.1", 0)
    mailer = SmtpMailer("127.0.0.1", server.sockets[0].getsockname()[1], "no-reply@kalos.example")
    with pytest.raises(Outage):
        await mailer.send(Mail("a@b.example", "subject", "text", "<p>text</p>"))
    server.close()


async def test_mail_cannot_be_split_into_further_headers(mailer: Mailer) -> None:
    with pytest.raises(ValueError, match="linefeed"):
        await mailer.send(Mail("a@b.example", "subject\r\nBcc: x@y.example", "text", "<p>text</p>"))


async def test_mail_is_swept_a_day_after_it_was_sent_and_never_before(
    ctx: MakeContext, house: House, mailer: Mailer
) -> None:
    await send_code(ctx(), new_email())
    await jobs.send_codes(house, mailer)
    await send_code(ctx(), new_email())
    await house.db.execute("UPDATE domain_outbox SET at = 0")
    await prune(house.db, wall=house.clock.wall())
    assert await house.db.value("SELECT count(*) FROM domain_outbox WHERE done_at > 1") >= 1
    await house.db.execute("UPDATE domain_outbox SET done_at = $1 WHERE done_at > 1", house.clock.wall() - KEPT_MS - 1)
    await prune(house.db, wall=house.clock.wall())
    assert await house.db.value("SELECT count(*) FROM domain_outbox WHERE done_at > 1") == 0
    assert await house.db.value("SELECT count(*) FROM domain_outbox WHERE done_at IS NULL") == 1


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_nothing_is_said_to_a_server_that_cannot_encrypt(
    port: int, db: Database, security: Literal["starttls", "tls"]
) -> None:
    mailer = SmtpMailer("127.0.0.1", port, "no-reply@kalos.example", security=security)
    with pytest.raises(Outage):
        await mailer.send(Mail("tls@b.example", "subject", "text", "<p>text</p>"))
    assert await list_mails(db, "tls@b.example") == []


async def test_inbox_shows_the_last_twenty_mails_newest_first(db: Database) -> None:
    for number in range(21):
        content = f"Subject: =?utf-8?q?n{number}=C3=A9?=\r\n\r\ncode 1234567 {number:06}\r\n".encode()
        await store_mail(db, recipients=["many@b.example", "more@b.example"], content=content, at=number)
    mails = await list_mails(db, "many@b.example")
    assert [mail.subject for mail in mails] == [f"n{number}é" for number in range(20, 0, -1)]
    assert mails[0].code == "000020"
    assert len(await list_mails(db, "more@b.example")) == 20
    assert await list_mails(db, "nobody@b.example") == []


async def test_mail_without_a_code_or_a_text_is_kept(db: Database) -> None:
    await store_mail(db, recipients=["odd@b.example"], content=b"X: y\r\n\r\n", at=1)
    [mail] = await list_mails(db, "odd@b.example")
    assert (mail.subject, mail.text, mail.code) == ("", "", None)


class Keeping:
    """What an SMTP server was handed, as it came."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.original_content, bytes)
        self.kept.append(envelope.original_content)
        return "250 kept"


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_on_the_wire_a_mail_has_its_text_and_the_same_as_html(ctx: MakeContext, house: House, lang: str) -> None:
    await house.db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    here, email, keeping = ctx(lang=lang), new_email(), Keeping()
    await register(here, email)
    await house.db.execute("UPDATE members SET anti_phishing = 'lighthouse' WHERE email = $1", email)
    await house.db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    await house.db.execute("DELETE FROM tries WHERE subject LIKE 'code-%'")
    code = await send_code(here, email, "reset")
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(keeping, hostname="here"), "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        assert await jobs.send_codes(house, SmtpMailer("127.0.0.1", port, "Kalos <no-reply@kalos.example>")) == 1
    finally:
        server.close()
    [raw] = keeping.kept
    message = message_from_bytes(raw, policy=default)
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert message["Subject"] == say(lang, "mail.reset_code.subject", code=code)
    plain, html = (part.get_content() for part in message.iter_parts())
    for said in (code, "lighthouse", say(lang, "mail.part.footer")):
        assert said in plain, said
        assert said in html, said
    assert f'<html lang="{TAGS[lang]}">' in html
    assert "<html" not in plain
