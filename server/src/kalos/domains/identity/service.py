"""Sessions: opened, left, and lent to an address once. What happens to an account's security, and freezing it."""

from dataclasses import dataclass

from kalos.core.clock import DAY_MS, HOUR_MS, SECOND_MS
from kalos.core.database import Connection
from kalos.core.errors import SessionEnded
from kalos.core.mails import queue_mail
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Context
from kalos.domains.identity import queries
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.identity.rules import EVENTS, FREEZE_HOURS, Event
from kalos.domains.identity.tables import SessionRow


@dataclass(frozen=True, slots=True)
class AuthToken:
    token: str
    seconds: int


async def open_session(ctx: Context, db: Connection, member: int) -> str:
    """Open a session for a member who has shown who they are; returns its token."""
    token, keep_ms = new_token(), ctx.terms.session_days * DAY_MS
    row = SessionRow(digest(token), member, ctx.network, ctx.device, ctx.wall, keep_ms, ctx.wall + keep_ms)
    await queries.insert_session(db, row)
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
    if not await queries.insert_auth_token(ctx.db, token_hash=digest(token), session=ctx.session, until_at=until_at):
        raise SessionEnded()
    return AuthToken(token, seconds)


async def note(ctx: Context, db: Connection, member: int, event: Event) -> None:
    """Write into the member's security log what the caller did, in the commit that does it.

    What the table of events says follows: withdrawals are held, a mail is sent that can freeze the account.
    """
    meaning = EVENTS[event]
    held_ms = ctx.terms.security_hold * HOUR_MS if meaning.is_held else 0
    await queries.insert_event(
        db,
        member=member,
        event=event,
        network=ctx.network,
        device=ctx.device,
        at=ctx.now,
        held_until=ctx.now + held_ms if held_ms else None,
    )
    if meaning.is_mailed:
        await _mail(ctx, db, member, event)


async def check_not_frozen(ctx: Context, member: int) -> None:
    """Raises: AccountFrozen."""
    if await queries.is_frozen(ctx.db, member):
        raise AccountFrozen()


async def _mail(ctx: Context, db: Connection, member: int, event: Event) -> None:
    token = new_token()
    until_at = ctx.wall + FREEZE_HOURS * HOUR_MS
    await queries.insert_freeze_token(db, token_hash=digest(token), member=member, until_at=until_at)
    values = {
        "event": event,
        "at": str(ctx.now),
        "network": ctx.network,
        "device": ctx.device,
        "freeze": f"{ctx.house.page_url}/login?freeze={token}",
    }
    recipient = await queries.mail_address(db, member)
    await queue_mail(db, name="security", lang=ctx.lang, recipient=recipient, values=values, at=ctx.wall)
