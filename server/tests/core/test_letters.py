"""A letter says the same in plain text and in HTML, and its HTML is nobody else's."""

from html.parser import HTMLParser

import pytest

from kalos.core.letters import Action, Letter

LETTER = Letter(
    lang="en",
    heading="Password <changed>",
    paragraphs=["First & foremost.", "Two\nlines."],
    footer="A footer.",
    facts=[("Time", "2026-11-22 18:30 UTC"), ("Word", '"<img src=x>"')],
    code="402913",
    action=Action("Not you?", "Freeze", "https://kalos.example/login?freeze=a&b=1"),
)


class Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def test_html_has_every_part_and_closes_what_it_opens() -> None:
    read = Reader(LETTER.html)
    assert read.open == []
    assert read.words.count("Password <changed>") == 2  # title and heading
    for part in ("First & foremost.", "402913", "Time", "2026-11-22 18:30 UTC", '"<img src=x>"', "Not you?", "Freeze"):
        assert part in read.words
    assert [attributes["href"] for tag, attributes in read.tags if tag == "a"] == [LETTER.action and LETTER.action.url]
    assert dict(read.tags)["html"] == {"lang": "en"}


def test_html_loads_nothing_and_runs_nothing() -> None:
    tags = {tag for tag, _ in Reader(LETTER.html).tags}
    assert tags & {"img", "script", "link", "iframe", "object", "form", "svg"} == set()
    assert "url(" not in LETTER.html
    assert "@import" not in LETTER.html


def test_text_has_every_part_in_order() -> None:
    assert LETTER.text == (
        "First & foremost.\n\nTwo\nlines.\n\n"
        'Time: 2026-11-22 18:30 UTC\nWord: "<img src=x>"\n\n'
        "Not you?\nhttps://kalos.example/login?freeze=a&b=1\n\n-- \nA footer."
    )


@pytest.mark.parametrize("absent", ["<a ", "<table", 'plate" style'])
def test_a_short_letter_has_only_its_sentences(absent: str) -> None:
    letter = Letter(lang="en", heading="Hello", paragraphs=["A sentence."], footer="A footer.")
    assert absent in LETTER.html
    assert absent not in letter.html
    assert letter.text == "A sentence.\n\n-- \nA footer."
