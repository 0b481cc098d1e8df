"""Rows of this domain's table; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

UPLOADS: Final = "uploads"


@dataclass(frozen=True, slots=True)
class UploadRow:
    """`sent_…` is what was signed or granted (bytes: the most it can be, until it is there), `kept_…` what we wrote.

    `name` is the file's in the store, `grant_hash` that of the path it may be put at, until `until_at`; `used_by` names
    what it was sent with.
    """

    id: str
    owner: int
    purpose: str
    kind: str
    state: str
    sent_bytes: int
    sent_sha256: bytes
    grant_hash: bytes | None
    until_at: int | None
    name: str
    kept_bytes: int | None
    kept_sha256: bytes | None
    width: int | None
    height: int | None
    created_at: int
    kept_at: int | None
    used_at: int | None
    used_by: str | None


ROWS: Final[dict[str, type[Any]]] = {UPLOADS: UploadRow}
