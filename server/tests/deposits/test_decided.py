"""What people may decide on a top-up that waits: each way once, exactly what is possible, and nothing beside."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from conftest import MakeContext
from deposits.scene import ONE, SandboxScene, sandbox_scene
from factors.scene import hashed
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Busy, MoneyOutStopped, NotFound, Refusal, WrongState
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House, Member
from kalos.domains.deposits import queries, service
from kalos.domains.deposits.tables import Deposit
from kalos.ledger import purse
from kalos.ledger.flags import clear_money_out, stop_money_out
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from security.scene import close
from support.ledger import posting, until_money_goes_out
from support.members import make_member
from support.people import PASSWORD

STAFF = 7


@pytest.fixture
async def who(database_url: str) -> Member:
    return await make_member(database_url, password_hash=hashed(PASSWORD))


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


@pytest.fixture
async def scene(house: House, who: Member) -> SandboxScene:
    return await sandbox_scene(house, who)


@pytest.fixture
async def here(ctx: MakeContext, who: Member) -> Context:
    return ctx(who)


async def decide(scene: SandboxScene, one: Deposit, verdict: str, **fields: Any) -> Deposit:
    asked = {"revision": one.revision, "staff": STAFF, "reason": "looked at", "key": uuid.uuid4().bytes * 2} | fields
    return await service.decide(scene.house, one.id, verdict=verdict, **asked)  # type: ignore[arg-type]


async def money(scene: SandboxScene) -> dict[int, int]:
    """All that a decision could touch."""
    return await balances(scene.house.db, [scene.member.id, purse.HOUSE, purse.OUTSIDE])


async def refused(scene: SandboxScene, one: Deposit, verdict: str, refusal: type[Refusal], **fields: Any) -> None:
    """The refusal, and that nothing was moved or written."""
    before = await money(scene)
    with pytest.raises(refusal):
        await decide(scene, one, verdict, **fields)
    assert await money(scene) == before
    assert await queries.find_deposit(scene.house.db, one.id) == one
    assert await queries.find_decision(scene.house.db, one.id) is None


async def moved(scene: SandboxScene, one: Deposit, verdict: str, *, source: int, target: int) -> Deposit:
    """The decision, its row, and that exactly these coins went from here to there."""
    before = await money(scene)
    after = await decide(scene, one, verdict)
    now = await money(scene)
    changes = {account: now[account] - before.get(account, 0) for account in now}
    expected = {source: -one.units, target: one.units} if source != target else {}
    assert {account: units for account, units in changes.items() if units} == expected
    decision = await queries.find_decision(scene.house.db, one.id)
    assert decision is not None
    assert (decision.staff, decision.verdict, decision.reason) == (STAFF, verdict, "looked at")
    assert after.revision == one.revision + 1
    return after


async def test_what_is_below_the_minimum_can_be_credited_and_never_be_kept(scene: SandboxScene) -> None:
    scene.pay(3 * ONE)
    await scene.grow(4)
    (one,) = await scene.rows()
    await refused(scene, one, "refuse", WrongState)
    suspense = purse.house(Purpose.SUSPENSE, USDT)
    after = await moved(scene, one, "credit", source=suspense, target=purse.available(scene.member.id, USDT))
    assert (after.status, after.reason) == ("approved", None)
    await scene.grow(2)
    assert await scene.available() == 3 * ONE


async def test_coins_of_a_closed_account_can_only_be_sent_back(scene: SandboxScene, here: Context) -> None:
    await close(here)
    scene.pay(50 * ONE)
    await scene.grow(4)
    (one,) = await scene.rows()
    await refused(scene, one, "credit", WrongState)
    suspense, chain = purse.house(Purpose.SUSPENSE, USDT), purse.outside(Purpose.CHAIN, USDT)
    after = await moved(scene, one, "refuse", source=suspense, target=chain)
    assert (after.status, after.reason) == ("refused", "closed_account")


async def test_nothing_is_sent_back_while_money_out_is_stopped(scene: SandboxScene, here: Context) -> None:
    await close(here)
    scene.pay(50 * ONE)
    await scene.grow(4)
    (one,) = await scene.rows()
    db = scene.house.db
    async with db.transaction() as step:
        await stop_money_out(step, reason="a test", by="test", wall=1)
    try:
        await until_stopped(scene)
        await refused(scene, one, "refuse", MoneyOutStopped)
    finally:
        async with db.transaction() as step:
            await clear_money_out(step, reason="over", by="test", wall=2)
        await until_money_goes_out(scene.house.ledger, scene.house.db.value)


async def until_stopped(scene: SandboxScene) -> None:
    """Return when the writer has read the flag."""
    out = Move("test.money_out", purse.outside(Purpose.CHAIN, USDT), purse.house(Purpose.FEES, USDT), 1)
    async with asyncio.timeout(10):
        with contextlib.suppress(MoneyOutStopped):
            while True:
                await scene.house.ledger.post(posting(out))


@pytest.mark.parametrize("verdict", ["credit", "refuse"])
async def test_another_coin_is_credited_or_left_where_it_is(scene: SandboxScene, verdict: str) -> None:
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    (one,) = await scene.rows()
    chain = purse.outside(Purpose.CHAIN, KLS)
    target = purse.available(scene.member.id, KLS) if verdict == "credit" else chain
    after = await moved(scene, one, verdict, source=chain, target=target)
    assert after.status == ("approved" if verdict == "credit" else "refused")


async def test_another_coin_is_not_credited_to_a_closed_account(scene: SandboxScene, here: Context) -> None:
    await close(here)
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    (one,) = await scene.rows()
    assert one.reason == "other_asset"
    await refused(scene, one, "credit", WrongState)


async def test_the_houses_own_goes_to_its_revenue(scene: SandboxScene) -> None:
    address = await service.deposit_address(scene.house, purse.HOUSE)
    scene.chain.transfer(USDT, address, 9 * ONE)
    await scene.grow(4)
    (one,) = await scene.rows(purse.HOUSE)
    await refused(scene, one, "refuse", WrongState)
    chain, revenue = purse.outside(Purpose.CHAIN, USDT), purse.house(Purpose.REVENUE, USDT)
    assert (await moved(scene, one, "credit", source=chain, target=revenue)).status == "approved"


async def test_what_may_have_been_booked_before_is_not_booked_again(
    scene: SandboxScene, owner: asyncpg.Connection
) -> None:
    scene.pay(50 * ONE)
    await scene.grow()
    await owner.execute(
        "UPDATE deposits SET status = 'pending_review', reason = 'repeated' WHERE chain_id = $1",
        scene.chain.network.chain_id,
    )
    (one,) = await scene.rows()
    await refused(scene, one, "credit", WrongState)
    chain = purse.outside(Purpose.CHAIN, USDT)
    assert (await moved(scene, one, "refuse", source=chain, target=chain)).status == "refused"


async def test_only_what_waits_and_is_as_it_was_shown_can_be_decided(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    scene.pay(3 * ONE)
    await scene.grow(4)
    credited, *_ = await scene.rows()
    await refused(scene, credited, "credit", WrongState)
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    waiting = (await scene.rows())[-1]
    await refused(scene, waiting, "credit", WrongState, revision=waiting.revision - 1)
    with pytest.raises(NotFound):
        await service.decide(
            scene.house, 2**62, revision=1, verdict="credit", staff=STAFF, reason="r", key=uuid.uuid4().bytes * 2
        )


async def test_two_who_decide_at_once_decide_once(scene: SandboxScene) -> None:
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    (one,) = await scene.rows()
    verdicts = ["credit", "refuse"] * 4
    outcomes = await asyncio.gather(*(decide(scene, one, verdict) for verdict in verdicts), return_exceptions=True)
    done = [verdict for verdict, outcome in zip(verdicts, outcomes, strict=True) if isinstance(outcome, Deposit)]
    assert len(done) == 1
    assert sum(isinstance(outcome, WrongState) for outcome in outcomes) == 7
    assert await scene.available(KLS) == (5 * 10**8 if done == ["credit"] else 0)


async def test_a_decision_sent_again_under_its_key_is_one_and_another_under_it_a_conflict(scene: SandboxScene) -> None:
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    (one,) = await scene.rows()
    key = uuid.uuid4().bytes * 2
    await decide(scene, one, "credit", key=key, fingerprint=b"a" * 32)
    with pytest.raises(WrongState):
        await decide(scene, one, "credit", key=key, fingerprint=b"a" * 32)
    assert await scene.available(KLS) == 5 * 10**8


async def test_the_queue_has_all_that_waits_the_oldest_first_with_its_account(scene: SandboxScene) -> None:
    db = scene.house.db
    before = await queries.list_review(db, PageQuery(100))
    scene.pay(3 * ONE)
    scene.pay(5 * 10**8, asset=KLS)
    scene.pay(50 * ONE)
    await scene.grow(4)
    scene.pay(ONE)
    await scene.grow(4)
    page = await queries.list_review(db, PageQuery(100))
    assert page.total == before.total + 2, "the first small one came along with the large one"
    new = page.rows[len(before.rows) :]
    assert [(row.asset, row.units, account) for row, account in new] == [
        ("KLS", 5 * 10**8, scene.member.account),
        ("USDT", ONE, scene.member.account),
    ]
    first = await queries.list_review(db, PageQuery(1))
    assert first.next == first.rows[0][0].id
    assert (await queries.list_review(db, PageQuery(1, after=first.next))).rows[0] == page.rows[1]


async def test_a_member_who_is_busy_for_a_moment_makes_a_decision_wait_and_not_wrong(
    scene: SandboxScene, owner: asyncpg.Connection
) -> None:
    """The rows of whoever is credited are looked at in passing, so that nobody waits for them."""
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(4)
    (one,) = await scene.rows()
    key = uuid.uuid4().bytes * 2
    async with owner.transaction():
        await owner.execute("SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE", scene.member.id)
        await refused(scene, one, "credit", Busy, key=key)
    await decide(scene, one, "credit", key=key)
    assert await scene.available(KLS) == 5 * 10**8
