"""Codes by e-mail and registering: one success, every refusal, and that a refusal changes nothing."""

import asyncio
import dataclasses
import re
from collections import Counter
from datetime import date

import pytest
from msgspec.structs import replace

from conftest import MakeContext
from kalos.core import passwords
from kalos.core.database import Database
from kalos.core.errors import AlreadyExists, InvalidInput, Refusal, TooMany
from kalos.core.tokens import digest
from kalos.domains.challenges.errors import CaptchaExpired, CodeExpired, WrongCaptcha, WrongCode
from kalos.domains.challenges.service import Solved
from kalos.domains.entry import service
from kalos.domains.entry.errors import InvalidInviteCode
from kalos.domains.entry.rules import TERMS_VERSION
from kalos.domains.identity import queries
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat
from support.people import PASSWORD, application, code_of, everything, new_email, register, send_code, solved

pytestmark = pytest.mark.usefixtures("root")
TRIED = ("email_codes",)


def other(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


async def test_registering_makes_a_member_and_a_session(ctx: MakeContext, root: int) -> None:
    visitor, email = ctx(lang="ja", network="203.0.113.1", device="a browser"), new_email()
    code = await send_code(visitor, email)
    before = visitor.now
    told = {"country": "VN", "birth_date": date(1990, 2, 3), "terms_version": "2"}
    token = (await service.register(visitor, application(email, code, **told, invite_code=" root01"))).token
    session = await queries.find_session(visitor.db, digest(token), visitor.wall)
    assert session is not None
    found = await queries.find_profile(visitor.db, session.member.id)
    row = found.row
    assert found.superior == "10000001"
    assert (row.email, row.inviter, row.country, row.terms_version) == (email, root, "VN", "2")
    assert row.birth_date == date(1990, 2, 3)
    assert row.id > root
    assert re.fullmatch("[1-9][0-9]{7}", row.account)
    assert row.account == session.member.account
    assert re.fullmatch("[A-HJ-NP-Z2-9]{8}", row.invite_code)
    assert before <= row.registered_at <= visitor.now
    assert row.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.password_matches(row.password_hash, PASSWORD)
    stored = await visitor.db.row("SELECT * FROM sessions WHERE member = $1", row.id)
    assert stored is not None
    assert (stored["network"], stored["device"]) == ("203.0.113.1", "a browser")
    assert stored["until_at"] - stored["created_at"] == 30 * 86_400_000


async def test_new_member_invites_the_next(ctx: MakeContext) -> None:
    member, _ = await register(ctx())
    first = (await queries.find_profile(ctx().db, member.id)).row
    email = new_email()
    await service.register(
        ctx(), application(email, await send_code(ctx(), email), invite_code=first.invite_code.lower())
    )
    second = await queries.find_by_name(ctx().db, email)
    assert second is not None
    assert second.inviter == first.id


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"email": "nobody"}, InvalidInput),
        ({"password": "abcdef"}, PasswordFormat),
        ({"password": "password1"}, PasswordCommon),
        ({"invite_code": "NOBODY"}, InvalidInviteCode),
        ({"invite_code": "' OR 1=1"}, InvalidInviteCode),
        ({"email": "else@people.example"}, WrongCode),
    ],
)
async def test_refused_application_changes_nothing(
    ctx: MakeContext, changes: dict[str, str], refusal: type[Refusal]
) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    before, hashes = await everything(ctx().db), passwords.hashes_made()
    with pytest.raises(refusal):
        await service.register(ctx(), application(email, code, **changes))
    assert await everything(ctx().db) == before
    assert passwords.hashes_made() == hashes


async def test_a_common_password_is_taken_where_those_are_not_refused(ctx: MakeContext) -> None:
    lax = dataclasses.replace(ctx().house, terms=dataclasses.replace(ctx().terms, common_passwords=False))
    visitor, email = replace(ctx(), house=lax), new_email()
    code = await send_code(visitor, email)
    assert (await service.register(visitor, application(email, code, password="password1"))).token


async def test_wrong_codes_use_the_code_up(ctx: MakeContext) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    before = await everything(ctx().db, but=TRIED)
    for _ in range(5):
        with pytest.raises(WrongCode):
            await service.register(ctx(), application(email, other(code)))
    with pytest.raises(CodeExpired):
        await service.register(ctx(), application(email, code))
    assert await everything(ctx().db, but=TRIED) == before


async def test_of_64_wrong_codes_at_once_exactly_five_are_compared(ctx: MakeContext) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    results = await asyncio.gather(
        *(service.register(ctx(), application(email, other(code))) for _ in range(64)), return_exceptions=True
    )
    assert Counter(map(type, results)) == {WrongCode: 5, CodeExpired: 59}
    assert await ctx().db.value("SELECT tries FROM email_codes WHERE email = $1", email) == 5


async def test_code_is_void_after_its_minutes(ctx: MakeContext) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    left = await ctx().db.value("SELECT until_at FROM email_codes WHERE email = $1", email) - ctx().wall
    assert 540_000 < left <= 600_000
    await ctx().db.execute("UPDATE email_codes SET until_at = $2 WHERE email = $1", email, ctx().wall)
    with pytest.raises(CodeExpired):
        await service.register(ctx(), application(email, code))
    assert await queries.find_by_name(ctx().db, email) is None


async def test_new_code_voids_the_one_before(ctx: MakeContext) -> None:
    email = new_email()
    first = await send_code(ctx(), email)
    second = first
    while second == first:
        await ctx().db.execute("DELETE FROM tries WHERE subject = $1", f"code-gap:{email}")
        second = await send_code(ctx(), email)
    with pytest.raises(WrongCode):
        await service.register(ctx(), application(email, first))
    await service.register(ctx(), application(email, second))


async def test_of_many_registering_one_address_at_once_exactly_one_wins(ctx: MakeContext) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    results = await asyncio.gather(
        *(service.register(ctx(), application(email, code)) for _ in range(5)), return_exceptions=True
    )
    kinds = Counter(map(type, results))
    assert kinds[service.Opened] == 1
    assert kinds.keys() <= {service.Opened, CodeExpired, AlreadyExists}
    assert await ctx().db.value("SELECT count(*) FROM members WHERE email = $1", email) == 1
    assert await ctx().db.value(
        "SELECT count(*) FROM sessions s JOIN members m ON m.id = s.member WHERE m.email = $1", email
    ) == 1  # fmt: skip


async def test_address_of_a_member_is_told_only_to_who_reads_its_mails(ctx: MakeContext) -> None:
    email = new_email()
    await register(ctx(), email)
    await ctx().db.execute("DELETE FROM tries WHERE subject = $1", f"code-gap:{email}")
    code = await send_code(ctx(), email)
    with pytest.raises(WrongCode):
        await service.register(ctx(), application(email, other(code)))
    before = await everything(ctx().db, but=TRIED)
    with pytest.raises(AlreadyExists) as refused:
        await service.register(ctx(), application(email, code))
    assert refused.value.fields == {"field": "email"}
    assert await everything(ctx().db, but=TRIED) == before


async def test_code_works_once(ctx: MakeContext) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    await service.register(ctx(), application(email, code))
    with pytest.raises(CodeExpired):
        await service.register(ctx(), application(email, code))


async def test_code_is_mailed_in_the_language_of_the_call_to_the_address_in_its_one_form(ctx: MakeContext) -> None:
    await service.send_code(ctx(lang="th"), email="Zoe@BIG.Example", scene="register", shown=await solved(ctx()))
    body = await ctx().db.value("SELECT body FROM domain_outbox ORDER BY id DESC LIMIT 1")
    assert '"lang": "th"' in body
    assert '"recipient": "Zoe@big.example"' in body
    assert re.fullmatch("[0-9]{6}", await code_of(ctx().db, "Zoe@big.example"))


async def test_code_is_not_stored_in_the_clear(ctx: MakeContext) -> None:
    email = new_email()
    code = await send_code(ctx(), email)
    row = await ctx().db.row("SELECT * FROM email_codes WHERE email = $1", email)
    assert row is not None
    assert row["code_hash"] == digest(email, "register", "", "", code)
    assert code not in repr(tuple(row))


async def test_refused_code_changes_nothing_but_the_captcha(ctx: MakeContext) -> None:
    email = new_email()
    await send_code(ctx(), email)
    before = await everything(ctx().db)
    with pytest.raises(TooMany) as refused:
        await send_code(ctx(), email)
    assert 30 <= refused.value.fields["retry_after"] <= 60
    wrong = dataclasses.replace(await solved(ctx()), text="ACE38")
    with pytest.raises(WrongCaptcha):
        await service.send_code(ctx(), email=new_email(), scene="register", shown=wrong)
    with pytest.raises(CaptchaExpired):
        await service.send_code(ctx(), email=new_email(), scene="register", shown=Solved("x" * 22, "ACE39"))
    assert await everything(ctx().db) == before


async def test_bad_address_leaves_the_captcha_for_the_corrected_one(ctx: MakeContext) -> None:
    captcha = await solved(ctx())
    with pytest.raises(InvalidInput):
        await service.send_code(ctx(), email="nobody@", scene="register", shown=captcha)
    await service.send_code(ctx(), email=new_email(), scene="register", shown=captcha)


async def test_of_64_asking_at_once_one_code_is_sent(ctx: MakeContext) -> None:
    email = new_email()
    results = await asyncio.gather(*(send_code(ctx(), email) for _ in range(64)), return_exceptions=True)
    assert Counter(map(type, results)) == {str: 1, TooMany: 63}
    assert await mails_to(ctx().db, email) == 1


async def test_ten_codes_a_day_for_an_address(ctx: MakeContext) -> None:
    email = new_email()
    for _ in range(10):
        await send_code(ctx(), email)
        await ctx().db.execute("DELETE FROM tries WHERE subject = $1", f"code-gap:{email}")
    with pytest.raises(TooMany) as refused:
        await send_code(ctx(), email)
    assert 86_000 < refused.value.fields["retry_after"] <= 86_400
    assert await mails_to(ctx().db, email) == 10
    assert await ctx().db.value("SELECT count(*) FROM tries WHERE subject = $1", f"code-gap:{email}") == 0


async def test_sixty_codes_an_hour_for_a_network_exactly(ctx: MakeContext) -> None:
    visitor = ctx(network="2001:db8:1::/64")
    emails = [new_email() for _ in range(64)]
    results = await asyncio.gather(*(send_code(visitor, email) for email in emails), return_exceptions=True)
    assert Counter(map(type, results)) == {str: 60, TooMany: 4}
    assert await send_code(ctx(network="2001:db8:2::/64"), new_email())
    assert await send_code(ctx(network=""), new_email())


async def mails_to(db: Database, email: str) -> int:
    return int(await db.value("SELECT count(*) FROM domain_outbox WHERE body ->> 'recipient' = $1", email))


async def test_production_asks_for_country_birth_date_and_terms(ctx: MakeContext) -> None:
    visitor, email = ctx(network="203.0.113.9"), new_email()
    code = await send_code(visitor, email)
    production = replace(visitor, house=dataclasses.replace(visitor.house, is_demo=False))
    with pytest.raises(InvalidInput):
        await service.register(production, application(email, code))
    told = {"country": "VN", "birth_date": date(1990, 2, 3), "terms_version": TERMS_VERSION}
    await service.register(production, application(email, code, **told))
