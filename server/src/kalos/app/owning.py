"""Which addresses on the chain are the house's own: what they hold are reserves, and no withdrawal goes there."""

from collections.abc import Awaitable, Callable, Collection

import msgspec

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.database import Database
from kalos.core.payments import NOBODYS
from kalos.core.ports import ChainClient, Network
from kalos.domains.deposits.queries import is_deposit_address
from kalos.domains.reserves.service import Wallets
from kalos.domains.withdrawals.queries import is_signers


class OwnAddresses:
    """An `Own`: every top-up address, what `wallets` lists, what the signer pays from, the coins' contracts, nobody's.

    `wallets` is asked each time: demo mode makes its hot wallet after this process has begun.
    """

    def __init__(self, db: Database, network: Network, wallets: Callable[[], Awaitable[Collection[str]]]) -> None:
        self._db, self._wallets = db, wallets
        self._known = {NOBODYS, *(contract.address for contract in network.contracts)}

    async def holds(self, address: str) -> bool:
        """Raises: Outage."""
        return (
            address in self._known
            or address in await self._wallets()
            or await is_deposit_address(self._db, address)
            or await is_signers(self._db, address)
        )


async def wallets(chain: ChainClient, settings: Settings) -> dict[Asset, Wallets]:
    """The house's own addresses. In demo mode the node's treasury keeps all KLS; its USDT is the outside world's.

    Raises: Outage.
    """
    hot, cold = _written(settings.hot_wallets or _of_demo(settings)), _written(settings.cold_wallets)
    own = {asset: Wallets(hot, cold) for asset in (USDT, KLS)}
    if settings.demo and not cold:
        assert isinstance(chain, EvmChain), chain
        own[KLS] = Wallets(hot, (await DemoWallet(chain.nodes[0]).treasury(),))
    return own


async def own_wallets(chain: ChainClient, settings: Settings) -> set[str]:
    """All of them, whatever for. Raises: Outage."""
    return {address for own in (await wallets(chain, settings)).values() for address in (*own.hot, *own.cold)}


def _of_demo(settings: Settings) -> tuple[str, ...]:
    """The signer's own address, once demo mode has made its key."""
    place = settings.data_dir / "signer.pub.json"
    if not settings.demo or not place.exists():
        return ()
    return (msgspec.json.decode(place.read_bytes())["hot"],)


def _written(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """With their checksums, each once."""
    return tuple(dict.fromkeys(checksum(bytes.fromhex(address[2:])) for address in addresses))
