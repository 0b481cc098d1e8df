"""Key-set pages: a list is read from a key on, never from an offset."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

Row = TypeVar("Row")

MOST_COUNTED: Final = 1_000
"""A total is exact up to here (wire.md): rows are counted to one more."""


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


def counted_page(found: Sequence[Row], query: PageQuery, total: int, key: Callable[[Row], int]) -> Page[Row]:
    """The page of what was `found`, which has one row more than were asked for where more follow."""
    rows = list(found[: query.size])
    following = key(rows[-1]) if len(found) > query.size else None
    return Page(rows, min(total, MOST_COUNTED), following, more=total > MOST_COUNTED)
