"""Prices over the real database: who sees which, when it is stale, and how far a day may bring it."""

import asyncio
import itertools
import uuid
from collections.abc import AsyncIterator
from fractions import Fraction
from typing import Any, Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import KLS, USDT
from kalos.core.clock import DAY_MS, HOUR_MS, Clock, business_day, day_start_ms
from kalos.core.database import Database
from kalos.core.errors import PriceUnavailable
from kalos.core.terms import Terms
from kalos.domains.prices import queries, service
from kalos.domains.prices.errors import PriceStepTooLarge
from kalos.domains.prices.service import OrderedPrices
from kalos.domains.prices.tables import PriceOrder
from support import clusters

_commands: Final = itertools.count(1)


@pytest.fixture
async def db(template: str) -> AsyncIterator[Database]:
    """A database in which nobody has ordered a price: what was ordered can't be taken away."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    database = Database(role_url(await clusters.copy_template(template, name), "kalos_app", clusters.SECRET))
    yield database
    await database.close()
    await clusters.drop(template, name)


@pytest.fixture
def noon() -> int:
    """Business time in the middle of a day."""
    return day_start_ms(business_day(Clock.wall())) + 12 * HOUR_MS


def at(now: int) -> Clock:
    return Clock(now - Clock.wall())


def source(db: Database, terms: Terms, now: int, *, is_demo: bool = False) -> OrderedPrices:
    """A source without anything at hand yet."""
    return OrderedPrices(db, terms, at(now), is_demo=is_demo)


async def order(db: Database, terms: Terms, rate: str, now: int, **fields: Any) -> PriceOrder:
    known: dict[str, Any] = {
        "staff": 1,
        "command": next(_commands),
        "ordered_by": "olive",
        "reason": "the market moved",
    } | fields
    async with db.transaction() as step:
        return await service.order_price(step, terms, asset=KLS, rate=Fraction(rate), now=now, **known)


async def test_before_any_order_the_setting_is_the_last_price_and_demo_mode_alone_trades_at_it(
    db: Database, terms: Terms, noon: int
) -> None:
    assert (await source(db, terms, noon).last(KLS)).rate == terms.ref_first
    with pytest.raises(PriceUnavailable):
        await source(db, terms, noon).price(KLS)
    price = await source(db, terms, noon, is_demo=True).price(KLS)
    assert (price.asset, price.rate, price.source) == (KLS, terms.ref_first, "ref_first")
    assert abs(price.at_ms - noon) < 30_000


@pytest.mark.parametrize("question", ["price", "last"])
async def test_a_coin_without_price_has_none(db: Database, terms: Terms, noon: int, question: str) -> None:
    with pytest.raises(PriceUnavailable) as refused:
        await getattr(source(db, terms, noon, is_demo=True), question)(USDT)
    assert refused.value.fields == {"asset": "USDT"}


async def test_the_latest_order_is_the_price_with_its_time_and_source(db: Database, terms: Terms, noon: int) -> None:
    await order(db, terms, "0.51", noon)
    await order(db, terms, "0.52", noon + 1)
    price = await source(db, terms, noon + 2).price(KLS)
    assert (price.rate, price.at_ms, price.source) == (Fraction("0.52"), noon + 1, "operator")
    assert await source(db, terms, noon + 2).last(KLS) == price


@pytest.mark.parametrize("is_demo", [True, False])
async def test_a_stale_price_is_unavailable_and_still_the_last(
    db: Database, terms: Terms, noon: int, is_demo: bool
) -> None:
    made = await order(db, terms, "0.51", noon)
    stands = source(db, terms, noon + terms.ref_stale * HOUR_MS - 60_000, is_demo=is_demo)
    assert (await stands.price(KLS)).at_ms == made.at
    later = source(db, terms, noon + terms.ref_stale * HOUR_MS + 1, is_demo=is_demo)
    with pytest.raises(PriceUnavailable):
        await later.price(KLS)
    last = await later.last(KLS)
    assert (last.rate, last.at_ms, last.source) == (Fraction("0.51"), noon, "operator")


async def test_a_new_price_counts_everywhere_within_a_second(db: Database, terms: Terms, noon: int) -> None:
    known = source(db, terms, noon)
    assert (await known.last(KLS)).source == "ref_first"
    await order(db, terms, "0.51", noon)
    await asyncio.sleep(1)
    assert (await known.last(KLS)).source == "operator"


async def test_a_price_is_read_once_for_many_questions(
    db: Database, terms: Terms, noon: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long the machine takes between two of them.
    monkeypatch.setattr(service, "_KEPT_SECONDS", 600.0)
    known = source(db, terms, noon)
    first = await known.last(KLS)
    await db.close()
    assert (await known.last(KLS)).rate == first.rate


async def test_all_prices_of_one_day_stand_within_the_step(db: Database, terms: Terms, noon: int) -> None:
    await order(db, terms, "0.51", noon)
    await order(db, terms, "0.525", noon)
    await order(db, terms, "0.505", noon)
    for rate in ("0.52500001", "0.49874999", "0.475"):
        with pytest.raises(PriceStepTooLarge) as refused:
            await order(db, terms, rate, noon + 1)
        assert refused.value.fields == {"lowest": "0.49875000", "highest": "0.52500000"}
    await order(db, terms, "0.49875", noon + 2)
    assert len(await queries.list_orders(db)) == 4
    midnight = day_start_ms(business_day(noon)) + DAY_MS
    with pytest.raises(PriceStepTooLarge):
        await order(db, terms, "0.475", midnight - 1)
    await order(db, terms, "0.475", midnight)
    with pytest.raises(PriceStepTooLarge):
        await order(db, terms, "0.499", midnight + 1)


async def test_two_orders_at_once_never_pass_the_step_together(db: Database, terms: Terms, noon: int) -> None:
    await order(db, terms, "0.5", noon - DAY_MS)
    rates = ["0.475", "0.525", "0.55", "0.45", "0.5", "0.524", "0.6", "0.476"] * 4
    outcomes = await asyncio.gather(*(order(db, terms, rate, noon) for rate in rates), return_exceptions=True)
    refused = [rate for rate, one in zip(rates, outcomes, strict=True) if isinstance(one, PriceStepTooLarge)]
    assert {"0.45", "0.55", "0.6"} <= set(refused)
    made = (await queries.list_orders(db))[::-1]
    assert len(made) == 1 + len(rates) - len(refused)
    for before, after in itertools.combinations(made, 2):
        assert abs(after.rate - before.rate) <= terms.price_daily_step * before.rate
    assert [one.at for one in made] == sorted(one.at for one in made)


async def test_an_order_waits_for_the_one_that_is_being_written(db: Database, terms: Terms, noon: int) -> None:
    """Else one with a clock that lags would stand behind it with an earlier time."""
    row: dict[str, Any] = {"staff": 1, "command": next(_commands), "ordered_by": "olive", "reason": "first"}
    async with db.transaction() as step:
        await service.order_price(step, terms, asset=KLS, rate=Fraction("0.51"), now=noon, **row)
        second = asyncio.create_task(order(db, terms, "0.52", noon - 5_000))
        await asyncio.sleep(0.2)
        assert not second.done()
    (late,) = await asyncio.gather(second, return_exceptions=True)
    assert isinstance(late, PriceOrder), late
    assert late.at == noon


async def test_orders_whose_clock_lags_stand_in_the_order_in_which_they_came(
    db: Database, terms: Terms, noon: int
) -> None:
    await order(db, terms, "0.51", noon)
    late = await order(db, terms, "0.52", noon - 3_000)
    assert late.at == noon
    assert (await source(db, terms, noon).price(KLS)).rate == Fraction("0.52")


async def test_an_order_of_a_transaction_that_fails_is_none(db: Database, terms: Terms, noon: int) -> None:
    async def fail() -> None:
        async with db.transaction() as step:
            fields: dict[str, Any] = {"staff": 1, "command": 1, "ordered_by": "o", "reason": "r"}
            await service.order_price(step, terms, asset=KLS, rate=Fraction("0.51"), now=noon, **fields)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await queries.list_orders(db) == []


async def test_a_wider_step_than_a_fifth_is_refused_by_the_database(db: Database, terms: Terms, noon: int) -> None:
    await order(db, terms, "0.5", noon - DAY_MS)
    for rate in ("0.60000001", "0.39999999"):
        with pytest.raises(asyncpg.CheckViolationError, match="too far"):
            await _insert(db, rate, noon)
    await _insert(db, "0.6", noon)
    await _insert(db, "0.4", noon)


async def test_the_database_takes_no_price_from_before_the_latest_and_no_second_one_without_command(
    db: Database, terms: Terms, noon: int
) -> None:
    await order(db, terms, "0.5", noon)
    with pytest.raises(asyncpg.CheckViolationError, match="before the latest"):
        await _insert(db, "0.5", noon - 1)
    with pytest.raises(asyncpg.CheckViolationError, match="only the first"):
        await _insert(db, "0.5", noon, staff=None, command=None)


async def test_a_command_orders_one_price(db: Database, terms: Terms, noon: int) -> None:
    made = await order(db, terms, "0.5", noon)
    with pytest.raises(asyncpg.UniqueViolationError):
        await order(db, terms, "0.51", noon, command=made.command)
    assert await queries.list_orders(db) == [made]


async def _insert(db: Database, rate: str, now: int, **fields: Any) -> None:
    """As somebody who knows none of the rules."""
    known: dict[str, Any] = {"staff": 1, "command": next(_commands)} | fields
    async with db.transaction() as step:
        await queries.insert_order(step, asset=KLS, rate=Fraction(rate), at=now, ordered_by="o", reason="r", **known)
