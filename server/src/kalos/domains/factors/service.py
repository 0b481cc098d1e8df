"""Second factors and the withdrawal password: set, asked for, and counted before they are judged."""

import hmac
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import segno

from kalos.core import passwords
from kalos.core.database import Connection
from kalos.core.emails import canonical_email
from kalos.core.errors import Busy, NotFound, TooMany, WrongState
from kalos.core.money import Amount
from kalos.core.sealing import seal, unseal_own
from kalos.core.tokens import new_recovery_code
from kalos.domains.challenges import service as challenges
from kalos.domains.challenges.errors import CodeExpired, WrongCode
from kalos.domains.challenges.queries import forget_tries, take_try, use_code
from kalos.domains.challenges.rules import bind_limit, code_limits, of_member
from kalos.domains.context import Context, House
from kalos.domains.factors import queries, rules
from kalos.domains.factors.errors import (
    OutPasswordLocked,
    OutPasswordNotSet,
    PasswordSame,
    SecondFactorRequired,
    WrongOutPassword,
)
from kalos.domains.factors.rules import NewOutPassword, Scene, Shown
from kalos.domains.factors.tables import AuthenticatorRow
from kalos.domains.identity import queries as members
from kalos.domains.identity.errors import WrongCredentials
from kalos.domains.identity.rules import Event
from kalos.domains.identity.service import check_not_frozen, note
from kalos.wire import languages

_BUSY_SECONDS: Final = 1


@dataclass(frozen=True, slots=True)
class Proven:
    """A second factor that was right."""

    _take: Callable[[Connection], Awaitable[None]]

    async def use(self, db: Connection) -> None:
        """Use it up in the commit that it allows. Raises: WrongCode, CodeExpired (someone else just did)."""
        await self._take(db)


# The second factor


async def prove(
    ctx: Context, scene: Scene, *, google_code: str | None = None, email_code: str | None = None, bound: str = ""
) -> Proven:
    """Judge the second factor that the caller has: the authenticator's code, else the code mailed for this scene.

    `bound` is what the mailed code must have been asked for (`rules.withdrawal`).

    Raises: SecondFactorRequired, WrongCode, CodeExpired, TooMany.
    Source: identity.md, "Security centre".
    """
    authenticator = await queries.find_bound(ctx.db, ctx.caller.id)
    if authenticator is not None:
        if google_code is None:
            raise SecondFactorRequired(need="google")
        async with _counted(ctx, ctx.caller.id):
            return _judge_totp(ctx, authenticator, google_code)
    if email_code is None:
        raise SecondFactorRequired(need="email")
    return await prove_email(ctx, scene, email_code, bound=bound)


async def prove_email(ctx: Context, scene: Scene, code: str, *, bound: str = "") -> Proven:
    """Judge a code that was mailed to the caller, also where an authenticator is bound.

    Raises: WrongCode, CodeExpired, TooMany.
    """
    address = (await members.find_profile(ctx.db, ctx.caller.id)).row.email
    async with _counted(ctx, ctx.caller.id):
        asker = of_member(ctx.caller.id)
        code_hash = await challenges.check_code(ctx, address, scene, code, askers=[asker], bound=bound)

    async def take(db: Connection) -> None:
        if not await use_code(db, address, scene, code_hash=code_hash, wall=ctx.wall):
            raise CodeExpired()

    return Proven(take)


async def prove_if_bound(ctx: Context, member: int | None, google_code: str | None) -> Proven:
    """Judge the code of a member who has an authenticator and may not be logged in yet; nobody else needs one.

    Raises: SecondFactorRequired, WrongCode, TooMany.
    """
    if member is None or not await has_google(ctx, member):
        return Proven(_take_nothing)
    if google_code is None:
        raise SecondFactorRequired(need="google")
    return await prove_totp_or_recovery(ctx, member, google_code)


async def _take_nothing(_: Connection) -> None:
    """There is nothing to use up."""


async def has_google(ctx: Context, member: int) -> bool:
    """Whether an authenticator is bound."""
    return await queries.find_bound(ctx.db, member) is not None


async def send_code(ctx: Context, scene: Scene, *, email: str | None = None, bound: str = "", what: str = "") -> None:
    """Mail a code for one scene to the caller's address, or for `bind` to the new one.

    Its reader may be anybody: there the caller counts as any stranger, and has so many a day in all.

    Raises: InvalidInput, TooMany.
    Source: identity.md, "Security centre"; section 7 /api/user/sendEmail.
    """
    member = ctx.caller.id
    asker = of_member(member)
    if email is not None:
        new = canonical_email(email)
        limits = [*code_limits(ctx.terms, email=new, network=ctx.network), bind_limit(ctx.terms, member)]
        await challenges.mail_code(ctx, new, scene, limits, mail="bind_code", asker=asker)
        return
    address = (await members.find_profile(ctx.db, member)).row.email
    values = {"what": what or languages.say(ctx.lang, f"scene.{scene}")}
    limits = code_limits(ctx.terms, email=address, network=ctx.network, asker=asker)
    await challenges.mail_code(ctx, address, scene, limits, mail="scene_code", asker=asker, bound=bound, values=values)


async def send_withdrawal_code(ctx: Context, amount: Amount, wallet_id: int) -> None:
    """Mail a code that is right for this withdrawal alone; the mail names amount, address and label.

    Raises: NotFound (no such entry in the caller's book), TooMany.
    Source: identity.md, "Security centre"; section 7 /api/user/sendEmail.
    """
    target = await ctx.house.book(ctx.db, ctx.caller.id, wallet_id)
    if target is None:
        raise NotFound()
    holes = {"amount": amount, "asset": amount.asset, "address": target.address, "label": target.label}
    what = languages.say(ctx.lang, "scene.withdraw", **holes)
    await send_code(ctx, "withdraw", bound=rules.withdrawal(amount, wallet_id), what=what)


async def check_login_password(ctx: Context, password: str) -> None:
    """The caller's own login password, asked again before a sensitive step.

    Raises: WrongCredentials, TooMany, Busy.
    """
    stored = (await members.find_profile(ctx.db, ctx.caller.id)).row.password_hash
    async with challenges.tried(ctx, rules.password_limit(ctx.terms, ctx.caller.id)):
        if not await passwords.password_matches(stored, password):
            raise WrongCredentials()


# The authenticator


async def show_google(ctx: Context) -> Shown:
    """Make a secret that can be bound within ten minutes; the one before it is void.

    Raises: WrongState (one is bound).
    Source: identity.md, "Security centre"; section 7 /api/user/google.
    """
    secret, member = os.urandom(rules.SECRET_BYTES), ctx.caller
    sealed = seal(ctx.house.factor_keys[0], secret, rules.about(member.id))
    if not await queries.put_pending(ctx.db, member.id, sealed, until_at=ctx.wall + rules.PENDING_MS):
        raise WrongState()
    address = rules.otpauth(member.account, secret)
    return Shown(rules.base32_of(secret), address, segno.make(address, error="m").svg_data_uri(scale=4, border=2))


async def bind_google(ctx: Context, *, code: str, password: str, email_code: str, proof: str | None) -> list[str]:
    """Bind the secret that was shown last; returns the recovery codes, which nobody can read again.

    Raises: WrongState, SlideRequired, WrongCredentials, WrongCode, CodeExpired, TooMany, Busy.
    Source: identity.md, "Security centre"; section 7 /api/user/bindGoogle.
    """
    member = ctx.caller.id
    pending = await queries.find_pending(ctx.db, member, wall=ctx.wall)
    if pending is None:
        raise WrongState()
    await challenges.use_proof(ctx, proof)
    await check_login_password(ctx, password)
    async with _counted(ctx, member):
        step = _step_of(ctx, pending, code)
    mailed = await prove_email(ctx, "google", email_code)
    codes = [new_recovery_code() for _ in range(rules.RECOVERY_CODES)]
    async with ctx.db.transaction() as db:
        await mailed.use(db)
        if not await queries.bind(db, pending, at=ctx.now, step=step):
            raise WrongState()
        hashes = [_recovery_hashes(ctx.house, member, one)[0] for one in codes]
        await queries.insert_recovery_codes(db, member, hashes)
        await note(ctx, db, member, "google_bound")
    return codes


async def unbind_google(ctx: Context, *, google_code: str, password: str, email_code: str, proof: str | None) -> None:
    """Take the authenticator away with its recovery codes; withdrawals are held.

    Raises: WrongState, SlideRequired, WrongCredentials, WrongCode, CodeExpired, TooMany, Busy.
    Source: identity.md, "Security centre".
    """
    member = ctx.caller.id
    bound = await queries.find_bound(ctx.db, member)
    if bound is None:
        raise WrongState()
    await challenges.use_proof(ctx, proof)
    await check_login_password(ctx, password)
    mailed = await prove_email(ctx, "unbind", email_code)
    proven = await prove_totp_or_recovery(ctx, member, google_code)
    async with ctx.db.transaction() as db:
        await mailed.use(db)
        await proven.use(db)
        if not await queries.unbind(db, bound):
            raise WrongState()
        await note(ctx, db, member, "google_unbound")


# The withdrawal password


async def check_out_password(ctx: Context, out_password: str) -> None:
    """The caller's withdrawal password, asked by every call that moves money out of an account.

    The last wrong one that may be locks it, until it is set anew.

    Raises: AccountFrozen, OutPasswordNotSet, OutPasswordLocked, WrongOutPassword, Busy.
    Source: wire.md, "Calls that move money"; identity.md, "Registering and logging in" (tries).
    """
    member = ctx.caller.id
    await check_not_frozen(ctx, member)
    row = await queries.find_out_password(ctx.db, member)
    if row is None:
        raise OutPasswordNotSet()
    if row.locked_at is not None:
        raise OutPasswordLocked()
    limit = rules.out_password_limit(ctx.terms, member)
    try:
        async with challenges.tried(ctx, limit):
            if await passwords.password_matches(row.password_hash, out_password):
                return
            async with ctx.db.transaction() as db:
                wrong_at = await queries.add_wrong(db, member, wall=ctx.wall)
                if rules.is_full(wrong_at, limit, ctx.wall) and await queries.lock_out_password(
                    db, member, at=ctx.wall
                ):
                    await note(ctx, db, member, "out_password_locked")
            raise WrongOutPassword()
    except TooMany as problem:  # as many as may be wrong are being judged at this moment, or just were
        row = await queries.find_out_password(ctx.db, member)
        locked = row is not None and row.locked_at is not None
        raise (OutPasswordLocked() if locked else Busy(retry_after=_BUSY_SECONDS)) from problem


async def set_out_password(ctx: Context, wish: NewOutPassword, *, password: str) -> None:
    """The first withdrawal password, for the login's `password` and the second factor.

    Raises: OutPasswordFormat, PasswordMismatch, AccountFrozen, WrongState (there is one), SlideRequired,
      WrongCredentials, Busy, those of prove.
    Source: identity.md, "Security centre"; section 7 /api/user/upOutPwd.
    """
    rules.check_new_out_password(wish)
    member = ctx.caller.id
    await check_not_frozen(ctx, member)
    if await queries.find_out_password(ctx.db, member) is not None:
        raise WrongState()
    await challenges.use_proof(ctx, wish.proof)
    await check_login_password(ctx, password)
    factor = await prove(ctx, "password", google_code=wish.google_code, email_code=wish.email_code)
    password_hash = await passwords.hash_password(wish.new)
    async with ctx.db.transaction() as db:
        await factor.use(db)
        if not await queries.insert_out_password(db, member, password_hash, at=ctx.wall):
            raise WrongState()
        await note(ctx, db, member, "out_password_set")


async def change_out_password(ctx: Context, wish: NewOutPassword, *, old: str) -> None:
    """A new withdrawal password for the old one and the second factor; withdrawals are held.

    Raises: OutPasswordFormat, PasswordMismatch, PasswordSame, SlideRequired, those of check_out_password and of prove.
    Source: identity.md, "Security centre"; wire.md, "Calls that move money"; section 7 /api/user/upOutPwd.
    """
    rules.check_new_out_password(wish)
    if wish.new == old:
        raise PasswordSame()
    await challenges.use_proof(ctx, wish.proof)
    await check_out_password(ctx, old)
    factor = await prove(ctx, "password", google_code=wish.google_code, email_code=wish.email_code)
    await _replace(ctx, wish.new, [factor], "out_password_changed")


async def reset_out_password(ctx: Context, wish: NewOutPassword, *, email_code: str) -> None:
    """A new withdrawal password where the old one is forgotten or locked; withdrawals are held.

    Raises: OutPasswordFormat, PasswordMismatch, PasswordSame, AccountFrozen, SlideRequired, OutPasswordNotSet, Busy,
      those of prove.
    Source: identity.md, "Security centre"; section 7 /api/user/upOutPwd.
    """
    rules.check_new_out_password(wish)
    await check_not_frozen(ctx, ctx.caller.id)
    await challenges.use_proof(ctx, wish.proof)
    factors = [await prove_email(ctx, "password", email_code)]
    if await has_google(ctx, ctx.caller.id):
        factors.append(await prove(ctx, "password", google_code=wish.google_code))
    await _replace(ctx, wish.new, factors, "out_password_reset")


async def _replace(ctx: Context, new: str, factors: Sequence[Proven], event: Event) -> None:
    member = ctx.caller.id
    row = await queries.find_out_password(ctx.db, member)
    if row is None:
        raise OutPasswordNotSet()
    if await passwords.password_matches(row.password_hash, new):
        raise PasswordSame()
    password_hash = await passwords.hash_password(new)
    async with ctx.db.transaction() as db:
        for factor in factors:
            await factor.use(db)
        replaced = await queries.replace_out_password(
            db, member, password_hash, old_hash=row.password_hash, at=ctx.wall
        )
        if not replaced:
            raise WrongState()
        await forget_tries(db, rules.out_password_limit(ctx.terms, member))
        await note(ctx, db, member, event)


@asynccontextmanager
async def _counted(ctx: Context, member: int) -> AsyncIterator[None]:
    """Count a try of a second factor, and give it back if what is inside refuses nothing.

    Raises: TooMany. Who has used the last one up is mailed, once an hour.
    """
    limit = rules.factor_limit(ctx.terms, member)
    try:
        async with challenges.tried(ctx, limit):
            yield
    except (TooMany, WrongCode, CodeExpired):
        if await challenges.are_used_up(ctx.db, limit, ctx.wall):
            async with ctx.db.transaction() as db:
                if await take_try(db, rules.told_limit(member), ctx.wall):
                    await note(ctx, db, member, "factor_locked")
        raise


async def prove_totp_or_recovery(ctx: Context, member: int, code: str) -> Proven:
    """Judge the authenticator's code or a recovery code of a member, who may not be logged in yet.

    Raises: WrongCode, TooMany.
    """
    async with _counted(ctx, member):
        authenticator = await queries.find_bound(ctx.db, member)
        if authenticator is None:
            raise WrongCode()
        if rules.is_totp(code):
            return _judge_totp(ctx, authenticator, code)
        hashes = _recovery_hashes(ctx.house, member, code)
        if not await queries.has_recovery_code(ctx.db, member, hashes):
            raise WrongCode()

    async def take(db: Connection) -> None:
        if not await queries.use_recovery_code(db, member, hashes):
            raise WrongCode()
        await note(ctx, db, member, "recovery_code_used")

    return Proven(take)


def _judge_totp(ctx: Context, authenticator: AuthenticatorRow, code: str) -> Proven:
    step = _step_of(ctx, authenticator, code)

    async def take(db: Connection) -> None:
        if not await queries.use_step(db, authenticator, step):
            raise WrongCode()

    return Proven(take)


def _step_of(ctx: Context, authenticator: AuthenticatorRow, code: str) -> int:
    """Raises: WrongCode."""
    secret = unseal_own(ctx.house.factor_keys, authenticator.sealed_secret, rules.about(authenticator.member))
    step = rules.step_of(secret, code, after=authenticator.last_step, wall=ctx.wall)
    if step is None:
        raise WrongCode()
    return step


def _recovery_hashes(house: House, member: int, code: str) -> list[bytes]:
    """What the code may be stored as: under the present key first, then under former ones."""
    text = f"recovery {member} {rules.plain_recovery_code(code)}".encode()
    return [hmac.digest(key, text, "sha256") for key in house.factor_keys]
