"""What demo mode's inbox received: stored in the database, so that any process can show it."""

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

from kalos.core.database import Database
from kalos.core.emails import login_name

_SHOWN: Final = 20
_CODE: Final = re.compile(r"(?<![0-9])[0-9]{6}(?![0-9])", re.ASCII)


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """`code` is the first number of six digits in the text, None where there is none."""

    at: int
    subject: str
    text: str
    code: str | None


async def store_mail(db: Database, *, recipients: list[str], content: bytes, at: int) -> None:
    """Store a mail as it came in, once for each recipient, in one commit."""
    message = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
    body = message.get_body(("plain", "html"))
    text = "" if body is None else str(body.get_content()).replace("\x00", "").strip()
    await db.execute(
        "INSERT INTO demo_mails (recipient, subject, text, at) SELECT r, $2, $3, $4 FROM unnest($1::text[]) r",
        recipients,
        str(message.get("subject", "")),
        text,
        at,
    )


async def list_mails(db: Database, email: str) -> list[ReceivedMail]:
    """The last 20 mails to an address, newest first."""
    rows = await db.rows(
        "SELECT at, subject, text FROM demo_mails WHERE recipient = $1 ORDER BY id DESC LIMIT $2",
        login_name(email),
        _SHOWN,
    )
    return [ReceivedMail(row["at"], row["subject"], row["text"], _code_in(row["text"])) for row in rows]


def _code_in(text: str) -> str | None:
    found = _CODE.search(text)
    return found[0] if found else None
