"""One endpoint that answers alone while the others miss a call: no block is passed over on its word."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from chain.test_quorum import forgetful
from conftest import MakeMember
from deposits.scene import ONE, Scene, node_scene
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.core.assets import USDT
from kalos.core.errors import Outage
from kalos.domains.context import House
from kalos.domains.deposits import service
from kalos.domains.deposits.jobs import watch
from support.chains import LocalNode, patient
from support.liars import Twist, honest, liar


def logless(method: str, result: Any) -> Any:
    """Misses each call for logs."""
    return b"<html>504</html>" if method == "eth_getLogs" else result


@asynccontextmanager
async def behind(scene: Scene, anvil: LocalNode, *twists: Twist) -> AsyncIterator[House]:
    """The scene's house with these endpoints instead of its one."""
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(liar(anvil.node, twist)) for twist in twists]
        chain = patient(EvmChain(scene.chain.network, urls=urls, xpub=SANDBOX_XPUB))
        stack.push_async_callback(chain.close)
        yield replace(scene.house, chain=chain)


@pytest.fixture
async def scene(house: House, member: MakeMember, anvil: LocalNode) -> AsyncIterator[Scene]:
    made = await node_scene(house, await member(), anvil)
    yield made
    await made.close()


async def test_one_that_alone_says_that_nothing_came_moves_no_cursor(scene: Scene, anvil: LocalNode) -> None:
    """A block is read once: what it says was not there would never be seen again."""
    before = await service.height(scene.house)
    await anvil.wallet.transfer(anvil.chain.network.contract(USDT).address, scene.address, 50 * ONE)
    await anvil.mine()
    async with behind(scene, anvil, logless, forgetful, logless) as alone:
        with pytest.raises(Outage, match="1 of 3 chain endpoints answer"):
            await watch(alone)
    assert (await service.height(scene.house), await scene.states()) == (before, [])
    async with behind(scene, anvil, honest, logless, honest) as two:
        await watch(two)
    assert await service.height(scene.house) == before + 1
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
