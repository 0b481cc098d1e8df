"""A new password by e-mail, and freezing: what they end and hold, and the same work for addresses that nobody has."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from conftest import MakeContext
from kalos.core import passwords
from kalos.core.clock import HOUR_MS
from kalos.core.errors import InvalidInput, Refusal, TooMany
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges.errors import CodeExpired, SlideRequired, WrongCode
from kalos.domains.context import Context, Member
from kalos.domains.entry import service
from kalos.domains.entry.service import Reset
from kalos.domains.identity import queries
from kalos.domains.identity.errors import AccountFrozen, PasswordCommon, PasswordFormat, WrongCredentials
from support.people import PASSWORD, WRONG, enter, everything, log_in, login, new_email, proof, register, send_code

pytestmark = pytest.mark.usefixtures("root")
NEW = "another9mountain"
COUNTED = ("tries", "slide_proofs", "email_codes")


async def reset(ctx: Context, email: str, code: str, password: str = NEW, **more: Any) -> None:
    slid = {"proof": await proof(ctx)} | more
    await service.reset_password(ctx, Reset(email, code, password, **slid))


async def someone(ctx: Context) -> tuple[Member, str]:
    """A member who has asked for a new password, and the code."""
    email = new_email()
    member, _ = await register(ctx, email)
    await ctx.db.execute("DELETE FROM tries")
    return member, await send_code(ctx, email, "reset")


async def email_of(ctx: Context, member: Member) -> str:
    return (await queries.find_profile(ctx.db, member.id)).row.email


async def test_a_new_password_ends_every_session_and_holds_withdrawals(ctx: MakeContext) -> None:
    here = ctx(network="203.0.113.20")
    member, code = await someone(here)
    device = (await enter(here, await login(here, member.account))).device
    await reset(here, await email_of(here, member), code)
    assert await here.db.value("SELECT count(*) FROM sessions WHERE member = $1", member.id) == 0
    with pytest.raises(WrongCredentials):
        await log_in(here, member.account, PASSWORD)
    assert (await enter(here, await login(here, member.account, NEW, device=device))).device != device
    told = await queries.list_events(here.db, member.id, before=None, most=2)
    assert [row.event for row in told] == ["new_device", "password_reset"]
    held = await queries.held_until(here.db, member.id, here.now)
    assert held is not None
    assert 0 <= here.now + 24 * HOUR_MS - held < 60_000


async def test_a_new_password_opens_a_locked_name(ctx: MakeContext) -> None:
    member, code = await someone(ctx())
    for _ in range(10):
        with pytest.raises(WrongCredentials):
            await log_in(ctx(), member.account, WRONG)
    await reset(ctx(), await email_of(ctx(), member), code)
    assert await log_in(ctx(), member.account, NEW)


async def test_a_new_password_opens_every_name_of_the_account(ctx: MakeContext) -> None:
    member, code = await someone(ctx())
    names = (member.account, await email_of(ctx(), member))
    for name in names:
        for _ in range(10):
            with pytest.raises(WrongCredentials):
                await log_in(ctx(), name, WRONG)
    await reset(ctx(), names[1], code)
    for name in names:
        assert await log_in(ctx(), name, NEW)


async def test_members_and_strangers_get_the_same_answer_for_the_same_work(ctx: MakeContext) -> None:
    member, code = await someone(ctx())
    stranger = new_email()
    codes = {await email_of(ctx(), member): code, stranger: await send_code(ctx(), stranger, "reset")}
    hashes = []
    for email, right in codes.items():
        for given in ("x", "999999" if right != "999999" else "999998", right):
            before = passwords.hashes_made()
            if given == right:
                await reset(ctx(), email, given)
            else:
                with pytest.raises(WrongCode):
                    await reset(ctx(), email, given)
            hashes.append(passwords.hashes_made() - before)
    assert hashes == [0, 0, 1] * 2
    with pytest.raises(WrongCode):
        await reset(ctx(), new_email(), "123456")


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"password": "short"}, PasswordFormat),
        ({"password": "password1"}, PasswordCommon),
        ({"password": "x" * 20 + "1"}, PasswordFormat),
        ({"email": "no address"}, InvalidInput),
        ({"proof": None}, SlideRequired),
        ({"proof": "nobody's"}, SlideRequired),
        ({"code": "x"}, WrongCode),
        ({"code": "１２３４５６"}, WrongCode),
    ],
)
async def test_a_refused_reset_changes_nothing(
    ctx: MakeContext, changes: dict[str, Any], refusal: type[Refusal]
) -> None:
    member, code = await someone(ctx())
    right = {"email": await email_of(ctx(), member), "code": code}
    before = await everything(ctx().db, but=COUNTED)
    with pytest.raises(refusal):
        await reset(ctx(), **(right | changes))
    assert await everything(ctx().db, but=COUNTED) == before


async def test_a_registering_code_sets_no_password_and_a_code_works_once(ctx: MakeContext) -> None:
    member, code = await someone(ctx())
    email = await email_of(ctx(), member)
    await ctx().db.execute("DELETE FROM tries")
    registering = await send_code(ctx(), email)
    if registering != code:
        with pytest.raises(WrongCode):
            await reset(ctx(), email, registering)
    results = await asyncio.gather(*(reset(ctx(), email, code) for _ in range(4)), return_exceptions=True)
    assert Counter(map(type, results)) == {type(None): 1, CodeExpired: 3}


async def test_an_address_that_the_account_leaves_meanwhile_resets_nothing(
    ctx: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, make = ctx(network="203.0.113.21"), passwords.hash_password
    member, code = await someone(here)
    email = await email_of(here, member)

    async def leave_and_hash(password: str) -> str:
        await here.db.execute("UPDATE members SET email = $2 WHERE id = $1", member.id, new_email())
        return await make(password)

    monkeypatch.setattr(passwords, "hash_password", leave_and_hash)
    with pytest.raises(CodeExpired):
        await reset(here, email, code)
    assert await here.db.value("SELECT count(*) FROM sessions WHERE member = $1", member.id) == 1


async def test_of_64_guesses_at_once_five_are_heard_that_day(ctx: MakeContext) -> None:
    email = new_email()
    await send_code(ctx(), email, "reset")
    slid = [await proof(ctx()) for _ in range(64)]
    results: list[Any] = await asyncio.gather(
        *(reset(ctx(), email, "x", proof=one) for one in slid), return_exceptions=True
    )
    assert Counter(map(type, results)) == {WrongCode: 5, TooMany: 59}
    assert min(one.fields["retry_after"] for one in results if isinstance(one, TooMany)) > 86_000


async def freeze_token(ctx: Context, member: Member) -> str:
    token = new_token()
    async with ctx.db.transaction() as db:
        await queries.insert_freeze_token(db, token_hash=digest(token), member=member.id, until_at=ctx.wall + 60_000)
    return token


async def test_a_frozen_account_has_no_session_and_nobody_logs_in_before_a_new_password(ctx: MakeContext) -> None:
    member, code = await someone(ctx())
    token = await freeze_token(ctx(), member)
    await service.freeze(ctx(network="203.0.113.21"), token)
    assert await ctx().db.value("SELECT count(*) FROM sessions WHERE member = $1", member.id) == 0
    assert (await queries.list_events(ctx().db, member.id, before=None, most=1))[0].event == "account_frozen"
    with pytest.raises(WrongCredentials):
        await log_in(ctx(), member.account, WRONG)
    with pytest.raises(AccountFrozen):
        await log_in(ctx(), member.account, PASSWORD)
    await reset(ctx(), await email_of(ctx(), member), code)
    assert await log_in(ctx(), member.account, NEW)


async def test_being_told_that_it_is_frozen_costs_no_try(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    here = ctx(network="198.51.100.90")
    await service.freeze(here, await freeze_token(here, member))
    for _ in range(12):
        with pytest.raises(AccountFrozen):
            await log_in(here, member.account)


async def test_a_freeze_link_works_once_and_only_while_it_lives(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    token = await freeze_token(ctx(), member)
    results = await asyncio.gather(*(service.freeze(ctx(), token) for _ in range(8)), return_exceptions=True)
    assert Counter(map(type, results)) == {type(None): 1, CodeExpired: 7}
    late = await freeze_token(ctx(), member)
    await ctx().db.execute("DELETE FROM freeze_tokens WHERE token_hash = $1", digest(late))
    before = await everything(ctx().db)
    for dead in (late, "", "x"):
        with pytest.raises(CodeExpired):
            await service.freeze(ctx(), dead)
    assert await everything(ctx().db) == before
