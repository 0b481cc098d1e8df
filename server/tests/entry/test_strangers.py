"""A stranger who knows an address takes nothing from whoever reads its mails: neither codes nor tries."""

import json

import pytest

from conftest import MakeContext
from factors.scene import own_code
from kalos.core.errors import TooMany
from kalos.core.tokens import digest
from kalos.domains.challenges.errors import CodeExpired, WrongCode
from kalos.domains.challenges.queries import forget_address
from kalos.domains.context import Context
from kalos.domains.entry import service
from kalos.domains.entry.service import Reset
from kalos.domains.factors import service as factors
from kalos.domains.factors.service import prove_email
from kalos.domains.identity import queries as members
from support.people import application, new_email, proof, send_code

pytestmark = pytest.mark.usefixtures("root")
NEW = "another9mountain"


async def let_a_minute_pass(ctx: Context) -> None:
    await ctx.db.execute("DELETE FROM tries WHERE subject LIKE 'code-gap:%'")


async def newcomer(ctx: MakeContext, email: str = "") -> tuple[Context, str, str]:
    """A member's context, address and the token of the device that they registered on."""
    email = email or new_email()
    code = await send_code(ctx(), email)
    opened = await service.register(ctx(), application(email, code))
    session = await members.find_session(ctx().db, digest(opened.token), ctx().wall)
    assert session is not None
    await let_a_minute_pass(ctx())
    return ctx(session.member), email, opened.device


async def use_up(ctx: Context, email: str) -> None:
    """Ask as a stranger for all codes that an address may have in a day."""
    await ctx.db.execute("DELETE FROM tries WHERE subject = $1", f"code-day:{email}")
    for _ in range(ctx.terms.code_daily):
        await send_code(ctx, email, "reset")
        await let_a_minute_pass(ctx)
    with pytest.raises(TooMany):
        await send_code(ctx, email, "reset")


async def reset(ctx: Context, email: str, code: str, device: str | None = None) -> None:
    await service.reset_password(ctx, Reset(email, code, NEW, await proof(ctx), device=device))


async def test_codes_that_a_stranger_uses_up_are_not_the_owners(ctx: MakeContext) -> None:
    owner, email, device = await newcomer(ctx)
    await use_up(ctx(), email)
    await factors.send_code(owner, "password")
    await prove_email(owner, "password", await own_code(owner))
    await reset(ctx(), email, await send_code(ctx(), email, "reset", device=device), device)


async def test_an_owner_has_as_many_codes_as_a_stranger_and_no_more(ctx: MakeContext) -> None:
    owner, email, device = await newcomer(ctx)
    for _ in range(owner.terms.code_daily):
        await factors.send_code(owner, "password")
        await send_code(ctx(), email, "reset", device=device)
        await let_a_minute_pass(owner)
    with pytest.raises(TooMany):
        await factors.send_code(owner, "password")
    with pytest.raises(TooMany):
        await send_code(ctx(), email, "reset", device=device)


async def test_tries_that_a_stranger_uses_up_are_not_a_known_devices(ctx: MakeContext) -> None:
    _, email, device = await newcomer(ctx)
    code = await send_code(ctx(), email, "reset", device=device)
    for _ in range(ctx().terms.reset_daily):
        with pytest.raises(WrongCode):
            await reset(ctx(), email, "000000")
    with pytest.raises(TooMany):
        await reset(ctx(), email, code)
    await reset(ctx(), email, code, device)


async def test_a_known_device_has_no_more_tries_than_a_stranger(ctx: MakeContext) -> None:
    _, email, device = await newcomer(ctx)
    await send_code(ctx(), email, "reset", device=device)
    for _ in range(ctx().terms.reset_daily):
        with pytest.raises((WrongCode, CodeExpired)):
            await reset(ctx(), email, "x", device)
    with pytest.raises(TooMany):
        await reset(ctx(), email, "x", device)


async def test_the_longest_address_has_its_own_tries_too(ctx: MakeContext) -> None:
    domain = ".".join(["d" * 60] * 3)
    email = f"{'l' * 64}@{domain[: 254 - 65 - 8]}.example"
    _, email, device = await newcomer(ctx, email)
    assert len(email) == 254
    await reset(ctx(), email, await send_code(ctx(), email, "reset", device=device), device)


async def test_a_device_is_known_to_the_addresses_of_its_owners_alone(ctx: MakeContext) -> None:
    _, email, _ = await newcomer(ctx)
    _, _, device = await newcomer(ctx)
    await use_up(ctx(), email)
    with pytest.raises(TooMany):
        await send_code(ctx(), email, "reset", device=device)


async def test_a_code_asked_for_elsewhere_is_good_on_a_known_device(ctx: MakeContext) -> None:
    _, email, device = await newcomer(ctx)
    mine = await send_code(ctx(), email, "reset", device=device)
    await let_a_minute_pass(ctx())
    elsewhere = await send_code(ctx(), email, "reset")
    await reset(ctx(), email, elsewhere, device)
    for code in (mine, elsewhere):
        with pytest.raises((WrongCode, CodeExpired)):
            await reset(ctx(), email, code, device)


async def test_a_new_password_makes_void_all_that_was_mailed_for_one(ctx: MakeContext) -> None:
    _, email, device = await newcomer(ctx)
    elsewhere = await send_code(ctx(), email, "reset")
    await reset(ctx(), email, await send_code(ctx(), email, "reset", device=device), device)
    with pytest.raises(CodeExpired):
        await reset(ctx(), email, elsewhere)


async def test_a_strangers_newer_code_leaves_the_owners(ctx: MakeContext) -> None:
    owner, email, device = await newcomer(ctx)
    stranger, _, _ = await newcomer(ctx)
    mine = await send_code(ctx(), email, "reset", device=device)
    await factors.send_code(owner, "bind")
    old = await own_code(owner)
    await factors.send_code(stranger, "bind", email=email)
    theirs = await own_code(owner)
    await let_a_minute_pass(owner)
    await send_code(ctx(), email, "reset")
    if theirs != old:
        with pytest.raises(WrongCode):
            await prove_email(owner, "bind", theirs)
    await prove_email(owner, "bind", old)
    await reset(ctx(), email, mine, device)


async def test_a_member_has_so_many_codes_a_day_sent_to_others(ctx: MakeContext) -> None:
    stranger, own, _ = await newcomer(ctx)
    for _ in range(stranger.terms.code_daily):
        await factors.send_code(stranger, "bind", email=new_email())
    with pytest.raises(TooMany):
        await factors.send_code(stranger, "bind", email=new_email())
    await factors.send_code(stranger, "bind")
    mails = await stranger.db.value("SELECT body FROM domain_outbox ORDER BY id DESC LIMIT 1")
    assert json.loads(mails)["recipient"] == own


async def test_with_an_account_all_that_was_counted_of_its_address_goes(ctx: MakeContext) -> None:
    owner, email, device = await newcomer(ctx)
    with pytest.raises(WrongCode):
        await reset(ctx(), email, await send_code(ctx(), email, "reset", device=device) + "0", device)
    await factors.send_code(owner, "password")
    async with owner.db.transaction() as db:
        await forget_address(db, email)
    for table in ("tries", "email_codes"):
        assert email not in str([tuple(row) for row in await owner.db.rows(f"SELECT * FROM {table}")])
