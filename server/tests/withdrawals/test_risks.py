"""Why people look at a withdrawal, what no two at once can pass, and who can always withdraw."""

import asyncio
import uuid
from dataclasses import replace as changed
from pathlib import Path
from typing import get_args

from msgspec.structs import replace

from kalos.adapters.screening.list import ListedAddresses
from kalos.core.assets import USDT
from kalos.core.errors import LimitReached, WrongState
from kalos.core.money import Amount
from kalos.core.ports import Feature
from kalos.domains.identity.queries import insert_event
from kalos.domains.protection import service as protection
from kalos.domains.security.errors import BalanceNotZero
from kalos.domains.withdrawals import service
from kalos.ledger import purse
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import owns_anything
from protection.scene import order
from support.ledger import posting
from wallets.people import bind, new_wallet
from withdrawals.conftest import MakeRich
from withdrawals.scene import asking, holdings, reviewed, stock, stored, wish, with_terms, withdraw, write_down

HOUR = 3_600_000


async def test_where_features_are_off_what_is_held_is_claimed_and_withdrawn_all_the_same(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="5")
    claimable = purse.account(me.caller.id, USDT, Purpose.CLAIMABLE)
    await me.ledger.post(posting(Move("test.fund", purse.outside(Purpose.CHAIN, USDT), claimable, 5_000_000)))
    for feature in get_args(Feature):
        await order(me.house, feature, is_on=False)
    await service.claim_income(asking(me), amount=Amount(5_000_000, USDT), request_id=uuid.uuid4().hex)
    assert (await withdraw(me, "100")).withdrawal.status == "on_chain_processing"
    assert (await holdings(me))["USDT available"] == 5_000_000
    for feature in get_args(Feature):
        await order(me.house, feature, is_on=True)


async def test_a_listed_address_is_looked_at(rich: MakeRich, tmp_path: Path) -> None:
    me = await rich(usdt="1000", kls="100")
    marked = (await withdraw(me, "10", wallet=await write_down(me, listed=True))).withdrawal
    assert (marked.status, marked.risks) == ("pending_review", [{"reason": "listed_address", "detail": ""}])
    number = await write_down(me)
    address = await me.db.value("SELECT address FROM withdrawal_addresses WHERE id = $1", number)
    listed = tmp_path / "listed"
    listed.write_text(f"{address}\n")
    house = changed(me.house, screening=ListedAddresses(listed))
    since = (await withdraw(replace(me, house=house), "10", wallet=number)).withdrawal
    assert (since.status, since.needed) == ("pending_review", 1)


async def test_of_whom_logs_in_by_a_listed_wallet_each_is_looked_at(rich: MakeRich, tmp_path: Path) -> None:
    me, wallet = await rich(usdt="1000", kls="100"), new_wallet()
    await bind(me, wallet)
    listed = tmp_path / "listed"
    listed.write_text(f"{wallet.address}\n")
    seen = replace(me, house=changed(me.house, screening=ListedAddresses(listed)))
    one = (await withdraw(seen, "10")).withdrawal
    assert (one.status, one.needed) == ("pending_review", 1)
    assert one.risks == [{"reason": "listed_address", "detail": wallet.address}]
    listed.write_text("")
    clean = replace(me, house=changed(me.house, screening=ListedAddresses(listed)))
    assert (await withdraw(clean, "10")).withdrawal.status == "on_chain_processing"


async def test_a_new_address_and_a_recent_change_are_looked_at(rich: MakeRich) -> None:
    me = await rich(usdt="1000", kls="100")
    new = (await withdraw(me, "10", wallet=await write_down(me, old=False))).withdrawal
    assert [risk["reason"] for risk in new.risks] == ["new_address"]
    async with me.db.transaction() as db:
        told = {"event": "password_changed", "network": "", "device": ""}
        await insert_event(db, member=me.caller.id, **told, at=me.now - 2 * HOUR, held_until=me.now - HOUR)
    recent = (await withdraw(me, "10")).withdrawal
    assert [risk["reason"] for risk in recent.risks] == ["recent_security_change"]
    assert (recent.status, recent.needed) == ("pending_review", 1)


async def test_two_at_once_pass_no_limit_of_the_day(rich: MakeRich) -> None:
    me = with_terms(await rich(usdt="10000", kls="100"), withdraw_daily_limit=100)
    asked = []
    for _ in range(6):
        ctx = asking(me)
        asked.append((ctx, await wish(ctx, "40")))
        await service._prove_once(*asked[-1])
    ended = await asyncio.gather(*(service.withdraw(*one) for one in asked), return_exceptions=True)
    assert sum(isinstance(one, service.Placed) for one in ended) == 2
    refused = [one for one in ended if not isinstance(one, service.Placed)]
    assert all(isinstance(one, LimitReached) for one in refused), refused
    assert (await holdings(me))["USDT held"] == 80_000_000


async def test_who_has_paused_can_always_withdraw_and_buy_the_fee(rich: MakeRich) -> None:
    me = await rich(usdt="1000")
    await stock(me.ledger, "1")
    await protection.exclude(me, months=6)
    assert (await withdraw(me, "10", buys_fee=True)).withdrawal.status == "on_chain_processing"


async def test_a_yes_and_a_no_at_once_end_in_one_of_them(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="1000")
    had = await holdings(me)
    for _ in range(8):
        one = (await withdraw(me, "10001")).withdrawal
        said = [reviewed(me, one, staff=staff, is_yes=staff % 2 == 0, reason="no") for staff in range(1, 9)]
        ended = await asyncio.gather(*said, return_exceptions=True)
        assert sum(not isinstance(answer, Exception) for answer in ended) == 1
        assert all(isinstance(answer, WrongState) for answer in ended if isinstance(answer, Exception)), ended
        after = await stored(me, one.id)
        if after.status == "refused":
            assert await holdings(me) == had
        else:
            await service.settle(me.house, withdrawal=one.id, transaction=f"0x{one.id:064x}", outcome="failed")
        assert await holdings(me) == had
    count = "SELECT count(*) FROM withdrawal_reviews r JOIN withdrawals w ON w.id = r.withdrawal WHERE w.member = $1"
    assert await me.db.value(count, me.caller.id) == 8


async def test_while_one_runs_the_account_holds_something(rich: MakeRich) -> None:
    me = await rich(usdt="10", kls="0.1")
    one = (await withdraw(me, "10")).withdrawal
    assert await holdings(me) == {
        "USDT available": 0,
        "USDT held": 10_000_000,
        "KLS available": 0,
        "KLS held": 10_000_000,
    }
    async with me.db.transaction() as db:
        assert await owns_anything(db, me.caller.id), BalanceNotZero
    await service.settle(me.house, withdrawal=one.id, transaction="0x" + "cd" * 32, outcome="approved")
    async with me.db.transaction() as db:
        assert not await owns_anything(db, me.caller.id)
