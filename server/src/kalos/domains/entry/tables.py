"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

DEVICES: Final = "devices"


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device that a member has logged in with; its token is the same for all members who do."""

    token_hash: bytes
    member: int
    last_at: int
    until_at: int


ROWS: Final[dict[str, type[Any]]] = {DEVICES: DeviceRow}
