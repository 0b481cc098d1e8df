"""The local node's own wallet: contracts, transfers, blocks and reorganisations. Demo mode and tests only."""

from pathlib import Path
from typing import Literal

import msgspec

from kalos.adapters.chain.hexes import address_of, code_hash, hash_of, quantity, selector, word
from kalos.adapters.chain.rpc import Node
from kalos.core.assets import Asset
from kalos.core.errors import Outage
from kalos.core.ports import Contract

_ARTEFACT = Path(__file__).with_name("token.json")
_GAS = hex(5_000_000)
Tag = Literal["latest", "pending"]


class DemoWallet:
    """The node's first unlocked account is the treasury. No transaction is mined but by `mine` or the tick."""

    def __init__(self, node: Node) -> None:
        self._node = node

    async def treasury(self) -> str:
        return address_of((await self._node.call("eth_accounts"))[0])

    async def deploy(self, bytecode: str, arguments: str = "") -> str:
        """Send a contract's creation; the transaction's hash."""
        return await self._send(data=bytecode + arguments)

    async def deploy_token(self, asset: Asset, *, units: int) -> str:
        """Create the coin's token with its whole supply in the treasury; the transaction's hash."""
        arguments = token_arguments(asset, units=units, treasury=await self.treasury())
        return await self.deploy(token_artefact()["bytecode"], arguments)

    async def contract_of(self, transaction: str, asset: Asset) -> Contract:
        """The contract that a mined creation made."""
        receipt = await self._node.call("eth_getTransactionReceipt", transaction)
        if receipt is None:
            raise Outage(f"{transaction} is not mined yet")
        assert quantity(receipt["status"]) == 1, receipt
        address = address_of(receipt["contractAddress"])
        code = await self._node.call("eth_getCode", address, "latest")
        return Contract(asset, address, asset.scale, code_hash(code))

    async def transfer(self, contract: str, recipient: str, units: int, *, through: str | None = None) -> str:
        """Send coins of the treasury, or `through` another of the node's accounts; the (last) transaction's hash."""
        to = selector("transfer(address,uint256)")
        if through is None:
            return await self.call(contract, to + word(recipient) + word(units))
        await self.call(contract, to + word(through) + word(units))
        # What came first is mined first, also in one block.
        return await self._send(**{"from": through, "to": contract, "data": to + word(recipient) + word(units)})

    async def call(self, contract: str, data: str) -> str:
        """Send a call of the treasury to a contract; the transaction's hash. It may fail on the chain."""
        return await self._send(to=contract, data=data)

    async def give_gas(self, recipient: str, units: int) -> str:
        """Send native coins of the treasury; the transaction's hash."""
        return await self._send(to=recipient, value=hex(units))

    async def native(self, owner: str, tag: Tag = "latest") -> int:
        return quantity(await self._node.call("eth_getBalance", owner, tag))

    async def balance(self, contract: str, owner: str, tag: Tag = "latest") -> int:
        """In the smallest unit; with "pending" as it will be after the next block."""
        question = {"to": contract, "data": selector("balanceOf(address)") + word(owner)}
        return quantity(await self._node.call("eth_call", question, tag))

    async def mine(self, *, blocks: int = 1, now_ms: int) -> None:
        """Mine blocks that carry business time, each at least a second after the one before."""
        for _ in range(blocks):
            last = await self._node.call("eth_getBlockByNumber", "latest", False)
            stamp = max(now_ms // 1000, quantity(last["timestamp"]) + 1)
            await self._node.call("evm_setNextBlockTimestamp", hex(stamp))
            await self._node.call("evm_mine")

    async def reorganise(self, depth: int) -> None:
        """Replace the last `depth` blocks by empty ones at the same heights.

        Raises: RpcRefused where the node has no history that deep.
        """
        await self._node.call("anvil_reorg", depth, [])

    async def _send(self, **fields: str) -> str:
        transaction = {"from": await self.treasury(), "gas": _GAS, **fields}
        return hash_of(await self._node.call("eth_sendTransaction", transaction))


def token_artefact() -> dict[str, str]:
    """The compiled token as deploy/contracts makes it."""
    found = msgspec.json.decode(_ARTEFACT.read_bytes())
    assert isinstance(found, dict)
    return found


def token_arguments(asset: Asset, *, units: int, treasury: str) -> str:
    """The constructor's (name, symbol, decimals, supply, treasury): two dynamic texts behind five words."""
    head = [word(5 * 32), word(7 * 32), word(asset.scale), word(units), word(treasury)]
    return "".join(head) + _text(asset.code) + _text(asset.code)


def _text(value: str) -> str:
    raw = value.encode()
    assert 0 < len(raw) <= 32, value
    return word(len(raw)) + raw.hex().ljust(64, "0")
