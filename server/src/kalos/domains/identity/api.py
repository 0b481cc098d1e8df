"""Calls under /api/auth and the auth token: path, use case, shape."""

from datetime import date
from typing import Annotated, Literal

import msgspec

from kalos.core.errors import Busy, InvalidInput, TooMany
from kalos.domains.context import Context
from kalos.domains.identity import errors, service
from kalos.wire.calls import Answer, Body, Calls, Empty

calls = Calls("identity")

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=254)]
ShortText = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]


class CaptchaAnswer(Answer, frozen=True):
    """`image` is a data URL."""

    captcha_id: str
    image: str
    expires_at: int


class SolvedCaptcha(Body, frozen=True):
    captcha_id: ShortText
    code: Code


class SendEmailBody(Body, frozen=True):
    email: Text
    scene: Literal["register"]
    captcha: SolvedCaptcha


class RegisterBody(Body, frozen=True):
    invite_code: ShortText
    email: Text
    email_code: Code
    password: Text
    country: Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$")] | None = None
    birth_date: date | None = None
    terms_version: Annotated[str, msgspec.Meta(min_length=1, max_length=20)] | None = None


class LoginBody(Body, frozen=True):
    """`code` is what the captcha's picture says."""

    name: Text
    password: Text
    code: Code
    captcha_id: ShortText


class TokenAnswer(Answer, frozen=True):
    token: str


class AuthTokenAnswer(Answer, frozen=True):
    token: str
    expires_in: int


class Done(Answer, frozen=True):
    """No fields."""


@calls.add("/api/auth/captcha", public=True, load="entry")
async def captcha(ctx: Context, _: Empty) -> CaptchaAnswer:
    drawn = await service.draw_captcha(ctx)
    return CaptchaAnswer(captcha_id=drawn.id, image=drawn.image, expires_at=drawn.until_at)


@calls.add(
    "/api/auth/sendEmail",
    InvalidInput, errors.WrongCaptcha, errors.CaptchaExpired, TooMany,
    public=True,
    load="entry",
)  # fmt: skip
async def send_email(ctx: Context, body: SendEmailBody) -> Done:
    await service.send_code(
        ctx,
        email=body.email,
        scene=body.scene,
        captcha_id=body.captcha.captcha_id,
        captcha_text=body.captcha.code,
    )
    return Done()


@calls.add(
    "/api/auth/register",
    InvalidInput, errors.PasswordFormat, errors.PasswordCommon, errors.InvalidInviteCode,
    errors.WrongCode, errors.CodeExpired, errors.AlreadyExists, Busy,
    public=True,
    load="entry",
)  # fmt: skip
async def register(ctx: Context, body: RegisterBody) -> TokenAnswer:
    application = service.Application(
        invite_code=body.invite_code,
        email=body.email,
        email_code=body.email_code,
        password=body.password,
        country=body.country,
        birth_date=body.birth_date,
        terms_version=body.terms_version,
    )
    return TokenAnswer(token=await service.register(ctx, application))


@calls.add(
    "/api/auth/login",
    errors.WrongCaptcha, errors.CaptchaExpired, errors.WrongCredentials, TooMany, Busy,
    public=True,
    load="entry",
)  # fmt: skip
async def login(ctx: Context, body: LoginBody) -> TokenAnswer:
    token = await service.log_in(
        ctx, name=body.name, password=body.password, captcha_id=body.captcha_id, captcha_text=body.code
    )
    return TokenAnswer(token=token)


@calls.add("/api/auth/logout")
async def logout(ctx: Context, _: Empty) -> Done:
    await service.log_out(ctx)
    return Done()


@calls.add("/api/user/getAuthToken")
async def get_auth_token(ctx: Context, _: Empty) -> AuthTokenAnswer:
    made = await service.make_auth_token(ctx)
    return AuthTokenAnswer(token=made.token, expires_in=made.seconds)
