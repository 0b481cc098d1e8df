"""Use cases of prices: the source that everybody asks, and ordering a new one."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kalos.core.assets import Asset
from kalos.core.cache import Cache
from kalos.core.clock import Clock, business_day, day_start_ms
from kalos.core.database import Connection, Database
from kalos.core.errors import PriceUnavailable
from kalos.core.ports import Price
from kalos.core.terms import Terms
from kalos.domains.prices import queries, rules
from kalos.domains.prices.tables import PriceOrder

FIRST: Final = "ref_first"
ORDERED: Final = "operator"
"""Where a price is from: the setting of that name, or an operator's order."""

_KEPT_SECONDS: Final = 0.8


@dataclass(frozen=True, slots=True)
class _Found:
    """What was read of a coin; None: nobody has ordered a price."""

    order: PriceOrder | None


class OrderedPrices:
    """A `PriceSource`: the operator's orders, kept for less than a second; before the first one, `ref_first`.

    Nothing trades at `ref_first` but in demo mode: in production a price that nobody has ordered is none.
    """

    def __init__(self, db: Database, terms: Terms, clock: Clock, *, is_demo: bool) -> None:
        self._db = db
        self._terms = terms
        self._clock = clock
        self._is_demo = is_demo
        self._orders: Cache[Asset, _Found] = Cache(self._read, seconds=_KEPT_SECONDS, most=len(rules.PRICED))

    async def price(self, asset: Asset) -> Price:
        """What may be traded at now. Raises: PriceUnavailable (none, or a stale one), Outage."""
        found = await self.last(asset)
        if found.source == FIRST:
            if not self._is_demo:
                raise PriceUnavailable(asset=asset.code)
        elif rules.is_stale(found.at_ms, now=self._clock.now(), stale_hours=self._terms.ref_stale):
            raise PriceUnavailable(asset=asset.code)
        return found

    async def last(self, asset: Asset) -> Price:
        """The last price however old. Raises: PriceUnavailable (a coin that never has one), Outage."""
        if asset not in rules.PRICED:
            raise PriceUnavailable(asset=asset.code)
        found = await self._orders.find(asset)
        assert found is not None
        if found.order is None:
            return Price(asset, self._terms.ref_first, self._clock.now(), FIRST)
        return Price(asset, found.order.rate, found.order.at, ORDERED)

    async def _read(self, asset: Asset) -> _Found:
        return _Found(await queries.find_latest(self._db, asset))


async def order_price(
    db: Connection,
    terms: Terms,
    *,
    asset: Asset,
    rate: Fraction,
    now: int,
    staff: int,
    command: int,
    ordered_by: str,
    reason: str,
) -> PriceOrder:
    """Make `rate` the coin's price from business time `now` on, inside the caller's transaction.

    Two at once come one after the other, and each is held against all prices that stood in its business day: together
    they can't pass `price_daily_step`, nor can one go up by it and the next one down.
    Raises: PriceStepTooLarge, PriceUnavailable (a coin that has no price).
    """
    if asset not in rules.PRICED:
        raise PriceUnavailable(asset=asset.code)
    latest = await queries.lock_latest(db, asset)
    at = now if latest is None else max(now, latest.at)
    low, high = await range_of_day(db, terms, asset=asset, now=at)
    rules.check_step(rate, low=low, high=high, step=terms.price_daily_step)
    return await queries.insert_order(
        db, asset=asset, rate=rate, at=at, staff=staff, command=command, ordered_by=ordered_by, reason=reason
    )


async def range_of_day(db: Connection, terms: Terms, *, asset: Asset, now: int) -> tuple[Fraction, Fraction]:
    """The lowest and the highest price that stood in the business day of `now`, of that which it began with on."""
    start = day_start_ms(business_day(now))
    before = await queries.find_before(db, asset, start)
    rates = [order.rate for order in await queries.list_extremes(db, asset, start)]
    rates.append(terms.ref_first if before is None else before.rate)
    return min(rates), max(rates)
