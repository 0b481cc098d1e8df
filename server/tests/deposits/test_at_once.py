"""Coins that wait in suspense and two who want them at once: one moves them, the other hears that they are gone.

Nobody else's coins stand in this module's suspense, so that the slower one finds it short.
"""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from deposits.scene import ONE, SandboxScene
from kalos.core.assets import USDT
from kalos.core.errors import WrongState
from kalos.core.money import Amount
from kalos.domains.context import House
from kalos.domains.deposits import service
from kalos.domains.deposits.jobs import watch
from kalos.domains.deposits.tables import Deposit
from kalos.ledger.postings import Ledger, Posted, Posting


class Overtaken:
    """The real ledger of somebody who is overtaken between what they read and what they post."""

    def __init__(self, ledger: Ledger, overtake: Callable[[], Awaitable[object]]) -> None:
        self._ledger = ledger
        self._overtake = overtake

    async def post(self, posting: Posting) -> Posted:
        await self._overtake()
        return await self._ledger.post(posting)


def overtaken(house: House, overtake: Callable[[], Awaitable[object]]) -> House:
    return replace(house, ledger=Overtaken(house.ledger, overtake))  # type: ignore[arg-type]


@pytest.fixture
async def rows(scene: SandboxScene) -> list[Deposit]:
    """One below the minimum, which is all that is in suspense, and two larger ones that were only seen yet."""
    scene.pay(3 * ONE)
    await scene.grow(4)
    scene.pay(50 * ONE)
    scene.pay(60 * ONE)
    await scene.grow()
    found = await scene.rows()
    assert [row.reason for row in found] == ["below_minimum", None, None]
    assert await scene.suspense() == 3 * ONE
    return found


async def test_of_two_watchers_that_credit_two_top_ups_one_takes_the_small_one_along(
    scene: SandboxScene, rows: list[Deposit]
) -> None:
    _, fifty, sixty = rows
    with pytest.raises(WrongState):
        await service._credit(overtaken(scene.house, lambda: service._credit(scene.house, fifty)), sixty)
    assert (await scene.available(), await scene.suspense()) == (53 * ONE, 0)
    await scene.grow(4)
    assert {status for _, status, _ in await scene.states()} == {"approved"}
    assert await scene.available() == 113 * ONE


async def test_a_watcher_that_was_overtaken_reads_anew_at_its_next_step(
    scene: SandboxScene, rows: list[Deposit]
) -> None:
    for _ in range(4):
        scene.chain.mine()
    await watch(overtaken(scene.house, lambda: service._credit(scene.house, rows[2])))
    assert (await scene.available(), await scene.suspense()) == (63 * ONE, 0)
    await scene.watch()
    assert await scene.available() == 113 * ONE


async def test_what_is_released_while_it_is_credited_is_released_once(scene: SandboxScene, rows: list[Deposit]) -> None:
    slower = overtaken(scene.house, lambda: service._credit(scene.house, rows[1]))
    with pytest.raises(WrongState):
        await service.release(slower, scene.member.id, Amount(3 * ONE, USDT))
    assert (await scene.available(), await scene.suspense()) == (53 * ONE, 0)


async def test_a_person_who_credits_what_a_watcher_takes_along_hears_that_it_changed(
    scene: SandboxScene, rows: list[Deposit]
) -> None:
    small, fifty, _ = rows
    slower = overtaken(scene.house, lambda: service._credit(scene.house, fifty))
    asked = {"revision": small.revision, "staff": 7, "reason": "looked at", "key": uuid.uuid4().bytes * 2}
    with pytest.raises(WrongState):
        await service.decide(slower, small.id, verdict="credit", **asked)  # type: ignore[arg-type]
    assert (await scene.available(), await scene.suspense()) == (53 * ONE, 0)
