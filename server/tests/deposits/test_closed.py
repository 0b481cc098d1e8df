"""A top-up for a closed account stays in suspense, and a close and a credit can't pass each other."""

import asyncio
from dataclasses import replace

import asyncpg
import pytest

from conftest import MakeContext
from deposits.scene import ONE, SandboxScene, sandbox_scene
from factors.scene import hashed, refused
from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.database import Connection
from kalos.core.money import Amount
from kalos.domains.context import Context, House, Member
from kalos.domains.deposits import rules, service
from kalos.domains.deposits.queries import is_coming
from kalos.domains.identity.queries import is_closed
from security.scene import close
from support.clusters import SECRET
from support.members import make_member
from support.people import PASSWORD


@pytest.fixture
async def who(database_url: str) -> Member:
    return await make_member(database_url, password_hash=hashed(PASSWORD))


@pytest.fixture
async def scene(house: House, who: Member) -> SandboxScene:
    return await sandbox_scene(house, who)


@pytest.fixture
async def here(ctx: MakeContext, who: Member) -> Context:
    """A call of the member whom the scene pays."""
    return ctx(who)


async def test_dust_for_a_closed_account_does_not_wait_for_more(scene: SandboxScene, here: Context) -> None:
    before = await scene.suspense()
    await close(here)
    scene.pay(4 * ONE)
    await scene.grow(4)
    assert await scene.states() == [(4 * ONE, "pending_review", "closed_account")]
    assert (await scene.available(), await scene.suspense() - before) == (0, 4 * ONE)


async def test_account_stays_open_while_a_top_up_is_confirmed(scene: SandboxScene, here: Context) -> None:
    scene.pay(50 * ONE)
    await scene.grow()
    assert await refused(close(here)) == "balance_not_zero"
    assert not await is_closed(here.db, here.caller.id)
    await scene.grow(3)
    assert await scene.available() == 50 * ONE


async def test_top_up_that_comes_and_counts_while_the_account_closes_is_not_credited(
    scene: SandboxScene, here: Context
) -> None:
    """The close has found nothing on its way; the deposit is final before the close is committed."""
    before = await scene.suspense()
    looked, went_on = asyncio.Event(), asyncio.Event()

    async def look_and_wait(db: Connection, owner: int) -> bool:
        found = await is_coming(db, owner)
        looked.set()
        await went_on.wait()
        return found

    closing = asyncio.create_task(close(Context(replace(here.house, is_coming=look_and_wait), here.member)))
    async with asyncio.timeout(20):
        await looked.wait()
    scene.pay(50 * ONE)
    await scene.grow(6)
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    went_on.set()
    await closing
    await scene.watch()
    assert await scene.states() == [(50 * ONE, "pending_review", "closed_account")]
    assert (await scene.available(), await scene.suspense() - before) == (0, 50 * ONE)


async def test_close_waits_for_a_credit_that_is_being_committed(
    scene: SandboxScene, here: Context, database_url: str
) -> None:
    scene.pay(50 * ONE)
    await scene.grow()
    writing = await asyncpg.connect(role_url(database_url, "kalos_writer", SECRET))
    try:
        step = writing.transaction()
        await step.start()
        await writing.execute(
            "UPDATE deposits SET status = 'approved', credited_at = 1 WHERE owner = $1", here.caller.id
        )
        closing = asyncio.create_task(refused(close(here)))
        blocks = "SELECT EXISTS (SELECT FROM pg_locks WHERE $1 = ANY(pg_blocking_pids(pid)))"
        async with asyncio.timeout(20):
            while not await here.db.value(blocks, writing.get_server_pid()):
                assert not closing.done()
        await step.rollback()
    finally:
        await writing.close()
    assert await closing == "balance_not_zero"
    await scene.grow(3)
    assert await scene.available() == 50 * ONE


async def test_what_waits_under_the_minimum_goes_before_people_once_its_account_closes(
    scene: SandboxScene, here: Context
) -> None:
    """No further top-up is credited, so the sum never gets there; a person sends it back."""
    before = await scene.suspense()
    for units in (4, 1):
        scene.pay(units * ONE)
    await scene.grow(4)
    assert await scene.states() == [
        (4 * ONE, "pending_review", "below_minimum"),
        (ONE, "pending_review", "below_minimum"),
    ]
    await close(here)
    await scene.watch()
    rows = await scene.rows()
    assert [(row.status, row.reason) for row in rows] == [("pending_review", "closed_account")] * 2
    assert [rules.verdicts(row) for row in rows] == [["refuse"]] * 2
    assert (await scene.available(), await scene.suspense() - before) == (0, 5 * ONE)
    await scene.watch()
    assert await scene.rows() == rows


async def test_what_waited_when_the_account_closed_is_not_released(scene: SandboxScene, here: Context) -> None:
    """Nothing arrives any more, but the operator lowers the minimum."""
    before = await scene.suspense()
    scene.pay(4 * ONE)
    await scene.grow(4)
    await close(here)
    minimum = Amount(4 * ONE, USDT)
    await service.release(scene.house, here.caller.id, minimum)
    await service.release(scene.house, here.caller.id, minimum)
    assert await scene.states() == [(4 * ONE, "pending_review", "closed_account")]
    assert (await scene.available(), await scene.suspense() - before) == (0, 4 * ONE)
