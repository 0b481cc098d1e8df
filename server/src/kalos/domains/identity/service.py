"""Registering, logging in and out, and what stands before it: captchas and e-mail codes."""

import asyncio
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kalos.core import passwords
from kalos.core.clock import business_day
from kalos.core.database import Connection
from kalos.core.errors import Busy, SessionEnded, TooMany
from kalos.core.tokens import digest, new_account, new_code, new_id, new_invite_code, new_token
from kalos.domains.context import Context
from kalos.domains.identity import queries, rules
from kalos.domains.identity.errors import (
    AlreadyExists,
    CaptchaExpired,
    CodeExpired,
    InvalidInviteCode,
    WrongCaptcha,
    WrongCode,
    WrongCredentials,
)
from kalos.domains.identity.rules import DAY_MS, MINUTE_MS, SECOND_MS, Limit
from kalos.domains.identity.tables import CaptchaRow, EmailCodeRow, SessionRow

_DRAWS_OF_A_NAME: Final = 10
_CODE_MAIL: Final = {"register": "register_code"}


@dataclass(frozen=True, slots=True)
class Captcha:
    id: str
    image: str
    until_at: int


@dataclass(frozen=True, slots=True)
class AuthToken:
    token: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Application:
    """What someone registers with, as they wrote it."""

    invite_code: str
    email: str
    email_code: str
    password: str
    country: str | None
    birth_date: date | None
    terms_version: str | None


async def draw_captcha(ctx: Context) -> Captcha:
    """Draw a picture whose text can be answered once, within `captcha_seconds`.

    Source: identity.md, "Captchas"; section 7 /api/auth/captcha.
    """
    puzzle = await asyncio.to_thread(ctx.house.captchas.draw)
    row = CaptchaRow(new_id(), puzzle.answer, ctx.wall + ctx.terms.captcha_seconds * SECOND_MS)
    await queries.insert_captcha(ctx.db, row)
    return Captcha(row.id, puzzle.image, row.until_at)


async def send_code(ctx: Context, *, email: str, scene: str, captcha_id: str, captcha_text: str) -> None:
    """Mail a six-digit code to an address, whether or not a member has it.

    Raises: InvalidInput, WrongCaptcha, CaptchaExpired, TooMany.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/sendEmail.
    """
    address = rules.canonical_email(email)
    await _use_captcha(ctx, captcha_id, captcha_text)
    wall, code, minutes = ctx.wall, new_code(), ctx.terms.code_minutes
    async with ctx.db.transaction() as db:
        await _take_tries(db, rules.code_limits(ctx.terms, email=address, network=ctx.network), wall)
        row = EmailCodeRow(address, scene, digest(address, scene, code), 0, wall + minutes * MINUTE_MS, None)
        await queries.put_code(db, row)
        await queries.queue_mail(
            db,
            name=_CODE_MAIL[scene],
            lang=ctx.lang,
            recipient=address,
            values={"code": code, "minutes": str(minutes)},
            at=wall,
        )


async def register(ctx: Context, application: Application) -> str:
    """Make a member of whoever was invited and reads the mails of the address; returns a session's token.

    Raises: InvalidInput, PasswordFormat, PasswordCommon, InvalidInviteCode, WrongCode, CodeExpired, AlreadyExists.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/register.
    """
    address = rules.canonical_email(application.email)
    rules.check_password(application.password)
    rules.check_profile(
        country=application.country,
        birth_date=application.birth_date,
        terms_version=application.terms_version,
        today=business_day(ctx.now),
        needed=not ctx.house.is_demo,
    )
    inviter = await queries.find_by_invite_code(ctx.db, application.invite_code.strip().upper())
    if inviter is None:
        raise InvalidInviteCode()
    code_hash = await _check_code(ctx, address, "register", application.email_code)
    password_hash = await passwords.hash_password(application.password)
    async with ctx.db.transaction() as db:
        if not await queries.use_code(db, address, "register", code_hash=code_hash, wall=ctx.wall):
            raise CodeExpired()
        member = await _insert_member(ctx, db, application, address, password_hash, inviter)
        return await _open_session(ctx, db, member)


async def log_in(ctx: Context, *, name: str, password: str, captcha_id: str, captcha_text: str) -> str:
    """Open a session for an account number or e-mail address and its password; returns its token.

    Whoever isn't there costs one hash and gets the same answer as a wrong password. A try is counted before it is
    known whether it is right, and given back when it was, or when nobody had the time to look.

    Raises: WrongCaptcha, CaptchaExpired, TooMany, Busy, WrongCredentials.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/login.
    """
    await _use_captcha(ctx, captcha_id, captcha_text)
    wall, name = ctx.wall, rules.login_name(name)
    member = await queries.find_by_name(ctx.db, name)
    limits = rules.login_limits(ctx.terms, name=member.account if member else name, network=ctx.network)
    async with ctx.db.transaction() as db:
        await _take_tries(db, limits, wall)
    try:
        right = await passwords.password_matches(member.password_hash if member else None, password)
    except Busy:
        async with ctx.db.transaction() as db:
            await _give_tries_back(db, limits, wall)
        raise
    if member is None or not right:
        raise WrongCredentials()
    async with ctx.db.transaction() as db:
        await queries.forget_tries(db, limits[0])
        await _give_tries_back(db, limits[1:], wall)
        return await _open_session(ctx, db, member.id)


async def log_out(ctx: Context) -> None:
    """End the session that the call came with."""
    await queries.end_session(ctx.db, ctx.session)


async def make_auth_token(ctx: Context) -> AuthToken:
    """Make a token that stands for the caller's session once, within `auth_token_seconds`.

    Raises: SessionEnded (a moment ago, elsewhere).
    Source: identity.md, "Sessions"; section 7 /api/user/getAuthToken.
    """
    token, seconds = new_token(), ctx.terms.auth_token_seconds
    until_at = ctx.wall + seconds * SECOND_MS
    if not await queries.insert_auth_token(ctx.db, token_hash=digest(token), session=ctx.session, until_at=until_at):
        raise SessionEnded()
    return AuthToken(token, seconds)


async def _use_captcha(ctx: Context, captcha_id: str, text: str) -> None:
    captcha = await queries.take_captcha(ctx.db, captcha_id)
    if captcha is None or captcha.until_at <= ctx.wall:
        raise CaptchaExpired()
    if not rules.same_picture_text(captcha.answer, text):
        raise WrongCaptcha()


async def _take_tries(db: Connection, limits: Sequence[Limit], wall: int) -> None:
    for limit in limits:
        if not await queries.take_try(db, limit, wall):
            raise TooMany(retry_after=rules.seconds_until(await queries.free_at(db, limit), wall))


async def _give_tries_back(db: Connection, limits: Sequence[Limit], wall: int) -> None:
    for limit in limits:
        await queries.give_try_back(db, limit, wall)


async def _check_code(ctx: Context, address: str, scene: str, code: str) -> bytes:
    given = digest(address, scene, code)
    right = await queries.try_code(ctx.db, address, scene, wall=ctx.wall, most=ctx.terms.code_tries)
    if right is None and await queries.code_was_sent(ctx.db, address, scene):
        raise CodeExpired()
    if right is None or not hmac.compare_digest(right, given):
        raise WrongCode()
    return given


async def _insert_member(
    ctx: Context, db: Connection, application: Application, address: str, password_hash: str, inviter: int
) -> int:
    for _ in range(_DRAWS_OF_A_NAME):
        member = await queries.insert_member(
            db,
            account=new_account(),
            email=address,
            password_hash=password_hash,
            invite_code=new_invite_code(),
            inviter=inviter,
            registered_at=ctx.now,
            country=application.country,
            birth_date=application.birth_date,
            terms_version=application.terms_version,
        )
        if member is not None:
            return member
        if await queries.email_exists(db, address):
            raise AlreadyExists(field="email")
    raise AssertionError("no free account number was drawn")


async def _open_session(ctx: Context, db: Connection, member: int) -> str:
    token, keep_ms = new_token(), ctx.terms.session_days * DAY_MS
    row = SessionRow(digest(token), member, ctx.network, ctx.device, ctx.wall, keep_ms, ctx.wall + keep_ms)
    await queries.insert_session(db, row)
    return token
