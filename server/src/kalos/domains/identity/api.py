"""Calls under /api/auth and the auth token: path, use case, shape."""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.errors import Busy
from kalos.core.fields import Seconds, Time
from kalos.domains.context import Context
from kalos.domains.identity import errors, service
from kalos.wire.calls import Answer, Body, Calls, Empty

calls = Calls("identity")

Text = Annotated[str, Meta(min_length=1, max_length=254)]
Email = Annotated[Text, Meta(examples=["alice@example.com"])]
Password = Annotated[Text, Meta(examples=["blue4mountain"])]
ShortText = Annotated[str, Meta(min_length=1, max_length=64)]
CaptchaId = Annotated[ShortText, Meta(examples=["Vb3xQ0m8ZkT1sYw5Lr7uNg"])]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
PictureText = Annotated[Code, Meta(examples=["K7RTX"])]
Token = Annotated[str, Meta(examples=["yZ2hK8m4QxV0tR6wB1nS9cJ3fL5pD7gA_uE-iOkTqXs"])]


class CaptchaAnswer(Answer, frozen=True):
    """`image` is a data URL."""

    captcha_id: CaptchaId
    image: Annotated[str, Meta(examples=["data:image/png;base64,iVBORw0KGgo="])]
    expires_at: Time


class SolvedCaptcha(Body, frozen=True):
    captcha_id: CaptchaId
    code: PictureText


class SendEmailBody(Body, frozen=True):
    email: Email
    scene: Literal["register"]
    captcha: SolvedCaptcha


class RegisterBody(Body, frozen=True):
    invite_code: Annotated[ShortText, Meta(examples=["K7M2X9QD"])]
    email: Email
    email_code: Annotated[Code, Meta(examples=["402913"])]
    password: Password
    country: Annotated[str, Meta(pattern="^[A-Z]{2}$", examples=["VN"])] | None = None
    birth_date: Annotated[date, Meta(examples=["1990-05-17"])] | None = None
    terms_version: Annotated[str, Meta(min_length=1, max_length=20, examples=["2"])] | None = None


class LoginBody(Body, frozen=True):
    """`code` is what the captcha's picture says."""

    name: Annotated[Text, Meta(description="the account's number or its e-mail", examples=["48213957"])]
    password: Password
    code: PictureText
    captcha_id: CaptchaId


class TokenAnswer(Answer, frozen=True):
    token: Token


class AuthTokenAnswer(Answer, frozen=True):
    token: Token
    expires_in: Seconds


class Done(Answer, frozen=True):
    """No fields."""


@calls.add("/api/auth/captcha", public=True, load="entry")
async def captcha(ctx: Context, _: Empty) -> CaptchaAnswer:
    drawn = await service.draw_captcha(ctx)
    return CaptchaAnswer(captcha_id=drawn.id, image=drawn.image, expires_at=drawn.until_at)


@calls.add(
    "/api/auth/sendEmail",
    errors.WrongCaptcha, errors.CaptchaExpired,
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
    errors.PasswordFormat, errors.PasswordCommon, errors.InvalidInviteCode,
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
    errors.WrongCaptcha, errors.CaptchaExpired, errors.WrongCredentials, Busy,
    public=True,
    load="entry",
)  # fmt: skip
async def login(ctx: Context, body: LoginBody) -> TokenAnswer:
    token = await service.log_in(
        ctx, name=body.name, password=body.password, captcha_id=body.captcha_id, captcha_text=body.code
    )
    return TokenAnswer(token=token)


@calls.add("/api/auth/logout", load="exit")
async def logout(ctx: Context, _: Empty) -> Done:
    await service.log_out(ctx)
    return Done()


@calls.add("/api/user/getAuthToken")
async def get_auth_token(ctx: Context, _: Empty) -> AuthTokenAnswer:
    made = await service.make_auth_token(ctx)
    return AuthTokenAnswer(token=made.token, expires_in=made.seconds)
