"""A session's own calls: leaving, and the auth token."""

from typing import Annotated

from msgspec import Meta

from kalos.core.fields import Seconds
from kalos.domains.context import Context
from kalos.domains.identity import service
from kalos.wire.calls import Answer, Calls, Empty

calls = Calls("identity")

Token = Annotated[str, Meta(examples=["yZ2hK8m4QxV0tR6wB1nS9cJ3fL5pD7gA_uE-iOkTqXs"])]


class AuthTokenAnswer(Answer, frozen=True):
    token: Token
    expires_in: Seconds


class Done(Answer, frozen=True):
    """No fields."""


@calls.add("/api/auth/logout", load="exit")
async def logout(ctx: Context, _: Empty) -> Done:
    await service.log_out(ctx)
    return Done()


@calls.add("/api/user/getAuthToken")
async def get_auth_token(ctx: Context, _: Empty) -> AuthTokenAnswer:
    made = await service.make_auth_token(ctx)
    return AuthTokenAnswer(token=made.token, expires_in=made.seconds)
