"""Shapes that many calls share: pages, lists, request ids, receipts."""

from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar

from msgspec import Meta

from kalos.core.assets import Asset
from kalos.core.errors import InvalidInput
from kalos.core.fields import AssetCode, DecimalText, Id, Time
from kalos.core.money import text_of
from kalos.core.pages import Page, PageQuery
from kalos.wire.calls import Answer, Body

Row = TypeVar("Row")
RequestId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16,64}$", examples=["fT3kq0ZsWm8_aB1xLr9uYw2c"])]
_GRAMMAR: Final = {"pattern": r"^(0|[1-9][0-9]{0,17})(\.[0-9]{1,8})?$"}
AmountText = (
    Annotated[str, Meta(max_length=32, examples=["10"], extra_json_schema=_GRAMMAR)]
    | Annotated[int, Meta(extra_json_schema={"minimum": 0})]
)
"""A decimal string or a JSON integer; core.money.parse_amount reads it and refuses what isn't of this form."""

_LAST_COUNTED_PAGE = 100
LARGEST_KEY: Final = 2**63
"""The keys of lists are below it, where a list says nothing else."""


class Paged(Body, frozen=True):
    """`size` or `page_num` rows of `page`, or the rows after `after` (the last answer's `next`)."""

    page: Annotated[int, Meta(ge=1)] = 1
    size: Annotated[int, Meta(ge=1, le=100, examples=[10])] | None = None
    page_num: Annotated[int, Meta(ge=1, le=100)] | None = None
    after: Annotated[str, Meta(max_length=20, pattern="^[0-9]*$")] = ""

    def query(self, default_size: int, *, keys: int = LARGEST_KEY) -> PageQuery:
        """Raises: InvalidInput (both sizes, a page over 100, a key that is no number)."""
        if self.size is not None and self.page_num is not None:
            raise InvalidInput(errors=[{"field": "size", "reason": "size_and_page_num"}])
        if self.page > _LAST_COUNTED_PAGE and not self.after:
            raise InvalidInput(errors=[{"field": "page", "reason": "use_after"}])
        size = self.size or self.page_num or default_size
        if self.after:
            if int(self.after) >= keys:
                raise InvalidInput(errors=[{"field": "after", "reason": "invalid"}])
            return PageQuery(size, after=int(self.after))
        return PageQuery(size, skip=(self.page - 1) * size)


class Rows(Answer, Generic[Row], frozen=True, omit_defaults=True):
    """One page: `next` is what the following call sends as `after`, null at the end.

    `more` stands there only where more rows follow than `total` counts.
    """

    list: list[Row]
    total: Annotated[int, Meta(ge=0, examples=[1])]
    next: Annotated[Id | None, Meta(examples=[None])]
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

    id: Id
    kind: Annotated[str, Meta(description="the kind of move", examples=["game.stake"])]
    status: str
    asset: AssetCode
    amount: DecimalText
    fee: Annotated[DecimalText, Meta(examples=["0.000000"])]
    fee_asset: AssetCode
    received: Annotated[DecimalText, Meta(examples=["0.000000"])]
    balance: Annotated[DecimalText, Meta(examples=["90.000000"])]
    at: Time


def receipt_of(
    number: int, kind: str, status: str, asset: Asset, *, units: int, balance: int, at: int
) -> dict[str, Any]:
    """The fields of a receipt without a fee, for what a call adds: units of `asset`, `balance` what is available."""
    nothing = _nothing_of(asset)
    return {
        "id": str(number),
        "kind": kind,
        "status": status,
        "asset": asset.code,
        "amount": text_of(units, asset),
        "fee": nothing,
        "fee_asset": asset.code,
        "received": nothing,
        "balance": text_of(balance, asset),
        "at": at,
    }


@cache
def _nothing_of(asset: Asset) -> str:
    return text_of(0, asset)
