"""Purposes, types, limits, and the text of links: pure."""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Final, Literal, get_args

from kalos.core.clock import DAY_MS
from kalos.core.errors import InvalidInput, TooMany
from kalos.core.terms import Terms

Purpose = Literal["picture", "kyc", "shop"]
Kind = Literal["image/jpeg", "image/png", "image/webp"]
KINDS: Final[tuple[str, ...]] = get_args(Kind)

MB: Final = 10**6
MEGAPIXEL: Final = 10**6
MOST_KEPT: Final = 2
"""How many times larger than the largest file a picture may be once we wrote it ourselves."""

_SHOWN: Final = frozenset(("picture", "shop"))
_ENDINGS: Final = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
_FOR_ALL: Final = ".all"
_LINK: Final = re.compile(r"([A-Za-z0-9_-]{22})\.([1-9][0-9]{12})(\.all)?\.([A-Za-z0-9_-]{43})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Link:
    """What a link says: `for_all` where every member may see the picture."""

    upload_id: str
    until_at: int
    for_all: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """What a member has sent, or will with open grants, and since when."""

    files: int
    size: int
    since: int


def check_room(terms: Terms, sent: Sum, *, size: int, wall: int) -> None:
    """One more file of at most `size` bytes. Raises: TooMany, until the oldest of the day doesn't count any more."""
    files, left = terms.upload_daily - sent.files, terms.upload_daily_size * MB - sent.size
    if files < 1 or left < size:
        raise TooMany(retry_after=max(1, (sent.since + DAY_MS - wall) // 1_000))


def check_size(terms: Terms, size: int) -> None:
    """Raises: InvalidInput."""
    if size > terms.upload_max * MB:
        raise InvalidInput(errors=[{"field": "size", "reason": "too_large"}])


def check_kind(stated: str, granted: str | None = None) -> str:
    """The type that a sender states, in small letters: one of ours, and the granted one. Raises: InvalidInput."""
    kind = stated.strip().lower()
    if kind not in KINDS or (granted is not None and kind != granted):
        raise bad("type")
    return kind


def check_sent(*, size: int, sha256: bytes, stated_size: int | None, stated_sha256: bytes) -> None:
    """A file is what was signed or granted. Raises: InvalidInput."""
    if size == 0 or (stated_size is not None and size != stated_size):
        raise bad("size")
    if not hmac.compare_digest(sha256, stated_sha256):
        raise bad("sha256")


def bad(reason: str) -> InvalidInput:
    return InvalidInput(errors=[{"field": "file", "reason": reason}])


def is_shown(purpose: str) -> bool:
    """Whether a link may show it: documents are for a reviewer alone. Source: commerce.md."""
    return purpose in _SHOWN


def file_name(kind: str) -> str:
    return f"picture.{_ENDINGS[kind]}"


def link(key: bytes, upload_id: str, until_at: int, *, for_all: bool = False) -> str:
    """The last part of an address that shows an upload until then."""
    said = f"{upload_id}.{until_at}{_FOR_ALL if for_all else ''}"
    return f"{said}.{_mark(key, said)}"


def read_link(key: bytes, text: str, wall: int) -> Link | None:
    """None for one that is over, or that we didn't make."""
    parts = _LINK.fullmatch(text)
    if parts is None:
        return None
    genuine = hmac.compare_digest(_mark(key, text.rpartition(".")[0]), parts[4])
    found = Link(parts[1], int(parts[2]), for_all=parts[3] is not None)
    return found if genuine and wall < found.until_at else None


def _mark(key: bytes, said: str) -> str:
    mark = hmac.digest(key, said.encode(), hashlib.sha256)
    return urlsafe_b64encode(mark).rstrip(b"=").decode()
