"""After commit: mails from the domain outbox. From time to time: what has ended goes."""

from collections.abc import Mapping
from typing import Any, Final

from kalos.core.clock import DAY_MS
from kalos.core.errors import Undeliverable
from kalos.core.letters import Action, Letter
from kalos.core.mails import CODE_TOPIC, MAIL_TOPIC
from kalos.core.outbox import DomainFact, deliver
from kalos.core.ports import Mail, Mailer
from kalos.core.sweep import sweep as sweep_ended
from kalos.domains.context import House
from kalos.domains.identity import queries
from kalos.domains.identity.rules import FREEZE_HOURS, device_name
from kalos.wire.languages import TAGS, event_text, say, utc_text

_OWN_TEXT: Final = frozenset(("account_frozen", "frozen_by_support", "opened_by_support"))
"""After these there is something to do, whoever it was."""


async def send_mails(house: House, mailer: Mailer) -> int:
    """Hand the oldest waiting mails to the mail server; returns how many it took.

    A mail is marked after the server has taken it, and what it said leaves the database then: killed in between, it is
    sent again. What the server doesn't take now waits, longer each time, and is never dropped; what it refuses for good
    is given up, and so is a code that has ended.
    """
    return await _send(house, mailer, MAIL_TOPIC)


async def send_codes(house: House, mailer: Mailer) -> int:
    """The same of mails with a code: they wait for no other."""
    return await _send(house, mailer, CODE_TOPIC)


async def sweep(house: House) -> int:
    """Delete sessions and auth tokens that ended a day ago; returns how many went."""
    return await sweep_ended(house.db, queries.ENDING, before=house.clock.wall() - DAY_MS)


def compose(mail: Mapping[str, Any], word: str | None = None) -> Mail:
    """Write a mail that was queued in its reader's language, as plain text and as HTML.

    `word` is the member's own against phishing. Besides its sentences a code's mail tells until when it is right, an
    event's when it happened, from where, until when withdrawals are held, and the link that freezes the account; a
    withdrawal's how much goes where.
    """
    lang, values = mail["lang"], dict(mail["values"])
    if "event" in values:
        values["title"] = event_text(lang, values["event"])
    told = f"part.{values['event']}" if values.get("event") in _OWN_TEXT else f"{mail['mail']}.text"
    subject, text = (say(lang, f"mail.{key}", **values) for key in (f"{mail['mail']}.subject", told))
    letter = Letter(
        lang=TAGS[lang],
        heading=values.get("title", subject),
        paragraphs=[*text.split("\n\n"), *_held(lang, values)],
        footer=say(lang, "mail.part.footer"),
        facts=_facts(lang, values, word),
        code=values.get("code", ""),
        action=_freezing(lang, values),
    )
    return Mail(mail["recipient"], subject, letter.text, letter.html)


async def _send(house: House, mailer: Mailer, topic: str) -> int:
    async def send(fact: DomainFact) -> None:
        values = fact.body["values"]
        if "code" in values and int(values["until"]) <= house.clock.wall():
            raise Undeliverable("a code has ended before its mail was taken")
        word = await queries.anti_phishing(house.db, fact.body["recipient"])
        await mailer.send(compose(fact.body, word))

    return await deliver(house.db, topic, send, wall=house.clock.wall, forget=["values"])


def _held(lang: str, values: Mapping[str, str]) -> list[str]:
    until = values.get("held_until")
    return [say(lang, "mail.part.held", until=utc_text(int(until)))] if until else []


def _facts(lang: str, values: Mapping[str, str], word: str | None) -> list[tuple[str, str]]:
    known = {
        "until": utc_text(int(values["until"])) if "until" in values else "",
        "when": utc_text(int(values["at"])) if "at" in values else "",
        "amount": values.get("amount", ""),
        "address": values.get("address", ""),
        "transaction": values.get("transaction", ""),
        "refusal": values.get("refusal", ""),
        "network": values.get("network", ""),
        "device": device_name(values.get("device", "")),
        "word": values.get("word") or word or "",
    }
    return [(say(lang, f"mail.part.{name}"), value) for name, value in known.items() if value]


def _freezing(lang: str, values: Mapping[str, str]) -> Action | None:
    if not values.get("freeze"):
        return None
    sentence = say(lang, "mail.part.freeze", hours=FREEZE_HOURS)
    return Action(sentence, say(lang, "mail.part.freeze_button"), values["freeze"])
