"""Shapes that many calls share: pages, lists, request ids, receipts."""

from typing import Annotated, Any, Generic, TypeVar

import msgspec

from kalos.core.errors import InvalidInput
from kalos.core.pages import Page, PageQuery
from kalos.wire.calls import Answer, Body

Row = TypeVar("Row")
RequestId = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{16,64}$")]
AmountText = Annotated[str, msgspec.Meta(max_length=32)] | int
"""A decimal string or a JSON integer; core.money.parse_amount reads it."""

_LAST_COUNTED_PAGE = 100


class Paged(Body, frozen=True):
    """`size` or `page_num` rows of `page`, or the rows after `after` (the last answer's `next`)."""

    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    size: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    page_num: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    after: Annotated[str, msgspec.Meta(max_length=20, pattern="^[0-9]*$")] = ""

    def query(self, default_size: int) -> PageQuery:
        """Raises: InvalidInput (both sizes, a page over 100, a key that is no number)."""
        if self.size is not None and self.page_num is not None:
            raise InvalidInput(errors=[{"field": "size", "reason": "size_and_page_num"}])
        if self.page > _LAST_COUNTED_PAGE and not self.after:
            raise InvalidInput(errors=[{"field": "page", "reason": "use_after"}])
        size = self.size or self.page_num or default_size
        if self.after:
            if int(self.after) >= 2**63:
                raise InvalidInput(errors=[{"field": "after", "reason": "invalid"}])
            return PageQuery(size, after=int(self.after))
        return PageQuery(size, skip=(self.page - 1) * size)


class Rows(Answer, Generic[Row], frozen=True, omit_defaults=True):
    """One page: `next` is what the following call sends as `after`, null at the end.

    `more` stands there only where more rows follow than `total` counts.
    """

    list: list[Row]
    total: int
    next: str | None
    more: bool = False


def rows_of(page: Page[Any], shape: Any) -> Rows[Any]:
    """Write a page with `shape(row)` for each row."""
    return Rows(
        list=[shape(row) for row in page.rows],
        total=page.total,
        next=None if page.next is None else str(page.next),
        more=page.more,
    )


class Receipt(Answer, frozen=True):
    """What every money call answers besides its own fields. Source: wire.md, "Receipt"."""

    id: str
    kind: str
    status: str
    asset: str
    amount: str
    fee: str
    fee_asset: str
    received: str
    balance: str
    at: int
