"""Prices by the operator's word: what was ordered, and the command that sets what a coin counts for."""

from fractions import Fraction
from typing import Annotated, Final

from msgspec import Meta

from kalos.core.assets import BY_CODE, Asset
from kalos.core.database import Connection
from kalos.core.errors import InvalidInput
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.domains.prices import queries
from kalos.domains.prices import service as prices
from kalos.domains.prices.errors import PriceStepTooLarge
from kalos.domains.prices.rules import PRICED, check_step, rate_of, rate_text
from kalos.domains.prices.tables import PriceOrder
from kalos.operator import command_queries as orders
from kalos.operator import rules
from kalos.operator.context import Desk
from kalos.operator.kinds import Kind, Preview, refused
from kalos.operator.settings import READERS
from kalos.operator.tables import CommandRow
from kalos.wire.calls import Body


class PriceBody(Body, frozen=True):
    """`rate` is USDT for one coin, such as "0.51"."""

    asset: Annotated[str, Meta(max_length=10)]
    rate: Annotated[str, Meta(max_length=24)]


async def list_prices(desk: Desk, page: PageQuery) -> Page[tuple[PriceOrder, str | None]]:
    """Every price that was ordered, the newest first, with the name of who signed it as the second; none of the first.

    Raises: Forbidden.
    """
    desk.need(*READERS)
    found = await orders.list_prices(desk.db, before=page.after, most=page.size + 1, skip=page.skip)
    total = await orders.count_prices(desk.db, most=MOST_COUNTED + 1)
    return counted_page(found, page, total, lambda one: one[0].id)


async def _preview(desk: Desk, db: Connection, body: PriceBody) -> Preview:
    """The same rate is an order, too: it counts anew. Raises: InvalidInput (no such coin, no rate, or too far off one
    of the day)."""
    asset, rate = _read(body)
    latest = await queries.lock_latest(db, asset)
    present = desk.terms.ref_first if latest is None else latest.rate
    try:
        low, high = await prices.range_of_day(db, desk.terms, asset=asset, now=desk.now)
        check_step(rate, low=low, high=high, step=desk.terms.price_daily_step)
    except PriceStepTooLarge as problem:
        raise refused("rate", "out_of_bounds") from problem
    return Preview(
        object=f"price {asset}",
        before={"rate": rate_text(present)},
        after={"rate": rate_text(rate)},
        version=rules.version_of(asset.code, 0 if latest is None else latest.id, rate_text(rate)),
    )


async def _carry_out(desk: Desk, db: Connection, command: CommandRow, body: PriceBody) -> None:
    asset, rate = _read(body)
    await prices.order_price(
        db,
        desk.terms,
        asset=asset,
        rate=rate,
        now=desk.now,
        staff=command.maker,
        command=command.id,
        ordered_by=command.maker_name,
        reason=command.reason,
    )


def _read(body: PriceBody) -> tuple[Asset, Fraction]:
    """Raises: InvalidInput."""
    asset = BY_CODE.get(body.asset)
    if asset not in PRICED:
        raise refused("asset", "not_on_offer")
    assert asset is not None
    try:
        return asset, rate_of(body.rate)
    except InvalidInput as problem:
        raise refused("rate", "not_of_kind") from problem


PRICE: Final = Kind(
    "price",
    PriceBody,
    makers=frozenset({"owner", "treasurer"}),
    checkers=frozenset({"owner", "treasurer"}),
    preview=_preview,
    carry_out=_carry_out,
)
