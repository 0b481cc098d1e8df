"""Registering and logging in."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from kalos.core import passwords
from kalos.core.clock import business_day
from kalos.core.database import Connection
from kalos.core.emails import canonical_email, login_name
from kalos.core.errors import Busy
from kalos.core.tokens import new_account, new_invite_code
from kalos.domains.challenges import service as challenges
from kalos.domains.challenges.errors import CodeExpired
from kalos.domains.challenges.queries import forget_tries, use_code
from kalos.domains.challenges.service import Solved
from kalos.domains.context import Context
from kalos.domains.entry import rules
from kalos.domains.entry.errors import AlreadyExists, InvalidInviteCode
from kalos.domains.identity import queries as members
from kalos.domains.identity.errors import WrongCredentials
from kalos.domains.identity.rules import check_password
from kalos.domains.identity.service import open_session

_DRAWS_OF_A_NAME: Final = 10


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


async def register(ctx: Context, application: Application) -> str:
    """Make a member of whoever was invited and reads the mails of the address; returns a session's token.

    Raises: InvalidInput, PasswordFormat, PasswordCommon, InvalidInviteCode, WrongCode, CodeExpired, AlreadyExists.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/register.
    """
    address = canonical_email(application.email)
    check_password(application.password)
    rules.check_profile(
        country=application.country,
        birth_date=application.birth_date,
        terms_version=application.terms_version,
        today=business_day(ctx.now),
        needed=not ctx.house.is_demo,
    )
    inviter = await members.find_by_invite_code(ctx.db, application.invite_code.strip().upper())
    if inviter is None:
        raise InvalidInviteCode()
    code_hash = await challenges.check_code(ctx, address, "register", application.email_code)
    password_hash = await passwords.hash_password(application.password)
    async with ctx.db.transaction() as db:
        if not await use_code(db, address, "register", code_hash=code_hash, wall=ctx.wall):
            raise CodeExpired()
        member = await _insert_member(ctx, db, application, address, password_hash, inviter)
        return await open_session(ctx, db, member)


async def log_in(ctx: Context, *, name: str, password: str, captcha: Solved) -> str:
    """Open a session for an account number or e-mail address and its password; returns its token.

    Whoever isn't there costs one hash and gets the same answer as a wrong password. A try is counted before it is
    known whether it is right, and given back when it was, or when nobody had the time to look.

    Raises: WrongCaptcha, CaptchaExpired, TooMany, Busy, WrongCredentials.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/login.
    """
    await challenges.use_captcha(ctx, captcha)
    wall, name = ctx.wall, login_name(name)
    member = await members.find_by_name(ctx.db, name)
    limits = rules.login_limits(ctx.terms, name=member.account if member else name, network=ctx.network)
    async with ctx.db.transaction() as db:
        await challenges.take_tries(db, limits, wall)
    try:
        right = await passwords.password_matches(member.password_hash if member else None, password)
    except Busy:
        async with ctx.db.transaction() as db:
            await challenges.give_tries_back(db, limits, wall)
        raise
    if member is None or not right:
        raise WrongCredentials()
    async with ctx.db.transaction() as db:
        await forget_tries(db, limits[0])
        await challenges.give_tries_back(db, limits[1:], wall)
        return await open_session(ctx, db, member.id)


async def _insert_member(
    ctx: Context, db: Connection, application: Application, address: str, password_hash: str, inviter: int
) -> int:
    for _ in range(_DRAWS_OF_A_NAME):
        member = await members.insert_member(
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
        if await members.email_exists(db, address):
            raise AlreadyExists(field="email")
    raise AssertionError("no free account number was drawn")
