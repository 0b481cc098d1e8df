"""A withdrawal from the request to its end: what is held, what is looked at, what comes back."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import asyncpg
import msgspec
import pytest

from kalos.core.assets import KLS
from kalos.core.errors import WrongState
from kalos.domains.context import Context
from kalos.domains.identity.queries import freeze
from kalos.domains.withdrawals import jobs, rules, service
from kalos.ledger import purse
from kalos.ledger.flags import clear_money_out, stop_money_out
from kalos.ledger.postings import Ledger, Posted, Posting
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from support.ledger import until_money_goes_out
from withdrawals.conftest import MakeRich
from withdrawals.scene import (
    TRANSACTION,
    end,
    holdings,
    reviewed,
    sign,
    stock,
    stored,
    with_terms,
    withdraw,
    write_down,
)


async def test_amount_and_fee_are_held_and_nobody_looks_where_nothing_is_risky(rich: MakeRich) -> None:
    me = await rich(usdt="1000", kls="20")
    placed = await withdraw(me, "100")
    one = placed.withdrawal
    assert (one.status, one.needed, one.risks, one.revision) == ("on_chain_processing", 0, [], 1)
    assert (one.units, one.fee_units, one.value_units) == (100_000_000, 100_000_000, 100_000_000)
    assert (one.price, one.price_source) == (Fraction(1, 2), "ref_first")
    assert (one.hold, one.fee_hold) == (one.id * 8, one.id * 8 + 1)
    assert placed.balance == 900_000_000
    assert await holdings(me) == {
        "USDT available": 900_000_000,
        "USDT held": 100_000_000,
        "KLS available": 1_900_000_000,
        "KLS held": 100_000_000,
    }


async def test_a_sent_one_leaves_through_the_chain_and_its_fee_goes_to_the_house(
    rich: MakeRich, database_url: str
) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    before = await balances(me.db, [purse.HOUSE, purse.OUTSIDE])
    sent = await end(database_url, one.id, "approved")
    assert await jobs.settle_ended(me.house) == 1
    assert await jobs.settle_ended(me.house) == 0
    ended = await stored(me, one.id)
    assert (ended.status, ended.transaction, ended.revision) == ("approved", sent, 2)
    after = await balances(me.db, [purse.HOUSE, purse.OUTSIDE])
    moved = {
        account: units - before.get(account, 0) for account, units in after.items() if units != before.get(account)
    }
    assert moved == {
        purse.outside(Purpose.CHAIN, one.coin): 100_000_000,
        purse.house(Purpose.FEES, KLS): 100_000_000,
    }
    assert await holdings(me) == {
        "USDT available": 900_000_000,
        "USDT held": 0,
        "KLS available": 1_900_000_000,
        "KLS held": 0,
    }


async def test_a_failed_one_gives_amount_fee_and_room_back(rich: MakeRich, database_url: str) -> None:
    me = await rich(usdt="1000", kls="20")
    had, room = await holdings(me), (await service.show_terms(me)).daily_left
    one = (await withdraw(me, "100")).withdrawal
    assert (await service.show_terms(me)).daily_left == room - one.value_units
    sent = await end(database_url, one.id, "failed")
    await jobs.settle_ended(me.house)
    ended = await stored(me, one.id)
    assert (ended.status, ended.transaction, ended.reason) == ("failed", sent, "failed on the chain")
    assert await holdings(me) == had
    assert (await service.show_terms(me)).daily_left == room


async def test_a_no_gives_everything_back_and_a_yes_sends_it(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="2000")
    had = await holdings(me)
    one = (await withdraw(me, "20000")).withdrawal
    assert (one.status, one.needed) == ("pending_review", 1)
    assert one.risks == [{"reason": "over_auto_max", "detail": "10000.000000"}]
    refused = await reviewed(me, one, is_yes=False, reason="not yours")
    assert (refused.status, refused.reason) == ("refused", "not yours")
    assert await holdings(me) == had
    with pytest.raises(WrongState):
        await reviewed(me, refused, staff=2)
    other = (await withdraw(me, "20000")).withdrawal
    approved = await reviewed(me, other)
    assert (approved.status, approved.reason) == ("on_chain_processing", None)
    with pytest.raises(WrongState):
        await reviewed(me, approved, staff=2, is_yes=False)


@pytest.mark.parametrize("outcome", ["refused", "failed"])
async def test_what_comes_back_leaves_the_kls_that_was_bought_for_its_fee(
    rich: MakeRich, database_url: str, outcome: str
) -> None:
    """Amount, whole fee and the day's room do; the 0.37875 USDT that 0.75 KLS of the fee have cost don't."""
    me = await rich(usdt="102", kls="0.25")
    if outcome == "refused":
        me = with_terms(me, withdraw_auto_max=0)
    await stock(me.ledger, "0.75")
    room = (await service.show_terms(me)).daily_left
    one = (await withdraw(me, "100", buys_fee=True)).withdrawal
    assert (one.fee_units, await balance_of_stock(me)) == (100_000_000, 0)
    assert (await service.show_terms(me)).daily_left < room
    if outcome == "refused":
        await reviewed(me, one, is_yes=False, reason="not yours")
    else:
        await end(database_url, one.id, "failed")
        await jobs.settle_ended(me.house)
    assert (await stored(me, one.id)).status == outcome
    assert await holdings(me) == {
        "USDT available": 101_621_250,
        "USDT held": 0,
        "KLS available": 100_000_000,
        "KLS held": 0,
    }
    assert (await balance_of_stock(me), (await service.show_terms(me)).daily_left) == (0, room)


async def balance_of_stock(me: Context) -> int:
    """KLS that the house may still sell."""
    return (await balances(me.db, [purse.HOUSE])).get(purse.house(Purpose.KLS_STOCK, KLS), 0)


async def test_a_no_comes_too_late_for_what_the_signer_has_paid(rich: MakeRich, database_url: str) -> None:
    """Back in review after a restore: what left already is not given back, and a yes lets the records follow."""
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "20000")).withdrawal
    had = await holdings(me)
    await sign(database_url, one)
    with pytest.raises(WrongState):
        await reviewed(me, one, is_yes=False)
    assert (await holdings(me), await stored(me, one.id)) == (had, one)
    async with me.db.transaction() as db:
        await freeze(db, me.caller.id, me.now)
        await stop_money_out(db, reason="restored", by="a test", wall=1)
    try:  # as after each restore: the reserves are whole again only once it is written down
        assert (await reviewed(me, one)).status == "on_chain_processing"
    finally:
        async with me.db.transaction() as db:
            await clear_money_out(db, reason="a test", by="a test", wall=2)
        await until_money_goes_out(me.ledger, me.db.value)


class Overtaken:
    """A ledger whose posting is sent once somebody else's has been written."""

    def __init__(self, ledger: Ledger, other: Callable[[], Awaitable[object]]) -> None:
        self._ledger, self._other = ledger, other

    async def post(self, posting: Posting) -> Posted:
        await self._other()
        return await self._ledger.post(posting)


async def pause_signer(database_url: str, by: str | None, reason: str | None) -> None:
    """As the signer's state says it; nobody: it goes on."""
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute("UPDATE signer_state SET paused = $1, by = $2, reason = $3", by is not None, by, reason)
    finally:
        await owner.close()


async def test_a_no_that_another_one_overtakes_finds_an_empty_hold(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "20000")).withdrawal
    late: Any = Overtaken(me.house.ledger, lambda: reviewed(me, one, staff=2, is_yes=False))
    with pytest.raises(WrongState):
        await reviewed(msgspec.structs.replace(me, house=replace(me.house, ledger=late)), one, is_yes=False)
    assert (await stored(me, one.id)).status == "refused"


@pytest.mark.parametrize(("by", "reason"), [("restore", "restored to noon"), ("signer", "unknown_payment: 3, 2")])
async def test_a_no_waits_until_the_lost_payments_are_found(
    rich: MakeRich, database_url: str, by: str, reason: str
) -> None:
    """What the chain paid in the lost time stands in no record yet."""
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "20000")).withdrawal
    had = await holdings(me)
    await pause_signer(database_url, by, reason)
    try:
        with pytest.raises(WrongState):
            await reviewed(me, one, is_yes=False)
        assert (await holdings(me), await stored(me, one.id)) == (had, one)
        await pause_signer(database_url, "signer", "nonce_gap: of something else")
        assert (await reviewed(me, one, is_yes=False)).status == "refused"
    finally:
        await pause_signer(database_url, None, None)


async def test_a_no_that_a_found_payment_overtakes_gives_nothing_back(rich: MakeRich, database_url: str) -> None:
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "20000")).withdrawal
    had = await holdings(me)
    late: Any = Overtaken(me.house.ledger, lambda: sign(database_url, one))
    with pytest.raises(WrongState):
        await reviewed(msgspec.structs.replace(me, house=replace(me.house, ledger=late)), one, is_yes=False)
    assert (await holdings(me), await stored(me, one.id)) == (had, one)


async def test_a_large_one_needs_two_different_reviewers(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "50000")).withdrawal
    assert one.needed == 2
    first = await reviewed(me, one)
    assert (first.status, first.revision) == ("pending_review", 2)
    with pytest.raises(WrongState):
        await reviewed(me, first)
    with pytest.raises(WrongState):
        await reviewed(me, one, staff=2)
    assert (await stored(me, one.id)).status == "pending_review"
    assert (await reviewed(me, first, staff=2)).status == "on_chain_processing"


async def test_settling_again_changes_nothing_and_another_end_is_a_bug(rich: MakeRich) -> None:
    me = await rich(usdt="1000", kls="20")
    one = (await withdraw(me, "100")).withdrawal
    for _ in range(2):
        await service.settle(me.house, withdrawal=one.id, transaction=TRANSACTION, outcome="approved")
    had = await holdings(me)
    with pytest.raises(AssertionError):
        await service.settle(me.house, withdrawal=one.id, transaction=TRANSACTION, outcome="failed")
    assert await holdings(me) == had
    assert (await stored(me, one.id)).revision == 2


async def test_what_a_reviewer_signs_names_the_very_withdrawal(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="2000")
    one = (await withdraw(me, "20000", wallet=await write_down(me))).withdrawal
    lines = rules.message(one).decode().split("\n")
    assert lines == ["kalos withdrawal 2", str(one.id), "USDT", "20000000000", "31337", one.address, "1", "0"]
