"""The signer's chain over several endpoints: a liar of three changes nothing, two that disagree are an outage."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from kalos.adapters.chain.keys import SeedKeys
from kalos.adapters.chain.paying import PayingChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import USDT
from kalos.core.errors import Outage
from kalos.core.failpoints import VARIABLE
from kalos.core.payments import Declined, Fees, Payment, PaymentKey, Signed
from support.chains import LocalNode, patient
from support.liars import Twist, chain_of, declining, honest

NOBODY_SENT = "0x" + "ab" * 32
GIVEN = 10**18


def reverted(method: str, result: Any) -> Any:
    """Says that what succeeded did not."""
    return {**result, "status": "0x0"} if method == "eth_getTransactionReceipt" and result else result


def elsewhere(method: str, result: Any) -> Any:
    """Has it in another block."""
    is_receipt = method == "eth_getTransactionReceipt" and result
    return {**result, "blockHash": "0x" + "ee" * 32} if is_receipt else result


def without_receipt(method: str, result: Any) -> Any:
    return None if method == "eth_getTransactionReceipt" else result


def inventive(method: str, result: Any) -> Any:
    """Has a receipt of whatever is asked for."""
    if method != "eth_getTransactionReceipt" or result:
        return result
    said = {"transactionHash": NOBODY_SENT, "blockNumber": "0x1", "blockHash": "0x" + "ee" * 32, "status": "0x1"}
    return said | {"logs": []}


def of_another(method: str, result: Any) -> Any:
    """Answers with the receipt of another transaction."""
    is_receipt = method == "eth_getTransactionReceipt" and result
    return {**result, "transactionHash": "0x" + "cc" * 32} if is_receipt else result


def a_block_further(method: str, result: Any) -> Any:
    """Answers with another block than it was asked for."""
    is_block = method == "eth_getBlockByNumber" and result
    return {**result, "number": hex(int(result["number"], 16) + 1)} if is_block else result


def mixed(method: str, result: Any) -> Any:
    """Has a transaction of another block among those of a block."""
    if method != "eth_getBlockByNumber" or not result:
        return result
    others = [one if isinstance(one, str) else {**one, "blockHash": "0x" + "ee" * 32} for one in result["transactions"]]
    return {**result, "transactions": others}


def counting_on(method: str, result: Any) -> Any:
    """Counts transactions that nobody else has."""
    return hex(int(result, 16) + 3) if method == "eth_getTransactionCount" else result


def counting_none(method: str, result: Any) -> Any:
    return "0x0" if method == "eth_getTransactionCount" else result


def blind(method: str, result: Any) -> Any:
    """Leaves our transactions out of a block."""
    return {**result, "transactions": []} if method == "eth_getBlockByNumber" and result else result


def slandering(method: str, result: Any) -> Any:
    """Has another transaction with our nonce in a block, which would end a payment as failed."""
    if method != "eth_getBlockByNumber" or not result:
        return result
    others = [one if isinstance(one, str) else {**one, "hash": "0x" + "cc" * 32} for one in result["transactions"]]
    return {**result, "transactions": others}


def rich(method: str, result: Any) -> Any:
    return hex(int(result, 16) + 1) if method == "eth_call" else result


def poor(method: str, result: Any) -> Any:
    return "0x0" if method == "eth_getBalance" else result


def dear(method: str, result: Any) -> Any:
    """Asks for a thousand times as much."""
    if method == "eth_getBlockByNumber" and result:
        return {**result, "baseFeePerGas": hex(int(result["baseFeePerGas"], 16) * 1000)}
    return hex(int(result, 16) * 1000) if method == "eth_maxPriorityFeePerGas" else result


def free(method: str, result: Any) -> Any:
    if method == "eth_getBlockByNumber" and result:
        return {**result, "baseFeePerGas": "0x0"}
    return "0x0" if method == "eth_maxPriorityFeePerGas" else result


LIARS = (
    *(reverted, elsewhere, without_receipt, inventive, counting_on, counting_none, blind, slandering, rich, poor),
    *(dear, free),
)


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment in a block; all that the signer may ask of it afterwards."""

    key: PaymentKey
    signed: Signed
    contract: str
    block: int

    def questions(self, chain: PayingChain) -> list[Callable[[], Awaitable[Any]]]:
        me = self.key.address
        return [
            lambda: chain.receipt(self.signed.hash),
            lambda: chain.receipt(NOBODY_SENT),
            lambda: chain.next_nonce(me, waiting=False),
            lambda: chain.next_nonce(me, waiting=True),
            lambda: chain.native(me),
            lambda: chain.tokens(self.contract, me),
            lambda: chain.outgoing(me, blocks=[self.block]),
        ]

    async def shown(self, chain: PayingChain) -> list[Any]:
        """What it answers to each, and what it would cost to pay again."""
        return [await ask() for ask in self.questions(chain)] + [await chain.fees()]


async def payer(anvil: LocalNode, seed: str) -> PaymentKey:
    """A key with gas and a hundred units of USDT."""
    key = SeedKeys(seed.encode().ljust(16)).hot
    await anvil.node.call("anvil_setBalance", key.address, hex(GIVEN))
    await anvil.wallet.transfer(anvil.chain.network.contract(USDT).address, key.address, 100)
    await anvil.mine()
    return key


async def sign(anvil: LocalNode, key: PaymentKey) -> Signed:
    """A transfer of seven units with the key's next nonce."""
    network = anvil.chain.network
    async with chain_of(PayingChain, anvil, honest) as chain:
        nonce, fees = await chain.next_nonce(key.address, waiting=False), await chain.fees()
    recipient = anvil.chain.deposit_address(5_000_200)
    contract = network.contract(USDT).address
    payment = Payment(
        chain_id=network.chain_id, nonce=nonce, contract=contract, recipient=recipient, units=7, gas=120_000
    )
    return key.sign(payment, fees)


async def pay(anvil: LocalNode, seed: str) -> Paid:
    key = await payer(anvil, seed)
    signed = await sign(anvil, key)
    async with chain_of(PayingChain, anvil, honest) as chain:
        await chain.send(signed.raw)
    await anvil.mine()
    return Paid(key, signed, anvil.chain.network.contract(USDT).address, await anvil.chain_head())


@pytest.mark.parametrize("bad", LIARS)
async def test_one_liar_of_three_changes_nothing(anvil: LocalNode, bad: Twist) -> None:
    paid = await pay(anvil, f"one {bad.__name__}")
    async with chain_of(PayingChain, anvil, honest) as chain:
        expected = await paid.shown(chain)
    receipt, none, mined, waiting, native, tokens, (sent,), _ = expected
    assert (receipt.ok, receipt.block, none, mined, waiting, tokens) == (True, paid.block, None, 1, 1, 93)
    assert 0 < native < GIVEN
    assert (sent.transaction, sent.nonce, sent.units) == (paid.signed.hash, 0, 7)
    async with chain_of(PayingChain, anvil, bad) as chain:
        assert await paid.shown(chain) != expected
    for twists in ((bad, honest, honest), (honest, bad, honest), (honest, honest, bad)):
        async with chain_of(PayingChain, anvil, *twists) as chain:
            assert await paid.shown(chain) == expected


@pytest.mark.parametrize("bad", [bad for bad in LIARS if bad not in (dear, free)])
async def test_two_that_disagree_are_an_outage(anvil: LocalNode, bad: Twist) -> None:
    """On what one of them lies about; whatever both say alike is still believed."""
    paid = await pay(anvil, f"two {bad.__name__}")
    async with chain_of(PayingChain, anvil, honest) as true, chain_of(PayingChain, anvil, bad) as false:
        expected, lies = await paid.shown(true), await paid.shown(false)
    async with chain_of(PayingChain, anvil, bad, honest) as chain:
        for ask, right, wrong in zip(paid.questions(chain), expected, lies, strict=False):
            if right == wrong:
                assert await ask() == right
            else:
                with pytest.raises(Outage, match="2 chain endpoints disagree"):
                    await ask()


def mute(method: str, result: Any) -> Any:
    """Answers nothing."""
    return b"<html>504</html>"


async def test_what_the_signer_goes_by_is_told_by_more_than_half_of_all(anvil: LocalNode) -> None:
    """Of three one may be away, of two none: the other one alone could end a payment that was made."""
    paid = await pay(anvil, "more than half")
    async with chain_of(PayingChain, anvil, honest) as chain:
        expected = [await ask() for ask in paid.questions(chain)]
    async with chain_of(PayingChain, anvil, mute, honest, honest) as chain:
        assert [await ask() for ask in paid.questions(chain)] == expected
    for twists in ((mute, honest, mute), (honest, mute)):
        async with chain_of(PayingChain, anvil, *twists) as chain:
            for ask in paid.questions(chain):
                with pytest.raises(Outage, match=f"1 of {len(twists)} chain endpoints answer"):
                    await ask()


@pytest.mark.parametrize(
    ("bad", "asked"),
    [(of_another, 0), (a_block_further, 6), (mixed, 6)],
    ids=["of_another", "a_block_further", "mixed"],
)
async def test_an_answer_to_another_question_is_none_though_nobody_else_answers(
    anvil: LocalNode, bad: Twist, asked: int
) -> None:
    paid = await pay(anvil, f"alone {bad.__name__}")
    async with chain_of(PayingChain, anvil, bad) as chain:
        with pytest.raises(Outage, match="no chain endpoint answers"):
            await paid.questions(chain)[asked]()


def asking(base: int, tip: int) -> Twist:
    def twist(method: str, result: Any) -> Any:
        if method == "eth_getBlockByNumber":
            return {**result, "baseFeePerGas": hex(base)}
        return hex(tip) if method == "eth_maxPriorityFeePerGas" else result

    return twist


@pytest.mark.parametrize(
    ("told", "fees"),
    [
        ([(100, 5)], Fees(205, 5)),
        ([(100, 5), (10**12, 10**12)], Fees(205, 5)),
        ([(100, 5), (104, 5), (102, 5)], Fees(209, 5)),
        ([(100, 5), (104, 7), (10**12, 10**12)], Fees(215, 7)),
        ([(100, 5), (104, 7), (0, 0)], Fees(205, 5)),
        # Its base lies between those of two that are a block apart, so that it is the tip alone that is mad.
        ([(100, 5), (104, 7), (102, 10**12)], Fees(211, 7)),
        ([(100, 5), (104, 7), (102, 0)], Fees(209, 5)),
    ],
)
async def test_fees_are_the_median_of_each(anvil: LocalNode, told: list[tuple[int, int]], fees: Fees) -> None:
    async with chain_of(PayingChain, anvil, *(asking(*one) for one in told)) as chain:
        assert await chain.fees() == fees


async def test_sent_is_what_one_of_two_takes(anvil: LocalNode) -> None:
    key = await payer(anvil, "one takes it")
    signed = await sign(anvil, key)
    async with chain_of(PayingChain, anvil, declining, honest) as chain:
        await chain.send(signed.raw)
        await chain.send(signed.raw)  # the one has it already, the other declines again
        assert await chain.next_nonce(key.address, waiting=True) == 1
    await anvil.mine()
    assert (receipt := await _receipt(anvil, signed)) is not None
    assert receipt.ok


async def _receipt(anvil: LocalNode, signed: Signed) -> Any:
    async with chain_of(PayingChain, anvil, honest) as chain:
        return await chain.receipt(signed.hash)


async def test_a_payment_waits_for_no_endpoint_that_hangs_and_is_handed_to_it_all_the_same(anvil: LocalNode) -> None:
    signed = await sign(anvil, await payer(anvil, "one hangs"))
    told = asyncio.get_running_loop().create_future()

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told.set_result(await reader.readuntil(signed.raw.hex().encode()))
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    hanging = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    chain = patient(PayingChain(anvil.chain.network, urls=[hanging, anvil.url], xpub=SANDBOX_XPUB))
    async with asyncio.timeout(20):
        await chain.send(signed.raw)
        assert b"eth_sendRawTransaction" in await told
        await chain.close()
    server.close()
    await anvil.mine()
    assert await _receipt(anvil, signed) is not None


@pytest.mark.parametrize("dead", [0, 1])
async def test_declined_is_what_all_that_answer_decline(anvil: LocalNode, dead: int) -> None:
    key = await payer(anvil, f"nobody takes it {dead}")
    signed = await sign(anvil, key)
    async with chain_of(PayingChain, anvil, declining, declining, dead=dead) as chain:
        with pytest.raises(Declined, match="this node takes nothing"):
            await chain.send(signed.raw)
        assert await chain.next_nonce(key.address, waiting=True) == 0


async def test_what_a_block_has_is_declined_by_all(anvil: LocalNode) -> None:
    paid = await pay(anvil, "twice")
    async with chain_of(PayingChain, anvil, honest, honest) as chain:
        with pytest.raises(Declined, match="nonce too low"):
            await chain.send(paid.signed.raw)


async def test_bytes_that_no_endpoint_answers_to_are_an_outage_and_not_declined(anvil: LocalNode) -> None:
    signed = await sign(anvil, await payer(anvil, "nobody is there"))
    async with chain_of(PayingChain, anvil, dead=2) as chain:
        with pytest.raises(Outage, match="no chain endpoint took the transaction"):
            await chain.send(signed.raw)


SENDING: Final = """
import asyncio, sys
from kalos.adapters.chain.paying import PayingChain
from kalos.adapters.chain.sandbox import SANDBOX_NETWORK, SANDBOX_XPUB
asyncio.run(PayingChain(SANDBOX_NETWORK, urls=[sys.argv[1]], xpub=SANDBOX_XPUB).send(bytes.fromhex("02c0ffee")))
"""


async def test_the_point_of_a_payment_on_its_way_is_reached_when_all_has_left_and_no_answer_came() -> None:
    told = asyncio.get_running_loop().create_future()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told.set_result(await reader.read())  # to its end, which is that of the process
        writer.close()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        environment = os.environ | {VARIABLE: "payment_sent"}
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", SENDING, url, env=environment)
        async with asyncio.timeout(30):
            assert await process.wait() == -signal.SIGKILL
        await asyncio.wait([told], timeout=30)
        assert told.done()
        assert b'"0x02c0ffee"' in told.result()
