"""Several endpoints: failing ones are left out, and what most of the others say is believed."""

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from kalos.adapters.chain import evm, rpc
from kalos.adapters.chain.evm import EvmChain
from kalos.core.assets import USDT
from kalos.core.errors import NotTold, Outage
from kalos.core.ports import Block
from support.chains import LocalNode
from support.liars import Trickle, Twist, endpoints, heard, honest, survey


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


def deep(method: str, result: Any) -> Any:
    return b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 100_000


def deep_refusal(method: str, result: Any) -> Any:
    return b'{"jsonrpc":"2.0","id":1,"error":' + b"[" * 900 + b"]" * 900 + b"}"


def huge(method: str, result: Any) -> Any:
    return b'{"jsonrpc":"2.0","id":1,"result":"' + b"0" * 300_000 + b'"}'


def slow(method: str, result: Any) -> Any:
    return Trickle(b'{"jsonrpc":"2.0","id":1,"result":"' + b"0" * 1_000 + b'"}')


async def with_transfer(anvil: LocalNode) -> Block:
    """A new block with a transfer in it."""
    contract = anvil.chain.network.contract(USDT).address
    await anvil.wallet.transfer(contract, anvil.chain.deposit_address(5_000_100), 3)
    await anvil.mine()
    block = await anvil.chain.block(await anvil.chain.head())
    assert block is not None
    return block


@pytest.mark.parametrize(
    "bad", [forged, forgetful, inventive, lagging, ahead, nonsense, broken, deep, deep_refusal, huge, slow]
)
async def test_one_bad_endpoint_of_three_changes_nothing(
    anvil: LocalNode, monkeypatch: pytest.MonkeyPatch, bad: Twist
) -> None:
    block = await with_transfer(anvil)
    contracts = [anvil.chain.network.contract(USDT).address]
    monkeypatch.setattr(rpc, "_LARGEST_ANSWER", 200_000)
    async with endpoints(anvil, bad, honest, honest) as chain, asyncio.timeout(20):
        chain.nodes[0]._timeout_seconds = 1.0
        assert await chain.head() == block.number
        assert await chain.block(block.number) == block
        expected = await anvil.chain.transfers(contracts=contracts, blocks=[block])
        assert await chain.transfers(contracts=contracts, blocks=[block]) == expected
        assert len(expected) == 1


async def test_an_endpoint_that_is_away_is_told_of_once_a_minute_for_each_question(anvil: LocalNode) -> None:
    async def told(times: int) -> list[str]:
        with capture_logs() as logs:
            for _ in range(times):
                await chain.head()
                await heard(chain)
                await chain.block(block.number)
                await heard(chain)
        assert {log["event"] for log in logs} == {"chain endpoint left out"}
        return [log["problem"].split(": ")[1] for log in logs]

    block = await with_transfer(anvil)
    both = ["eth_blockNumber", "eth_getBlockByNumber"]
    async with endpoints(anvil, honest, honest, dead=1) as chain:
        assert await told(3) == both
        chain._told_until = 0.0  # a minute later
        assert await told(3) == both


@pytest.mark.parametrize(
    ("content", "deep"),
    [
        (b"[" * 65, True),
        (b"[" * 64 + b"]" * 64, False),
        (b'{"a":' * 65, True),
        (b'["' + b"]" * 100 + b'",' + b"[" * 65, True),
        (b'["\\"' + b"]" * 100 + b'",' + b"[" * 65, True),
        (b'["' + b"[" * 100 + b'"]', False),
        (b"[" + b"[1,2]," * 100 + b"[]]", False),
    ],
)
def test_how_deep_an_answer_nests_is_known_before_it_is_read(content: bytes, *, deep: bool) -> None:
    assert rpc.is_deep(content) is deep


async def test_the_newest_block_is_asked_for_once_a_second_however_many_want_it(anvil: LocalNode) -> None:
    asked: list[str] = []

    def counted(method: str, result: Any) -> Any:
        asked.append(method)
        return result

    async with endpoints(anvil, counted) as chain:
        for _ in range(2):
            await anvil.mine()
            newest = await anvil.chain.block(await anvil.chain.head())
            chain._newest_until = 0.0  # a second is over
            found = await asyncio.gather(*(chain.newest() for _ in range(50)))
            assert found == [newest] * 50
            assert await chain.newest() == newest
    assert asked == ["eth_blockNumber", "eth_getBlockByNumber"] * 2


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
    async with endpoints(anvil, broken, honest, nonsense, honest, honest) as chain:
        assert await chain.block(block.number) == block


def far_behind(method: str, result: Any) -> Any:
    """Is ten blocks behind, and doesn't know what came since."""
    if method == "eth_getBlockByNumber":
        return None
    return hex(int(result, 16) - 10) if method == "eth_blockNumber" else result


def elsewhere(method: str, result: Any) -> Any:
    """Was put onto another chain while we ran: ahead of ours, and with other blocks."""
    if method == "eth_chainId":
        return "0x1"
    return hex(int(result, 16) + 1_000) if method == "eth_blockNumber" else forged(method, result)


async def test_an_endpoint_far_behind_is_left_out_of_votes_and_named(anvil: LocalNode) -> None:
    await anvil.mine(10)
    block = await with_transfer(anvil)
    async with endpoints(anvil, honest, far_behind, honest, honest) as chain:
        assert await chain.head() == block.number
        assert await survey(chain) == {2: "is 10 blocks behind"}
    alone = far_behind, honest, honest, broken_for_blocks
    async with endpoints(anvil, *alone, far_behind) as chain:
        assert await chain.head() == block.number
        await heard(chain)
        # Two say what the block is, two are too far behind to be asked, one doesn't answer.
        assert await chain.block(block.number) == block
        assert await survey(chain) == {1: "is 10 blocks behind", 5: "is 10 blocks behind"}


def broken_for_blocks(method: str, result: Any) -> Any:
    return b"<html>504</html>" if method == "eth_getBlockByNumber" else result


async def test_an_endpoint_that_caught_up_votes_again(anvil: LocalNode) -> None:
    await anvil.mine(10)
    block = await with_transfer(anvil)
    now = [far_behind]
    async with endpoints(anvil, lambda method, result: now[0](method, result), honest, honest) as chain:
        assert await chain.head() == block.number
        assert await survey(chain) == {1: "is 10 blocks behind"}
        now[0] = honest
        assert await chain.head() == block.number
        assert await survey(chain) == {}


async def test_an_endpoint_of_another_chain_is_left_out_while_we_run(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, elsewhere, honest) as chain:
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await chain.block(block.number)
        with pytest.raises(Outage, match=f"disagree on block {block.number}"):
            await survey(chain)
        assert await chain.head() == block.number
        assert await chain.block(block.number) == block
        assert await survey(chain) == {1: "is on another chain"}
    async with endpoints(anvil, elsewhere) as chain:
        await survey(chain)
        with pytest.raises(Outage, match="no chain endpoint answers"):
            await chain.head()


@pytest.mark.parametrize("bad", [forged, forgetful, inventive])
async def test_who_is_outvoted_is_named(anvil: LocalNode, bad: Twist) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, honest, honest, bad) as chain:
        await chain.block(block.number)
        await chain.transfers(contracts=[anvil.chain.network.contract(USDT).address], blocks=[block])
        assert await survey(chain) == {3: "says something else than most"}


def heightless(method: str, result: Any) -> Any:
    return b"<html>504</html>" if method == "eth_blockNumber" else result


async def test_an_endpoint_that_does_not_answer_is_named(anvil: LocalNode) -> None:
    async with endpoints(anvil, honest, heightless, dead=1) as chain:
        assert await survey(chain) == {3: "does not answer"}
        await chain.head()
        assert await survey(chain) == {2: "does not answer", 3: "does not answer"}


@pytest.mark.parametrize("bad", [forgetful, inventive])
async def test_disagreement_is_known_until_they_agree(anvil: LocalNode, bad: Twist) -> None:
    block = await with_transfer(anvil)
    contracts = [anvil.chain.network.contract(USDT).address]
    now = [bad]
    async with endpoints(anvil, lambda method, result: now[0](method, result), honest) as chain:
        with pytest.raises(Outage):
            await chain.transfers(contracts=contracts, blocks=[block])
        assert await chain.block(block.number) == block
        with pytest.raises(Outage, match=f"disagree on transfers of {block.hash}"):
            await survey(chain)
        now[0] = honest
        assert len(await chain.transfers(contracts=contracts, blocks=[block])) == 1
        assert await survey(chain) == {}


async def test_false_receipts_are_outvoted_or_believed_by_nobody(anvil: LocalNode) -> None:
    def inventive_receipt(method: str, result: Any) -> Any:
        if method != "eth_getTransactionReceipt" or not result:
            return result
        return {**result, "logs": [{**log, "data": "0x" + "f" * 64} for log in result["logs"]]}

    contract = anvil.chain.network.contract(USDT).address
    transaction = await anvil.wallet.transfer(contract, anvil.chain.deposit_address(5_000_102), 3)
    await anvil.mine()
    expected = await anvil.chain.transaction_transfers(transaction)
    async with endpoints(anvil, honest, inventive_receipt, honest) as chain:
        assert await chain.transaction_transfers(transaction) == expected
    async with endpoints(anvil, honest, inventive_receipt) as chain:
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await chain.transaction_transfers(transaction)
        # A node that has a transaction a moment before the other one closes no game.
        assert await survey(chain) == {}


def silent(method: str, result: Any) -> Any:
    """Won't tell of logs."""
    return b'{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query returned more than 10000 results"}}'


def chatty(method: str, result: Any) -> Any:
    """Adds a transfer to somebody else."""
    if method == "eth_getLogs" and result:
        topics = [*result[0]["topics"][:2], "0x" + "00" * 31 + "07"]
        return [*result, {**result[0], "topics": topics, "logIndex": "0x63"}]
    return result


async def told(chain: EvmChain, block: Block) -> list[int]:
    address = chain.deposit_address(5_000_100)
    return [one.units for one in await chain.transfers_to([address], first=block.number, last=block.number)]


async def test_transfers_of_any_token_to_addresses_are_what_most_endpoints_say(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    for bad in (forgetful, inventive, nonsense, broken, silent, chatty):
        async with endpoints(anvil, honest, bad, honest) as chain:
            assert await told(chain, block) == [3], bad.__name__


async def test_a_transfer_that_nobody_asked_for_is_nonsense(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, chatty) as chain:
        with pytest.raises(Outage):
            await told(chain, block)


@pytest.mark.parametrize("others", [(broken, broken), (silent, broken)])
async def test_one_endpoint_alone_is_not_believed_of_what_came(anvil: LocalNode, others: tuple[Twist, Twist]) -> None:
    """It may be the one that has lost its old blocks, and says nothing was there."""
    block = await with_transfer(anvil)
    async with endpoints(anvil, forgetful, *others) as chain:
        with pytest.raises(Outage):
            await told(chain, block)


async def test_that_most_wont_tell_is_said_so(anvil: LocalNode) -> None:
    block = await with_transfer(anvil)
    async with endpoints(anvil, silent, silent, forgetful) as chain:
        with pytest.raises(NotTold):
            await told(chain, block)


async def test_too_many_logs_at_once_are_not_read(anvil: LocalNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evm, "_MOST_LOGS", 0)
    block = await with_transfer(anvil)
    async with endpoints(anvil, honest) as chain:
        with pytest.raises(NotTold):
            await told(chain, block)
