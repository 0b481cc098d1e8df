"""The reserves as the worker looks at them: whose addresses, and what the domains' rows say of the chain."""

from typing import Final

import msgspec

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app.auditing import alarm
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import Clock
from kalos.domains.context import House
from kalos.domains.deposits.queries import CREDITED_LATER, RECEIVED
from kalos.domains.reserves import jobs
from kalos.domains.reserves.queries import Told
from kalos.domains.reserves.service import Wallets
from kalos.domains.withdrawals.queries import SENT, SETTLED_LATER

TOLD: Final = Told(received=RECEIVED, credited_later=CREDITED_LATER, settled_later=SETTLED_LATER, sent=SENT)


async def watch_reserves(house: House, settings: Settings) -> None:
    """Look at the reserves where that is due. Raises: Outage."""
    await jobs.watch(house, await wallets(house, settings), TOLD, alarm(settings, Clock.wall()))


async def wallets(house: House, settings: Settings) -> dict[Asset, Wallets]:
    """The house's own addresses. In demo mode the node's treasury keeps all KLS; its USDT is the outside world's.

    Raises: Outage.
    """
    hot, cold = _written(settings.hot_wallets or _of_demo(settings)), _written(settings.cold_wallets)
    own = {asset: Wallets(hot, cold) for asset in (USDT, KLS)}
    if settings.demo and not cold:
        assert isinstance(house.chain, EvmChain), house.chain
        own[KLS] = Wallets(hot, (await DemoWallet(house.chain.nodes[0]).treasury(),))
    return own


def _of_demo(settings: Settings) -> tuple[str, ...]:
    """The signer's own address, once demo mode has made its key."""
    place = settings.data_dir / "signer.pub.json"
    if not settings.demo or not place.exists():
        return ()
    return (msgspec.json.decode(place.read_bytes())["hot"],)


def _written(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """With their checksums, each once."""
    return tuple(dict.fromkeys(checksum(bytes.fromhex(address[2:])) for address in addresses))
