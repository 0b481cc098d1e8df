"""Nodes that answer a few questions a second: the watcher keeps what it heard, and asks for little at once."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from conftest import MakeMember
from deposits.scene import ONE, SandboxScene, sandbox_scene
from kalos.core.errors import Outage
from kalos.core.ports import Block, TokenTransfer
from kalos.domains.context import House
from kalos.domains.deposits import service


class Frugal:
    """Lets a scene's chain answer `left` questions about blocks and their transfers; each other one is an outage."""

    def __init__(self, scene: SandboxScene) -> None:
        self.left, self.running, self.most = 0, 0, 0
        self._block, self._transfers = scene.chain.block, scene.chain.transfers
        scene.chain.block = self.block  # type: ignore[method-assign]
        scene.chain.transfers = self.transfers  # type: ignore[method-assign]

    async def block(self, number: int) -> Block | None:
        await self._spend(1)
        return await self._block(number)

    async def transfers(self, *, contracts: Sequence[str], blocks: Sequence[Block]) -> list[TokenTransfer]:
        await self._spend(len(blocks))
        return await self._transfers(contracts=contracts, blocks=blocks)

    async def _spend(self, questions: int) -> None:
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        if self.left < questions:
            raise Outage("HTTP 429")
        self.left -= questions


@pytest.fixture
async def scene(house: House, member: MakeMember) -> SandboxScene:
    return await sandbox_scene(house, await member())


@pytest.mark.parametrize("away", [20, 60, 200])
async def test_nodes_that_answer_forty_questions_a_step_are_caught_up_with(scene: SandboxScene, away: int) -> None:
    await scene.grow()
    scene.pay(50 * ONE)
    for _ in range(away):
        scene.chain.mine()
    scene.pay(20 * ONE)
    scene.chain.mine()
    chain, steps = Frugal(scene), 0
    while await service.height(scene.house) < await scene.chain.head() and steps < 40:
        chain.left, steps = 40, steps + 1
        before = await service.height(scene.house)
        try:
            await scene.watch()
        except Outage:  # of what comes after the blocks; they are kept
            assert await service.height(scene.house) > before
    assert steps <= away // 15 + 2
    for _ in range(3):
        scene.chain.mine()
        chain.left = 40
        await scene.watch()
    assert await scene.available() == 70 * ONE


async def test_little_is_asked_at_once(scene: SandboxScene) -> None:
    for _ in range(50):
        scene.chain.mine()
    chain = Frugal(scene)
    chain.left = 101
    await scene.watch()
    assert await service.height(scene.house) == 50
    assert (chain.most, chain.left) == (5, 0)


async def test_outage_of_the_very_first_block_is_one(scene: SandboxScene) -> None:
    for _ in range(3):
        scene.chain.mine()
    chain = Frugal(scene)
    chain.left = 1  # where the cursor stands
    with pytest.raises(Outage):
        await scene.watch()
    assert await service.height(scene.house) == 0


async def test_block_whose_transfers_are_not_told_is_not_passed_over(
    scene: SandboxScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.chain.mine()
    scene.pay(50 * ONE)
    scene.chain.mine()
    scene.chain.mine()
    honest = scene.chain.transfers

    async def silent(**question: Any) -> list[TokenTransfer]:
        if question["blocks"][0].number == 2:
            raise Outage("HTTP 429")
        return await honest(**question)

    with monkeypatch.context() as patch:
        patch.setattr(scene.chain, "transfers", silent)
        await scene.watch()
        assert await service.height(scene.house) == 1
    await scene.grow(3)
    assert await scene.available() == 50 * ONE
