"""The first bulletins are true and whole in seven languages; what an operator's command does."""

import getpass
import re
from pathlib import Path

import pytest

from conftest import MakeContext, MakeMember
from kalos.app import bulletins
from kalos.app.bulletins import FIRST, USAGE, first_drafts, obey, publish_first
from kalos.app.settings import PROJECT
from kalos.core.assets import USDT
from kalos.core.database import Database
from kalos.core.errors import InvalidInput
from kalos.core.pages import PageQuery
from kalos.core.terms import Terms
from kalos.domains.content import service
from kalos.domains.content.rules import Bullets, Draft, Lang, Span, blocks_by_lang
from kalos.domains.context import House, Member
from kalos.domains.games.rules import ODD_EVEN, rate_text
from kalos.domains.uploads.service import keep
from kalos.operator.queries import last_audit, list_audit, verify_audit
from kalos.wire.languages import LANGUAGES
from support.pictures import picture

DRAFTS = {draft.name: draft for draft, _ in first_drafts()}
PAGE: dict[Lang, str] = {lang: lang for lang in ("en", "vi", "th", "ja", "ko")} | {
    "zh_CN": "zh-Hans",
    "tw": "zh-Hant-TW",
}
"""The page's name of each language."""
GOOD = """
name = "by-hand"
kind = "news"
[texts.en]
title = "By hand"
text = "Text."
"""


def links(draft: Draft, lang: str) -> list[tuple[str, str]]:
    """Where the texts lead, with the words that do."""
    lines: list[list[Span]] = []
    for block in blocks_by_lang(draft)[lang]:  # type: ignore[index]
        lines += block.items if isinstance(block, Bullets) else [getattr(block, "spans", [])]
    return [(span.href, span.text) for line in lines for span in line if span.href]


def words_of_page(tag: str) -> dict[str, str]:
    """What the page says for each of its English texts."""
    found: dict[str, str] = {}
    for file in (PROJECT / "web" / "src").rglob(f"locales/{tag}.po"):
        found |= re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', file.read_text(), re.MULTILINE)
    return found


def test_there_are_notices_news_and_a_banner_each_under_its_name() -> None:
    kinds = [draft.kind for draft in DRAFTS.values()]
    assert (kinds.count("notice"), kinds.count("news"), kinds.count("banner")) == (4, 3, 1)
    assert [file.stem.split("-", 1)[1] for file in sorted(FIRST.glob("*.toml"))] == list(DRAFTS)
    assert {file.stem for file in FIRST.glob("*.webp")} <= {file.stem for file in FIRST.glob("*.toml")}


@pytest.mark.parametrize("name", DRAFTS)
def test_a_first_bulletin_is_the_same_in_seven_languages(name: str) -> None:
    draft = DRAFTS[name]
    texts = blocks_by_lang(draft)
    assert set(texts) == set(LANGUAGES)
    english = texts["en"]
    for lang, blocks in texts.items():
        assert [type(block) for block in blocks] == [type(block) for block in english], lang
        sizes = [[len(block.items) for block in one if isinstance(block, Bullets)] for one in (blocks, english)]
        assert sizes[0] == sizes[1], lang
        assert [href for href, _ in links(draft, lang)] == [href for href, _ in links(draft, "en")]
        assert lang == "en" or draft.texts[lang].title != draft.texts["en"].title


@pytest.mark.parametrize(("lang", "tag"), PAGE.items())
def test_buttons_and_screens_are_named_as_the_page_names_them(lang: Lang, tag: str) -> None:
    words = words_of_page(tag)
    for name, button in (("demo-coins", "Send test USDT"), ("check-a-round", "Check it yourself")):
        assert words[button] in DRAFTS[name].texts[lang].text
    screens = {"/node3": "Top up", "/game": "Play", "/node": "Assets", "/bulletin?tab=news": "News"}
    led = [link for draft in DRAFTS.values() for link in links(draft, lang) if link[0] in screens]
    assert {href for href, _ in led} == screens.keys()
    assert [text for href, text in led if text.casefold() != words[screens[href]].casefold()] == []


def test_figures_in_texts_are_those_of_the_terms(terms: Terms) -> None:
    back = ODD_EVEN.return_to_player(terms) * 100
    figures = {
        "what-a-top-up-costs": [f"{terms.topup_min[USDT].units // 10**USDT.scale} USDT"],
        "how-results-are-proven": [str(terms.result_window), str(terms.void_after)],
        "what-the-house-keeps": [rate_text(ODD_EVEN.multiple(terms)), rate_text(back), rate_text(100 - back)],
    }
    for name, told in figures.items():
        for text in DRAFTS[name].texts.values():
            whole = f"{text.title} {text.text}".replace("1,95", "1.95").replace(",5%", ".5%")  # as Vietnamese writes
            assert [figure for figure in told if figure not in whole] == []
    assert terms.code_minutes == 10  # keep-your-codes says so in words


async def shown(house: House, ctx: MakeContext, reader: Member) -> list[str]:
    context = ctx(reader)
    found = []
    for kind in ("notice", "news", "banner"):
        found += (await service.list_bulletins(context, kind, PageQuery(100))).rows
    return [row.title for row in found]


async def test_first_ones_are_published_once_and_stay_retracted(
    house: House, ctx: MakeContext, member: MakeMember, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await member()
    for file in FIRST.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "31-recompute-it.webp").write_bytes(picture("image/webp", size=(30, 10)))
    monkeypatch.setattr(bulletins, "FIRST", tmp_path)
    await publish_first(house, owner.id)
    titles = await shown(house, ctx, owner)
    assert sorted(titles) == sorted(draft.texts["en"].title for draft in DRAFTS.values())
    assert titles[0] == DRAFTS["demo-coins"].texts["en"].title
    (banner,) = (await service.list_bulletins(ctx(owner), "banner", PageQuery(5))).rows
    assert (banner.width, banner.height) == (30, 10)
    assert (await obey(house.db, ["retract", "demo-coins"]))[0] == 0
    await publish_first(house, owner.id)
    assert await shown(house, ctx, owner) == titles[1:]
    assert await house.db.value("SELECT count(*) FROM uploads WHERE owner = $1", owner.id) == 1


async def test_a_picture_that_is_none_is_not_published(house: House, member: MakeMember, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        await keep(house, owner=(await member()).id, purpose="picture", kind="image/webp", content=b"no picture")


async def test_an_operator_publishes_lists_and_retracts(db: Database, member: MakeMember, tmp_path: Path) -> None:
    file = tmp_path / "by-hand.toml"
    file.write_text(GOOD)
    code, told = await obey(db, ["publish", str(file)])
    assert (code, told.startswith("by-hand is published as news "), told.endswith(" in en")) == (0, True, True)
    file.write_text(GOOD.replace("by-hand", "later").replace("[texts", "from = 2999-01-01T00:00:00Z\n[texts"))
    assert (await obey(db, ["publish", str(file), (await member()).account]))[0] == 0
    over = "from = 2020-01-01T00:00:00Z\nuntil = 2021-01-01T00:00:00Z\n[texts"
    file.write_text(GOOD.replace("by-hand", "past").replace("[texts", over))
    await obey(db, ["publish", str(file)])
    states = {line.split()[3]: line.split()[2] for line in (await obey(db, ["list"]))[1].splitlines()}
    assert (states["by-hand"], states["later"], states["past"]) == ("shown", "waiting", "over")
    assert await obey(db, ["retract", "by-hand"]) == (0, "by-hand is retracted")
    assert "retracted  by-hand" in (await obey(db, ["list"]))[1]


async def test_what_is_told_from_the_machine_stands_in_the_consoles_log(db: Database, tmp_path: Path) -> None:
    file = tmp_path / "logged.toml"
    file.write_text(GOOD.replace("by-hand", "logged"))
    for order in (["publish", str(file)], ["publish", str(file)], ["retract", "logged"], ["retract", "logged"]):
        assert (await obey(db, order))[0] == 0
    logged = await list_audit(db, before=None, most=3)
    assert len(logged) == 3
    retracted, anew, first = logged
    assert {(row.object, row.staff, row.name) for row in (first, anew, retracted)} == {
        ("bulletin logged", None, getpass.getuser())
    }
    assert [row.act for row in (first, anew, retracted)] == ["bulletin.publish", "bulletin.publish", "bulletin.retract"]
    assert (first.before, first.after["titles"], anew.before["kind"]) == ({}, {"en": "By hand"}, "news")
    assert (retracted.before["retracted_at"], list(retracted.after)) == (None, ["retracted_at"])
    last = await last_audit(db)
    file.write_text(GOOD.replace("by-hand", "logged").replace("news", "banner"))
    assert (await obey(db, ["publish", str(file)]))[0] == 1
    assert await last_audit(db) == last
    assert await verify_audit(db) == []


async def test_what_an_operator_gets_wrong_is_said_and_changes_nothing(db: Database, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(GOOD.replace("by-hand", "wrong").replace("Text.", "<b>"))
    before = await db.value("SELECT count(*) FROM bulletins")
    assert await obey(db, ["publish", str(file)]) == (1, "en: line 1: raw HTML isn't taken")
    file.write_bytes(b"\xff")
    assert (await obey(db, ["publish", str(file)]))[0] == 1
    assert (await obey(db, ["publish", str(tmp_path / "absent.toml")]))[0] == 1
    file.write_text("#" * 1_000_001)
    assert await obey(db, ["publish", str(file)]) == (1, "the file has more than 1000000 bytes")
    file.write_text(GOOD.replace("by-hand", "wrong"))
    for order in (["publish", str(file), "00000000"], ["retract", "no-such-name"]):
        assert await obey(db, order) == (1, "there is no such bulletin, account, or unused picture of that account")
    for order in ([], ["publish"], ["retract"], ["list", "x"], ["delete", "x"]):
        assert await obey(db, order) == (2, USAGE)
    assert await db.value("SELECT count(*) FROM bulletins") == before
