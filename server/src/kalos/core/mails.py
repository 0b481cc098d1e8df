"""Mails that are sent after the commit that they tell of."""

from collections.abc import Mapping
from typing import Final

from kalos.core import outbox
from kalos.core.database import Connection

MAIL_TOPIC: Final = "mail"
CODE_TOPIC: Final = "mail.code"
"""Codes have a line of their own: they end after some minutes, however many other mails wait."""


async def queue_mail(
    db: Connection, *, name: str, lang: str, recipient: str, values: Mapping[str, str], at: int
) -> None:
    """Have a mail sent once this commit stands; `name` is that of its texts in the catalogues."""
    body = {"mail": name, "lang": lang, "recipient": recipient, "values": values}
    await outbox.tell(db, CODE_TOPIC if "code" in values else MAIL_TOPIC, body, wall=at)
