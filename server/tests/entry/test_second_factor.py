"""Logging in and a new password where the member has an authenticator: asked for once more, for the same captcha."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from conftest import MakeContext
from factors.scene import Phone, bind
from kalos.core import passwords
from kalos.core.errors import Busy, TooMany
from kalos.core.tokens import digest
from kalos.domains.challenges import queries as challenges
from kalos.domains.challenges.errors import CaptchaExpired, CodeExpired, SlideRequired, WrongCode
from kalos.domains.context import Context, Member
from kalos.domains.entry import rules, service
from kalos.domains.entry.service import Login, Opened, Reset
from kalos.domains.factors.errors import SecondFactorRequired
from kalos.domains.identity.errors import WrongCredentials
from support.people import PASSWORD, WRONG, enter, login, new_email, proof, register, send_code

pytestmark = pytest.mark.usefixtures("root")
NEW = "another9mountain"


async def someone(ctx: MakeContext) -> tuple[Member, str, Phone]:
    """A member with an authenticator."""
    email = new_email()
    member, _ = await register(ctx(), email)
    phone = await bind(ctx(member))
    await ctx().db.execute("DELETE FROM tries")
    return member, email, phone


async def asked(ctx: Context, member: Member) -> Login:
    """A login that was right but for the second factor."""
    first = await login(ctx, member.account, proof=await proof(ctx))
    assert await service.log_in(ctx, first) is None
    return first


async def test_the_same_captcha_and_proof_serve_once_more(ctx: MakeContext) -> None:
    member, _, phone = await someone(ctx)
    first = await asked(ctx(), member)
    assert await ctx().db.value("SELECT count(*) FROM sessions WHERE member = $1", member.id) == 1
    opened = await enter(ctx(), replace(first, google_code=phone.code(ctx())))
    assert len(opened.token) == 43
    with pytest.raises(CaptchaExpired):
        await service.log_in(ctx(), replace(first, google_code=phone.code(ctx())))


async def test_they_serve_no_longer_than_they_would_have_lasted(ctx: MakeContext) -> None:
    member, _, phone = await someone(ctx)
    shown = await proof(ctx())
    first = await login(ctx(), member.account, proof=shown)

    async def ends() -> list[int]:
        picture = await ctx().db.value("SELECT until_at FROM captchas WHERE id = $1", first.captcha.id)
        return [picture, await ctx().db.value("SELECT until_at FROM slide_proofs WHERE token_hash = $1", digest(shown))]

    before = await ends()
    assert await service.log_in(ctx(), first) is None
    assert await ends() == before
    await ctx().db.execute("UPDATE captchas SET until_at = $1 WHERE id = $2", ctx().wall - 1, first.captcha.id)
    with pytest.raises(CaptchaExpired):
        await service.log_in(ctx(), replace(first, google_code=phone.code(ctx())))


async def test_a_code_that_is_given_at_once_needs_no_second_call(ctx: MakeContext) -> None:
    member, _, phone = await someone(ctx)
    await enter(ctx(), await login(ctx(), member.account, google_code=phone.code(ctx())))
    await enter(ctx(), await login(ctx(), member.account, google_code=phone.codes[0]))


async def test_they_serve_no_third_time_and_no_other_name(ctx: MakeContext) -> None:
    member, email, _ = await someone(ctx)
    first = await asked(ctx(), member)
    assert await service.log_in(ctx(), replace(first, name=email)) is None
    with pytest.raises(CaptchaExpired):
        await service.log_in(ctx(), first)
    other, _, _ = await someone(ctx)
    for stranger in (other.account, "nobody"):
        with pytest.raises(CaptchaExpired):
            await service.log_in(ctx(), replace(await asked(ctx(), member), name=stranger))


async def test_a_wrong_code_opens_nothing_and_uses_them_up(ctx: MakeContext) -> None:
    member, _, phone = await someone(ctx)
    first = await asked(ctx(), member)
    with pytest.raises(WrongCode):
        await service.log_in(ctx(), replace(first, google_code="000000"))
    with pytest.raises(CaptchaExpired):
        await service.log_in(ctx(), replace(first, google_code=phone.code(ctx())))


async def test_nobody_hears_of_the_factor_before_the_password(ctx: MakeContext) -> None:
    member, _, phone = await someone(ctx)
    with pytest.raises(WrongCredentials):
        await service.log_in(ctx(), await login(ctx(), member.account, WRONG, google_code=phone.code(ctx())))


async def test_of_64_second_calls_at_once_one_logs_in(ctx: MakeContext) -> None:
    member, _, phone = await someone(ctx)
    second = replace(await asked(ctx(), member), google_code=phone.code(ctx()))
    results = await asyncio.gather(*(service.log_in(ctx(), second) for _ in range(64)), return_exceptions=True)
    assert Counter(map(type, results)) == {Opened: 1, CaptchaExpired: 63}


async def test_guessing_codes_is_bounded_by_the_factor_and_costs_no_login(ctx: MakeContext) -> None:
    member, _, _ = await someone(ctx)
    for _ in range(5):
        with pytest.raises(WrongCode):
            await service.log_in(ctx(), await login(ctx(), member.account, google_code="000000"))
    with pytest.raises(TooMany):
        await service.log_in(ctx(), await login(ctx(), member.account, google_code="000000"))
    assert await challenges.count_tries(
        ctx().db, rules.login_limits(ctx().terms, name=member.account, network="")[0], ctx().wall
    ) == 0  # fmt: skip


async def test_a_new_password_asks_for_it_and_takes_the_same_proof_again(ctx: MakeContext) -> None:
    member, email, phone = await someone(ctx)
    slid = await proof(ctx())
    reset = Reset(email, await send_code(ctx(), email, "reset"), NEW, slid)
    before = passwords.hashes_made()
    with pytest.raises(SecondFactorRequired) as refused:
        await service.reset_password(ctx(), reset)
    assert refused.value.fields == {"need": "google"}
    assert passwords.hashes_made() == before
    await service.reset_password(ctx(), replace(reset, google_code=phone.code(ctx())))
    await enter(ctx(), await login(ctx(), member.account, NEW, google_code=phone.codes[0]))
    with pytest.raises(SlideRequired):
        await service.reset_password(ctx(), reset)
    with pytest.raises(CodeExpired):
        await service.reset_password(ctx(), replace(reset, proof=await proof(ctx())))


async def test_a_new_password_that_nobody_has_time_for_uses_nothing_up(
    ctx: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says that nothing was changed: the recovery code, the proof and the day's tries serve on."""
    member, email, phone = await someone(ctx)
    reset = Reset(email, await send_code(ctx(), email, "reset"), NEW, await proof(ctx()), phone.codes[0])
    before = await ctx().db.rows("SELECT * FROM tries WHERE subject LIKE 'reset:%' AND times <> '{}'")
    with monkeypatch.context() as crowd:
        crowd.setattr(passwords._pool, "most", 0)
        with pytest.raises(Busy):
            await service.reset_password(ctx(), reset)
    assert await ctx().db.rows("SELECT * FROM tries WHERE subject LIKE 'reset:%' AND times <> '{}'") == before
    await service.reset_password(ctx(), reset)
    await enter(ctx(), await login(ctx(), member.account, NEW, google_code=phone.codes[1]))


async def test_a_new_password_is_not_set_with_a_wrong_code(ctx: MakeContext) -> None:
    member, email, phone = await someone(ctx)
    reset = Reset(email, await send_code(ctx(), email, "reset"), NEW, await proof(ctx()), "000000")
    with pytest.raises(WrongCode):
        await service.reset_password(ctx(), reset)
    await enter(ctx(), await login(ctx(), member.account, PASSWORD, google_code=phone.code(ctx())))
