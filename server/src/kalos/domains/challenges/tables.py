"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

CAPTCHAS: Final = "captchas"
EMAIL_CODES: Final = "email_codes"
TRIES: Final = "tries"


@dataclass(frozen=True, slots=True)
class CaptchaRow:
    """Waits for its one answer."""

    id: str
    answer: str
    until_at: int


@dataclass(frozen=True, slots=True)
class EmailCodeRow:
    """The latest code of an address for one scene; `tries` counts right and wrong ones."""

    email: str
    scene: str
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


ROWS: Final[dict[str, type[Any]]] = {CAPTCHAS: CaptchaRow, EMAIL_CODES: EmailCodeRow, TRIES: TriesRow}
