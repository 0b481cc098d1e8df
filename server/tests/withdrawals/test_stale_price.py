"""A price that is stale stops what trades at it, and no withdrawal: the member's money goes out at the last one."""

from dataclasses import replace as changed
from fractions import Fraction

import pytest
from msgspec.structs import replace

from kalos.core.assets import KLS
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.errors import PriceUnavailable
from kalos.domains.context import Context
from kalos.domains.prices.service import OrderedPrices, order_price
from withdrawals.conftest import MakeRich
from withdrawals.scene import stock, withdraw

ORDERED = Fraction("0.51")


async def at_a_stale_price(me: Context) -> Context:
    """The member's call in a house whose only order was made three hours before, and is older than `ref_stale`."""
    if await me.db.value("SELECT count(*) FROM price_orders") == 0:
        async with me.db.transaction() as step:
            await order_price(
                step,
                me.terms,
                asset=KLS,
                rate=ORDERED,
                now=me.now - 3 * HOUR_MS,
                staff=1,
                command=1,
                ordered_by="o",
                reason="r",
            )
    late = Clock(me.house.clock.offset_ms + me.terms.ref_stale * HOUR_MS + 60_000)
    return replace(me, house=changed(me.house, prices=OrderedPrices(me.db, me.terms, late, is_demo=False)))


async def ordered_at(me: Context) -> int:
    at: int = await me.db.value("SELECT at FROM price_orders")
    return at


async def test_a_stale_price_stops_what_trades_at_it_and_no_withdrawal(rich: MakeRich) -> None:
    me = await at_a_stale_price(await rich(usdt="102", kls="20"))
    with pytest.raises(PriceUnavailable):
        await me.house.prices.price(KLS)
    one = (await withdraw(me, "100")).withdrawal
    # A two-hundredth of 100 USDT in KLS at 0.51, rounded up.
    assert (one.status, one.fee_units) == ("on_chain_processing", 98_039_216)
    assert (one.price, one.price_at, one.price_source) == (ORDERED, await ordered_at(me), "operator")


async def test_kls_for_the_fee_is_sold_at_a_stale_price_too(rich: MakeRich) -> None:
    me = await at_a_stale_price(await rich(usdt="102"))
    await stock(me.ledger, "10")
    one = (await withdraw(me, "100", buys_fee=True)).withdrawal
    assert (one.status, one.fee_units) == ("on_chain_processing", 98_039_216)
    assert (one.price, one.price_at, one.price_source) == (ORDERED, await ordered_at(me), "operator")
