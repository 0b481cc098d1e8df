"""A real local node with the two coins' contracts, that tests may kill, start again, and take back in time."""

import asyncio
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, TypeVar

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.rpc import Node
from kalos.adapters.chain.sandbox import SANDBOX_NETWORK, SANDBOX_XPUB
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app.embedded.chain import LocalChain
from kalos.app.kept import free_port
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.core.ports import Network

Chain = TypeVar("Chain", bound=EvmChain)
SUPPLY_UNITS = 10**17
PATIENCE_SECONDS = 60
"""What a node that lives may take for an answer: longer than the product waits, as tests ask each question once."""
STATE_SECONDS = "1"  # the last word of the node's command


def patient(chain: Chain) -> Chain:
    """The client, waiting for its nodes as long as tests do."""
    for node in chain.nodes:
        node._http.timeout = node._timeout_seconds = PATIENCE_SECONDS
    return chain


class LocalNode:
    """The node's process, its wallet and its client; blocks come only from `mine`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kalos-node-")
        self.local = LocalChain(Path(self._folder.name), free_port())
        self.url = f"http://127.0.0.1:{self.local.port}"
        self.node = Node(self.url, timeout_seconds=PATIENCE_SECONDS)
        self.wallet = DemoWallet(self.node)
        self._process: subprocess.Popen[bytes] | None = None
        self._chain: EvmChain | None = None

    @property
    def chain(self) -> EvmChain:
        assert self._chain is not None, "deploy comes first"
        return self._chain

    async def start(self) -> None:
        self.local.prepare()
        command = [*self.local.command()[:-1], STATE_SECONDS]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE_SECONDS
        while not await self._answers():
            assert time.monotonic() < until, "the node does not answer"

    async def deploy(self) -> None:
        """Make the contracts and the client that knows them."""
        transactions = [await self.wallet.deploy_token(asset, units=SUPPLY_UNITS) for asset in (USDT, KLS)]
        await self.mine()
        made = [
            await self.wallet.contract_of(transaction, asset)
            for transaction, asset in zip(transactions, (USDT, KLS), strict=True)
        ]
        self._chain = self.client(self.network(contracts=tuple(made)))

    def client(self, network: Network) -> EvmChain:
        """A client of this node that takes it for `network`."""
        return patient(EvmChain(network, urls=[self.url], xpub=SANDBOX_XPUB))

    @staticmethod
    def network(**fields: Any) -> Network:
        known = {name: getattr(SANDBOX_NETWORK, name) for name in Network.__dataclass_fields__}
        return Network(**(known | fields))

    async def mine(self, blocks: int = 1) -> None:
        await self.wallet.mine(blocks=blocks, now_ms=Clock.wall())

    async def snapshot(self) -> str:
        return str(await self.node.call("evm_snapshot"))

    async def revert(self, snapshot: str) -> None:
        """Go back to a snapshot: the chain is shorter then."""
        assert await self.node.call("evm_revert", snapshot)

    async def forget(self) -> None:
        """Kill the node and lose all that it wrote."""
        await self.kill()
        self.local.state.unlink(missing_ok=True)
        self.local.copy.unlink(missing_ok=True)
        await self.start()

    async def chain_head(self) -> int:
        return int(await self.node.call("eth_blockNumber"), 16)

    async def wait_for_head(self, number: int) -> None:
        while await self.chain_head() < number:
            await asyncio.sleep(0.02)

    async def wait_for_state(self) -> None:
        """Return when all blocks that there are now survive a kill."""
        for _ in range(2):
            known = self._written()
            while self._written() == known:
                await asyncio.sleep(0.05)
        self.local.keep_copy()

    def _written(self) -> int:
        return self.local.state.stat().st_mtime_ns if self.local.state.exists() else 0

    async def kill(self) -> None:
        """End the node as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    async def close(self) -> None:
        if self._process is not None:
            await self.kill()
        await self.node.close()
        if self._chain is not None:
            await self._chain.close()
        self._folder.cleanup()

    async def _answers(self) -> bool:
        try:
            await self.node.call("eth_chainId")
        except Outage:
            await asyncio.sleep(0.02)
            return False
        return True
