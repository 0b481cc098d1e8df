"""Registering, logging in, setting a new password by e-mail, freezing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kalos.core import outbox, passwords
from kalos.core.clock import business_day
from kalos.core.database import Connection
from kalos.core.emails import canonical_email, login_name
from kalos.core.errors import AlreadyExists, Busy, InvalidInput
from kalos.core.tokens import digest, new_account, new_invite_code, new_token
from kalos.domains.challenges import service as challenges
from kalos.domains.challenges.errors import CodeExpired, SlideRequired
from kalos.domains.challenges.queries import count_tries, forget_tries, take_try, use_code, void_codes
from kalos.domains.challenges.rules import Limit, of_device
from kalos.domains.challenges.service import Solved
from kalos.domains.context import Context
from kalos.domains.entry import queries, rules
from kalos.domains.entry.errors import InvalidInviteCode
from kalos.domains.entry.tables import DeviceRow
from kalos.domains.factors.errors import SecondFactorRequired
from kalos.domains.factors.service import prove_if_bound
from kalos.domains.identity import queries as members
from kalos.domains.identity.errors import AccountFrozen, WrongCredentials
from kalos.domains.identity.rules import Event, check_password
from kalos.domains.identity.service import check_not_frozen, note, open_session
from kalos.domains.identity.tables import MemberRow
from kalos.domains.wallets import service as wallets
from kalos.domains.wallets.service import Signed

LOCKED_TOPIC: Final = "login_locked"
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
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Login:
    """What someone logs in with; `device` is what the last login on theirs gave them."""

    name: str
    password: str
    captcha: Solved
    proof: str | None = None
    google_code: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class WalletLogin:
    """What the holder of a login wallet's key logs in with."""

    signed: Signed
    proof: str | None = None
    google_code: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Reset:
    """What someone sets a new password with."""

    email: str
    email_code: str
    password: str
    proof: str | None
    google_code: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The token of a session, and that of the device that it was opened on."""

    token: str
    device: str


async def send_code(ctx: Context, *, email: str, scene: str, shown: Solved | str, device: str | None = None) -> None:
    """Mail a code to an address, whether or not a member has it; on a known device its owner counts by himself.

    Raises: InvalidInput, WrongCaptcha, CaptchaExpired, SlideRequired, TooMany.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/sendEmail; decision 0063.
    """
    address = canonical_email(email)
    await challenges.use_shown(ctx, shown)
    # Whoever registers is nobody yet.
    asker = (await _who_asks(ctx, address, device))[1] if scene == "reset" else ""
    await challenges.send_code(ctx, address=address, scene=scene, asker=asker)


async def register(ctx: Context, application: Application) -> Opened:
    """Make a member of whoever was invited and reads the mails of the address.

    Raises: InvalidInput, PasswordFormat, PasswordCommon, InvalidInviteCode, WrongCode, CodeExpired, AlreadyExists.
    Source: identity.md, "Registering and logging in"; section 7 /api/auth/register.
    """
    address = canonical_email(application.email)
    check_password(application.password, refuse_common=ctx.terms.common_passwords)
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
    device = await _device(ctx, application.device)
    async with ctx.db.transaction() as db:
        if not await use_code(db, address, "register", code_hash=code_hash, wall=ctx.wall):
            raise CodeExpired()
        member = await _insert_member(ctx, db, application, address, password_hash, inviter)
        return await _open(ctx, db, member, device, "registered")


async def log_in(ctx: Context, login: Login) -> Opened | None:
    """Open a session for an account number or e-mail address and its password. None: the member has an authenticator,
    and its code is missing; the same captcha and proof then serve once more.

    Whoever isn't there costs one hash and gets the same answer as a wrong password. A try is counted before it is
    known whether it is right, and given back when it was, or when nobody had the time to look. What is refused before
    that counts the name as it was typed, so that no answer says which names are one account's.

    Raises: SlideRequired, WrongCaptcha, CaptchaExpired, TooMany, Busy, WrongCredentials, AccountFrozen, WrongCode.
    Source: identity.md, "Registering and logging in", "Tries"; section 7 /api/auth/login.
    """
    wall, name = ctx.wall, login_name(login.name)
    device = await _device(ctx, login.device)
    member = await members.find_by_name(ctx.db, name)
    is_known = member is not None and member.id in device.members
    account = member.account if member else name
    limits = rules.login_limits(
        ctx.terms,
        name=account if is_known else name,
        network=ctx.network,
        device=digest(device.token).hex() if is_known else "",
    )
    of_account = rules.account_limits(ctx.terms, account=account, is_known=is_known)
    least = ctx.terms.slide_after_failures
    if login.proof is None and any([await count_tries(ctx.db, one, wall) >= least for one in limits]):
        raise SlideRequired()  # before the picture is used up
    captcha = await challenges.use_captcha(ctx, login.captcha, name=account)
    proofs = [] if login.proof is None else [await challenges.use_proof(ctx, login.proof, name=account)]
    async with ctx.db.transaction() as db:
        failures = await _take_tries(ctx, db, limits, wall, is_slid=bool(proofs))
        counts = [await take_try(db, limit, wall) for limit in of_account]
    is_full = 0 in counts
    taken = limits if is_full else [*limits, *of_account]
    try:
        right = await passwords.password_matches(member.password_hash if member else None, login.password)
    except Busy:
        await _give_back(ctx, taken, wall)
        raise
    if member is None or not right or is_full:
        if ctx.terms.login_tries in (failures if is_known else counts):
            await _tell_of_lock(ctx, member.id if member and member.closed_at is None else None)
        raise WrongCredentials()
    await _give_back(ctx, taken, wall)
    if member.frozen_at is not None:
        raise AccountFrozen()
    try:
        proven = await prove_if_bound(ctx, member.id, login.google_code)
    except SecondFactorRequired:
        await challenges.serve_again(ctx, captcha, *proofs, name=account)
        return None
    async with ctx.db.transaction() as db:
        event: Event = "login" if is_known else "new_device"
        opened = await _open(ctx, db, member.id, device, event, password_hash=member.password_hash)
        await proven.use(db)
        for limit in (limits[0], *of_account):
            await forget_tries(db, limit)
    return opened


async def log_in_with_wallet(ctx: Context, login: WalletLogin) -> Opened | None:
    """Open a session for whoever holds the key of a login wallet. None: the authenticator's code is missing; the same
    signature and proof then serve once more.

    No picture is asked for: the field of its text has the nonce. A slide is, after as many failures as with a password.

    Raises: SlideRequired, TooMany, WrongCredentials, AccountFrozen, WrongCode.
    Source: identity.md, "Registering and logging in", "Tries"; section 7 /api/auth/login.
    """
    wall, device = ctx.wall, await _device(ctx, login.device)
    owner = await wallets.find_owner(ctx, login.signed.address)
    is_known = owner in device.members
    own = digest(device.token).hex() if is_known else ""
    # What is no address is counted by its digest: a text as it comes may be longer in small letters.
    name = ctx.house.messages.address(login.signed.address) or digest(login.signed.address).hex()
    limits = rules.login_limits(ctx.terms, name=name, network=ctx.network, device=own)
    proofs = [] if login.proof is None else [await challenges.use_proof(ctx, login.proof, name=name)]
    async with ctx.db.transaction() as db:
        of_name, *_ = await _take_tries(ctx, db, limits, wall, is_slid=bool(proofs))
    signed_in = await wallets.sign_in(ctx, login.signed)
    if signed_in is None:
        if of_name == ctx.terms.login_tries:
            await _tell_of_lock(ctx, owner)
        raise WrongCredentials()
    await _give_back(ctx, limits, wall)
    member = signed_in.member
    await check_not_frozen(ctx, member)
    try:
        proven = await prove_if_bound(ctx, member, login.google_code)
    except SecondFactorRequired:
        await wallets.serve_again(ctx, signed_in)
        await challenges.serve_again(ctx, *proofs, name=name)
        return None
    async with ctx.db.transaction() as db:
        opened = await _open(ctx, db, member, device, "login" if member in device.members else "new_device")
        await proven.use(db)
        if not await wallets.still_logs_in(db, signed_in):
            raise WrongCredentials()
        await forget_tries(db, limits[0])
    return opened


async def enter(
    ctx: Context,
    *,
    name: str,
    code: str,
    password: str | None,
    captcha_id: str | None,
    signature: str | None,
    proof: str | None,
    google_code: str | None,
    device: str | None,
) -> Opened | None:
    """Log in by a password, where `code` is a captcha's text, or by a wallet's signature, where it is the nonce.

    Raises: InvalidInput (both, or half of one), and what the two ways raise.
    """
    match password, captcha_id, signature:
        case str(), str(), None:
            return await log_in(ctx, Login(name, password, Solved(captcha_id, code), proof, google_code, device))
        case None, _, str():
            return await log_in_with_wallet(ctx, WalletLogin(Signed(name, code, signature), proof, google_code, device))
        case _:
            raise InvalidInput(errors=[{"field": "password", "reason": "password_or_sign_message"}])


async def reset_password(ctx: Context, reset: Reset) -> None:
    """Set a new password for whoever reads the mails of a member's address; every session ends, withdrawals are held,
    and an account that its owner froze is open again.

    Whoever isn't there gets the same answer for the same work.

    Raises: InvalidInput, PasswordFormat, PasswordCommon, SlideRequired, TooMany, WrongCode, CodeExpired;
      Busy, SecondFactorRequired (the same proof then serves once more).
    Source: identity.md, "Registering and logging in", "Tries".
    """
    address = canonical_email(reset.email)
    check_password(reset.password, refuse_common=ctx.terms.common_passwords)
    proof = await challenges.use_proof(ctx, reset.proof, name=address)
    member, asker = await _who_asks(ctx, address, reset.device)
    limits, wall = [rules.reset_limit(ctx.terms, address, asker)], ctx.wall
    async with ctx.db.transaction() as db:
        await challenges.take_tries(db, limits, wall)
    # On a known device also what was asked for elsewhere: whoever reads the mails may have several.
    askers = [*dict.fromkeys((asker, ""))]
    code_hash = await challenges.check_code(ctx, address, "reset", reset.email_code, askers=askers)
    try:
        proven = await prove_if_bound(ctx, member.id if member else None, reset.google_code)
        password_hash = await passwords.hash_password(reset.password)
    except (Busy, SecondFactorRequired):
        await _give_back(ctx, limits, wall)
        await challenges.serve_again(ctx, proof, name=address)
        raise
    async with ctx.db.transaction() as db:
        if member is not None and (await members.lock_member(db, member.id)).email != member.email:
            raise CodeExpired()  # who reads the mails of an address that was the member's resets nothing
        if not await use_code(db, address, "reset", code_hash=code_hash, wall=ctx.wall):
            raise CodeExpired()
        await void_codes(db, address, "reset", wall=ctx.wall)
        if member is None:
            return
        await proven.use(db)
        await members.set_password(db, member.id, password_hash)
        await members.unfreeze(db, member.id)
        await members.end_all_sessions(db, member.id)
        await queries.forget_devices(db, member.id)
        for limit in rules.limits_of(ctx.terms, account=member.account, email=member.email):
            await forget_tries(db, limit)
        await note(ctx, db, member.id, "password_reset")


async def freeze(ctx: Context, token: str) -> None:
    """Freeze the account that a mail's link belongs to: every session ends, and nobody logs in before a new password.

    Raises: CodeExpired.
    Source: identity.md, "Security centre".
    """
    async with ctx.db.transaction() as db:
        member = await members.take_freeze_token(db, digest(token), ctx.wall)
        if member is None:
            raise CodeExpired()
        await members.freeze(db, member, ctx.now)
        await members.end_all_sessions(db, member)
        await note(ctx, db, member, "account_frozen")


@dataclass(frozen=True, slots=True)
class _Device:
    """Its token, and who has logged in with it."""

    token: str
    members: frozenset[int] = frozenset()


async def _device(ctx: Context, token: str | None) -> _Device:
    """The device that a token belongs to, or a new one: a token that isn't ours is never taken over."""
    known = await queries.list_members_of(ctx.db, digest(token), ctx.wall) if token else set()
    return _Device(token, frozenset(known)) if token and known else _Device(new_token())


async def _who_asks(ctx: Context, address: str, device: str | None) -> tuple[MemberRow | None, str]:
    """Whose address it is, and as whom a caller counts there: nobody known, or a device that its owner logged in on."""
    member, known = await members.find_by_name(ctx.db, address), await _device(ctx, device)
    is_theirs = member is not None and member.id in known.members
    return member, of_device(digest(known.token)) if is_theirs else ""


async def _open(
    ctx: Context, db: Connection, member: int, device: _Device, event: Event, *, password_hash: str | None = None
) -> Opened:
    """Raises: WrongCredentials (what was judged counts no more)."""
    # The member's row before all others, as whoever changes or resets a password takes them: neither waits for ever.
    token = await open_session(ctx, db, member, password_hash=password_hash)
    row = DeviceRow(digest(device.token), member, ctx.wall, ctx.wall + rules.DEVICE_MS)
    await queries.put_device(db, row, most=rules.MOST_DEVICES)
    await note(ctx, db, member, event)
    return Opened(token, device.token)


async def _give_back(ctx: Context, limits: Sequence[Limit], wall: int) -> None:
    async with ctx.db.transaction() as db:
        await challenges.give_tries_back(db, limits, wall)


async def _take_tries(ctx: Context, db: Connection, limits: Sequence[Limit], wall: int, *, is_slid: bool) -> list[int]:
    """Of many at once that came without a slide as many are tried as need none. Raises: SlideRequired, TooMany."""
    failures = await challenges.take_tries(db, limits, wall)
    if not is_slid and max(failures) > ctx.terms.slide_after_failures:
        raise SlideRequired()
    return failures


async def _tell_of_lock(ctx: Context, member: int | None) -> None:
    """For a name that nobody has or had, too: the work is the same."""
    body = {"member": member, "lang": ctx.lang, "network": ctx.network, "device": ctx.device}
    async with ctx.db.transaction() as db:
        await outbox.tell(db, LOCKED_TOPIC, body, wall=ctx.wall)


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
            lang=ctx.lang,
            country=application.country,
            birth_date=application.birth_date,
            terms_version=application.terms_version,
        )
        if member is not None:
            return member
        if await members.email_exists(db, address):
            raise AlreadyExists(field="email")
    raise AssertionError("no free account number was drawn")
