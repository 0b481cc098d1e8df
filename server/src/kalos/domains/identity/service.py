"""Sessions: opened, left, and lent to an address once. What happens to an account's security, and freezing it."""

from dataclasses import dataclass

from kalos.core.clock import DAY_MS, HOUR_MS, SECOND_MS
from kalos.core.database import Connection
from kalos.core.errors import NotFound, SessionEnded
from kalos.core.mails import queue_mail
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges.service import take_tries
from kalos.domains.context import Context, House
from kalos.domains.identity import queries
from kalos.domains.identity.errors import AccountFrozen, WrongCredentials
from kalos.domains.identity.rules import EVENTS, FREEZE_HOURS, Event, check_word, word_limit
from kalos.domains.identity.tables import OpenSession, SecurityEventRow, SessionRow


@dataclass(frozen=True, slots=True)
class AuthToken:
    token: str
    seconds: int


async def open_session(ctx: Context, db: Connection, member: int, *, password_hash: str | None = None) -> str:
    """Open a session for a member who has shown who they are; returns its token.

    `password_hash` is the one that their password was compared with.

    Raises: WrongCredentials (the account is closed, was frozen or got another password a moment ago).
    Source: decisions 0022 and 0024.
    """
    token, wall, keep_ms = new_token(), ctx.wall, ctx.terms.session_days * DAY_MS
    row = SessionRow(digest(token), member, ctx.network, ctx.device, wall, keep_ms, wall + keep_ms)
    if not await queries.insert_session(db, row, password_hash=password_hash):
        raise WrongCredentials()
    return token


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
    if not await queries.insert_auth_token(
        ctx.db, token_hash=digest(token), session=ctx.session, until_at=until_at, wall=ctx.wall
    ):
        raise SessionEnded()
    return AuthToken(token, seconds)


async def list_sessions(ctx: Context, page: PageQuery) -> Page[OpenSession]:
    """The caller's living sessions, the latest log-in first.

    Source: identity.md, "Security centre" (`user/sessions`).
    """
    return await queries.list_sessions(ctx.db, ctx.caller.id, ctx.wall, page)


async def end_session(ctx: Context, number: str) -> None:
    """End one of the caller's sessions, or with "others" all but the one that calls; every process hears of it.

    Raises: NotFound.
    Source: identity.md, "Security centre" (`user/endSession`).
    """
    member = ctx.caller.id
    async with ctx.db.transaction() as db:
        if number == "others":
            ended = await queries.end_all_sessions(db, member, but=ctx.session)
        elif not (ended := await queries.end_own_session(db, member, bytes.fromhex(number))):
            raise NotFound()
        if ended:
            await note(ctx, db, member, "session_ended")


async def list_events(ctx: Context, page: PageQuery) -> Page[SecurityEventRow]:
    """The caller's security log, the latest first.

    Source: identity.md, "Security centre" (`user/securityLog`).
    """
    member = ctx.caller.id
    found = await queries.list_events(ctx.db, member, before=page.after, most=page.size + 1, skip=page.skip)
    count = await queries.count_events(ctx.db, member, most=MOST_COUNTED + 1)
    return counted_page(found, page, count, lambda event: event.id)


async def set_anti_phishing(ctx: Context, word: str | None) -> None:
    """Choose the word that every mail to the caller shows; None: no word.

    Raises: InvalidInput, TooMany (`rules.word_limit`; the same word once more is no change).
    Source: identity.md, "Security centre" (`user/antiPhishing`).
    """
    chosen = None if word is None else check_word(word)
    async with ctx.db.transaction() as db:
        if await queries.set_anti_phishing(db, ctx.caller.id, chosen):
            await take_tries(db, [word_limit(ctx.caller.id)], ctx.wall)
            await note(ctx, db, ctx.caller.id, "anti_phishing_changed")


async def note(ctx: Context, db: Connection, member: int, event: Event) -> None:
    """Write into the member's security log what the caller did, in the commit that does it.

    What the table of events says follows: withdrawals are held, a mail is sent that can freeze the account.
    """
    meaning = EVENTS[event]
    held_ms = ctx.terms.security_hold * HOUR_MS if meaning.is_held else 0
    held_until = ctx.now + held_ms if held_ms else None
    await queries.insert_event(
        db,
        member=member,
        event=event,
        network=ctx.network,
        device=ctx.device,
        at=ctx.now,
        held_until=held_until,
    )
    if meaning.is_mailed:
        await _mail(ctx, db, member, event, held_until)


async def check_not_frozen(ctx: Context, member: int) -> None:
    """Raises: AccountFrozen."""
    if await queries.is_frozen(ctx.db, member):
        raise AccountFrozen()


async def freeze_link(house: House, db: Connection, member: int, *, wall: int) -> str:
    """Where the reader of a security mail freezes the account: once, within 72 hours.

    Source: identity.md, "Security centre"; decision 0022 says which mails are security mails.
    """
    token = new_token()
    until_at = wall + FREEZE_HOURS * HOUR_MS
    await queries.insert_freeze_token(db, token_hash=digest(token), member=member, until_at=until_at)
    return f"{house.page_url}/login?freeze={token}"


async def _mail(ctx: Context, db: Connection, member: int, event: Event, held_until: int | None) -> None:
    values = {"event": event, "at": str(ctx.now), "network": ctx.network, "device": ctx.device}
    if held_until:
        values["held_until"] = str(held_until)
    if event != "account_closed":
        values["freeze"] = await freeze_link(ctx.house, db, member, wall=ctx.wall)
    # Both as they are now: an event that changes the address is noted before it, and told where the owner reads.
    reader = await queries.find_reader(db, member)
    if reader.word:
        values["word"] = reader.word
    # In the owner's language, whatever that of the call was: it may be a stranger's.
    await queue_mail(
        db, name="security", lang=reader.lang or ctx.lang, recipient=reader.email, values=values, at=ctx.wall
    )
