"""Devices that are known: their own tries, a mail about a new one; waits that grow, and the slide before them."""

import asyncio
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import MakeContext
from kalos.core.clock import MINUTE_MS
from kalos.core.errors import TooMany
from kalos.core.terms import Terms
from kalos.core.tokens import digest
from kalos.domains.challenges import queries as challenges
from kalos.domains.challenges.errors import SlideRequired
from kalos.domains.context import Context, Member
from kalos.domains.entry import jobs, rules, service
from kalos.domains.entry.service import Opened
from kalos.domains.identity import queries
from kalos.domains.identity.errors import WrongCredentials
from support import people
from support.people import PASSWORD, WRONG, log_in, login, new_email, proof, register, solved

pytestmark = pytest.mark.usefixtures("root")


async def enter(ctx: Context, member: Member, password: str = PASSWORD, **more: str | None) -> Opened:
    return await people.enter(ctx, await login(ctx, member.account, password, **more))


async def fail(ctx: Context, name: str, times: int, **more: str | None) -> None:
    for _ in range(times):
        with pytest.raises(WrongCredentials):
            await service.log_in(ctx, await login(ctx, name, WRONG, proof=await proof(ctx), **more))


async def events(ctx: Context, member: Member) -> list[str]:
    return [row.event for row in reversed(await queries.list_events(ctx.db, member.id, before=None, most=50))]


async def test_a_device_is_new_once_and_keeps_its_token(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    first = await enter(ctx(), member)
    again = await enter(ctx(), member, device=first.device)
    assert again.device == first.device
    assert again.token != first.token
    assert await events(ctx(), member) == ["registered", "new_device", "login"]
    stored = await ctx().db.value("SELECT count(*) FROM devices WHERE token_hash = $1", digest(first.device))
    assert stored == 1


async def test_one_device_has_one_token_for_all_who_use_it(ctx: MakeContext) -> None:
    one, other = (await register(ctx()))[0], (await register(ctx()))[0]
    device = (await enter(ctx(), one)).device
    assert (await enter(ctx(), other, device=device)).device == device
    assert (await events(ctx(), other))[-1] == "new_device"
    assert (await enter(ctx(), one, device=device)).device == device
    assert (await events(ctx(), one))[-1] == "login"


@pytest.mark.parametrize("device", ["", "a token that we never gave", "x" * 64])
async def test_a_token_that_is_not_ours_is_not_taken_over(ctx: MakeContext, device: str) -> None:
    member, _ = await register(ctx())
    given = (await enter(ctx(), member, device=device)).device
    assert given != device
    assert len(given) == 43


async def test_a_member_has_twenty_devices_at_most(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    first = await enter(ctx(), member)
    await ctx().db.execute("UPDATE devices SET last_at = 1 WHERE token_hash = $1", digest(first.device))
    for _ in range(20):
        await enter(ctx(), member)
    assert await ctx().db.value("SELECT count(*) FROM devices WHERE member = $1", member.id) == 20
    assert (await enter(ctx(), member, device=first.device)).device != first.device


async def test_a_stranger_cannot_lock_the_owner_out_of_a_known_device(ctx: MakeContext) -> None:
    network = "198.51.100.77"
    member, _ = await register(ctx())
    device = (await enter(ctx(), member)).device
    await fail(ctx(network=network), member.account, 10)
    with pytest.raises(TooMany):
        await log_in(ctx(network=network), member.account)
    assert (await enter(ctx(network=network), member, device=device)).device == device


async def test_a_known_device_has_its_own_ten_tries_and_its_own_slide(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    device = (await enter(ctx(), member)).device
    await fail(ctx(), member.account, 2, device=device)
    with pytest.raises(SlideRequired):
        await enter(ctx(), member, device=device)
    await enter(ctx(), member)
    await fail(ctx(), member.account, 7, device=device)
    await jobs.tell_of_locks(ctx().house)
    assert "login_locked" not in await events(ctx(), member)
    await fail(ctx(), member.account, 1, device=device)
    with pytest.raises(TooMany):
        await enter(ctx(), member, device=device, proof=await proof(ctx()))
    await jobs.tell_of_locks(ctx().house)
    assert (await events(ctx(), member)).count("login_locked") == 1


async def test_another_members_device_counts_as_any_stranger(ctx: MakeContext) -> None:
    member, stranger = (await register(ctx()))[0], (await register(ctx()))[0]
    theirs = (await enter(ctx(), stranger)).device
    await fail(ctx(), member.account, 10, device=theirs)
    with pytest.raises(TooMany):
        await enter(ctx(), member, proof=await proof(ctx()))


@pytest.mark.parametrize("known", [True, False])
async def test_after_two_failures_the_slide_is_required_and_the_picture_stays(ctx: MakeContext, known: bool) -> None:
    member, _ = await register(ctx())
    name = member.account if known else new_email()
    for _ in range(2):
        with pytest.raises(WrongCredentials):
            await service.log_in(ctx(), await login(ctx(), name, WRONG))
    third = await login(ctx(), name, WRONG)
    with pytest.raises(SlideRequired):
        await service.log_in(ctx(), third)
    assert await challenges.find_captcha(ctx().db, third.captcha.id) is not None
    with pytest.raises(WrongCredentials):
        await service.log_in(ctx(), await login(ctx(), name, WRONG, proof=await proof(ctx())))


async def test_of_64_at_once_without_a_slide_two_are_tried(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    logins = [await login(ctx(), member.account, WRONG) for _ in range(64)]
    results: list[Any] = await asyncio.gather(*(service.log_in(ctx(), one) for one in logins), return_exceptions=True)
    assert Counter(map(type, results)) == {WrongCredentials: 2, SlideRequired: 62}


async def test_a_network_that_failed_is_asked_for_the_slide_with_any_name(ctx: MakeContext) -> None:
    here = ctx(network="198.51.100.78")
    await fail(here, "somebody", 1)
    await fail(here, "somebody else", 1)
    member, _ = await register(ctx())
    with pytest.raises(SlideRequired):
        await enter(here, member)
    await enter(here, member, proof=await proof(here))


async def test_a_proof_is_used_up_by_its_login(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    await fail(ctx(), member.account, 2)
    slid = await proof(ctx())
    with pytest.raises(WrongCredentials):
        await enter(ctx(), member, WRONG, proof=slid)
    with pytest.raises(SlideRequired):
        await enter(ctx(), member, proof=slid)


async def test_a_locked_name_is_told_once_a_day_and_an_unknown_one_leaves_the_same_fact(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    here, facts = ctx(network="198.51.100.79", device="Somebody's"), []
    for name in (member.account, new_email()):
        await here.db.execute("DELETE FROM tries")
        before = await here.db.value("SELECT max(id) FROM domain_outbox WHERE topic = 'login_locked'") or 0
        await fail(here, name, 10)
        facts.append(
            await here.db.value("SELECT count(*) FROM domain_outbox WHERE topic = 'login_locked' AND id > $1", before)
        )
    assert facts == [1, 1]
    await jobs.tell_of_locks(here.house)
    await here.db.execute("DELETE FROM tries")
    await fail(here, member.account, 10)
    assert await jobs.tell_of_locks(here.house) == 1
    logged = (await queries.list_events(here.db, member.id, before=None, most=1))[0]
    assert (logged.event, logged.network, logged.device) == ("login_locked", "198.51.100.79", "Somebody's")
    assert (await events(here, member)).count("login_locked") == 1


def test_waits_double_up_to_the_longest(terms: Terms) -> None:
    limits = rules.login_limits(terms, name="name", network="198.51.100.80")
    limits += rules.account_limits(terms, account="12345678", is_known=False)
    assert [limit.subject.partition(":")[0] for limit in limits] == ["login", "login-network", "login-account"]
    for limit in limits:
        assert [(most, window_ms // MINUTE_MS) for most, window_ms in limit.spans] == [
            (10, 5), (20, 15), (30, 35), (40, 75), (50, 135),
        ]  # fmt: skip


@pytest.mark.parametrize("of", ["login", "login-network", "login-account"])
async def test_each_full_window_makes_the_next_wait_twice_as_long(ctx: MakeContext, terms: Terms, of: str) -> None:
    limits = rules.login_limits(terms, name=new_email(), network="198.51.100.80")
    limits += rules.account_limits(terms, account=new_email(), is_known=False)
    [limit] = [one for one in limits if one.subject.startswith(f"{of}:")]
    now, waits = 10**12, []
    async with ctx().db.transaction() as db:
        for _ in range(7):
            while await challenges.take_try(db, limit, now):
                pass
            free = await challenges.free_at(db, limit)
            waits.append((free - now) // MINUTE_MS)
            now = free
    assert waits[:5] == [5, 10, 20, 40, 60]


@given(st.integers(3, 10), st.integers(5, 60), st.integers(15, 240))
def test_windows_and_tries_only_grow_whatever_the_terms(tries: int, window: int, longest: int) -> None:
    spans = [(tries, window), *((most, ms // MINUTE_MS) for most, ms in rules.longer_windows(tries, window, longest))]
    assert spans == sorted(spans)
    assert len(spans) <= 8
    assert all(0 < after[1] - before[1] <= max(longest, window) for before, after in pairwise(spans))


async def test_devices_go_a_year_after_their_last_use(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    opened = await enter(ctx(), member)
    await ctx().db.execute("UPDATE devices SET last_at = 1, until_at = 2 WHERE member = $1", member.id)
    assert (await enter(ctx(), member, device=opened.device)).device != opened.device
    assert await jobs.sweep(ctx().house) >= 1
    assert await ctx().db.value("SELECT count(*) FROM devices WHERE member = $1", member.id) == 1


async def test_a_captcha_that_was_read_wrong_leaves_the_proof(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    await fail(ctx(), member.account, 2)
    slid, captcha = await proof(ctx()), await solved(ctx())
    wrong = service.Login(member.account, PASSWORD, type(captcha)(captcha.id, "ACE38"), slid)
    with pytest.raises(Exception, match="wrong_captcha"):
        await service.log_in(ctx(), wrong)
    await enter(ctx(), member, proof=slid)
