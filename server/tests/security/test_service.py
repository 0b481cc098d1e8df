"""A new password, a new address: what each takes, ends, holds and tells."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from conftest import MakeContext
from factors.scene import bind, events, everything, hashed, mailed, refused
from kalos.core.emails import canonical_email
from kalos.core.pages import PageQuery
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Context
from kalos.domains.entry import queries as entry
from kalos.domains.entry.tables import DeviceRow
from kalos.domains.factors import service as factors
from kalos.domains.identity import queries as members
from kalos.domains.security import service
from security.scene import email_of, mails, slid
from support.members import begin_session, make_member
from support.people import PASSWORD, WRONG, code_of, new_email

NEW = "green7valley"


async def change(ctx: Context, **changes: Any) -> None:
    given = {"old": PASSWORD, "new": NEW, "confirm": NEW, "google_code": None, "email_code": None} | changes
    await service.change_password(ctx, **{"proof": await slid(ctx)} | given)


async def test_a_new_password_ends_all_other_sessions_holds_and_tells(here: Context) -> None:
    await begin_session(here.db, here.caller)
    await change(here, email_code=await mailed(here, "password"))
    left = await members.list_sessions(here.db, here.caller.id, here.wall, PageQuery(9))
    assert [row.token_hash for row in left.rows] == [here.session]
    assert await members.held_until(here.db, here.caller.id, here.now) is not None
    assert await events(here) == ["password_changed"]
    told = (await mails(here, await email_of(here)))[-1]
    assert (told["event"], "held_until" in told, "freeze" in told) == ("password_changed", True, True)
    await factors.check_login_password(here, NEW)
    assert await refused(factors.check_login_password(here, PASSWORD)) == "wrong_credentials"


@pytest.mark.parametrize("kept", [True, False])
async def test_a_new_password_forgets_all_devices_but_the_callers_own(
    here: Context, ctx: MakeContext, database_url: str, kept: bool
) -> None:
    own, elsewhere = new_token(), new_token()
    stranger = await make_member(database_url)
    async with here.db.transaction() as db:
        for token, member in ((own, here.caller.id), (elsewhere, here.caller.id), (elsewhere, stranger.id)):
            await entry.put_device(db, DeviceRow(digest(token), member, here.now, here.wall + 60_000), most=9)
    await change(here, email_code=await mailed(here, "password"), device=own if kept else None)
    assert await entry.list_members_of(here.db, digest(own), here.wall) == ({here.caller.id} if kept else set())
    assert await entry.list_members_of(here.db, digest(elsewhere), here.wall) == {stranger.id}


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"new": "short", "confirm": "short"}, "password_format"),
        ({"new": "password1", "confirm": "password1"}, "password_common"),
        ({"confirm": NEW + "1"}, "password_mismatch"),
        ({"new": PASSWORD, "confirm": PASSWORD}, "password_same"),
        ({"proof": None}, "slide_required"),
        ({"proof": "made-up"}, "slide_required"),
        ({"old": WRONG}, "wrong_credentials"),
        ({}, "second_factor_required"),
        ({"email_code": "12345x"}, "wrong_code"),
    ],
)
async def test_a_refused_password_changes_nothing(here: Context, changes: dict[str, Any], refusal: str) -> None:
    await begin_session(here.db, here.caller)
    before = await everything(here.db, but=("tries", "slide_proofs"))
    assert await refused(change(here, **changes)) == refusal
    assert await everything(here.db, but=("tries", "slide_proofs")) == before


async def test_who_has_an_authenticator_changes_the_password_with_it_alone(here: Context) -> None:
    phone = await bind(here)
    assert await refused(change(here, email_code=await mailed(here, "password"))) == "second_factor_required"
    await change(here, google_code=phone.code(here))
    assert "password_changed" in await events(here)


async def test_of_two_changes_at_once_one_counts(here: Context) -> None:
    code = await mailed(here, "password")
    each = (change(here, new=new, confirm=new, email_code=code) for new in (NEW, "brown5river"))
    done = Counter(type(one) for one in await asyncio.gather(*each, return_exceptions=True))
    assert (done[type(None)], done.total()) == (1, 2)
    assert await events(here) == ["password_changed"]


async def test_a_password_that_is_set_meanwhile_is_not_overwritten(here: Context) -> None:
    """Whoever reset it, because a thief knew the old one, keeps the new one."""
    code, reset, begun = await mailed(here, "password"), hashed("brown5river"), asyncio.Event()

    async def change_then() -> str:
        await begun.wait()
        return await refused(change(here, email_code=code))

    changing = asyncio.create_task(change_then())
    async with here.db.transaction() as db:
        await members.set_password(db, here.caller.id, reset)
        begun.set()
        while not changing.done() and not await db.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"):
            await asyncio.sleep(0.01)
    assert await changing == "wrong_credentials"
    assert await here.db.value("SELECT password_hash FROM members WHERE id = $1", here.caller.id) == reset
    assert await events(here) == []


async def bind_email(ctx: Context, address: str, **changes: Any) -> None:
    given: dict[str, Any] = {"email": address, "proof": await slid(ctx)}
    if "old_code" not in changes:
        given["old_code"] = await mailed(ctx, "bind")
    if "code" not in changes:
        await ctx.db.execute("DELETE FROM tries WHERE subject LIKE 'code-%'")
        await factors.send_code(ctx, "bind", email=address)
        given["code"] = await code_of(ctx.db, canonical_email(address))
    await service.bind_email(ctx, **given | changes)


async def test_a_new_address_takes_both_codes_and_the_old_one_is_told(here: Context) -> None:
    old, new = await email_of(here), new_email()
    await here.db.execute("UPDATE members SET anti_phishing = 'lighthouse' WHERE id = $1", here.caller.id)
    await bind_email(here, new.replace("@people", "@PEOPLE"))
    assert await email_of(here) == new
    assert await events(here) == ["email_changed"]
    assert await members.held_until(here.db, here.caller.id, here.now) is not None
    told = (await mails(here, old))[-1]
    assert (told["event"], told["word"], "freeze" in told) == ("email_changed", "lighthouse", True)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"proof": None}, "slide_required"),
        ({"old_code": "000000x"}, "wrong_code"),
        ({"code": "000000x"}, "wrong_code"),
    ],
)
async def test_a_refused_address_changes_nothing(here: Context, changes: dict[str, Any], refusal: str) -> None:
    old = await email_of(here)
    assert await refused(bind_email(here, new_email(), **changes)) == refusal
    assert (await email_of(here), await events(here)) == (old, [])


async def test_a_code_for_another_member_binds_nothing(here: Context, ctx: MakeContext, database_url: str) -> None:
    """Who reads an address by chance can't have it bound to somebody else."""
    address, other = new_email(), ctx(await make_member(database_url))
    await factors.send_code(other, "bind", email=address)
    assert await refused(bind_email(here, address, code=await code_of(here.db, address))) == "wrong_code"


async def test_an_address_in_use_stays_with_its_member(here: Context, ctx: MakeContext, database_url: str) -> None:
    other = await make_member(database_url)
    taken = await email_of(ctx(other))
    old = await email_of(here)
    assert await refused(bind_email(here, taken)) == "already_exists"
    assert (await email_of(here), await email_of(ctx(other)), await events(here)) == (old, taken, [])
