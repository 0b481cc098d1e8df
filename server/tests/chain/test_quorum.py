"""Several endpoints: failing ones are left out, and what most of the others say is believed."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from kalos.adapters.chain.checks import WrongChain, check_chain
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import USDT
from kalos.core.errors import Outage
from kalos.core.ports import Block
from support.chains import LocalNode
from support.liars import Twist, liar

NOWHERE = "http://127.0.0.1:9"


def honest(method: str, result: Any) -> Any:
    return result


def forged(method: str, result: Any) -> Any:
    """Says that a block has another hash."""
    return {**result, "hash": "0x" + "ee" * 32} if method == "eth_getBlockByNumber" and result else result


def forgetful(method: str, result: Any) -> Any:
    """Leaves the logs out."""
    return [] if method == "eth_getLogs" else result


def inventive(method: str, result: Any) -> Any:
    """Makes every transfer a thousand times as large."""
    if method == "eth_getLogs":
        return [{**log, "data": hex(int(log["data"], 16) * 1000)} for log in result]
    return result


def lagging(method: str, result: Any) -> Any:
    """Is five blocks behind."""
    return hex(int(result, 16) - 5) if method == "eth_blockNumber" else result


def ahead(method: str, result: Any) -> Any:
    """Claims blocks that nobody else has."""
    return hex(int(result, 16) + 5) if method == "eth_blockNumber" else result


def nonsense(method: str, result: Any) -> Any:
    return b'{"jsonrpc":"2.0","id":1,"result":{"number":true,"hash":7}}'


def broken(method: str, result: Any) -> Any:
    return b"<html>504</html>"


@asynccontextmanager
async def endpoints(anvil: LocalNode, *twists: Twist, dead: int = 0) -> AsyncIterator[EvmChain]:
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(liar(anvil.node, twist)) for twist in twists]
        chain = EvmChain(anvil.chain.network, urls=urls + [NOWHERE] * dead, xpub=SANDBOX_XPUB)
        stack.push_async_callback(chain.close)
        yield chain


async def with_transfer(anvil: LocalNode) -> Block:
    """A new block with a transfer in it."""
    contract = anvil.chain.network.contract(USDT).address
    await anvil.wallet.transfer(contract, anvil.chain.deposit_address(5_000_100), 3)
    await anvil.mine()
    block = await anvil.chain.block(await anvil.chain.head())
    assert block is not None
    return block


@pytest.mark.parametrize("bad", [forged, forgetful, inventive, lagging, ahead, nonsense, broken])
async def test_one_bad_endpoint_of_three_changes_nothing(anvil: LocalNode, bad: Twist) -> None:
    block = await with_transfer(anvil)
    contracts = [anvil.chain.network.contract(USDT).address]
    async with endpoints(anvil, bad, honest, honest) as chain:
        assert await chain.head() == block.number
        assert await chain.block(block.number) == block
        expected = await anvil.chain.transfers(contracts=contracts, blocks=[block])
        assert await chain.transfers(contracts=contracts, blocks=[block]) == expected
        assert len(expected) == 1


async def test_two_endpoints_that_disagree_on_a_block_are_an_outage(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, forged, honest) as chain:
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await chain.block(block.number)


@pytest.mark.parametrize("bad", [forgetful, inventive])
async def test_two_endpoints_that_disagree_on_transfers_are_an_outage(anvil: LocalNode, bad: Twist) -> None:
    block = await with_transfer(anvil)
    contracts = [anvil.chain.network.contract(USDT).address]
    async with endpoints(anvil, bad, honest) as chain:
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await chain.transfers(contracts=contracts, blocks=[block])


def generous(method: str, result: Any) -> Any:
    """Sees one unit more than there is, of tokens and of the chain's own coin."""
    return hex(int(result, 16) + 1) if method in ("eth_call", "eth_getBalance") else result


async def test_balances_are_what_most_endpoints_say(anvil: LocalNode) -> None:
    block, treasury = await with_transfer(anvil), await anvil.wallet.treasury()
    contract = anvil.chain.network.contract(USDT).address
    async with endpoints(anvil, generous, honest, honest) as chain:
        tokens = await chain.token_balances(contract=contract, owners=[treasury], block=block)
        native = await chain.native_balance(owner=treasury, block=block)
    assert tokens == [await anvil.wallet.balance(contract, treasury)]
    assert native == await anvil.chain.native_balance(owner=treasury, block=block)
    async with endpoints(anvil, generous, honest) as chain:
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await chain.token_balances(contract=contract, owners=[treasury], block=block)
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await chain.native_balance(owner=treasury, block=block)


async def test_head_is_what_most_have_reached(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, lagging, lagging, honest) as chain:
        assert await chain.head() == block.number - 5
    async with endpoints(anvil, lagging, honest) as chain:
        assert await chain.head() == block.number - 5


async def test_transfers_of_a_reverted_transaction_are_none_whatever_its_receipt_lists(anvil: LocalNode) -> None:
    def failed(method: str, result: Any) -> Any:
        return {**result, "status": "0x0"} if method == "eth_getTransactionReceipt" else result

    contract = anvil.chain.network.contract(USDT).address
    transaction = await anvil.wallet.transfer(contract, anvil.chain.deposit_address(5_000_101), 3)
    await anvil.mine()
    async with endpoints(anvil, failed) as chain:
        assert await chain.transaction_transfers(transaction) == []
        attempt = await chain.reverted_transfer(transaction)
    assert attempt is not None
    assert (attempt.recipient, attempt.units) == (anvil.chain.deposit_address(5_000_101), 3)
    assert await anvil.chain.reverted_transfer(transaction) is None


async def test_failing_endpoints_are_left_out(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, broken, nonsense, honest, dead=2) as chain:
        assert await chain.block(block.number) == block


async def test_endpoint_of_another_chain_stops_the_start(anvil: LocalNode) -> None:
    def other(method: str, result: Any) -> Any:
        return "0x1" if method == "eth_chainId" else result

    async with endpoints(anvil, honest, other, dead=1) as chain:
        with pytest.raises(WrongChain, match="chain id is 1"):
            await check_chain(chain)
