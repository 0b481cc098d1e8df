"""What a bulletin may be, and its Markdown read into blocks: pure.

No HTML is made or taken anywhere: a text becomes a flat list of blocks, which the page builds its own elements from.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

import msgspec
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from msgspec import Meta, Struct

from kalos.domains.content.errors import BadBulletin

Kind = Literal["notice", "news", "banner"]
Lang = Literal["en", "vi", "th", "ja", "ko", "zh_CN", "tw"]
State = Literal["shown", "waiting", "over", "retracted"]
FALLBACK: Final[Lang] = "en"
MOST_BANNERS: Final = 5
MOST_RELATED: Final = 3

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SUMMARY: Final = 200
_LAST_WORD: Final = 40  # a blank before that is not the end of a word that was cut, but of a script without blanks
_MOST_BLOCKS: Final = 200
MOST_BYTES: Final = 100_000
_HOST: Final = r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"
_REST: Final = r"[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*"
_OUTSIDE: Final = re.compile(rf"https?://{_HOST}(?::[0-9]{{1,5}})?(?:[/?]{_REST})?(?:#{_REST})?", re.IGNORECASE)
_OWN: Final = re.compile(r"(/[a-z][A-Za-z0-9-]*)(?:\?[A-Za-z0-9._~=&%-]*)?")
_SCREENS: Final = """
/home /index1 /login /register /me /me1 /me2 /me3 /node /node1 /node2 /node21 /node22 /node23 /node3 /node4
/subsidy /node5 /node6 /node7 /invite /invite1 /miner /miner1 /miner2 /nft /nft1 /nft2 /nft3 /nft4 /nftBuy
/nftBuyLog /game /game1 /gameweb /cardholders /cardholders1 /openCard /openCard1 /realName /realName1 /address
/address1 /address2 /address3 /card /storeMyItem1 /storeMyItem2 /storeMyItem3 /storeMyItem4 /storeMyItem5 /store
/store1 /storeInfo /order /order1 /order2 /order3 /consumerDividendRanking /productList /productDetail
/confirmOrder /orderList /orderDetail /bulletin /bulletin-detail /help /price-chart /buy-coin /wallet-register
/software-download /rank
"""
_ROUTES: Final = frozenset(_SCREENS.split())
"""The page's screens, as contract/routes.txt has them."""
_UPLOAD: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_BAD_TEXT: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

Href = Annotated[str, Meta(examples=["/help"])]


class Span(Struct, frozen=True, omit_defaults=True):
    """A piece of a line. `href` is http(s) or a page of ours, which begins with a stroke."""

    text: Annotated[str, Meta(examples=["Every result follows from a public block."])]
    strong: bool = False
    emphasis: bool = False
    code: bool = False
    href: Href | None = None


class Paragraph(Struct, frozen=True, tag="paragraph"):
    spans: list[Span]


class Heading(Struct, frozen=True, tag="heading"):
    level: Annotated[int, Meta(ge=2, le=3)]
    spans: list[Span]


class Quote(Struct, frozen=True, tag="quote"):
    spans: list[Span]


class Bullets(Struct, frozen=True, tag="bullets"):
    """`first` is the number of the first line; null where they have none."""

    first: int | None
    items: list[list[Span]]


class Code(Struct, frozen=True, tag="code"):
    text: str


class Rule(Struct, frozen=True, tag="rule"):
    """A line between two parts."""


class Picture(Struct, frozen=True, tag="picture"):
    """`upload` is the id of a picture that was sent, `alt` what it shows in words."""

    upload: str
    alt: str
    width: int = 0
    height: int = 0


Block = Paragraph | Heading | Quote | Bullets | Code | Rule | Picture


LONGEST_TEXT: Final = 20_000


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A bulletin in one language: `text` is Markdown."""

    title: Annotated[str, Meta(min_length=1, max_length=120)]
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class Draft(Struct, frozen=True, forbid_unknown_fields=True, rename={"starts": "from", "ends": "until"}):
    """A bulletin as its writer has it, a TOML file; `picture` is the id of an upload.

    It is shown from `from` (at once) until just before `until` (for ever), in wall time.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}\Z")]
    kind: Kind
    texts: dict[Lang, Text]
    pinned: bool = False
    starts: Annotated[datetime, Meta(tz=True)] | None = None
    ends: Annotated[datetime, Meta(tz=True)] | None = None
    link: str | None = None
    picture: str | None = None


def read_draft(source: str) -> Draft:
    """Raises: BadBulletin."""
    try:
        draft = msgspec.convert(tomllib.loads(source), Draft)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise BadBulletin(str(problem)) from problem
    except RecursionError as problem:
        raise BadBulletin("the file is nested too deep") from problem
    check_draft(draft)
    return draft


def check_draft(draft: Draft) -> None:
    """Raises: BadBulletin."""
    if FALLBACK not in draft.texts:
        raise BadBulletin("there is no English text")
    if draft.starts and draft.starts.timestamp() < 1:
        raise BadBulletin("from is before there were bulletins")
    if draft.starts and draft.ends and draft.ends <= draft.starts:
        raise BadBulletin("until is not after from")
    if draft.kind == "banner" and draft.link is None:
        raise BadBulletin("a banner leads somewhere: it needs a link")
    if draft.link is not None and not is_link(draft.link):
        raise BadBulletin(f"link: {draft.link!r} is neither http(s) nor a page of ours")
    if draft.picture is not None and not _UPLOAD.fullmatch(draft.picture):
        raise BadBulletin("picture: this is no upload's id")
    for lang, text in draft.texts.items():
        _check_written(lang, text)


def _check_written(lang: Lang, text: Text) -> None:
    if _BAD_TEXT.search(text.title) or "\n" in text.title:
        raise BadBulletin(f"{lang}: the title has control or direction characters")
    if not _is_seen(text.title):
        raise BadBulletin(f"{lang}: the title shows nothing")
    if len(text.text) > LONGEST_TEXT:
        raise BadBulletin(f"{lang}: the text has more than {LONGEST_TEXT:,} characters")


def is_link(href: str) -> bool:
    """Whether a link may stand in a text: http(s) with a host and nobody's name before it, or a page that we have."""
    own = _OWN.fullmatch(href)
    return len(href) <= 1_000 and (own[1] in _ROUTES if own else bool(_OUTSIDE.fullmatch(href)))


def blocks_of(markdown: str) -> list[Block]:
    """Read CommonMark; what a page couldn't show safely and simply is refused. Raises: BadBulletin."""
    if _BAD_TEXT.search(markdown):
        raise BadBulletin("the text has control or direction characters")
    blocks = [block for node in SyntaxTreeNode(_READER.parse(markdown)).children for block in _blocks(node)]
    if not 0 < len(blocks) <= _MOST_BLOCKS:
        raise BadBulletin(f"the text has {len(blocks)} blocks: 1 to {_MOST_BLOCKS} are taken")
    if len(msgspec.json.encode(blocks)) > MOST_BYTES:  # references unfold
        raise BadBulletin(f"the text becomes more than {MOST_BYTES} bytes")
    return blocks


def blocks_by_lang(draft: Draft) -> dict[Lang, list[Block]]:
    """Raises: BadBulletin, with the language."""
    found: dict[Lang, list[Block]] = {}
    for lang, text in draft.texts.items():
        try:
            found[lang] = blocks_of(text.text)
            summary_of(found[lang])
        except BadBulletin as problem:
            raise BadBulletin(f"{lang}: {problem}") from problem
    return found


def summary_of(blocks: Sequence[Block]) -> str:
    """What the first paragraph says, cut between words where there is a blank near its end. Raises: BadBulletin."""
    said = next((plain(block.spans) for block in blocks if isinstance(block, Paragraph)), "")
    if not said:
        raise BadBulletin("the text has no paragraph, which the list would show")
    said = said.replace("\n", " ")
    if len(said) <= _SUMMARY:
        return said
    cut = said[: _SUMMARY - 1]
    blank = cut.rfind(" ", _SUMMARY - _LAST_WORD)
    return (cut if blank < 0 else cut[:blank]) + "…"


def plain(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)


def _is_seen(text: str) -> bool:
    """Whether any of its characters has ink."""
    return any(not unicodedata.category(character).startswith(("Z", "C")) for character in text)


def pictures_of(texts: Mapping[Lang, Sequence[Block]]) -> set[str]:
    """The uploads that stand in the texts."""
    return {block.upload for blocks in texts.values() for block in blocks if isinstance(block, Picture)}


def milliseconds(time: datetime | None) -> int | None:
    return None if time is None else (time - _EPOCH) // timedelta(milliseconds=1)


def at(time_ms: int | None) -> datetime | None:
    return None if time_ms is None else _EPOCH + timedelta(milliseconds=time_ms)


def state_of(*, from_at: int, until_at: int | None, retracted_at: int | None, wall: int) -> State:
    """Whether members see it at that time, and if not, why."""
    if retracted_at is not None:
        return "retracted"
    if wall < from_at:
        return "waiting"
    return "shown" if until_at is None or wall < until_at else "over"


def with_sizes(blocks: Sequence[Block], sizes: Mapping[str, tuple[int, int]]) -> list[Block]:
    """The same blocks, each picture with its width and height."""
    return [
        Picture(block.upload, block.alt, *sizes[block.upload]) if isinstance(block, Picture) else block
        for block in blocks
    ]


class _Reader(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002 - the library's name and form
        """Keep every link: ours are looked at below, and refused aloud instead of shown as text."""
        return True


_READER: Final = _Reader("commonmark", {"html": True})


def _blocks(node: SyntaxTreeNode) -> Iterator[Block]:
    match node.type:
        case "paragraph":
            yield _paragraph(node)
        case "heading" if node.tag in ("h2", "h3"):
            yield Heading(int(node.tag[1]), _line(node))
        case "heading":
            raise _bad(node, "headings are ## and ###, the title is the first")
        case "blockquote":
            for child in node.children:
                if child.type != "paragraph":
                    raise _bad(child, "a quote holds paragraphs only")
                yield Quote(_line(child))
        case "bullet_list" | "ordered_list":
            first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            yield Bullets(first, [_item(child) for child in node.children])
        case "fence" | "code_block":
            yield _code(node)
        case "hr":
            yield Rule()
        case _:
            raise _bad(node, "raw HTML isn't taken" if node.type == "html_block" else f"{node.type} isn't taken")


def _paragraph(node: SyntaxTreeNode) -> Block:
    """A paragraph, or the picture that is alone in it."""
    inline = node.children[0].children
    if [child.type for child in inline] != ["image"]:
        return Paragraph(_line(node))
    _check_no_title(node, inline[0])
    source = str(inline[0].attrs["src"])
    alt = plain(list(_spans(inline[0], Span(""))))
    if not _UPLOAD.fullmatch(source) or not alt:
        raise _bad(node, "a picture is ![what it shows](the upload's id)")
    _check_text(node, alt)
    return Picture(source, alt)


def _code(node: SyntaxTreeNode) -> Code:
    if node.info.strip():
        raise _bad(node, "a block of code names no language: nobody would see it")
    return Code(node.content.rstrip("\n"))


def _item(node: SyntaxTreeNode) -> list[Span]:
    if [child.type for child in node.children] != ["paragraph"]:
        raise _bad(node, "an item of a list is one line of text")
    return _line(node.children[0])


def _line(node: SyntaxTreeNode) -> list[Span]:
    """The spans of a block's text, of which something is seen; neighbours that look alike are one."""
    joined: list[Span] = []
    for child in node.children:
        for span in _spans(child, Span("")):
            if joined and msgspec.structs.replace(joined[-1], text=span.text) == span:
                joined[-1] = msgspec.structs.replace(span, text=joined[-1].text + span.text)
            else:
                joined.append(span)
    _check_text(node, plain(joined))
    return joined


def _check_text(node: SyntaxTreeNode, text: str) -> None:
    """Raises: BadBulletin. A reference (&#x202e;) names what may not be written."""
    if _BAD_TEXT.search(text):
        raise _bad(node, "control or direction characters")
    if not _is_seen(text):
        raise _bad(node, "there is nothing to be seen")


def _check_no_title(block: SyntaxTreeNode, node: SyntaxTreeNode) -> None:
    """Raises: BadBulletin."""
    if "title" in node.attrs:
        raise _bad(block, "a link or a picture has no title: nobody would see it")


def _spans(node: SyntaxTreeNode, style: Span) -> Iterator[Span]:
    """What stands in a line, each piece with everything that is around it."""
    for child in node.children:
        match child.type:
            case "text" | "code_inline":
                if child.content:
                    yield msgspec.structs.replace(style, text=child.content, code=child.type == "code_inline")
            case "softbreak" | "hardbreak":
                yield msgspec.structs.replace(style, text="\n" if child.type == "hardbreak" else " ")
            case "strong":
                yield from _spans(child, msgspec.structs.replace(style, strong=True))
            case "em":
                yield from _spans(child, msgspec.structs.replace(style, emphasis=True))
            case "link":
                href = str(child.attrs["href"])
                if not is_link(href):
                    raise _bad(node, f"{href!r} is neither http(s) nor a page of ours")
                _check_no_title(node, child)
                yield from _spans(child, msgspec.structs.replace(style, href=href))
            case "image":
                raise _bad(node, "a picture stands in a paragraph of its own")
            case _:
                raise _bad(node, "raw HTML isn't taken")


def _bad(node: SyntaxTreeNode, why: str) -> BadBulletin:
    """With the line of the block that it is in."""
    around: SyntaxTreeNode | None = node
    while around is not None and not around.is_root and around.map is None:
        around = around.parent
    place = around.map if around is not None and not around.is_root else None
    return BadBulletin(f"line {place[0] + 1}: {why}" if place else why)
