"""Markdown is read into blocks or refused aloud; drafts, links, summaries."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kalos.core.clock import DAY_MS
from kalos.domains.content import rules
from kalos.domains.content.errors import BadBulletin
from kalos.domains.content.rules import Bullets, Code, Heading, Paragraph, Picture, Quote, Rule, Span

ROUTES = (Path(__file__).parents[3] / "contract" / "routes.txt").read_text().split()
UPLOAD = "q7RkT2mXv0ZbN4cY8sLwHg"


def test_each_form_of_markdown_becomes_its_block() -> None:
    source = f"""First *line*
of **two *kinds***, `code` and [a **page**](/help?topic=games).

## Part
### Smaller

- one
- [two](https://example.com/a_b?c=d#e)

3. three
4. four

> said\\
> twice

```
x = 1
```

---

![A round](<{UPLOAD}>)
"""
    assert rules.blocks_of(source) == [
        Paragraph([
            Span("First "),
            Span("line", emphasis=True),
            Span(" of "),
            Span("two ", strong=True),
            Span("kinds", strong=True, emphasis=True),
            Span(", "),
            Span("code", code=True),
            Span(" and "),
            Span("a ", href="/help?topic=games"),
            Span("page", strong=True, href="/help?topic=games"),
            Span("."),
        ]),
        Heading(2, [Span("Part")]),
        Heading(3, [Span("Smaller")]),
        Bullets(None, [[Span("one")], [Span("two", href="https://example.com/a_b?c=d#e")]]),
        Bullets(3, [[Span("three")], [Span("four")]]),
        Quote([Span("said\ntwice")]),
        Code("x = 1"),
        Rule(),
        Picture(UPLOAD, "A round"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("<script>alert(1)</script>", "line 1: raw HTML"),
        ("fine\n\na <b>bold</b> word", "line 3: raw HTML"),
        ("<!-- hidden -->", "raw HTML"),
        ("a <img src=x onerror=alert(1)> b", "raw HTML"),
        ("> <svg onload=alert(1)>", "quote holds paragraphs"),
        ("[x](javascript:alert(1))", "neither http"),
        ("[x](JaVaScRiPt&colon;alert(1))", "neither http"),
        ("[x](java&#10;script:alert(1))", "neither http"),
        ("[x](data:text/html;base64,PHN2Zz4=)", "neither http"),
        ("[x](vbscript:x)", "neither http"),
        ("[x](file:///etc/passwd)", "neither http"),
        ("[x](//evil.example)", "neither http"),
        ("[x](/\\\\evil.example)", "neither http"),
        ("[x](/%09/evil.example)", "neither http"),
        ("[x](https:evil)", "neither http"),
        ("[x](https://kalos.example@evil.example)", "neither http"),
        ("[x](https://evil.example\\@kalos.example)", "neither http"),
        ("[x](home)", "neither http"),
        ("a\n\n[x](/hlep)", "line 3: '/hlep' is neither http"),
        ('a\n\n[x](/help "Help")', "line 3: a link or a picture has no title"),
        ("[x][y]\n\n[y]: https://example.com 'Site'", "line 1: a link or a picture has no title"),
        (f'![x]({UPLOAD} "Round")', "line 1: a link or a picture has no title"),
        ("a\n\n```python\nx = 1\n```", "line 3: a block of code names no language"),
        ("[x](/api/auth/logout)", "neither http"),
        ("[x]()", "neither http"),
        ("[x][y]\n\n[y]: javascript:alert(1)", "neither http"),
        ("<mailto:a@people.example>", "neither http"),
        (f"[![x]({UPLOAD})](https://example.com)", "paragraph of its own"),
        ("![x](https://tracker.example/pixel.gif)", "a picture is"),
        ("![x](data:image/svg+xml,%3Csvg/%3E)", "a picture is"),
        (f"![]({UPLOAD})", "a picture is"),
        (f"see ![x]({UPLOAD})", "paragraph of its own"),
        ("# Title", "headings are"),
        ("#### Small", "headings are"),
        ("- a\n  - b", "item of a list"),
        ("- a\n\n  b", "item of a list"),
        ("-", "item of a list"),
        ("> - a", "quote holds paragraphs"),
        ("a \u202ereversed", "control or direction"),
        ("a \x00 b", "control or direction"),
        ("a &#x202e;reversed", "control or direction"),
        ("[a&#x2066;](/home)", "control or direction"),
        (f"![a&#x202e;]({UPLOAD})", "control or direction"),
        ("##", "nothing to be seen"),
        ("[](https://a.example)", "nothing to be seen"),
        ("&nbsp;&#x200b;", "nothing to be seen"),
        (f"[x]: https://a.example/{'y' * 900}\n\n" + "[x] " * 4_000, "more than 100000 bytes"),
        ("a\tb", "control or direction"),
        ("", "0 blocks"),
        ("[y]: https://example.com", "0 blocks"),
        ("a\n\n" * 201, "201 blocks"),
    ],
)
def test_what_a_page_could_not_show_safely_is_refused(source: str, why: str) -> None:
    with pytest.raises(BadBulletin, match=why):
        rules.blocks_of(source)


PIECES = [
    "a",
    " ",
    "\n",
    "\n\n",
    "*",
    "**",
    "`",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](/help)",
    "](javascript:a)",
    "<b>",
    "</b>",
]
PIECES += [
    "> ",
    "- ",
    "1. ",
    "## ",
    "```",
    "---",
    "<https://a.example>",
    "https://a.example",
    "&#10;",
    "&#x202e;",
    "&nbsp;",
    "\\",
    UPLOAD,
]


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_whatever_is_written_only_safe_links_and_text_come_out(source: str) -> None:
    try:
        blocks = rules.blocks_of(source)
    except BadBulletin:
        return
    stored = msgspec.json.encode(blocks)
    assert msgspec.json.decode(stored, type=list[rules.Block]) == blocks
    spans = [span for block in blocks for span in getattr(block, "spans", [])]
    spans += [span for block in blocks if isinstance(block, Bullets) for item in block.items for span in item]
    assert all(span.text and "\u202e" not in span.text for span in spans)
    assert all(span.href is None or rules.is_link(span.href) for span in spans)


@pytest.mark.parametrize(
    ("href", "taken"),
    [
        ("https://example.com", True),
        ("http://example.com:8080/a?b=c#d", True),
        ("https://xn--mnchen-3ya.example/%C3%A4", True),
        ("/bulletin", True),
        ("/game1?game=odd_even-60&view=rules", True),
        *((route, True) for route in ROUTES),
        ("/game9", False),
        ("/game9?x=1", False),
        ("/Help", False),
        ("/helpme", False),
        ("/gallery", False),
        ("https://" + "a" * 1_000, False),
        ("https://-a.example", False),
        ("https://a.example:123456", False),
        ("https://a.example/ b", False),
        ("https://a.example/\n", False),
        ("/help\n", False),
        ("/help/../x", False),
        ("/", False),
        ("", False),
    ],
)
def test_links_lead_to_the_web_or_to_a_page_of_ours(href: str, taken: bool) -> None:
    assert rules.is_link(href) is taken


@pytest.mark.parametrize(
    ("source", "summary"),
    [
        ("## Head\n\nShort **text**.", "Short text."),
        ("one  \ntwo", "one two"),
        ("a" * 200, "a" * 200),
        ("a" * 201, "a" * 199 + "…"),
        (("word " * 60).strip(), ("word " * 39).strip() + "…"),
        ("USDT の" + "あ" * 300, "USDT の" + "あ" * 193 + "…"),
    ],
)
def test_a_summary_is_the_first_paragraph_cut_between_words(source: str, summary: str) -> None:
    assert rules.summary_of(rules.blocks_of(source)) == summary
    assert len(summary) <= 200


def test_a_text_without_a_paragraph_has_no_summary() -> None:
    with pytest.raises(BadBulletin, match="no paragraph"):
        rules.summary_of(rules.blocks_of("## Only a head"))


GOOD = """
name = "first"
kind = "notice"
pinned = true
from = 2026-11-22T00:00:00+08:00
until = 2026-11-23T00:00:00+08:00
[texts.en]
title = "Title"
text = "Text."
[texts.zh_CN]
title = "标题"
text = "正文。"
"""


def test_a_draft_is_a_toml_file() -> None:
    draft = rules.read_draft(GOOD)
    assert (draft.name, draft.kind, draft.pinned, draft.link, draft.picture) == ("first", "notice", True, None, None)
    midnight = 1_795_276_800_000
    assert rules.milliseconds(draft.starts) == midnight
    assert rules.milliseconds(draft.ends) == midnight + DAY_MS
    assert draft.texts["zh_CN"].title == "标题"
    assert rules.milliseconds(None) is None


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('name = "first"', "name = ", "Invalid value"),
        ('name = "first"', 'name = "First!"', r"\$.name"),
        ('name = "first"', 'nam = "first"', "nam"),
        ('name = "first"', 'name = "first\\n"', r"\$.name"),
        ('name = "first"', f"name = {'[' * 5_000}", "nested too deep|Invalid value"),
        ("2026-11-22T00:00:00+08:00", "1970-01-01T00:00:00Z", "before there were"),
        ('title = "Title"', 'title = " \\u200b"', "shows nothing"),
        ('"notice"', '"advert"', "advert"),
        ('"notice"', '"banner"', "needs a link"),
        ("pinned = true", 'pinned = "yes"', r"\$.pinned"),
        ("pinned = true", 'link = "javascript:x"', "neither http"),
        ("pinned = true", 'picture = "../x"', "no upload's id"),
        ("2026-11-22T00:00:00+08:00", "2026-11-22T00:00:00", r"\$.from"),
        ("2026-11-22T00:00:00+08:00", "2026-11-23T00:00:00+08:00", "not after"),
        ("[texts.en]", "[texts.vi]", "no English text"),
        ("[texts.zh_CN]", "[texts.xx]", "xx"),
        ('title = "Title"', 'title = ""', "title"),
        ('title = "Title"', 'title = "a\\u202eb"', "en: the title"),
        ('title = "Title"', 'title = "a\\nb"', "en: the title"),
        ('text = "Text."', "", "text"),
    ],
)
def test_a_draft_that_is_wrong_says_where(old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(BadBulletin, match=why):
        rules.read_draft(GOOD.replace(old, new))


def test_a_text_that_is_wrong_names_its_language() -> None:
    with pytest.raises(BadBulletin, match="zh_CN: line 1: raw HTML"):
        rules.blocks_by_lang(rules.read_draft(GOOD.replace("正文。", "<p>")))
    with pytest.raises(BadBulletin, match="en: the text has no paragraph"):
        rules.blocks_by_lang(rules.read_draft(GOOD.replace("Text.", "---")))


def test_pictures_are_those_of_all_texts_and_get_their_sizes() -> None:
    other = "x" * 22
    blocks: list[Any] = [Picture(UPLOAD, "a"), Rule()]
    assert rules.pictures_of({"en": blocks, "vi": [Picture(other, "b")]}) == {UPLOAD, other}
    assert rules.with_sizes(blocks, {UPLOAD: (4, 3)}) == [Picture(UPLOAD, "a", 4, 3), Rule()]
