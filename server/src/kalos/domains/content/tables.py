"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

from kalos.domains.content.rules import Kind, Lang

BULLETINS: Final = "bulletins"
TEXTS: Final = "bulletin_texts"


@dataclass(frozen=True, slots=True)
class BulletinRow:
    """Shown from `from_at` until just before `until_at` (None: for ever) in wall time, unless it was retracted.

    `picture` is an upload; `pictures` are all that ever belonged to it, also those in texts.
    """

    id: int
    name: str
    kind: Kind
    pinned: bool
    link: str | None
    picture: str | None
    width: int | None
    height: int | None
    pictures: list[str]
    from_at: int
    until_at: int | None
    retracted_at: int | None
    changed_at: int


@dataclass(frozen=True, slots=True)
class TextRow:
    """A bulletin in one language: `source` is Markdown, `blocks` what it was read into, as JSON."""

    bulletin: int
    lang: Lang
    title: str
    summary: str
    source: str
    blocks: str


ROWS: Final[dict[str, type[Any]]] = {BULLETINS: BulletinRow, TEXTS: TextRow}
