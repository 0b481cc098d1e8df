"""What a withdrawal is refused for: nothing has moved then, and no code is used up."""

from collections.abc import Awaitable, Callable
from dataclasses import replace as changed
from datetime import date
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from factors.scene import bind
from kalos.adapters.countries.list import ListedCountries
from kalos.adapters.kyc.none import NoIdentities
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.errors import (
    BelowMinimum,
    Busy,
    InsufficientBalance,
    LimitReached,
    MoneyOutStopped,
    NotFound,
    Refusal,
    StateChanged,
    WrongState,
)
from kalos.core.money import Amount, parse_amount
from kalos.core.payments import NOBODYS
from kalos.core.ports import ApprovedIdentity, Price
from kalos.domains.challenges.errors import WrongCode
from kalos.domains.context import Context
from kalos.domains.deposits.service import deposit_address
from kalos.domains.factors.errors import OutPasswordLocked, OutPasswordNotSet, SecondFactorRequired, WrongOutPassword
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.identity.queries import freeze as freeze_member
from kalos.domains.identity.queries import insert_event, unfreeze
from kalos.domains.protection.errors import KycRequired
from kalos.domains.protection.service import Gate
from kalos.domains.wallets import queries as book
from kalos.domains.wallets.errors import HouseAddress
from kalos.domains.withdrawals import queries, service
from kalos.domains.withdrawals.errors import AddressWaiting, PriceChanged, SecurityHold
from kalos.ledger.flags import clear_money_out, stop_money_out
from kalos.ledger.postings import Ledger, Posted, Posting
from protection.scene import Papers
from support.doors import COLD, HOT
from support.ledger import until_money_goes_out
from withdrawals.conftest import MakeRich
from withdrawals.scene import (
    DAY,
    asking,
    holdings,
    reviewed,
    rows_of,
    stock,
    stored,
    wish,
    with_terms,
    withdraw,
    write_down,
)

HOUR = 3_600_000


async def refusal(ctx: Context, reason: type[Refusal], amount: str, asset: str = "USDT", **fields: Any) -> Refusal:
    """The refusal, which has left everything as it was."""
    me = asking(ctx)
    asked = await wish(me, amount, asset, **fields)
    before = await rows_of(me)
    with pytest.raises(reason) as raised:
        await service.withdraw(me, asked)
    assert await rows_of(me) == before
    return raised.value


async def remove(ctx: Context, number: int) -> None:
    async with ctx.db.transaction() as db:
        given = {"member": ctx.caller.id, "number": number, "at": 2**62}
        assert await book.remove_address(db, **given, removal_id="x" * 16, removal_hash=b"x" * 32)


async def hold(ctx: Context, until: int) -> None:
    async with ctx.db.transaction() as db:
        told = {"event": "password_changed", "network": "", "device": ""}
        await insert_event(db, member=ctx.caller.id, **told, at=ctx.now, held_until=until)


async def freeze(ctx: Context) -> None:
    async with ctx.db.transaction() as db:
        await freeze_member(db, ctx.caller.id, ctx.now)


class Between:
    """The real ledger; something happens right before the next posting that changes anything."""

    def __init__(self, ledger: Ledger, happens: Callable[[], Awaitable[None]]) -> None:
        self._ledger, self._happens = ledger, happens

    async def post(self, posting: Posting) -> Posted:
        if posting.riders:
            await self._happens()
        return await self._ledger.post(posting)

    async def post_many(self, postings: Any) -> list[Posted | Exception]:
        return await self._ledger.post_many(postings)


def with_between(ctx: Context, happens: Callable[[], Awaitable[None]]) -> Context:
    return replace(ctx, house=changed(ctx.house, ledger=Between(ctx.ledger, happens)))


@pytest.mark.parametrize(("amount", "asset"), [("9.999999", "USDT"), ("0", "USDT"), ("19.99999999", "KLS")])
async def test_below_the_minimum(rich: MakeRich, amount: str, asset: str) -> None:
    me = await rich(usdt="100", kls="100")
    told = await refusal(me, BelowMinimum, amount, asset)
    assert told.fields == {"asset": asset, "minimum": {"USDT": "10.000000", "KLS": "20.00000000"}[asset]}


async def test_an_address_that_is_another_members_or_removed_is_not_found(rich: MakeRich) -> None:
    me, other = await rich(usdt="100", kls="10"), await rich()
    number = await write_down(other)
    await refusal(me, NotFound, "10", wallet=number, email_code="000000")
    own = await write_down(me)
    await remove(me, own)
    await refusal(me, NotFound, "10", wallet=own, email_code="000000")


async def test_an_address_waits_until_its_time(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="10")
    number = await write_down(me, old=False)
    usable_at = await me.db.value("SELECT usable_at FROM withdrawal_addresses WHERE id = $1", number)
    early = usable_at - me.now - 60_000
    clock = type(me.house.clock)(early)
    then = replace(me, house=changed(me.house, clock=clock))
    told = await refusal(then, AddressWaiting, "10", wallet=number)
    assert told.fields == {"until": usable_at}


@pytest.mark.parametrize("kind", ["contract", "hot", "cold", "nobody", "another member's top-ups"])
async def test_what_became_the_houses_own_gets_no_withdrawal(rich: MakeRich, database_url: str, kind: str) -> None:
    me, other = await rich(usdt="100000", kls="1000"), await rich()
    number = await write_down(me)
    waiting = (await withdraw(me, "10001", wallet=number)).withdrawal
    known = {"contract": me.house.chain.network.contracts[0].address, "hot": HOT, "cold": COLD, "nobody": NOBODYS}
    address = known.get(kind) or await deposit_address(me.house, other.caller.id)
    db = await asyncpg.connect(database_url)
    try:
        await db.execute("UPDATE withdrawal_addresses SET address = $2 WHERE id = $1", number, address)
        await db.execute("UPDATE withdrawals SET address = $2, revision = 2 WHERE id = $1", waiting.id, address)
    finally:
        await db.close()
    assert (await refusal(me, HouseAddress, "10", wallet=number)).fields == {}
    late, before = await stored(me, waiting.id), await rows_of(me)
    with pytest.raises(HouseAddress):
        await reviewed(me, late)
    assert await rows_of(me) == before
    assert (await reviewed(me, late, is_yes=False)).status == "refused"


async def test_a_security_hold_holds_until_its_end(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="10")
    until = me.now + HOUR
    await hold(me, until)
    assert (await refusal(me, SecurityHold, "10")).fields == {"until": until}


async def test_a_frozen_account_withdraws_nothing(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="10")
    await freeze(me)
    await refusal(me, AccountFrozen, "10")


async def test_withdrawal_password_and_second_factor_are_asked_for(rich: MakeRich) -> None:
    me = await rich(usdt="1000", kls="100")
    await refusal(me, WrongOutPassword, "10", out_password="999999")
    await refusal(me, SecondFactorRequired, "10", email_code=None)
    await refusal(me, WrongCode, "10", email_code="no-such-code")
    other = await wish(asking(me), "11")
    await refusal(me, WrongCode, "10", wallet=other.wallet, email_code=other.email_code)
    elsewhere = await write_down(me)
    await refusal(me, WrongCode, "11", wallet=elsewhere, email_code=other.email_code)
    assert (await service.withdraw(asking(me), other)).withdrawal.units == 11_000_000
    phone = await bind(me)
    await refusal(me, SecondFactorRequired, "10")
    await withdraw(me, "10", google_code=phone.code(me), email_code=None)


async def test_too_many_wrong_withdrawal_passwords_lock_it(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="10")
    for _ in range(5):
        await refusal(me, WrongOutPassword, "10", out_password="999999")
    assert (await refusal(me, OutPasswordLocked, "10")).code == 423


async def test_without_a_withdrawal_password_nothing_goes(rich: MakeRich, ctx: Any, member: Any) -> None:
    await refusal(ctx(await member(usdt="100", kls="10")), OutPasswordNotSet, "10")


async def test_while_money_out_stands_still_nothing_is_asked_for_or_approved(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="1000")
    waiting = (await withdraw(me, "20000")).withdrawal
    async with me.db.transaction() as db:
        await stop_money_out(db, reason="a test", by="a test", wall=1)
    try:
        await refusal(me, MoneyOutStopped, "10")
        with pytest.raises(MoneyOutStopped):
            await reviewed(me, waiting)
        assert (await reviewed(me, waiting, is_yes=False)).status == "refused"
    finally:
        async with me.db.transaction() as db:
            await clear_money_out(db, reason="a test", by="a test", wall=2)
        await until_money_goes_out(me.ledger, me.db.value)


async def test_too_little_of_the_coin_or_of_kls_names_the_coin(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="0.5")
    assert (await refusal(me, InsufficientBalance, "100.000001")).fields == {"asset": "USDT"}
    assert (await refusal(me, InsufficientBalance, "100")).fields == {"asset": "KLS"}
    both = await rich(kls="20")
    assert (await refusal(both, InsufficientBalance, "20", "KLS")).fields == {"asset": "KLS"}


async def test_the_day_has_its_limit_for_both_coins_together(rich: MakeRich) -> None:
    me = with_terms(await rich(usdt="1000", kls="1000"), withdraw_daily_limit=100)
    await withdraw(me, "60")
    told = await refusal(me, LimitReached, "40.000001")
    assert told.fields == {"asset": "USDT", "room": {"USDT": "40.000000"}}
    await refusal(me, LimitReached, "80.00000002", "KLS")
    await withdraw(me, "80", "KLS")
    assert (await service.show_terms(me)).daily_left == 0


async def test_over_the_free_limit_in_thirty_days_an_identity_is_asked_for(rich: MakeRich) -> None:
    me = await rich(usdt="3000", kls="100")
    doors = (me.db, me.terms, me.house.clock, me.house.prices, NoIdentities(), ListedCountries(()))
    gate = Gate(*doors, is_demo=False)
    strict = replace(me, house=changed(me.house, may=gate))
    await withdraw(strict, "600")
    await refusal(strict, KycRequired, "400.000001")
    one = (await withdraw(strict, "400")).withdrawal
    assert one.free_units == one.value_units
    await refusal(strict, KycRequired, "10")
    later = type(me.house.clock)(30 * DAY)
    then = replace(strict, house=changed(strict.house, clock=later))
    papers = Papers()
    papers.known[me.caller.id] = ApprovedIdentity("DE", date(1990, 1, 1))
    known = replace(me, house=changed(me.house, may=Gate(*doors[:4], papers, doors[5], is_demo=False)))
    assert (await withdraw(known, "10")).withdrawal.free_units == 0
    room = await queries.free_room(then.db, me.caller.id, now=then.now, limit=then.terms.kyc_free_limit)
    assert room == 1_000_000_000
    assert (await withdraw(me, "10")).withdrawal.free_units == 0


async def test_bought_kls_pays_the_fee_in_the_same_posting(rich: MakeRich) -> None:
    me = await rich(usdt="102", kls="0.25")
    await stock(me.ledger, "10")
    one = (await withdraw(me, "100", buys_fee=True)).withdrawal
    assert one.fee_units == 100_000_000
    # 0.75 KLS at 0.5 USDT and a hundredth more: 0.37875 USDT.
    assert await holdings(me) == {
        "USDT available": 1_621_250,
        "USDT held": 100_000_000,
        "KLS available": 0,
        "KLS held": 100_000_000,
    }


async def test_nobody_pays_a_higher_fee_than_was_confirmed(rich: MakeRich) -> None:
    me = await rich(usdt="1000", kls="20")
    one, unit = parse_amount("1", KLS), parse_amount("0.00000001", KLS)
    told = await refusal(me, PriceChanged, "100", most_fee=Amount(one.units - unit.units, KLS))
    assert told.fields == {"fee": "1.00000000", "purchase": "0.000000"}
    assert (await withdraw(me, "100", most_fee=one)).withdrawal.fee_units == one.units
    assert (await withdraw(me, "100", most_fee=parse_amount("2", KLS))).withdrawal.fee_units == one.units


async def test_a_price_that_moves_before_the_posting_counts_as_it_was_confirmed(rich: MakeRich) -> None:
    """The same request again, once the price is back, needs neither another code nor another id."""
    me = await rich(usdt="1000", kls="20")

    class Falling:
        """A `PriceSource` whose price has fallen by a hundredth."""

        async def price(self, asset: Asset) -> Price:
            return await self.last(asset)

        async def last(self, asset: Asset) -> Price:
            found = await me.house.prices.last(asset)
            return changed(found, rate=found.rate * 99 / 100)

    late = replace(asking(me), house=changed(me.house, prices=Falling()))
    asked, before = await wish(late, "100", most_fee=parse_amount("1", KLS)), await rows_of(me)
    with pytest.raises(PriceChanged) as told:
        await service.withdraw(late, asked)
    assert told.value.fields == {"fee": "1.01010102", "purchase": "0.000000"}
    assert await rows_of(me) == before
    assert (await service.withdraw(replace(late, house=me.house), asked)).withdrawal.fee_units == 10**8


async def test_bought_kls_is_no_dearer_than_was_confirmed(rich: MakeRich) -> None:
    me = await rich(usdt="102", kls="0.25")
    await stock(me.ledger, "10")
    told = await refusal(me, PriceChanged, "100", buys_fee=True, most_purchase=parse_amount("0.378749", USDT))
    assert told.fields == {"fee": "1.00000000", "purchase": "0.378750"}
    one = (await withdraw(me, "100", buys_fee=True, most_purchase=parse_amount("0.37875", USDT))).withdrawal
    assert (one.fee_units, (await holdings(me))["USDT available"]) == (10**8, 1_621_250)


async def test_an_empty_stock_sells_nothing(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="0.25")
    left = await me.db.value(
        "SELECT coalesce(sum(balance), 0)::bigint FROM accounts WHERE id = $1", 2 << 16 | 2 << 8 | 34
    )
    told = await refusal(with_terms(me, withdraw_auto_max=10**6), LimitReached, "90000", buys_fee=True)
    assert told.fields["asset"] == "KLS"
    assert told.fields["room"] == {"KLS": f"{left / 10**8:.8f}"}
    poor = await rich(usdt="10")
    assert (await refusal(poor, InsufficientBalance, "10", buys_fee=True)).fields == {"asset": "USDT"}


@pytest.mark.parametrize(
    ("happens", "reason"), [("removed", NotFound), ("frozen", AccountFrozen), ("held", SecurityHold)]
)
async def test_what_changes_right_before_the_posting_refuses_it(
    rich: MakeRich, happens: str, reason: type[Refusal]
) -> None:
    me = await rich(usdt="100", kls="10")
    number = await write_down(me)

    async def change() -> None:
        if happens == "removed":
            await remove(me, number)
        elif happens == "frozen":
            await freeze(me)
        else:
            await hold(me, me.now + HOUR)

    late = asking(with_between(me, change))
    asked, had = await wish(late, "10", wallet=number), await holdings(me)
    with pytest.raises(reason):
        await service.withdraw(late, asked)
    assert await holdings(me) == had
    assert await me.db.value("SELECT count(*) FROM withdrawals WHERE member = $1", me.caller.id) == 0


async def test_a_reason_that_has_gone_again_asks_to_try_once_more(rich: MakeRich) -> None:
    me = await rich(usdt="100", kls="10")

    async def fail() -> None:
        raise StateChanged

    late = asking(with_between(me, fail))
    asked = await wish(late, "10")
    with pytest.raises(Busy):
        await service.withdraw(late, asked)
    again = replace(late, house=me.house)
    shown = changed(asked, email_code=None)
    assert (await service.withdraw(again, shown)).withdrawal.units == 10_000_000


async def test_nobody_says_yes_while_the_member_is_frozen_or_held(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="1000")
    one = (await withdraw(me, "20000")).withdrawal
    await freeze(me)
    before = await rows_of(me)
    with pytest.raises(AccountFrozen):
        await reviewed(me, one)
    async with me.db.transaction() as db:
        await unfreeze(db, me.caller.id)
    await hold(me, me.now + HOUR)
    with pytest.raises(SecurityHold):
        await reviewed(me, one)
    assert await rows_of(me) == before
    assert (await stored(me, one.id)).status == "pending_review"
    assert (await reviewed(me, one, is_yes=False)).status == "refused"


async def test_a_review_that_was_overtaken_changes_nothing(rich: MakeRich) -> None:
    me = await rich(usdt="100000", kls="1000")
    one = (await withdraw(me, "20000")).withdrawal

    async def overtake() -> None:
        await reviewed(me, one, staff=9)

    with pytest.raises(WrongState):
        await reviewed(with_between(me, overtake), one, is_yes=False)
    assert (await stored(me, one.id)).status == "on_chain_processing"
    with pytest.raises(NotFound):
        await reviewed(me, changed(one, id=one.id + 10**9))
