"""Key-set pages: a list is read from a key on, never from an offset."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Which part of a list: `size` rows below the key `after` (None: from the newest).

    `skip` is (page - 1) * size for callers who count pages instead (wire.md: to page 100).
    """

    size: int
    after: int | None = None
    skip: int = 0


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """`next` is the key of the last row where more follow, else None.

    `more`: there are more than `total` rows, which were not counted further (wire.md).
    """

    rows: list[Row]
    total: int
    next: int | None
    more: bool = False
