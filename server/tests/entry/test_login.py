"""Logging in: one success, every refusal, the same work for everybody, and exact tries."""

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from conftest import MakeContext
from kalos.core import passwords
from kalos.core.errors import Refusal, TooMany
from kalos.core.tokens import digest
from kalos.domains.challenges.errors import CaptchaExpired, WrongCaptcha
from kalos.domains.context import Context
from kalos.domains.entry import service
from kalos.domains.entry.service import Login, Opened
from kalos.domains.identity import queries
from kalos.domains.identity.errors import WrongCredentials
from support.people import PASSWORD, WRONG, enter, everything, log_in, login, new_email, register, solved

pytestmark = pytest.mark.usefixtures("root")
COUNTED = ("tries",)


async def refused(ctx: Context, name: str, password: str = WRONG) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await log_in(ctx, name, password)
    return refusal.value


@pytest.mark.parametrize("written", ["account", "email", "email with a large domain"])
async def test_account_and_address_log_in(ctx: MakeContext, written: str) -> None:
    email = new_email()
    member, _ = await register(ctx(), email)
    name = {"account": member.account, "email": email}.get(written, email.replace("people", "PEOPLE"))
    token = await log_in(ctx(), name)
    session = await queries.find_session(ctx().db, digest(token), ctx().wall)
    assert session is not None
    assert session.member == member


async def test_each_login_is_a_session_of_its_own(ctx: MakeContext) -> None:
    member, first = await register(ctx())
    second = await log_in(ctx(), member.account)
    assert first != second
    assert await ctx().db.value("SELECT count(*) FROM sessions WHERE member = $1", member.id) == 2


@pytest.mark.parametrize(
    "name", ["account", "99999999", "nobody@people.example", "no name at all", "ｘ", "' OR 1=1 --"]
)
async def test_every_wrong_name_or_password_costs_one_hash_and_gets_one_answer(ctx: MakeContext, name: str) -> None:
    member, _ = await register(ctx())
    before, hashes = await everything(ctx().db, but=COUNTED), passwords.hashes_made()
    refusal = await refused(ctx(), member.account if name == "account" else name)
    assert (type(refusal), refusal.fields) == (WrongCredentials, {})
    assert passwords.hashes_made() == hashes + 1
    assert await everything(ctx().db, but=COUNTED) == before


async def test_a_try_that_nobody_had_time_for_is_not_counted(ctx: MakeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    member, _ = await register(ctx())
    here = ctx(network="203.0.113.9")
    before = await here.db.rows("SELECT * FROM tries ORDER BY subject")
    with monkeypatch.context() as patch:
        patch.setattr(passwords._pool, "most", 0)
        assert (await refused(here, member.account, PASSWORD)).fields == {"retry_after": 1}
    left = await here.db.rows("SELECT subject FROM tries WHERE cardinality(times) > 0 ORDER BY subject")
    assert [row["subject"] for row in left] == [row["subject"] for row in before if row["times"]]
    assert await log_in(here, member.account)


@pytest.mark.parametrize(
    "password", [PASSWORD.upper(), PASSWORD + " ", PASSWORD[:-1], "ｃｏｒｒｅｃｔ８ｈｏｒｓｅ", "$argon2id$"]
)
async def test_password_is_compared_exactly(ctx: MakeContext, password: str) -> None:
    member, _ = await register(ctx())
    assert isinstance(await refused(ctx(), member.account, password), WrongCredentials)


@pytest.mark.parametrize("right", [True, False])
async def test_captcha_is_used_up_by_its_first_answer(ctx: MakeContext, right: bool) -> None:
    member, _ = await register(ctx())
    captcha = await solved(ctx())
    tried = captcha if right else replace(captcha, text="ACE38")
    hashes = passwords.hashes_made()
    with pytest.raises(WrongCredentials if right else WrongCaptcha):
        await service.log_in(ctx(), Login(member.account, WRONG, tried))
    before = await everything(ctx().db)
    with pytest.raises(CaptchaExpired):
        await service.log_in(ctx(), Login(member.account, PASSWORD, captcha))
    assert await everything(ctx().db) == before
    assert passwords.hashes_made() == hashes + right


async def test_of_64_answers_to_one_captcha_one_is_heard(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    captcha = await solved(ctx())
    results = await asyncio.gather(
        *(service.log_in(ctx(), Login(member.account, PASSWORD, captcha)) for _ in range(64)),
        return_exceptions=True,
    )
    assert Counter(map(type, results)) == {Opened: 1, CaptchaExpired: 63}


async def test_captcha_expires(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    captcha = await solved(ctx())
    await ctx().db.execute("UPDATE captchas SET until_at = $2 WHERE id = $1", captcha.id, ctx().wall)
    with pytest.raises(CaptchaExpired):
        await service.log_in(ctx(), Login(member.account, PASSWORD, captcha))


@pytest.mark.parametrize("known", [True, False])
async def test_of_64_wrong_passwords_at_once_exactly_ten_are_tried(ctx: MakeContext, known: bool) -> None:
    member, _ = await register(ctx())
    name = member.account if known else f"nobody like {member.account}"
    hashes = passwords.hashes_made()
    results: list[Any] = await asyncio.gather(*(log_in(ctx(), name, WRONG) for _ in range(64)), return_exceptions=True)
    assert Counter(map(type, results)) == {WrongCredentials: 10, TooMany: 54}
    assert passwords.hashes_made() == hashes + 10
    assert await ctx().db.value("SELECT cardinality(times) FROM tries WHERE subject = $1", f"login:{name}") == 10
    waits = {result.fields["retry_after"] for result in results if isinstance(result, TooMany)}
    assert min(waits) > 200
    assert max(waits) <= 301  # whoever read the clock just before the oldest try waits a started second more


async def test_locked_name_refuses_the_right_password_too_and_opens_after_the_window(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    for _ in range(10):
        await refused(ctx(), member.account)
    before = await everything(ctx().db)
    assert isinstance(await refused(ctx(), member.account, PASSWORD), TooMany)
    assert await everything(ctx().db) == before
    await ctx().db.execute(
        "UPDATE tries SET times = array(SELECT t - 300000 FROM unnest(times) t) WHERE subject LIKE $1",
        f"login%:{member.account}",
    )
    assert await log_in(ctx(), member.account)


async def test_account_and_address_have_ten_tries_together_and_neither_answer_tells(ctx: MakeContext) -> None:
    """What is refused for both together is refused as a wrong password, for the same work."""
    email = new_email()
    member, _ = await register(ctx(), email)
    opened = await enter(ctx(), await login(ctx(), email))
    locked = "SELECT count(*) FROM domain_outbox WHERE topic = 'login_locked' AND (body ->> 'member')::bigint = $1"
    for number in range(10):
        assert await ctx().db.value(locked, member.id) == 0
        await refused(ctx(), email if number % 2 else member.account)
    before, hashes = await everything(ctx().db, but=COUNTED), passwords.hashes_made()
    for name in (email, member.account):
        assert isinstance(await refused(ctx(), name, PASSWORD), WrongCredentials)
    assert passwords.hashes_made() == hashes + 2
    assert await everything(ctx().db, but=COUNTED) == before
    assert await ctx().db.value(locked, member.id) == 1
    await enter(ctx(), await login(ctx(), email, device=opened.device))
    await ctx().db.execute("UPDATE tries SET times = array(SELECT t - 300000 FROM unnest(times) t)")
    assert await log_in(ctx(), email)


async def test_one_name_that_waits_leaves_the_others_their_answers(ctx: MakeContext) -> None:
    email = new_email()
    member, _ = await register(ctx(), email)
    for _ in range(10):
        await refused(ctx(), member.account)
    assert isinstance(await refused(ctx(), member.account), TooMany)
    for _ in range(10):
        assert isinstance(await refused(ctx(), email), WrongCredentials)
    assert isinstance(await refused(ctx(), email), TooMany)


async def test_success_forgets_the_failures_of_the_account(ctx: MakeContext) -> None:
    email = new_email()
    member, _ = await register(ctx(), email)
    for _ in range(9):
        await refused(ctx(), email)
    await log_in(ctx(), member.account)
    await refused(ctx(), member.account)
    await log_in(ctx(), member.account)


async def test_success_forgets_the_failures_of_the_name(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    for _ in range(9):
        await refused(ctx(), member.account)
    await log_in(ctx(), member.account)
    assert await ctx().db.value("SELECT count(*) FROM tries WHERE subject = $1", f"login:{member.account}") == 0


async def test_network_waits_after_ten_failures_with_any_names_and_success_resets_nothing(ctx: MakeContext) -> None:
    network = "198.51.100.7"
    member, _ = await register(ctx())
    for number in range(9):
        await refused(ctx(network=network), f"name{number}")
    await log_in(ctx(network=network), member.account)
    assert isinstance(await refused(ctx(network=network), "name9"), WrongCredentials)
    assert isinstance(await refused(ctx(network=network), member.account, PASSWORD), TooMany)
    assert await log_in(ctx(network="198.51.100.8"), member.account)
    assert await log_in(ctx(network=""), member.account)


async def test_refusal_for_the_network_does_not_count_for_the_name(ctx: MakeContext) -> None:
    network = "198.51.100.9"
    for number in range(10):
        await refused(ctx(network=network), f"other{number}")
    assert isinstance(await refused(ctx(network=network), "victim"), TooMany)
    assert await ctx().db.value("SELECT count(*) FROM tries WHERE subject = 'login:victim'") == 0
