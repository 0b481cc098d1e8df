"""Mails that nobody will ever take: given up, with nothing of what they said; all else is tried again."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from conftest import MakeContext
from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app.metrics import read_house
from kalos.core.database import Database, Record
from kalos.core.errors import Outage, Undeliverable
from kalos.core.outbox import list_refused
from kalos.core.ports import Mail
from kalos.domains.context import House
from kalos.domains.identity import jobs
from support.people import new_email, send_code

pytestmark = pytest.mark.usefixtures("root")

MAIL = Mail("a@b.example", "subject", "text", "<p>text</p>")


@asynccontextmanager
async def refusing(command: str, answer: str) -> AsyncIterator[SmtpMailer]:
    """A mailer to a server that answers so to a command ("." is the end of a mail), and yes to all others."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        usual = {"DATA": "354 go on", "QUIT": "221 bye"}
        writer.write(b"220 here\r\n")
        in_mail, said = False, ""
        while said != "QUIT" and (line := await reader.readline()):
            said = line.decode().strip().partition(" ")[0].upper()
            if in_mail and said != ".":
                continue
            in_mail = said == "DATA" and command != "DATA"
            reply = answer if said == command else usual.get(said, "250 yes")
            writer.write(f"{reply}\r\n".encode())
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield SmtpMailer("127.0.0.1", server.sockets[0].getsockname()[1], "Kalos <no-reply@kalos.example>")
    finally:
        server.close()


async def row_of(db: Database, email: str) -> Record:
    row = await db.row("SELECT body, done_at, tries FROM domain_outbox WHERE body ->> 'recipient' = $1", email)
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("command", "answer", "kind"),
    [
        ("RCPT", "550 5.1.1 a@b.example is nobody", Undeliverable),
        ("DATA", "554 no", Undeliverable),
        (".", "552 too large", Undeliverable),
        ("RCPT", "450 try later", Outage),
        (".", "451 try later", Outage),
        ("MAIL", "550 who are you", Outage),
        ("EHLO", "421 too busy", Outage),
    ],
)
async def test_only_a_final_answer_to_the_mail_itself_is_final(
    command: str, answer: str, kind: type[Exception]
) -> None:
    async with refusing(command, answer) as mailer:
        with pytest.raises(kind) as refused:
            await mailer.send(MAIL)
    assert refused.type is kind
    assert "b.example" not in str(refused.value)
    assert kind is Outage or refused.value.__cause__ is None


async def test_refused_mail_is_given_up_counted_and_forgotten(ctx: MakeContext, house: House) -> None:
    await house.db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    email = new_email()
    code, before = await send_code(ctx(), email), (await list_refused(house.db, wall=ctx().wall)).get("mail.code", 0)
    async with refusing("RCPT", f"550 {email} is nobody") as mailer:
        with capture_logs() as logs:
            assert await jobs.send_codes(house, mailer) == 0
    row = await row_of(house.db, email)
    assert row["done_at"] is not None
    assert row["tries"] == 0
    assert json.loads(row["body"]).keys() == {"mail", "lang", "recipient", "refused"}
    assert [log["event"] for log in logs if log.get("topic") == "mail.code"] == ["a fact is given up"]
    assert email not in str(logs)
    assert code not in str(logs)
    assert (await list_refused(house.db, wall=ctx().wall))["mail.code"] == before + 1
    found = await read_house(house.db, house.chain.network.chain_id, house.terms)
    shown = {metric.name: metric for metric in found}["kalos_domain_outbox_refused"]
    assert [sample.value for sample in shown.samples if sample.labels == {"topic": "mail.code"}] == [before + 1]


async def test_mail_that_is_refused_for_now_is_kept_with_its_code(ctx: MakeContext, house: House) -> None:
    await house.db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    email = new_email()
    code = await send_code(ctx(), email)
    async with refusing("RCPT", "450 try later") as mailer:
        with capture_logs() as logs:
            assert await jobs.send_codes(house, mailer) == 0
    row = await row_of(house.db, email)
    assert (row["done_at"], row["tries"]) == (None, 1)
    told = "the mail server refused a mail: SMTPRecipientsRefused 450"
    logged = [(log["event"], log["tries"], log["reason"]) for log in logs if log.get("topic") == "mail.code"]
    assert logged == [("a fact waits", 1, told)]
    assert email not in str(logs)
    assert code not in str(logs)
    assert json.loads(row["body"])["values"]["code"] == code


async def test_code_that_has_ended_is_not_sent(ctx: MakeContext, house: House) -> None:
    class Willing:
        def __init__(self) -> None:
            self.sent: list[Mail] = []

        async def send(self, mail: Mail) -> None:
            self.sent.append(mail)

    await house.db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    late, timely, mailer = new_email(), new_email(), Willing()
    code = await send_code(ctx(), late)
    await send_code(ctx(), timely)
    await house.db.execute(
        "UPDATE domain_outbox SET body = jsonb_set(body, '{values,until}', to_jsonb($2::text)) "
        "WHERE body ->> 'recipient' = $1",
        late,
        str(house.clock.wall()),
    )
    assert await jobs.send_codes(house, mailer) == 1
    assert [mail.recipient for mail in mailer.sent] == [timely]
    row = await row_of(house.db, late)
    assert row["done_at"] is not None
    assert code not in row["body"]
