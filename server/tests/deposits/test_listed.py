"""Coins that come from an address on the operator's list of sanctions: never credited by themselves."""

import uuid
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from conftest import MakeContext
from deposits.scene import ONE, SandboxScene, sandbox_scene
from factors.scene import hashed
from kalos.adapters.screening.list import ListedAddresses
from kalos.core.assets import KLS, USDT
from kalos.core.errors import WrongState
from kalos.domains.context import House, Member
from kalos.domains.deposits import queries, service
from kalos.domains.deposits.rules import Verdict
from kalos.domains.deposits.tables import Deposit
from kalos.ledger.audit import audit
from security.scene import close
from support.members import make_member
from support.people import PASSWORD

LISTED: Final = "0x52908400098527886E0F7030069857D2E4169EE7"


@pytest.fixture
async def who(database_url: str) -> Member:
    return await make_member(database_url, password_hash=hashed(PASSWORD))


@pytest.fixture
async def scene(house: House, who: Member, tmp_path: Path) -> SandboxScene:
    file = tmp_path / "sanctions.txt"
    file.write_text(f"{LISTED.lower()} # a test\n")
    return await sandbox_scene(replace(house, screening=ListedAddresses(file)), who)


async def came(scene: SandboxScene, units: int) -> Deposit:
    """A top-up of the listed sender that is final."""
    scene.chain.transfer(USDT, scene.address, units, sender=LISTED)
    await scene.grow(4)
    return (await scene.rows())[-1]


async def decide(scene: SandboxScene, one: Deposit, verdict: Verdict) -> Deposit:
    asked = {"revision": one.revision, "staff": 7, "reason": "looked at", "key": uuid.uuid4().bytes * 2}
    return await service.decide(scene.house, one.id, verdict=verdict, **asked)  # type: ignore[arg-type]


async def test_coins_of_a_listed_sender_wait_for_a_person_who_may_credit_them(scene: SandboxScene) -> None:
    before = await scene.suspense()
    one = await came(scene, 50 * ONE)
    assert (one.status, one.reason) == ("pending_review", "listed_sender")
    assert (await scene.available(), await scene.suspense() - before) == (0, 50 * ONE)
    scene.pay(20 * ONE)  # another's is credited meanwhile, and takes nothing along
    await scene.grow(6)
    assert (await scene.available(), await scene.suspense() - before) == (20 * ONE, 50 * ONE)
    after = await decide(scene, one, "credit")
    assert (after.status, after.reason) == ("approved", None)
    assert (await scene.available(), await scene.suspense() - before) == (70 * ONE, 0)


async def test_little_of_a_listed_sender_is_not_credited_with_others(scene: SandboxScene) -> None:
    before = await scene.suspense()
    one = await came(scene, 4 * ONE)
    assert one.reason == "listed_sender"
    scene.pay(6 * ONE)
    await scene.grow(5)
    assert [reason for _, _, reason in await scene.states()] == ["listed_sender", "below_minimum"]
    assert (await scene.available(), await scene.suspense() - before) == (0, 10 * ONE)
    after = await decide(scene, one, "refuse")
    assert after.status == "refused"
    assert (await scene.available(), await scene.suspense() - before) == (0, 6 * ONE)


async def test_they_are_explained_in_suspense(scene: SandboxScene) -> None:
    await came(scene, 50 * ONE)
    assert await audit(scene.house.db, queries.EXPLAINED) == []


async def test_to_an_account_that_closed_meanwhile_they_are_only_sent_back(
    scene: SandboxScene, ctx: MakeContext, who: Member
) -> None:
    one = await came(scene, 50 * ONE)
    await close(ctx(who))
    with pytest.raises(WrongState):
        await decide(scene, one, "credit")
    assert (await decide(scene, one, "refuse")).status == "refused"
    assert await scene.available() == 0


async def test_what_no_one_may_top_up_or_a_closed_account_got_keeps_its_own_reason(
    scene: SandboxScene, ctx: MakeContext, who: Member
) -> None:
    scene.chain.transfer(KLS, scene.address, 10**8, sender=LISTED)
    await scene.grow(4)
    await close(ctx(who))
    assert (await came(scene, 50 * ONE)).reason == "closed_account"
    assert [reason for _, _, reason in await scene.states()] == ["other_asset", "closed_account"]
