"""Every mail in every language; those with a code: what for, until when, and the word of whoever is a member."""

import json
from typing import Any, Final

import pytest

from conftest import MakeContext
from kalos.core.ports import Mail
from kalos.domains.context import Context
from kalos.domains.factors import service as factors
from kalos.domains.factors.rules import SCENES
from kalos.domains.identity import jobs
from kalos.wire.languages import LANGUAGES, TAGS, catalogue, holes_of, say
from support.people import new_email, register, send_code

pytestmark = pytest.mark.usefixtures("root")
UNTIL: Final = 1_795_075_231_456
CODE: Final = {"code": "402913", "minutes": "10", "until": str(UNTIL)}
MAILS: Final = (
    *("register_code", "reset_code", "bind_code", "scene_code", "money_out_stopped", "signer_paused"),
    *("money_out_halted", "listed_sender", "ticket_answer", "security"),
    *("withdrawal_requested", "withdrawal_sent", "withdrawal_refused", "withdrawal_failed"),
)


def queued(name: str, lang: str, **values: str) -> dict[str, Any]:
    return {"mail": name, "lang": lang, "recipient": "a@b.example", "values": values}


def test_no_mail_is_missing_here() -> None:
    told = {key.split(".")[1] for key in catalogue("en") if key.startswith("mail.")}
    assert told - {"part"} == set(MAILS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in MAILS if name.endswith("_code")])
def test_a_codes_mail_has_all_parts_in_each_language(name: str, lang: str) -> None:
    mail = jobs.compose(queued(name, lang, what="any <thing>", **CODE), word="lighthouse")
    assert "402913" in mail.subject
    assert f'<html lang="{TAGS[lang]}">' in mail.html
    assert ">402913</p>" in mail.html
    assert ("any <thing>" in mail.text) == ("any &lt;thing&gt;" in mail.html) == (name == "scene_code")
    for part in ("402913", "10", "2026-11-19 08:00 UTC", "lighthouse", say(lang, "mail.part.footer")):
        assert part in mail.text, part
        assert part in mail.html, part


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", MAILS)
def test_what_a_mail_is_given_is_said_and_escaped(name: str, lang: str) -> None:
    """Also where someone else chose it; and no hole stays open."""
    texts = [catalogue(lang)[f"mail.{name}.{part}"] for part in ("subject", "text")]
    holes = holes_of("".join(texts))
    mail = jobs.compose(queued(name, lang, **{hole: f"<b>{hole}&" for hole in holes}), word='<i>"word')
    assert "{" not in mail.subject + mail.text
    for hole in holes:
        assert f"<b>{hole}&" in mail.subject + mail.text
        assert f"&lt;b&gt;{hole}&amp;" in mail.html
    assert "<b>" not in mail.html
    assert ('<i>"word' in mail.text, "&lt;i&gt;" in mail.html, "<i>" in mail.html) == (True, True, False)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_scene_says_in_each_language_what_its_code_is_for(lang: str) -> None:
    said = [say(lang, f"scene.{scene}", amount="10.5", asset="USDT") for scene in SCENES]
    assert len(set(said)) == len(said)
    for what in said:
        assert what in jobs.compose(queued("scene_code", lang, what=what, **CODE)).text


async def handed_over(ctx: Context) -> list[Mail]:
    """What waits, as the mail server gets it."""
    taken: list[Mail] = []

    class Server:
        async def send(self, mail: Mail) -> None:
            taken.append(mail)

    await jobs.send_codes(ctx.house, Server())
    return taken


async def test_only_a_members_mail_shows_a_word_and_it_is_his_own(ctx: MakeContext) -> None:
    here, address, stranger = ctx(), new_email(), new_email()
    await register(here, address)
    await here.db.execute("UPDATE members SET anti_phishing = 'lighthouse' WHERE email = $1", address)
    await here.db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    await here.db.execute("DELETE FROM tries WHERE subject LIKE 'code-%'")
    for email in (address, stranger):
        await send_code(here, email, "reset")
    rows = await here.db.rows("SELECT body FROM domain_outbox WHERE done_at IS NULL")
    queued_keys = [json.loads(row["body"])["values"].keys() for row in rows]
    assert queued_keys[0] == queued_keys[1]  # nothing that waits tells who is a member
    words = {mail.recipient: ("lighthouse" in mail.text, "lighthouse" in mail.html) for mail in await handed_over(here)}
    assert words == {address: (True, True), stranger: (False, False)}


async def test_a_new_address_hears_of_no_account_that_its_reader_has(ctx: MakeContext) -> None:
    """Whoever reads it may be anybody, and has no password to change."""
    member, _ = await register(ctx())
    await ctx().db.execute("UPDATE domain_outbox SET done_at = 1 WHERE done_at IS NULL")
    address = new_email()
    for email in (address, None):
        await ctx().db.execute("DELETE FROM tries WHERE subject LIKE 'code-%'")
        await factors.send_code(ctx(member), "bind", email=email)
    new, own = sorted(await handed_over(ctx()), key=lambda mail: mail.recipient != address)  # they go at one time
    assert "for binding this e-mail address" in new.text
    assert "your account" not in new.text
    assert member.account not in new.text
    assert "It is for binding an e-mail address." in own.text
    assert "change your password" in own.text
