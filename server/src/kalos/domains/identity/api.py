"""A member's own sessions, security log and word: path, use case, shape."""

from typing import Annotated

from msgspec import Meta

from kalos.core.errors import NotFound, TooMany
from kalos.core.fields import Id, Seconds, Time
from kalos.domains.context import Context
from kalos.domains.identity import rules, service
from kalos.domains.identity.tables import OpenSession, SecurityEventRow
from kalos.wire.calls import Answer, Body, Calls, Done, Empty
from kalos.wire.languages import event_text
from kalos.wire.shapes import Paged, Rows, rows_of

calls = Calls("identity")

Token = Annotated[str, Meta(examples=["yZ2hK8m4QxV0tR6wB1nS9cJ3fL5pD7gA_uE-iOkTqXs"])]


class AuthTokenAnswer(Answer, frozen=True):
    token: Token
    expires_in: Seconds


Network = Annotated[str, Meta(description="an address, or of IPv6 its /64", examples=["203.0.113.9"])]
Device = Annotated[str, Meta(description="what its browser says it is", examples=["Chrome, Android"])]
SessionId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", examples=["5f0c1e8a9b2d4c7f8e6a1b3c5d7e9f01"])]


class SessionShape(Answer, frozen=True):
    """`last_at` is told to the hour; `current` is the session that asks."""

    id: SessionId
    device: Device
    network: Network
    created_at: Time
    last_at: Time
    current: Annotated[bool, Meta(examples=[True])]


class EndSessionBody(Body, frozen=True):
    """`others` are all sessions but the one that asks."""

    id: Annotated[str, Meta(pattern="^([0-9a-f]{32}|others)$", examples=["others"])]


class EventShape(Answer, frozen=True):
    """`title` is the event in the caller's language; withdrawals were held for it until `held_until`."""

    id: Id
    time: Time
    event: Annotated[str, Meta(examples=["password_changed"])]
    title: Annotated[str, Meta(examples=["Log-in password changed"])]
    network: Network
    device: Device
    held_until: Annotated[Time | None, Meta(examples=[None])]


class WordBody(Body, frozen=True):
    """Null takes the word away."""

    word: Annotated[str, Meta(max_length=rules.WORD_LENGTH, examples=["lighthouse"])] | None


@calls.add("/api/auth/logout", load="exit")
async def logout(ctx: Context, _: Empty) -> Done:
    await service.log_out(ctx)
    return Done()


@calls.add("/api/user/getAuthToken")
async def get_auth_token(ctx: Context, _: Empty) -> AuthTokenAnswer:
    made = await service.make_auth_token(ctx)
    return AuthTokenAnswer(token=made.token, expires_in=made.seconds)


@calls.add("/api/user/sessions")
async def sessions(ctx: Context, body: Paged) -> Rows[SessionShape]:
    page = await service.list_sessions(ctx, body.query(ctx.terms.page_size))
    rows: Rows[SessionShape] = rows_of(page, lambda row: _session(ctx, row))
    return rows


@calls.add("/api/user/endSession", NotFound)
async def end_session(ctx: Context, body: EndSessionBody) -> Done:
    await service.end_session(ctx, body.id)
    return Done()


@calls.add("/api/user/securityLog")
async def security_log(ctx: Context, body: Paged) -> Rows[EventShape]:
    page = await service.list_events(ctx, body.query(ctx.terms.page_size))
    rows: Rows[EventShape] = rows_of(page, lambda row: _event(ctx, row))
    return rows


@calls.add("/api/user/antiPhishing", TooMany)
async def anti_phishing(ctx: Context, body: WordBody) -> Done:
    await service.set_anti_phishing(ctx, body.word)
    return Done()


def _session(ctx: Context, row: OpenSession) -> SessionShape:
    return SessionShape(
        id=row.token_hash[:16].hex(),
        device=rules.device_name(row.device),
        network=row.network,
        created_at=row.created_at,
        last_at=row.last_at,
        current=row.token_hash == ctx.session,
    )


def _event(ctx: Context, row: SecurityEventRow) -> EventShape:
    return EventShape(
        id=str(row.id),
        time=row.at,
        event=row.event,
        title=event_text(ctx.lang, row.event),
        network=row.network,
        device=rules.device_name(row.device),
        held_until=row.held_until,
    )
