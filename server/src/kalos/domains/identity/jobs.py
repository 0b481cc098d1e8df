"""After commit: mails from the domain outbox. From time to time: what has ended goes."""

import asyncio
from html import escape
from typing import Final

from kalos.core.errors import Outage
from kalos.core.ports import Mail, Mailer
from kalos.domains.context import House
from kalos.domains.identity import queries
from kalos.domains.identity.queries import OutboxMail
from kalos.domains.identity.rules import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS
from kalos.wire import languages

_BATCH: Final = 10
_LEASE_MS: Final = MINUTE_MS
_FIRST_PAUSE_MS: Final = 2 * SECOND_MS
_LONGEST_PAUSE_MS: Final = HOUR_MS
_SWEPT_AT_ONCE: Final = 1_000
_SWEEPS_A_STEP: Final = 100


async def send_mails(house: House, mailer: Mailer) -> int:
    """Hand the oldest waiting mails to the mail server; returns how many it took.

    A mail is marked after the server has taken it: killed in between, it is sent again when its lease has ended. What
    the server doesn't take waits, longer each time, and is never dropped.
    """
    mails = await queries.take_mails(house.db, wall=house.clock.wall(), lease_ms=_LEASE_MS, most=_BATCH)
    return sum(await asyncio.gather(*(_send(house, mailer, mail) for mail in mails)))


async def sweep(house: House) -> int:
    """Delete what ended a day ago: sessions, tokens, captchas, codes, tries, sent mails; returns how many rows went.

    In small commits, until a round of the tables leaves nothing over: what visitors can make must go as fast.
    """
    swept = 0
    for _ in range(_SWEEPS_A_STEP):
        gone = await queries.sweep(house.db, wall=house.clock.wall(), kept_ms=DAY_MS, most=_SWEPT_AT_ONCE)
        swept += gone
        if gone < _SWEPT_AT_ONCE:
            break
    return swept


def compose(mail: OutboxMail) -> Mail:
    """Write a mail in its reader's language, as plain text and as HTML."""
    subject = languages.say(mail.lang, f"mail.{mail.name}.subject", **mail.values)
    text = languages.say(mail.lang, f"mail.{mail.name}.text", **mail.values)
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
    html = f'<!doctype html><html><body style="font:16px/1.5 sans-serif;max-width:32rem">{paragraphs}</body></html>'
    return Mail(mail.recipient, subject, text, html)


def pause_ms(tries: int) -> int:
    """How long a mail waits after it was handed over in vain for the `tries`th time."""
    assert tries >= 1
    return int(min(_FIRST_PAUSE_MS * 2 ** (min(tries, 20) - 1), _LONGEST_PAUSE_MS))


async def _send(house: House, mailer: Mailer, mail: OutboxMail) -> int:
    try:
        await mailer.send(compose(mail))
    except Outage:
        tries = mail.tries + 1
        await queries.delay_mail(house.db, mail.id, tries=tries, due_at=house.clock.wall() + pause_ms(tries))
        return 0
    await queries.mark_mail_sent(house.db, mail.id, house.clock.wall())
    return 1
