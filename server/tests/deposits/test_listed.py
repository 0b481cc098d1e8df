"""Coins that come from an address on the operator's list of sanctions: never credited by themselves."""

import json
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from conftest import MakeContext
from deposits.scene import ONE, SandboxScene, sandbox_scene
from deposits.test_decided import moved
from factors.scene import hashed
from kalos.adapters.screening.list import ListedAddresses
from kalos.core.assets import KLS, USDT
from kalos.core.errors import WrongState
from kalos.core.money import Amount
from kalos.domains.context import House, Member
from kalos.domains.deposits import queries, service
from kalos.domains.deposits.jobs import tell_operator
from kalos.domains.deposits.rules import Verdict
from kalos.domains.deposits.tables import Deposit
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.purse import Purpose
from security.scene import close
from support.members import make_member
from support.people import PASSWORD

LISTED: Final = "0x52908400098527886E0F7030069857D2E4169EE7"
SUSPENSE: Final = purse.house(Purpose.SUSPENSE, USDT)
WAITS: Final = ("pending_review", "listed_sender")


@pytest.fixture
async def who(database_url: str) -> Member:
    return await make_member(database_url, password_hash=hashed(PASSWORD))


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """The operator's list: one address."""
    file = tmp_path / "sanctions.txt"
    file.write_text(f"{LISTED.lower()} # a test\n")
    return file


@pytest.fixture
async def scene(house: House, who: Member, names: Path) -> SandboxScene:
    return await sandbox_scene(replace(house, screening=ListedAddresses(names)), who)


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


async def test_the_reason_is_the_same_for_another_coin_and_a_closed_account(
    scene: SandboxScene, ctx: MakeContext, who: Member
) -> None:
    """Whoever decides must see the hit."""
    scene.chain.transfer(KLS, scene.address, 10**8, sender=LISTED)
    await scene.grow(4)
    await close(ctx(who))
    assert (await came(scene, 50 * ONE)).reason == "listed_sender"
    assert [reason for _, _, reason in await scene.states()] == ["listed_sender", "listed_sender"]
    assert await audit(scene.house.db, queries.EXPLAINED) == []


async def test_nothing_releases_it_by_itself(scene: SandboxScene, names: Path) -> None:
    """Neither more money, a lower minimum, nor that the name left the list."""
    scene.pay(4 * ONE, sender=LISTED)
    await scene.grow(4)
    names.write_text("# nobody\n")
    scene.pay(20 * ONE)
    await scene.grow(4)
    await service.release(scene.house, scene.member.id, Amount(1, USDT))
    assert await scene.states() == [(4 * ONE, *WAITS), (20 * ONE, "approved", None)]
    assert await scene.available() == 20 * ONE


@pytest.mark.parametrize("units", [6 * ONE, 20 * ONE])
async def test_what_waited_for_more_is_not_released_once_its_sender_is_listed(
    scene: SandboxScene, names: Path, units: int
) -> None:
    """Neither together with others that wait, nor with a large top-up."""
    names.write_text("# nobody\n")
    scene.pay(4 * ONE, sender=LISTED)
    await scene.grow(4)
    names.write_text(LISTED)
    scene.pay(units)
    await scene.grow(4)
    other = ("pending_review", "below_minimum") if units < 10 * ONE else ("approved", None)
    assert await scene.states() == [(4 * ONE, *WAITS), (units, *other)]
    assert await scene.available() == (0 if units < 10 * ONE else units)
    assert await audit(scene.house.db, queries.EXPLAINED) == []


async def test_the_houses_own_top_up_from_a_listed_sender_waits_in_suspense_too(scene: SandboxScene) -> None:
    before = await scene.suspense()
    address = await service.deposit_address(scene.house, purse.HOUSE)
    scene.chain.transfer(USDT, address, 9 * ONE, sender=LISTED)
    await scene.grow(4)
    (one,) = await scene.rows(purse.HOUSE)
    assert (one.status, one.reason, await scene.suspense() - before) == (*WAITS, 9 * ONE)
    with pytest.raises(AssertionError):
        await service.place_house_topup(scene.house, one, {Purpose.BANKROLL: Amount(9 * ONE, USDT)})
    revenue = purse.house(Purpose.REVENUE, USDT)
    assert (await moved(scene, one, "credit", source=SUSPENSE, target=revenue)).status == "approved"


async def test_operators_are_told_once_of_each(scene: SandboxScene) -> None:
    db = scene.house.db
    mails = "SELECT body -> 'values' AS told FROM domain_outbox WHERE body ->> 'recipient' = $1"
    recipient = f"{scene.member.account}@house.example"
    await tell_operator(scene.house, "earlier@house.example")
    scene.pay(50 * ONE, sender=LISTED)
    scene.pay(50 * ONE)
    await scene.grow(4)
    assert await tell_operator(scene.house, recipient) > 0
    assert await tell_operator(scene.house, recipient) == 0
    (told,) = [json.loads(row["told"]) for row in await db.rows(mails, recipient)]
    one = next(row for row in await scene.rows() if row.sender == LISTED)
    assert told == {"deposit": str(one.id), "amount": "50.000000 USDT", "sender": LISTED}
