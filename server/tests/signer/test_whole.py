"""From a member's request to the coins at the address and the ledger's last posting, with the product's own parts."""

import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import MakeContext, MakeMember
from factors.scene import give_out
from kalos.core.assets import USDT
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.terms import load_terms
from kalos.core.tokens import digest
from kalos.domains.context import Context
from kalos.domains.withdrawals import jobs, service
from kalos.domains.withdrawals import rules as withdrawals
from kalos.signer import queries, rules
from kalos.signer.rules import Limits
from kalos.signer.steps import turn
from signer.scene import COIN, REVIEWERS, Scene
from support.members import begin_session
from withdrawals.scene import holdings, reviewed, stored, withdraw

Rich = Callable[..., Awaitable[Context]]


@pytest.fixture
def rich(ctx: MakeContext, member: MakeMember) -> Rich:
    async def make(**amounts: str) -> Context:
        someone = await member(**amounts)
        me = ctx(someone, session=digest(await begin_session(ctx().db, someone)))
        await give_out(me)
        return me

    return make


async def say_yes(scene: Scene, me: Context, number: int, name: str) -> None:
    one = await stored(me, number)
    await service.review(
        me.house,
        withdrawal=one.id,
        revision=one.revision,
        staff=sorted(REVIEWERS).index(name) + 1,
        is_yes=True,
        reason="looked at",
        signature=REVIEWERS[name].sign(withdrawals.message(one)),
        key=uuid.uuid4().bytes * 2,
        fingerprint=b"",
    )


async def test_a_withdrawal_that_nobody_reviews_arrives_and_is_booked(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    await scene.finish(one.id)
    assert await scene.has(one.id) == 100 * COIN
    assert await jobs.settle_ended(me.house) == 1
    ended = await stored(me, one.id)
    assert (ended.status, ended.transaction) == ("approved", (await scene.attempts(one.id))[0]["hash"])
    assert (await holdings(me))["USDT held"] == 0
    assert (await holdings(me))["USDT available"] == 900 * COIN


@pytest.mark.parametrize(("amount", "names"), [("20000", ["ann"]), ("50000", ["ann", "bob"])])
async def test_reviewers_yes_of_the_console_is_what_the_signer_takes(
    scene: Scene, rich: Rich, amount: str, names: list[str]
) -> None:
    me = await rich(usdt="60000", kls="1000")
    one = (await withdraw(me, amount)).withdrawal
    assert one.needed == len(names)
    await turn(scene.bench)
    assert await scene.attempts(one.id) == []
    for name in names:
        await say_yes(scene, me, one.id, name)
    await scene.finish(one.id)
    assert await scene.has(one.id) == int(amount) * COIN
    assert await jobs.settle_ended(me.house) == 1
    assert (await stored(me, one.id)).status == "approved"


async def test_a_yes_with_a_key_that_the_signer_does_not_trust_pays_nothing_and_stops_nobody(
    scene: Scene, rich: Rich
) -> None:
    me = await rich(usdt="30000", kls="1000")
    one = (await withdraw(me, "20000")).withdrawal
    await reviewed(me, one)
    await turn(scene.bench)
    await scene.node.mine()
    assert (await scene.reason(), await scene.has(one.id)) == (None, 0)
    assert await jobs.take_back(me.house) == 1
    back = await stored(me, one.id)
    assert (back.status, back.needed, back.returned) == ("pending_review", 1, 1)
    await reviewed(me, back, is_yes=False)


async def test_a_failure_on_the_chain_gives_everything_back(scene: Scene, rich: Rich) -> None:
    from signer.test_paying import cancel

    me = await rich(usdt="1000", kls="20")
    before = await holdings(me)
    one = (await withdraw(me, "100")).withdrawal
    await turn(scene.bench)
    (row,) = await scene.attempts(one.id)
    await cancel(scene, row["hash"], row["nonce"])
    await scene.finish(one.id)
    assert await jobs.settle_ended(me.house) == 1
    assert (await stored(me, one.id)).status == "failed"
    assert await holdings(me) == before
    assert await scene.has(one.id) == 0


async def test_the_signer_sees_what_may_be_paid_and_none_that_has_ended(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="60000", kls="1000")
    paid, failed = [(await withdraw(me, amount)).withdrawal.id for amount in ("50", "51")]
    await scene.drop(failed)
    await scene.finish(paid)
    refused = (await withdraw(me, "20000")).withdrawal
    await reviewed(me, refused, is_yes=False)
    assert await jobs.settle_ended(me.house) == 2
    due, waiting = [(await withdraw(me, amount)).withdrawal for amount in ("52", "20000")]
    look = "SELECT id, status FROM withdrawals WHERE member = $1 ORDER BY id"
    seen = [tuple(row) for row in await scene.bench.db.rows(look, me.caller.id)]
    assert seen == [(due.id, "on_chain_processing"), (waiting.id, "pending_review")]
    house = [row["status"] for row in await me.db.rows(look, me.caller.id)]
    assert house == ["approved", "failed", "refused", "on_chain_processing", "pending_review"]
    await reviewed(me, waiting, is_yes=False)
    await scene.finish(due.id)
    await jobs.settle_ended(me.house)


async def test_both_sides_write_the_same_text_to_sign(scene: Scene, rich: Rich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    due = next(due for due in await queries.list_due(scene.bench.db, 10, wall=Clock.wall()) if due.id == one.id)
    assert rules.message(due) == withdrawals.message(one)
    assert rules.HOLD_KIND == withdrawals.OPENED
    await scene.finish(one.id)
    await jobs.settle_ended(me.house)


def test_the_signers_own_limits_begin_as_the_platforms() -> None:
    terms: Any = load_terms(Path(__file__).parents[2] / "terms.toml")
    own = Limits()
    assert (own.auto_max, own.two_reviewers) == (terms.withdraw_auto_max, terms.withdraw_two_reviewers)
    assert (own.hour, own.day) == (terms.signer_hour, terms.signer_day)
    assert own.address_wait == terms.address_wait


async def test_an_hour_ago_counts_for_the_day_alone(scene: Scene) -> None:
    wall = Clock.wall()
    before = await queries.sum_spent(scene.bench.db, wall - HOUR_MS)
    one = await scene.ask("40", USDT)
    await scene.finish(one)
    assert await queries.sum_spent(scene.bench.db, wall - HOUR_MS) == before + 40 * COIN
    await scene.owner("UPDATE signer_nonces SET taken_at = $2 WHERE withdrawal = $1", one, wall - HOUR_MS - 1)
    assert await queries.sum_spent(scene.bench.db, wall - HOUR_MS) == before
    assert await queries.sum_spent(scene.bench.db, wall - 24 * HOUR_MS) >= before + 40 * COIN
