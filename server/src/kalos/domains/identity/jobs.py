"""After commit: mails from the domain outbox. From time to time: what has ended goes."""

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from kalos.core.clock import DAY_MS
from kalos.core.mails import MAIL_TOPIC
from kalos.core.outbox import DomainFact, deliver
from kalos.core.ports import Mail, Mailer
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import House
from kalos.domains.identity import queries
from kalos.wire import languages

_PARTS: Final = ("subject", "text")


async def send_mails(house: House, mailer: Mailer) -> int:
    """Hand the oldest waiting mails to the mail server; returns how many it took.

    A mail is marked after the server has taken it, and what it said leaves the database then: killed in between, it is
    sent again. What the server doesn't take waits, longer each time, and is never dropped.
    """

    async def send(fact: DomainFact) -> None:
        await mailer.send(compose(fact.body))

    return await deliver(house.db, MAIL_TOPIC, send, wall=house.clock.wall, forget=["values"])


async def sweep(house: House) -> int:
    """Delete sessions and auth tokens that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)


def compose(mail: Mapping[str, Any]) -> Mail:
    """Write a mail that was queued in its reader's language, as plain text and as HTML."""
    subject, text = (languages.say(mail["lang"], f"mail.{mail['mail']}.{part}", **mail["values"]) for part in _PARTS)
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
    html = f'<!doctype html><html><body style="font:16px/1.5 sans-serif;max-width:32rem">{paragraphs}</body></html>'
    return Mail(mail["recipient"], subject, text, html)
