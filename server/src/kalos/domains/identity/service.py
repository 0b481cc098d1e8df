"""Sessions: opened, left, and lent to an address once."""

from dataclasses import dataclass

from kalos.core.clock import DAY_MS, SECOND_MS
from kalos.core.database import Connection
from kalos.core.errors import SessionEnded
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Context
from kalos.domains.identity import queries
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
