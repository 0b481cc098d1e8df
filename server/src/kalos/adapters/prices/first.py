"""The first source of prices: the setting `ref_first`, until there are markets to look at."""

from kalos.core.assets import KLS, Asset
from kalos.core.clock import Clock
from kalos.core.errors import PriceUnavailable
from kalos.core.ports import Price
from kalos.core.terms import Terms


class FirstPrice:
    """A PriceSource that knows KLS alone. Source: settings.md, `ref_first`; markets.md."""

    def __init__(self, terms: Terms, clock: Clock) -> None:
        self._terms = terms
        self._clock = clock

    async def price(self, asset: Asset) -> Price:
        """Raises: PriceUnavailable for any other asset."""
        if asset is not KLS:
            raise PriceUnavailable(asset=asset.code)
        return Price(asset, self._terms.ref_first, self._clock.now(), "ref_first")

    async def last(self, asset: Asset) -> Price:
        """Raises: PriceUnavailable for any other asset."""
        return await self.price(asset)
