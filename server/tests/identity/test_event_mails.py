"""A mail about an account, in each language: sentences, place and time, hold, word, the link that freezes."""

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from conftest import MakeContext
from kalos.core.clock import HOUR_MS
from kalos.core.ports import Mail
from kalos.domains.context import Context
from kalos.domains.identity import jobs, queries, service
from kalos.domains.identity.rules import EVENTS, Event, device_name
from kalos.domains.overview.service import show_profile
from kalos.wire.languages import LANGUAGES, TAGS, event_text, utc_text
from support.people import new_email, register, send_code

pytestmark = pytest.mark.usefixtures("root")
AT = 1_795_075_231_456
LINK = "https://kalos.example/login?freeze=abc"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0"
MAILED = [event for event, meaning in EVENTS.items() if meaning.is_mailed]


def queued(event: str, lang: str, **values: str) -> dict[str, Any]:
    told = {"event": event, "at": str(AT), "network": "203.0.113.9", "device": EDGE, "freeze": LINK}
    return {"mail": "security", "lang": lang, "recipient": "a@b.example", "values": told | values}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("event", MAILED)
def test_each_events_mail_has_all_parts_in_each_language(event: Event, lang: str) -> None:
    held = {"held_until": str(AT + 24 * HOUR_MS)} if EVENTS[event].is_held else {}
    mail = jobs.compose(queued(event, lang, **held), word="lighthouse")
    title = event_text(lang, event)
    assert title in mail.subject
    assert f'<html lang="{TAGS[lang]}">' in mail.html
    assert f">{title}</h1>" in mail.html
    parts = ["2026-11-19 08:00 UTC", "203.0.113.9", "Edge, Windows", "lighthouse", LINK, "72"]
    for part in (*parts, *(utc_text(int(until)) for until in held.values())):
        assert part in mail.text, part
        assert part in mail.html, part
    assert "{" not in mail.subject + mail.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_support_did_is_told_as_such(lang: str) -> None:
    texts = {event: jobs.compose(queued(event, lang)).text.split("\n")[0] for event in MAILED}
    assert len({texts["frozen_by_support"], texts["opened_by_support"], texts["account_frozen"]}) == 3


def test_what_is_not_known_has_no_line() -> None:
    mail = jobs.compose(queued("login_locked", "en", network="", device="", freeze=""))
    assert "Network" not in mail.text
    assert "Device" not in mail.text
    assert "word" not in mail.text.removesuffix(mail.text.rpartition("-- ")[2])
    assert "freeze" not in mail.text.lower()
    assert "<a " not in mail.html


def test_what_others_have_chosen_is_escaped() -> None:
    """The device is the caller's own words, and a caller may be a thief."""
    mail = jobs.compose(queued("new_device", "en", device='<a href="http://x">'), word="<script>")
    assert "<script>" not in mail.html
    assert 'href="http://x"' not in mail.html
    assert "&lt;script&gt;" in mail.html


async def sent(ctx: MakeContext, event: Event, word: str | None) -> Mail:
    """The mail of an event as it was handed to the mail server."""
    member, _ = await register(ctx())
    await ctx().db.execute("UPDATE members SET anti_phishing = $2 WHERE id = $1", member.id, word)
    await ctx().db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    async with ctx().db.transaction() as db:
        await service.note(ctx(network="203.0.113.9"), db, member.id, event)
    taken: list[Mail] = []

    class Server:
        async def send(self, mail: Mail) -> None:
            taken.append(mail)

    await jobs.send_mails(ctx().house, Server())
    [mail] = taken
    return mail


async def test_every_mail_shows_the_word_that_the_member_has_when_it_is_sent(ctx: MakeContext) -> None:
    assert "lighthouse" in (await sent(ctx, "new_device", "lighthouse")).text
    assert "lighthouse" not in (await sent(ctx, "new_device", None)).text


async def test_a_code_waits_for_no_other_mail_and_the_others_go_too(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    await ctx().db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    async with ctx().db.transaction() as db:
        for _ in range(12):
            await service.note(ctx(), db, member.id, "new_device")
    address, waits, taken = new_email(), asyncio.Event(), list[str]()
    await send_code(ctx(), address)

    class Slow:
        async def send(self, mail: Mail) -> None:
            if mail.recipient != address:
                await waits.wait()
            taken.append(mail.recipient)

    others = asyncio.create_task(jobs.send_mails(ctx().house, Slow()))
    assert await jobs.send_codes(ctx().house, Slow()) == 1
    assert taken == [address]
    assert not others.done()
    waits.set()
    assert [await others, await jobs.send_mails(ctx().house, Slow())] == [10, 2]


async def test_a_held_event_says_until_when_and_no_other_does(ctx: MakeContext) -> None:
    held, told = await sent(ctx, "password_changed", None), await sent(ctx, "google_bound", None)
    assert "Withdrawals are on hold until" in held.text
    assert "on hold" not in told.text


async def test_every_mail_but_the_last_one_can_freeze(ctx: MakeContext) -> None:
    assert "/login?freeze=" in (await sent(ctx, "account_frozen", None)).text
    assert "/login?freeze=" not in (await sent(ctx, "account_closed", None)).text


async def test_what_a_sent_mail_said_leaves_the_database(ctx: MakeContext) -> None:
    mail = await sent(ctx, "new_device", None)
    bodies = await ctx().db.rows("SELECT body FROM domain_outbox WHERE body ->> 'recipient' = $1", mail.recipient)
    assert not any({"values", "freeze"} & json.loads(row["body"]).keys() for row in bodies if "security" in row["body"])


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (EDGE, "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/1 Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/142.0 Mobile/1 Safari/604.1", "Chrome, iPhone"),
        ("Mozilla/5.0 (Linux; Android 16) SamsungBrowser/27.0 Chrome/125.0 Safari/537.36", "Samsung Internet, Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari, Mac"),
        ("curl/8.5.0", ""),
        ("", ""),
        ("Unfreeze at kalos-secure.example/now", ""),
    ],
)
def test_a_device_has_the_name_that_people_call_it(user_agent: str, name: str) -> None:
    assert device_name(user_agent) == name


async def language_of_mail(ctx: Context) -> str:
    """In which language the last mail was queued."""
    found: str = await ctx.db.value(
        "SELECT body->>'lang' FROM domain_outbox WHERE topic = 'mail' ORDER BY id DESC LIMIT 1"
    )
    return found


async def test_a_strangers_language_is_not_that_of_the_owners_mails(ctx: MakeContext) -> None:
    member, _ = await register(replace(ctx(), lang="ja"))
    stranger = replace(ctx(), lang="th")
    for event in ("new_device", "login_locked"):
        async with stranger.db.transaction() as db:
            await service.note(stranger, db, member.id, event)
        assert await language_of_mail(stranger) == "ja"


async def test_mails_follow_the_language_of_the_page_and_closing_forgets_it(ctx: MakeContext) -> None:
    member, _ = await register(replace(ctx(), lang="ja"))
    own = replace(ctx(member), lang="ko")
    await show_profile(own)
    async with own.db.transaction() as db:
        await service.note(ctx(), db, member.id, "new_device")
    assert await language_of_mail(own) == "ko"
    password_hash = await own.db.value("SELECT password_hash FROM members WHERE id = $1", member.id)
    async with own.db.transaction() as db:
        assert await queries.erase_member(db, member.id, password_hash=password_hash, at=own.now)
    assert await own.db.value("SELECT lang FROM members WHERE id = $1", member.id) is None
    await show_profile(own)
    assert await own.db.value("SELECT lang FROM members WHERE id = $1", member.id) is None
