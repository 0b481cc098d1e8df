"""Logging in with a wallet: no way around the second factor, a frozen account or the tries."""

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from conftest import MakeContext, MakeMember
from factors.scene import Phone, events
from factors.scene import bind as bind_google
from kalos.core.errors import InvalidInput, Refusal, TooMany
from kalos.core.tokens import digest
from kalos.domains.challenges.errors import SlideRequired, WrongCode
from kalos.domains.context import Context
from kalos.domains.entry import jobs, service
from kalos.domains.entry.service import Opened, WalletLogin
from kalos.domains.identity import queries as members
from kalos.domains.identity.errors import AccountFrozen, WrongCredentials
from kalos.domains.wallets.service import Signed
from support.members import begin_session
from support.people import PASSWORD, proof
from wallets.people import bind, new_wallet, signed


@pytest.fixture(scope="module")
def someone(ctx: MakeContext, member: MakeMember) -> "Someone":
    return Someone(ctx, member)


class Someone:
    """Members with a login wallet."""

    def __init__(self, ctx: MakeContext, member: MakeMember) -> None:
        self._ctx, self._member = ctx, member
        self.wallets: dict[int, Any] = {}

    async def make(self) -> tuple[Context, WalletLogin]:
        """A call of a new member, and what their wallet logs in with."""
        who, wallet = await self._member(), new_wallet()
        me = self._ctx(who, session=digest(await begin_session(self._ctx().db, who)))
        await bind(me, wallet)
        self.wallets[who.id] = wallet
        return me, WalletLogin(await signed(self._ctx(), wallet))


async def fail(ctx: Context, login: WalletLogin, count: int) -> None:
    """Show a nonce that nobody was given, behind a slide each time."""
    for _ in range(count):
        wrong = replace(login, signed=replace(login.signed, nonce="0" * 32), proof=await proof(ctx))
        with pytest.raises(WrongCredentials):
            await service.log_in_with_wallet(ctx, wrong)


async def test_a_wallet_opens_a_session_on_a_device_that_is_known_from_then_on(
    ctx: MakeContext, someone: Someone
) -> None:
    me, login = await someone.make()
    opened = await service.log_in_with_wallet(ctx(), login)
    assert opened is not None
    assert (await events(me))[-1] == "new_device"
    with pytest.raises(WrongCredentials):
        await service.log_in_with_wallet(ctx(), login)


async def test_the_authenticators_code_is_asked_for_and_the_signature_then_serves_once_more(
    ctx: MakeContext, someone: Someone
) -> None:
    me, login = await someone.make()
    phone: Phone = await bind_google(me)
    await ctx().db.execute("DELETE FROM tries")
    ends = "SELECT until_at FROM wallet_nonces WHERE nonce = $1"
    until = await ctx().db.value(ends, login.signed.nonce)
    assert await service.log_in_with_wallet(ctx(), login) is None
    assert await ctx().db.value(ends, login.signed.nonce) == until
    assert await ctx().db.value("SELECT count(*) FROM sessions WHERE member = $1", me.caller.id) == 1
    right = replace(login, google_code=phone.code(ctx()))
    answers = await asyncio.gather(
        *(service.log_in_with_wallet(ctx(), right) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(answer, Opened) for answer in answers) == 1
    assert all(isinstance(answer, Opened | Refusal) for answer in answers)


async def test_a_wrong_code_opens_nothing_and_uses_the_signature_up(ctx: MakeContext, someone: Someone) -> None:
    me, login = await someone.make()
    phone: Phone = await bind_google(me)
    await ctx().db.execute("DELETE FROM tries")
    with pytest.raises(WrongCode):
        await service.log_in_with_wallet(ctx(), replace(login, google_code="000000"))
    with pytest.raises(WrongCredentials):
        await service.log_in_with_wallet(ctx(), replace(login, google_code=phone.code(ctx())))
    assert await ctx().db.value("SELECT count(*) FROM sessions WHERE member = $1", me.caller.id) == 1


async def test_a_frozen_account_stays_shut(ctx: MakeContext, someone: Someone) -> None:
    me, login = await someone.make()
    async with ctx().db.transaction() as db:
        await members.freeze(db, me.caller.id, me.now)
    with pytest.raises(AccountFrozen):
        await service.log_in_with_wallet(ctx(), login)


async def test_ten_wrong_signatures_make_an_address_wait_and_its_owner_is_told(
    ctx: MakeContext, someone: Someone
) -> None:
    me, login = await someone.make()
    await fail(ctx(), login, 10)
    assert "login_locked" not in await events(me)
    with pytest.raises(TooMany):
        await service.log_in_with_wallet(ctx(), replace(login, proof=await proof(ctx())))
    await jobs.tell_of_locks(me.house)
    assert (await events(me)).count("login_locked") == 1


async def test_after_two_failures_the_slide_is_required_and_the_signature_stays(
    ctx: MakeContext, someone: Someone
) -> None:
    me, login = await someone.make()
    phone: Phone = await bind_google(me)
    await ctx().db.execute("DELETE FROM tries")
    await fail(ctx(), login, 2)
    for shown in (None, "x"):
        with pytest.raises(SlideRequired):
            await service.log_in_with_wallet(ctx(), replace(login, proof=shown))
    slid = replace(login, proof=await proof(ctx()))
    assert await service.log_in_with_wallet(ctx(), slid) is None
    assert await service.log_in_with_wallet(ctx(), replace(slid, google_code=phone.code(ctx()))) is not None


async def test_of_64_at_once_without_a_slide_two_are_tried(ctx: MakeContext) -> None:
    wrong = WalletLogin(Signed(new_wallet().address, "0" * 32, "0x00"))
    tries = (service.log_in_with_wallet(ctx(), wrong) for _ in range(64))
    found = Counter(type(one) for one in await asyncio.gather(*tries, return_exceptions=True))
    assert found == {WrongCredentials: 2, SlideRequired: 62}


async def test_the_owner_is_told_when_a_known_devices_tries_are_used_up(ctx: MakeContext, someone: Someone) -> None:
    me, login = await someone.make()
    opened = await service.log_in_with_wallet(ctx(), login)
    assert opened is not None
    await fail(ctx(), replace(login, device=opened.device), 10)
    await jobs.tell_of_locks(me.house)
    assert (await events(me)).count("login_locked") == 1


@pytest.mark.parametrize("text", ["\u0130" * 254, "a" * 254, "\U0001f600" * 254, "0x" + "ab" * 21])
async def test_what_is_no_address_is_refused_as_a_wrong_signature_and_counted(ctx: MakeContext, text: str) -> None:
    signed_by_nobody = Signed(text, "0" * 32, "0x00")
    shown = [WalletLogin(signed_by_nobody, proof=await proof(ctx())) for _ in range(11)]
    tries = (service.log_in_with_wallet(ctx(), wrong) for wrong in shown)
    found = Counter(type(one) for one in await asyncio.gather(*tries, return_exceptions=True))
    assert found == {WrongCredentials: 10, TooMany: 1}


async def test_an_address_has_its_tries_however_it_is_written(ctx: MakeContext, someone: Someone) -> None:
    _, login = await someone.make()
    for number in range(10):
        address = login.signed.address if number % 2 else login.signed.address.lower()
        await fail(ctx(), WalletLogin(Signed(address, "0" * 32, "0x00")), 1)
    with pytest.raises(TooMany):
        await service.log_in_with_wallet(ctx(), replace(login, proof=await proof(ctx())))


async def test_a_stranger_cannot_lock_the_owner_out_of_a_known_device(ctx: MakeContext, someone: Someone) -> None:
    me, login = await someone.make()
    opened = await service.log_in_with_wallet(ctx(), login)
    assert opened is not None
    _, login_of_other = await someone.make()
    strange = await service.log_in_with_wallet(ctx(), login_of_other)
    assert strange is not None
    # A device that somebody else is known on is a stranger's.
    await fail(ctx(), replace(login, device=strange.device), 10)
    for device in (strange.device, None):
        with pytest.raises(TooMany):
            await service.log_in_with_wallet(ctx(), replace(login, proof=await proof(ctx()), device=device))
    again = WalletLogin(await signed(ctx(), someone.wallets[me.caller.id]), device=opened.device)
    assert await service.log_in_with_wallet(ctx(), again) is not None
    assert (await events(me))[-1] == "login"
    await fail(ctx(), again, 10)
    with pytest.raises(TooMany):
        await service.log_in_with_wallet(ctx(), replace(again, proof=await proof(ctx())))


async def test_wrong_signatures_of_many_addresses_make_a_network_wait(ctx: MakeContext, someone: Someone) -> None:
    _, login = await someone.make()
    here = ctx(network="203.0.113.77")
    for _ in range(10):
        await fail(here, WalletLogin(Signed(new_wallet().address, "", login.signed.signature)), 1)
    with pytest.raises(TooMany):
        await service.log_in_with_wallet(here, replace(login, proof=await proof(here)))
    assert await service.log_in_with_wallet(ctx(network="203.0.113.78"), login) is not None


@pytest.mark.parametrize("captcha_id", [None, "a captcha"])
async def test_a_captcha_and_a_proof_may_come_along(ctx: MakeContext, someone: Someone, captcha_id: str | None) -> None:
    shown = await proof(ctx()) if captcha_id else None
    _, login = await someone.make()
    opened = await service.enter(
        ctx(),
        name=login.signed.address,
        code=login.signed.nonce,
        password=None,
        captcha_id=captcha_id,
        signature=login.signed.signature,
        proof=shown,
        google_code=None,
        device=None,
    )
    assert opened is not None


@pytest.mark.parametrize(
    ("password", "captcha_id", "signature"),
    [(None, None, None), (PASSWORD, None, None), (None, "x", None), (PASSWORD, "x", "0x"), (PASSWORD, None, "0x")],
)
async def test_half_of_a_way_in_or_both_ways_at_once_are_none(
    ctx: MakeContext, password: str | None, captcha_id: str | None, signature: str | None
) -> None:
    with pytest.raises(InvalidInput):
        await service.enter(
            ctx(),
            name="10000001",
            code="ACE39",
            password=password,
            captcha_id=captcha_id,
            signature=signature,
            proof=None,
            google_code=None,
            device=None,
        )
