"""What neither failed nor arrived ends nothing: a lost receipt, and a token that says yes and moves nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from kalos.adapters.chain.paying import PayingChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import USDT
from kalos.core.ports import TokenTransfer
from kalos.signer.resuming import NotYet, resume
from kalos.signer.rules import Stop
from kalos.signer.steps import turn
from signer.scene import COIN, Scene
from signer.test_resuming import forget
from support.chains import patient


class Forgetful(PayingChain):
    """A node that has a receipt at one moment and none at the next, as one of several behind one address may."""

    async def transaction_transfers(self, transaction: str) -> list[TokenTransfer] | None:
        return None


@asynccontextmanager
async def forgetful(scene: Scene) -> AsyncIterator[PayingChain]:
    chain = patient(Forgetful(scene.bench.chain.network, urls=[scene.node.url], xpub=SANDBOX_XPUB))
    try:
        yield chain
    finally:
        await chain.close()


@asynccontextmanager
async def silent(scene: Scene) -> AsyncIterator[None]:
    """USDT says yes to everything and does nothing."""
    contract = scene.node.chain.network.contract(USDT).address
    code = await scene.node.node.call("eth_getCode", contract, "latest")
    await scene.node.node.call("anvil_setCode", contract, "0x600160005260206000f3")
    try:
        yield
    finally:
        await scene.node.node.call("anvil_setCode", contract, code)


async def go_on(
    scene: Scene, *, chain: PayingChain | None = None, told: list[str] | None = None, accept_unmoved: bool = False
) -> list[str]:
    """`told` has the lines also where the signer stays paused."""
    told = [] if told is None else told
    bench = replace(scene.bench, chain=chain or scene.bench.chain)
    await resume(bench, tell=told.append, reason="looked at", by="a test", accept_unmoved=accept_unmoved)
    return told


async def test_a_receipt_that_no_node_has_any_more_ends_nothing_and_pays_nothing_back(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.node.mine(scene.node.chain.network.confirmations + 1)
    async with forgetful(scene) as chain:
        for _ in range(3):
            await turn(replace(scene.bench, chain=chain))
    assert await scene.ends(one) == []
    assert await scene.reason() is None
    await scene.finish(one)
    assert await scene.ends(one) == ["approved"]
    assert await scene.has(one) == 100 * COIN
    assert len(await scene.attempts(one)) == 1


async def test_a_token_that_says_yes_and_moves_nothing_stops_the_signer_and_ends_nothing(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    async with silent(scene):
        await scene.node.mine()
    behind = await scene.ask("5")
    await turn(scene.bench)
    await scene.node.mine(scene.node.chain.network.confirmations + 1)
    told: list[str] = []
    with pytest.raises(Stop, match="nothing_moved"):
        await go_on(scene, told=told)
    (paid,) = await scene.attempts(behind)
    assert told == [f"{paid['hash']}: withdrawal {behind}, approved"], "also where it stays paused"
    await turn(scene.bench)
    assert await scene.reason() == "nothing_moved"
    assert await scene.ends(behind) == ["approved"], "one that is stuck keeps no other from its end"
    later = await scene.ask("3")
    with pytest.raises(Stop, match="nothing_moved"):
        await go_on(scene)
    await turn(scene.bench)
    assert (await scene.ends(one), await scene.attempts(later)) == ([], [])
    (row,) = await scene.attempts(one)
    told = await go_on(scene, accept_unmoved=True)
    assert told == [f"{row['hash']}: withdrawal {one}, failed"], "what a person's word ended is named"
    assert await scene.ends(one) == ["failed"]
    assert await scene.reason() is None
    await scene.finish(later)
    assert (await scene.has(one), await scene.has(later)) == (0, 3 * COIN)


async def test_what_was_found_and_moved_nothing_is_no_payment(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    (row,) = await scene.attempts(one)
    async with silent(scene):
        await scene.node.mine(scene.node.chain.network.confirmations + 1)
    await forget(scene, one)
    with pytest.raises(NotYet, match="moved no coins"):
        await go_on(scene)
    async with forgetful(scene) as chain:
        with pytest.raises(NotYet, match="has no receipt"):
            await go_on(scene, chain=chain, accept_unmoved=True)
    assert await scene.reason() == "restored"
    assert await scene.ends(one) == []
    assert await go_on(scene, accept_unmoved=True) == [f"{row['hash']}: withdrawal {one}, failed"]
    assert await scene.ends(one) == ["failed"]
