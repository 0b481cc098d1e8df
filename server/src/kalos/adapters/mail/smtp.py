"""Mails by SMTP: one connection and one answer for each."""

from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Final, Literal

import aiosmtplib

from kalos.core.errors import Outage, Undeliverable
from kalos.core.ports import Mail

_PATIENCE_SECONDS: Final = 10
_FOR_GOOD: Final = 500
"""From this answer on a server says that the same mail will not be taken later either. Source: RFC 5321, 4.2.1."""


@dataclass(frozen=True, slots=True)
class SmtpMailer:
    """A Mailer over one server. With "starttls" and "tls" nothing is said that isn't encrypted.

    `sender` is an address with or without a name: "Kalos <no-reply@kalos.example>".
    """

    host: str
    port: int
    sender: str
    security: Literal["none", "starttls", "tls"] = "none"
    username: str = ""
    password: str = ""

    async def send(self, mail: Mail) -> None:
        """Return once the server has taken the mail.

        Raises: Undeliverable where it refuses this recipient or this content for good, Outage where it can't be reached
          or says no in another way. Neither tells an address.
        """
        try:
            await aiosmtplib.send(
                self._message(mail),
                sender=self._address,
                recipients=[mail.recipient],
                hostname=self.host,
                port=self.port,
                username=self.username or None,
                password=self.password or None,
                use_tls=self.security == "tls",
                start_tls=self.security == "starttls",
                timeout=_PATIENCE_SECONDS,
            )
        except (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPDataError) as problem:
            code = _answer(problem)
            kind = Undeliverable if code >= _FOR_GOOD else Outage
            # Without its cause, whose text repeats the recipient.
            raise kind(f"the mail server refused a mail: {type(problem).__name__} {code}") from None
        except (aiosmtplib.SMTPException, OSError) as problem:
            raise Outage(f"the mail server did not take a mail: {type(problem).__name__}") from problem

    @property
    def _address(self) -> str:
        return parseaddr(self.sender)[1]

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self.sender
        message["To"] = mail.recipient
        message["Subject"] = mail.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._address.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        message.add_alternative(mail.html, subtype="html")
        return message


def _answer(problem: aiosmtplib.SMTPRecipientsRefused | aiosmtplib.SMTPDataError) -> int:
    """What the server said of the mail, or of its one recipient."""
    if isinstance(problem, aiosmtplib.SMTPDataError):
        return problem.code
    return min(one.code for one in problem.recipients)
