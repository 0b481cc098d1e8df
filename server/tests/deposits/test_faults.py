"""The watcher ended between any two of its effects, and the chain reorganised at every step."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from conftest import MakeMember
from deposits.scene import ONE, SandboxScene, sandbox_scene
from kalos.domains.context import House

CONFIRMATIONS = 3
Step = Callable[[SandboxScene], None]


def pay(*units: int) -> Step:
    def step(scene: SandboxScene) -> None:
        for one in units:
            scene.pay(one * ONE)
        scene.chain.mine()

    return step


def mine(blocks: int) -> Step:
    def step(scene: SandboxScene) -> None:
        for _ in range(blocks):
            scene.chain.mine()

    return step


def reorganise(depth: int, *, keep: bool, regrow: bool = True) -> Step:
    return lambda scene: scene.chain.reorganise(depth, keep=keep, regrow=regrow)


# Each step is followed by one step of the watcher; what the member has in the end.
HISTORIES: dict[str, tuple[list[Step], int]] = {
    "one deposit": ([pay(50), mine(3)], 50),
    "two blocks": ([pay(50), pay(20), mine(4)], 70),
    "waiting, then enough": ([pay(6), mine(3), pay(3), mine(3), pay(1), mine(3)], 10),
    "waiting, then large": ([pay(6, 3), mine(3), pay(20), mine(3)], 29),
    "left out by a reorganisation": ([pay(50), reorganise(1, keep=False), mine(4)], 0),
    "put into another block": ([pay(50), mine(2), reorganise(3, keep=True), mine(5)], 50),
    "behind a shorter chain": ([mine(2), pay(50), reorganise(2, keep=False, regrow=False), mine(5)], 0),
    "behind a shorter chain, and again": ([mine(2), pay(50), reorganise(2, keep=True, regrow=False), mine(5)], 50),
}


async def run(scene: SandboxScene, steps: list[Step], watch: Callable[[], Awaitable[None]]) -> None:
    for step in steps:
        step(scene)
        await watch()
    await scene.watch(3)


@pytest.mark.parametrize("history", HISTORIES)
async def test_watcher_may_end_between_any_two_effects(history: str, house: House, member: MakeMember) -> None:
    """The process ends at its n-th effect of a step, for every n that there is, in every step of the history."""
    steps, credited = HISTORIES[history]
    for crash_at in range(100):
        scene = await sandbox_scene(house, await member())
        before = await scene.suspense()
        crashes: list[bool] = []

        async def watch(scene: SandboxScene = scene, crash_at: int = crash_at, crashes: list[bool] = crashes) -> None:
            crashes.append(await scene.watch_until_crash(crash_at))
            await scene.watch()

        await run(scene, steps, watch)
        assert await scene.available() == credited * ONE, crash_at
        assert await scene.suspense() == before, crash_at
        if not any(crashes):
            assert crash_at >= 2, "no effect was ended"
            return
    raise AssertionError("there is no end to the effects")


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("depth", range(1, CONFIRMATIONS + 1))
@pytest.mark.parametrize("after", range(CONFIRMATIONS + 1))
async def test_reorganisation_before_enough_confirmations_is_undone(
    after: int, depth: int, keep: bool, house: House, member: MakeMember
) -> None:
    """`after` blocks stand on the deposit's when the last `depth` blocks are replaced."""
    scene = await sandbox_scene(house, await member())
    await scene.grow(3)
    scene.pay(50 * ONE)
    await scene.grow(1 + after)
    was_final = after >= CONFIRMATIONS
    touched = depth > after
    scene.chain.reorganise(depth, keep=keep)
    await scene.watch(2)
    if touched and not keep:
        assert await scene.states() == [(50 * ONE, "failed", "orphaned")]
    await scene.grow(5)
    assert await scene.available() == (50 * ONE if keep or was_final or not touched else 0)
    assert [row.status for row in await scene.rows()].count("approved") == (await scene.available() > 0)


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("depth", range(1, CONFIRMATIONS + 1))
async def test_shorter_chain_is_waited_for(seen: bool, depth: int, house: House, member: MakeMember) -> None:
    """As after a revert: the chain falls back, stays short for a while, and grows again with other blocks."""
    scene = await sandbox_scene(house, await member())
    await scene.grow(4)
    scene.pay(50 * ONE)
    scene.chain.mine()
    if seen:
        await scene.watch()
    for _ in range(depth - 1):
        scene.chain.mine()
        await scene.watch()
    scene.chain.reorganise(depth, regrow=False)
    await scene.watch(3)
    assert await scene.available() == 0
    for _ in range(depth + 5):
        await scene.grow()
        assert await scene.available() == 0
    assert [state[1:] for state in await scene.states()] in ([], [("failed", "orphaned")])


async def test_deposit_that_was_left_out_and_came_back_is_credited_once(house: House, member: MakeMember) -> None:
    scene = await sandbox_scene(house, await member())
    transaction = scene.pay(50 * ONE)
    await scene.grow()
    scene.chain.reorganise(1)
    await scene.grow()
    assert await scene.states() == [(50 * ONE, "failed", "orphaned")]
    scene.pay(50 * ONE, transaction=transaction)
    await scene.grow()
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    await scene.grow(3)
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE


async def test_other_place_in_the_block_does_not_credit_twice(house: House, member: MakeMember) -> None:
    """The same transaction, but another log stands before it now: two sightings, one of them orphaned."""
    scene = await sandbox_scene(house, await member())
    transaction = scene.pay(50 * ONE)
    await scene.grow(2)
    scene.chain.reorganise(2, regrow=False)
    scene.chain.transfer(scene.chain.network.contracts[0].asset, "0x" + "00" * 19 + "01", 5)
    scene.pay(50 * ONE, transaction=transaction)
    await scene.grow(6)
    assert sorted(state[1] for state in await scene.states()) == ["approved", "failed"]
    assert await scene.available() == 50 * ONE


async def test_reorganisation_deeper_than_finality_never_credits_twice(house: House, member: MakeMember) -> None:
    scene = await sandbox_scene(house, await member())
    transaction = scene.pay(50 * ONE)
    await scene.grow(4)
    assert await scene.available() == 50 * ONE
    scene.chain.reorganise(4, regrow=False)
    scene.chain.transfer(scene.chain.network.contracts[0].asset, "0x" + "00" * 19 + "01", 5)
    scene.pay(50 * ONE, transaction=transaction)
    await scene.grow(8)
    assert await scene.states() == [(50 * ONE, "approved", None), (50 * ONE, "pending_review", "repeated")]
    assert await scene.available() == 50 * ONE


async def test_reorganisation_found_by_two_watchers_is_undone_once(house: House, member: MakeMember) -> None:
    scene = await sandbox_scene(house, await member())
    scene.pay(50 * ONE)
    await scene.grow(3)
    scene.chain.reorganise(3, keep=True)
    await asyncio.gather(*(scene.watch(3) for _ in range(4)))
    for _ in range(4):
        scene.chain.mine()
        await asyncio.gather(*(scene.watch(2) for _ in range(4)))
    assert [state for state in await scene.states() if state[1] != "failed"] == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE
