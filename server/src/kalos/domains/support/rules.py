"""How long a message may be, what may stand in it, and how many there may be: pure."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kalos.core.clock import DAY_MS, MINUTE_MS
from kalos.core.errors import InvalidInput, TooMany

State = Literal["open", "answered", "closed"]

LONGEST_SUBJECT: Final = 80
LONGEST_TEXT: Final = 2_000
MOST_PICTURES: Final = 4
MOST_DAILY: Final = 30
"""Messages of a member in 24 hours."""
MOST_MESSAGES: Final = 200
"""Of one ticket: it is read as a whole."""
SAME_MS: Final = 10 * MINUTE_MS
"""The same words within this time are the same message, sent again because its answer was lost."""
KEPT_MS: Final = 730 * DAY_MS
"""After its last message a ticket goes."""

_UNSEEN: Final = frozenset(("Cc", "Cs", "Co", "Cn", "Zl", "Zp"))
_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn around what an operator reads."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A member's message, in form."""

    text: str
    pictures: tuple[str, ...] = ()


def read_subject(subject: str) -> str:
    """One line of 1 to 80 characters. Raises: InvalidInput."""
    return _read(subject, "subject", LONGEST_SUBJECT, lines=False)


def read_draft(lines: Sequence[str], pictures: tuple[str, ...]) -> Draft:
    """Lines of 1 to 2,000 characters in all, and up to four pictures, each once. Raises: InvalidInput."""
    if len(set(pictures)) != len(pictures) or len(pictures) > MOST_PICTURES:
        raise InvalidInput(errors=[{"field": "images", "reason": "invalid"}])
    return Draft(read_text("\n".join(lines)), pictures)


def read_text(text: str) -> str:
    """1 to 2,000 characters. Raises: InvalidInput."""
    return _read(text, "text", LONGEST_TEXT, lines=True)


def check_day(sent_at: list[int], *, wall: int) -> None:
    """One more message, `sent_at` being those of the last 24 hours. Raises: TooMany."""
    if len(sent_at) >= MOST_DAILY:
        raise TooMany(retry_after=max(1, (sorted(sent_at)[-MOST_DAILY] + DAY_MS - wall) // 1_000))


def _read(text: str, field: str, longest: int, *, lines: bool) -> str:
    kept = unicodedata.normalize("NFC", text).strip()
    plain = kept.replace("\n", "") if lines else kept
    unseen = any(sign in _DIRECTIONS or unicodedata.category(sign) in _UNSEEN for sign in plain)
    seen = any(unicodedata.category(sign)[0] in "LNPS" for sign in plain)
    if unseen or not seen or len(kept) > longest:
        raise InvalidInput(errors=[{"field": field, "reason": "invalid"}])
    return kept
