"""What was let go and isn't signed yet goes back to people where its member is frozen or held; others' don't wait."""

import asyncio
from dataclasses import replace
from fractions import Fraction
from typing import Any

import asyncpg
import pytest

from kalos.core.assets import USDT
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.errors import WrongState
from kalos.domains.context import Context
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.identity.queries import freeze as freeze_member
from kalos.domains.identity.queries import insert_event, unfreeze
from kalos.domains.wallets.errors import AddressRemoved
from kalos.domains.wallets.queries import mark_listed, remove_address
from kalos.domains.withdrawals import jobs, service
from kalos.domains.withdrawals import queries as withdrawals
from kalos.domains.withdrawals import rules as house_rules
from kalos.domains.withdrawals.errors import SecurityHold
from kalos.signer import queries, rules
from kalos.signer.resuming import resume
from kalos.signer.steps import turn
from kalos.signer.tables import RESTORE, Brakes, Returned
from signer.scene import COIN, REVIEWERS, TRUSTED, Scene, due_of, new_address
from signer.test_whole import Rich, rich, say_yes
from withdrawals.scene import holdings, reviewed, stored, withdraw, write_down
from withdrawals.scene import sign as sign_taken

__all__ = ["rich"]

FREE = Brakes(is_frozen=False, held_until=None, is_deposit=False)


async def freeze(ctx: Context, at: int | None = 1) -> None:
    async with ctx.db.transaction() as db:
        await (unfreeze(db, ctx.caller.id) if at is None else freeze_member(db, ctx.caller.id, at))


async def hold(ctx: Context, until: int) -> None:
    async with ctx.db.transaction() as db:
        told = {"event": "password_changed", "network": "", "device": ""}
        await insert_event(db, member=ctx.caller.id, **told, at=ctx.now, held_until=until)


async def hold_asker(scene: Scene, withdrawal: int, until: int) -> None:
    """The same for the member of a withdrawal that the scene made."""
    await scene.owner(
        """
        INSERT INTO security_events (member, event, network, device, at, held_until)
        SELECT member, 'password_changed', '', '', 1, $2 FROM withdrawals WHERE id = $1
        """,
        withdrawal,
        until,
    )


async def returns(scene: Scene, withdrawal: int) -> list[tuple[Any, ...]]:
    """What the signer said of it: revision, reason, until when."""
    rows = await scene.bench.db.rows(
        "SELECT revision, reason, until_at FROM broadcast_returns WHERE withdrawal = $1 ORDER BY revision", withdrawal
    )
    return [tuple(row) for row in rows]


async def book(me: Context, withdrawal: int) -> None:
    """As the worker does with what the signer has ended; what others asked for here is left alone."""
    end = next(one for one in await withdrawals.list_ended(me.db, 100) if one.withdrawal == withdrawal)
    await service.settle(me.house, withdrawal=withdrawal, transaction=end.transaction, outcome=end.outcome)


@pytest.mark.parametrize(
    ("brakes", "found"),
    [
        (FREE, None),
        (Brakes(is_frozen=True, held_until=None, is_deposit=False), Returned("account_frozen")),
        (Brakes(is_frozen=False, held_until=7, is_deposit=False), Returned("security_hold", 7)),
        (Brakes(is_frozen=True, held_until=7, is_deposit=True), Returned("house_address")),
    ],
)
def test_what_brings_one_back(brakes: Brakes, found: Returned | None) -> None:
    assert rules.returned(due_of(brakes=brakes), own=[new_address()]) == found


def test_what_would_go_to_an_address_of_our_own_comes_back() -> None:
    assert rules.returned(due_of(), own=[due_of().address]) == Returned("house_address")


async def test_a_frozen_members_is_not_signed_and_everybody_elses_is(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    had = await holdings(me)
    one = (await withdraw(me, "100")).withdrawal
    await freeze(me)
    other = await scene.ask("5")
    await scene.finish(other)
    assert await scene.reason() is None
    assert (await scene.has(one.id), await scene.has(other)) == (0, 5 * COIN)
    assert (await scene.attempts(one.id), await returns(scene, one.id)) == ([], [(1, "account_frozen", None)])
    assert await jobs.take_back(me.house) == 1
    assert await jobs.take_back(me.house) == 0
    back = await stored(me, one.id)
    assert (back.status, back.needed, back.returned, back.revision) == ("pending_review", 1, 1, 2)
    assert back.risks == [{"reason": "account_frozen", "detail": ""}]
    assert (back.first_status, back.first_needed, back.first_risks) == ("on_chain_processing", 0, [])
    with pytest.raises(AccountFrozen):
        await reviewed(me, back)
    assert await stored(me, one.id) == back
    assert (await reviewed(me, back, is_yes=False, reason="not theirs")).status == "refused"
    assert await holdings(me) == had


async def test_after_a_persons_yes_it_is_sent_once(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    await freeze(me)
    await turn(scene.bench)
    await jobs.take_back(me.house)
    await freeze(me, None)
    await turn(scene.bench)
    assert await scene.attempts(one.id) == []
    await say_yes(scene, me, one.id, "ann")
    assert (await stored(me, one.id)).status == "on_chain_processing"
    await scene.finish(one.id)
    await book(me, one.id)
    assert (await scene.has(one.id), (await stored(me, one.id)).status) == (100 * COIN, "approved")


async def test_what_came_back_is_not_sent_without_a_signature_that_the_signer_trusts(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    await freeze(me)
    await turn(scene.bench)
    await jobs.take_back(me.house)
    await freeze(me, None)
    await reviewed(me, await stored(me, one.id), staff=7)
    await turn(scene.bench)
    assert (await scene.reason(), await scene.attempts(one.id)) == (None, [])
    await jobs.take_back(me.house)
    again = await stored(me, one.id)
    assert (again.status, again.returned) == ("pending_review", 2)
    await reviewed(me, again, is_yes=False)


async def test_a_hold_brings_it_back_and_nobody_says_yes_before_its_end(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    until = me.now + HOUR_MS
    await hold(me, until)
    await turn(scene.bench)
    assert (await scene.attempts(one.id), await returns(scene, one.id)) == ([], [(1, "security_hold", until)])
    await jobs.take_back(me.house)
    back = await stored(me, one.id)
    assert back.risks == [{"reason": "security_hold", "detail": str(until)}]
    with pytest.raises(SecurityHold):
        await reviewed(me, back)
    assert (await reviewed(me, back, is_yes=False)).status == "refused"


async def test_a_hold_that_has_ended_brings_nothing_back(scene: Scene) -> None:
    one = await scene.ask("6")
    await hold_asker(scene, one, Clock.wall() - 1)
    await scene.finish(one)
    assert (await scene.has(one), await returns(scene, one)) == (6 * COIN, [])


async def test_a_hold_ends_in_business_time(scene: Scene) -> None:
    one, wall = await scene.ask("6"), Clock.wall()
    await hold_asker(scene, one, wall + HOUR_MS)
    offset = await scene.owner("UPDATE clock SET offset_ms = offset_ms + 1000 RETURNING offset_ms")
    for now, held in ((wall - offset, wall + HOUR_MS), (wall - offset + HOUR_MS, None)):
        (due,) = await queries.list_due(scene.bench.db, 10, wall=now)
        assert due.brakes.held_until == held
    await scene.drop(one)


@pytest.mark.parametrize("change", ["frozen", "held", "removed", "listed", "a top-up address"])
async def test_what_changes_after_the_look_is_not_signed_for(scene: Scene, rich: Rich, change: str) -> None:
    """The statement that takes the nonce looks once more."""
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    (due,) = await queries.list_due(scene.bench.db, 10, wall=Clock.wall())
    assert (due.brakes, due.book and due.book.is_removed) == (FREE, False)
    match change:
        case "frozen":
            await freeze(me)
        case "held":
            await hold(me, me.now + HOUR_MS)
        case "removed":
            async with me.db.transaction() as db:
                await remove_address(
                    db, member=me.caller.id, number=one.wallet, at=me.now, removal_id="r" * 16, removal_hash=b"h" * 32
                )
        case "listed":
            await mark_listed(me.db, [one.wallet])
        case _:
            await scene.owner("INSERT INTO deposit_addresses VALUES ($1, $2, 1)", me.caller.id, one.address)
    place: dict[str, Any] = {"sender": new_address(), "nonce": 0, "value": 1, "gas": 1, "wall": Clock.wall(), "head": 1}
    async with scene.bench.db.transaction() as step:
        assert not await queries.take_nonce(step, due, floor=Fraction(1, 20), **place)
    assert await scene.owner("SELECT count(*) FROM signer_nonces WHERE withdrawal = $1", one.id) == 0
    await turn(scene.bench)
    await jobs.take_back(me.house)
    await reviewed(me, await stored(me, one.id), is_yes=False)


async def test_after_a_restore_what_the_chain_does_not_have_goes_before_people_again(
    scene: Scene, rich: Rich, database_url: str
) -> None:
    """Its member may have frozen the account in the lost time, and nobody would know."""
    me, told = await rich(usdt="100000", kls="2000"), list[str]()
    one, signed, waits = [(await withdraw(me, amount)).withdrawal for amount in ("100", "200", "20000")]
    await sign_taken(database_url, signed)
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'restored', by = $1, at = at + 1", RESTORE)
    for _ in range(2):
        await resume(scene.bench, tell=told.append, reason="looked at", by="a test")
    assert told == [f"withdrawal {one.id} was on its way then and isn't on the chain: it goes before people"]
    await turn(scene.bench)
    assert await scene.attempts(one.id) == []
    await jobs.take_back(me.house)
    back = await stored(me, one.id)
    assert (back.status, back.needed) == ("pending_review", 1)
    assert [risk["reason"] for risk in back.risks] == ["restored"]
    assert [(await stored(me, other.id)).returned for other in (signed, waits)] == [0, 0]
    assert (await reviewed(me, back, is_yes=False)).status == "refused"


async def test_what_people_said_before_it_came_back_counts_no_longer(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "50000")).withdrawal
    await say_yes(scene, me, one.id, "ann")
    await say_yes(scene, me, one.id, "bob")
    await freeze(me)
    await turn(scene.bench)
    await jobs.take_back(me.house)
    await freeze(me, None)
    back = await stored(me, one.id)
    assert (back.status, back.needed, back.returned) == ("pending_review", 2, 1)
    assert [risk["reason"] for risk in back.risks] == ["over_auto_max", "account_frozen"]
    assert (back.first_status, back.first_needed) == ("pending_review", 2)
    await say_yes(scene, me, one.id, "ann")
    with pytest.raises(WrongState):
        await say_yes(scene, me, one.id, "ann")
    assert (await stored(me, one.id)).status == "pending_review"
    await say_yes(scene, me, one.id, "bob")
    await scene.finish(one.id)
    await book(me, one.id)
    assert await scene.has(one.id) == 50_000 * COIN


async def test_an_earlier_yes_is_no_signature_for_the_signer(scene: Scene, rich: Rich) -> None:
    """Not even where somebody writes it down again as a yes of this round."""
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "20000")).withdrawal
    earlier = REVIEWERS["ann"].sign(house_rules.message(one))
    await say_yes(scene, me, one.id, "ann")
    await freeze(me)
    await turn(scene.bench)
    await jobs.take_back(me.house)
    await freeze(me, None)
    await reviewed(me, await stored(me, one.id), staff=7, signature=earlier)
    await turn(scene.bench)
    assert (await scene.reason(), await scene.attempts(one.id)) == (None, [])
    await jobs.take_back(me.house)
    again = await stored(me, one.id)
    assert (again.status, again.returned) == ("pending_review", 2)
    await reviewed(me, again, is_yes=False)


@pytest.mark.parametrize("kind", ["hot", "contract", "top-ups"])
async def test_coins_for_an_address_of_the_house_come_back(scene: Scene, kind: str) -> None:
    bench = scene.bench
    known = {"hot": bench.keys.hot.address, "contract": bench.chain.network.contract(USDT).address}
    address = known.get(kind) or bench.keys.deposit(10**6).address
    if kind == "top-ups":
        await scene.owner("INSERT INTO deposit_addresses (owner, address, made_at) VALUES (1000000, $1, 1)", address)
    one = await scene.ask("5", address=address)
    await turn(bench)
    assert (await scene.reason(), await scene.attempts(one)) == (None, [])
    assert await returns(scene, one) == [(1, "house_address", None)]


async def test_coins_for_an_address_that_was_deleted_come_back_and_are_only_refused(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    had = await holdings(me)
    number = await write_down(me)
    one = (await withdraw(me, "100", wallet=number)).withdrawal
    async with me.db.transaction() as db:
        await remove_address(
            db, member=me.caller.id, number=number, at=me.now, removal_id="r" * 16, removal_hash=bytes(32)
        )
    await turn(scene.bench)
    assert (await scene.reason(), await scene.attempts(one.id)) == (None, [])
    assert await returns(scene, one.id) == [(1, "address_removed", None)]
    await jobs.take_back(me.house)
    back = await stored(me, one.id)
    assert (back.status, back.needed) == ("pending_review", 1)
    with pytest.raises(AddressRemoved):
        await reviewed(me, back)
    assert (await reviewed(me, back, is_yes=False)).status == "refused"
    assert await holdings(me) == had


async def test_many_workers_put_it_before_people_once(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    made = [(await withdraw(me, "10")).withdrawal for _ in range(3)]
    await freeze(me)
    await turn(scene.bench)
    await asyncio.gather(*(jobs.take_back(me.house) for _ in range(4)))
    for one in made:
        back = await stored(me, one.id)
        assert (back.status, back.revision, back.returned) == ("pending_review", 2, 1)
        await reviewed(me, back, is_yes=False)


async def test_what_was_signed_does_not_come_back(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    await turn(scene.bench)
    await freeze(me)
    await scene.finish(one.id)
    assert (await scene.has(one.id), await returns(scene, one.id)) == (100 * COIN, [])
    await book(me, one.id)
    assert (await stored(me, one.id)).status == "approved"


@pytest.mark.parametrize(
    ("amount", "lowered", "names", "first"),
    [
        ("100", {"auto_max": 50}, ["ann"], 0),
        ("100", {"auto_max": 50, "two_reviewers": 100}, ["ann", "bob"], 0),
        ("20000", {"two_reviewers": 20_000}, ["ann", "bob"], 1),
    ],
)
async def test_a_limit_that_is_lower_here_brings_back_what_lacks_signatures_and_stops_nobody(
    scene: Scene, rich: Rich, amount: str, lowered: dict[str, Any], names: list[str], first: int
) -> None:
    """As many must sign as the signer needs; then it is sent."""
    me = await rich(usdt="30000", kls="1000")
    one = (await withdraw(me, amount)).withdrawal
    for name in names[:first]:
        await say_yes(scene, me, one.id, name)
    other = await scene.ask("5")
    scene.bench.limits = replace(scene.bench.limits, **lowered)
    await scene.finish(other)
    assert (await scene.reason(), await scene.has(other)) == (None, 5 * COIN)
    assert (await scene.attempts(one.id), await jobs.take_back(me.house)) == ([], 1)
    back = await stored(me, one.id)
    assert (back.status, back.needed, back.returned) == ("pending_review", len(names), 1)
    assert back.risks[-1] == {"reason": "not_reviewed", "detail": f"{first}"}
    assert (back.first_needed, back.first_status) == (one.first_needed, one.first_status)
    assert one.first_needed == first
    for name in names:
        assert await scene.attempts(one.id) == []
        await say_yes(scene, me, one.id, name)
    await scene.finish(one.id)
    await book(me, one.id)
    assert await scene.has(one.id) == int(amount) * COIN


async def test_a_reviewer_who_is_trusted_no_longer_has_signed_nothing(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="30000", kls="1000")
    one = (await withdraw(me, "20000")).withdrawal
    await say_yes(scene, me, one.id, "ann")
    trusted = scene.bench.trusted
    scene.bench.trusted = lambda: {"bob": TRUSTED["bob"]}
    await turn(scene.bench)
    assert (await scene.reason(), await scene.attempts(one.id)) == (None, [])
    await jobs.take_back(me.house)
    await say_yes(scene, me, one.id, "bob")
    await scene.finish(one.id)
    await book(me, one.id)
    assert await scene.has(one.id) == 20_000 * COIN
    scene.bench.trusted = trusted


async def test_of_members_the_signer_sees_nothing_but_that(scene: Scene) -> None:
    db = scene.bench.db
    await db.rows("SELECT id, frozen_at FROM members")
    await db.rows("SELECT member, held_until FROM security_events")
    for statement in (
        "SELECT email FROM members",
        "SELECT password_hash FROM members",
        "SELECT event FROM security_events",
        "UPDATE members SET frozen_at = NULL",
        "DELETE FROM broadcast_returns",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await db.execute(statement)
