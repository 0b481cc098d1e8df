"""What a call answers that trades at a price which is not there; none is built yet, so one stands here."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import pytest

from conftest import MakeMember
from kalos.core.assets import KLS
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.errors import PriceUnavailable
from kalos.domains.context import Context, House
from kalos.domains.prices.service import OrderedPrices, order_price
from kalos.wire.calls import Answer, Calls, Empty
from support.members import begin_session
from support.plain import plain_api

PATH: Final = "/api/trial/trade"
calls = Calls("trial")


class Traded(Answer, frozen=True):
    rate: str


@calls.add(PATH, PriceUnavailable)
async def trade(ctx: Context, _: Empty) -> Traded:
    return Traded(rate=str((await ctx.house.prices.price(KLS)).rate))


@pytest.fixture
async def ordered(house: House) -> House:
    """A house of production whose operators have ordered a price just now."""
    async with house.db.transaction() as step:
        await order_price(
            step,
            house.terms,
            asset=KLS,
            rate=Fraction("0.51"),
            now=house.clock.now(),
            staff=1,
            command=await house.db.value("SELECT count(*) + 1 FROM price_orders"),
            ordered_by="olive",
            reason="the market moved",
        )
    return at(house, hours=0)


def at(house: House, *, hours: int) -> House:
    """The same so many hours later, as far as prices go."""
    late = Clock(house.clock.offset_ms + hours * HOUR_MS)
    return replace(house, prices=OrderedPrices(house.db, house.terms, late, is_demo=False))


async def answered(house: House, token: str, lang: str = "en") -> dict[str, Any]:
    api = await plain_api(house, [calls])
    return await api.post(PATH, {}, token=token, lang=lang)


async def test_what_trades_at_a_price_that_nobody_ordered_is_refused(house: House, member: MakeMember) -> None:
    token = await begin_session(house.db, await member())
    assert await answered(at(house, hours=0), token) == {
        "code": 422, "msg": "No reliable price at the moment", "data": {"error": "price_unavailable", "asset": "KLS"},
    }  # fmt: skip


async def test_what_trades_at_a_stale_price_is_refused_in_the_callers_language(
    ordered: House, member: MakeMember
) -> None:
    token = await begin_session(ordered.db, await member())
    fresh = await answered(ordered, token)
    assert (fresh["code"], fresh["data"]) == (200, {"rate": "51/100"})
    stale = at(ordered, hours=ordered.terms.ref_stale + 1)
    for lang, text in (("en", "No reliable price at the moment"), ("ja", "現在、信頼できる価格がありません")):
        assert await answered(stale, token, lang) == {
            "code": 422, "msg": text, "data": {"error": "price_unavailable", "asset": "KLS"},
        }  # fmt: skip
