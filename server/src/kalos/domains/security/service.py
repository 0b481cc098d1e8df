"""A new password, a new e-mail address, the end of an account."""

from kalos.core import passwords
from kalos.core.emails import canonical_email
from kalos.core.errors import AlreadyExists, InvalidInput
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges import service as challenges
from kalos.domains.challenges.errors import CodeExpired
from kalos.domains.challenges.queries import forget_address, use_code
from kalos.domains.challenges.rules import of_member
from kalos.domains.context import Context
from kalos.domains.entry import queries as entry_rows
from kalos.domains.factors import queries as factor_rows
from kalos.domains.factors import service as factors
from kalos.domains.factors.errors import PasswordMismatch, PasswordSame
from kalos.domains.identity import queries as members
from kalos.domains.identity.errors import WrongCredentials
from kalos.domains.identity.rules import check_password
from kalos.domains.identity.service import note
from kalos.domains.protection import queries as protection_rows
from kalos.domains.protection.service import check_not_paused
from kalos.domains.security.errors import BalanceNotZero
from kalos.domains.wallets import queries as wallet_rows
from kalos.ledger.statements import owns_anything


async def change_password(
    ctx: Context,
    *,
    old: str,
    new: str,
    confirm: str,
    proof: str | None,
    google_code: str | None,
    email_code: str | None,
    device: str | None = None,
) -> None:
    """A new log-in password: all other sessions end, all devices but the caller's `device` are new, and withdrawals are
    held.

    Raises: PasswordFormat, PasswordCommon, PasswordMismatch, PasswordSame, SlideRequired, WrongCredentials, TooMany,
      Busy, and those of factors.prove.
    Source: identity.md, "Security centre"; section 7 /api/user/upPwd.
    """
    check_password(new, refuse_common=ctx.terms.common_passwords)
    if new != confirm:
        raise PasswordMismatch()
    if new == old:
        raise PasswordSame()
    await challenges.use_proof(ctx, proof)
    member = ctx.caller.id
    old_hash = (await members.find_profile(ctx.db, member)).row.password_hash
    await factors.check_login_password(ctx, old)
    factor = await factors.prove(ctx, "password", google_code=google_code, email_code=email_code)
    password_hash = await passwords.hash_password(new)
    async with ctx.db.transaction() as db:
        await factor.use(db)
        if not await members.replace_password(db, member, password_hash, old_hash=old_hash):
            raise WrongCredentials()
        await members.end_all_sessions(db, member, but=ctx.session)
        await entry_rows.forget_devices(db, member, but=digest(device) if device else b"")
        await note(ctx, db, member, "password_changed")


async def bind_email(ctx: Context, *, email: str, code: str, old_code: str, proof: str | None) -> None:
    """A new address for whoever reads the old one and the new one; the old one is told, and withdrawals are held.

    Raises: InvalidInput, SlideRequired, WrongCode, CodeExpired, AlreadyExists, TooMany.
    Source: identity.md, "Security centre"; section 7 /api/user/bindEmail.
    """
    address, member = canonical_email(email), ctx.caller.id
    await challenges.use_proof(ctx, proof)
    old = await factors.prove_email(ctx, "bind", old_code)
    code_hash = await challenges.check_code(ctx, address, "bind", code, askers=[of_member(member)])
    async with ctx.db.transaction() as db:
        await old.use(db)
        if not await use_code(db, address, "bind", code_hash=code_hash, wall=ctx.wall):
            raise CodeExpired()
        await note(ctx, db, member, "email_changed")
        if not await members.set_email(db, member, address):
            raise AlreadyExists(field="email")


async def close(
    ctx: Context,
    *,
    password: str,
    out_password: str | None,
    proof: str | None,
    google_code: str | None,
    email_code: str | None,
) -> None:
    """End an account that holds nothing and has nothing coming: all sessions end, and what it was known by is erased.

    The withdrawal password is asked of those who have one. A break or an exclusion runs to its end: the address is free
    again after closing, and who registers with it anew would have none.

    Raises: InvalidInput, SlideRequired, BalanceNotZero, SelfExcluded, WrongCredentials, TooMany, Busy, and those of
      factors.check_out_password and factors.prove.
    Source: identity.md, "Security centre" (`user/close`); decision 0024.
    """
    member = ctx.caller.id
    has_out_password = await factor_rows.find_out_password(ctx.db, member) is not None
    if has_out_password and out_password is None:
        raise InvalidInput(errors=[{"field": "out_password", "reason": "missing"}])
    await challenges.use_proof(ctx, proof)
    await factors.check_login_password(ctx, password)
    if has_out_password and out_password is not None:
        await factors.check_out_password(ctx, out_password)
    factor = await factors.prove(ctx, "close", google_code=google_code, email_code=email_code)
    nobodys = await passwords.hash_password(new_token())
    async with ctx.db.transaction() as db:
        await factor.use(db)
        await note(ctx, db, member, "account_closed")
        await forget_address(db, (await members.find_reader(db, member)).email)
        if not await members.erase_member(db, member, password_hash=nobodys, at=ctx.now):
            raise WrongCredentials()
        await members.end_all_sessions(db, member)
        await entry_rows.forget_devices(db, member)
        await factor_rows.erase(db, member)
        await wallet_rows.remove_login_wallets(db, member, at=ctx.now)
        await wallet_rows.erase_labels(db, member)
        await ctx.house.forget(db, member)
        if await owns_anything(db, member) or await ctx.house.is_coming(db, member):
            raise BalanceNotZero()
        await check_not_paused(ctx, db, member)
        await protection_rows.erase(db, member)
