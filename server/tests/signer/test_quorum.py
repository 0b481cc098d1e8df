"""The signer on several endpoints: one of three that lies changes nothing, two that disagree end nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from chain.test_paying import LIARS, counting_on, elsewhere, poor, reverted, rich, slandering, without_receipt
from chain.test_quorum import ahead
from kalos.adapters.chain.paying import PayingChain
from kalos.core.errors import Outage
from kalos.signer.steps import turn
from signer.scene import COIN, Scene
from signer.test_returning import returns
from support.chains import patient
from support.liars import Twist, chain_of, honest


@asynccontextmanager
async def on(scene: Scene, *twists: Twist) -> AsyncIterator[None]:
    """The signer has these endpoints instead of its one."""
    own = scene.bench.chain
    async with chain_of(PayingChain, scene.node, *twists) as chain:
        scene.bench.chain = patient(chain)
        try:
            yield
        finally:
            scene.bench.chain = own


def replaced(method: str, result: Any) -> Any:
    """Has another transaction with our nonce and no receipt of ours: of all lies the one that would end a payment."""
    return slandering(method, without_receipt(method, result))


@pytest.mark.parametrize("bad", [*LIARS, replaced])
async def test_one_liar_of_three_changes_nothing_of_a_payment(scene: Scene, bad: Twist) -> None:
    one = await scene.ask("100")
    async with on(scene, bad, honest, honest):
        await scene.finish(one)
    assert (await scene.ends(one), await scene.has(one)) == (["approved"], 100 * COIN)
    assert (len(await scene.attempts(one)), await scene.reason()) == (1, None)


async def assert_waits(scene: Scene, withdrawal: int, bad: Twist, *, attempts: int) -> None:
    """Turns end, whichever of two is the liar: nothing is signed, ended or given back, and nobody has to resume."""
    for twists in ((bad, honest), (honest, bad)):
        async with on(scene, *twists):
            with pytest.raises(Outage, match="2 chain endpoints disagree"):
                await turn(scene.bench)
    assert (await scene.ends(withdrawal), await returns(scene, withdrawal)) == ([], [])
    assert (len(await scene.attempts(withdrawal)), await scene.reason()) == (attempts, None)


@pytest.mark.parametrize("bad", [counting_on, poor, rich])
async def test_two_that_disagree_on_nonces_or_funds_let_nothing_be_signed(scene: Scene, bad: Twist) -> None:
    one = await scene.ask("100")
    await assert_waits(scene, one, bad, attempts=0)
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


@pytest.mark.parametrize("bad", [reverted, elsewhere, without_receipt, replaced])
async def test_two_that_disagree_on_what_was_paid_give_nothing_back(scene: Scene, bad: Twist) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.node.mine(scene.node.chain.network.confirmations + 1)
    await assert_waits(scene, one, bad, attempts=1)
    await scene.finish(one)
    assert (await scene.ends(one), await scene.has(one)) == (["approved"], 100 * COIN)


def receiptless(method: str, result: Any) -> Any:
    """Misses each call for a receipt."""
    return b"<html>504</html>" if method == "eth_getTransactionReceipt" else result


def headless(method: str, result: Any) -> Any:
    """Misses each call for the newest block's number."""
    return b"<html>504</html>" if method == "eth_blockNumber" else result


async def test_one_that_alone_says_a_payment_has_failed_ends_nothing(scene: Scene) -> None:
    """The two others miss the call: what was paid would be given back."""
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.node.mine(scene.node.chain.network.confirmations + 1)
    async with on(scene, receiptless, reverted, receiptless):
        with pytest.raises(Outage, match="1 of 3 chain endpoints answer"):
            await turn(scene.bench)
    assert (await scene.ends(one), await returns(scene, one), await scene.reason()) == ([], [], None)
    async with on(scene, honest, reverted, honest):
        await turn(scene.bench)
    assert (await scene.ends(one), await scene.has(one)) == (["approved"], 100 * COIN)


async def test_one_that_alone_tells_of_later_blocks_makes_nothing_final(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.node.mine()
    async with on(scene, headless, ahead, headless):
        with pytest.raises(Outage, match="most chain endpoints have no block"):
            await turn(scene.bench)
    assert (await scene.ends(one), await scene.reason()) == ([], None)
    await scene.finish(one)
    assert await scene.ends(one) == ["approved"]


async def test_two_that_disagree_on_who_used_a_nonce_give_nothing_back(scene: Scene) -> None:
    """Both have lost the receipt: the block would tell, and one of them lies about it."""
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.node.mine(scene.node.chain.network.confirmations + 1)
    async with on(scene, replaced, without_receipt):
        with pytest.raises(Outage, match="2 chain endpoints disagree"):
            await turn(scene.bench)
    assert (await scene.ends(one), await scene.reason()) == ([], None)
    await scene.finish(one)
    assert (await scene.ends(one), await scene.has(one)) == (["approved"], 100 * COIN)
