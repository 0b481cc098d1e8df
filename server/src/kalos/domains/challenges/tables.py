"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

CAPTCHAS: Final = "captchas"
EMAIL_CODES: Final = "email_codes"
TRIES: Final = "tries"
SLIDES: Final = "slides"
SLIDE_PROOFS: Final = "slide_proofs"


@dataclass(frozen=True, slots=True)
class CaptchaRow:
    """Waits for its one answer; `served_for` is set while it serves once more, for the name of that hash."""

    id: str
    answer: str
    until_at: int
    served_for: bytes | None = None


@dataclass(frozen=True, slots=True)
class SlideRow:
    """Waits for its one answer: where the piece's left edge belongs, or the tones that were played instead."""

    id: str
    x: int | None
    until_at: int
    code: str | None = None


@dataclass(frozen=True, slots=True)
class SlideProofRow:
    """Of a slide that was answered right; `served_for` as a captcha's."""

    token_hash: bytes
    until_at: int
    served_for: bytes | None = None


@dataclass(frozen=True, slots=True)
class EmailCodeRow:
    """The latest code of an address for one scene that one asker had sent (`rules.of_member`, `of_device`; empty for
    whoever isn't known); `tries` counts right and wrong ones."""

    email: str
    scene: str
    asker: str
    code_hash: bytes
    tries: int
    until_at: int
    used_at: int | None


@dataclass(frozen=True, slots=True)
class TriesRow:
    """When the last tries of `subject` were, oldest first."""

    subject: str
    times: list[int]
    until_at: int


ROWS: Final[dict[str, type[Any]]] = {
    CAPTCHAS: CaptchaRow,
    SLIDES: SlideRow,
    SLIDE_PROOFS: SlideProofRow,
    EMAIL_CODES: EmailCodeRow,
    TRIES: TriesRow,
}
