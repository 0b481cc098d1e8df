"""Registering and logging in under /api/auth: path, use case, shape."""

from datetime import date
from typing import Annotated

from msgspec import Meta

from kalos.core.errors import Busy
from kalos.domains.challenges.api import CaptchaId, Code, Email, PictureText
from kalos.domains.challenges.errors import CaptchaExpired, CodeExpired, WrongCaptcha, WrongCode
from kalos.domains.challenges.service import Solved
from kalos.domains.context import Context
from kalos.domains.entry import errors, service
from kalos.domains.identity.api import Token
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat, WrongCredentials
from kalos.wire.calls import Answer, Body, Calls

calls = Calls("entry")

Text = Annotated[str, Meta(min_length=1, max_length=254)]
Password = Annotated[Text, Meta(examples=["blue4mountain"])]


class RegisterBody(Body, frozen=True):
    invite_code: Annotated[str, Meta(min_length=1, max_length=64, examples=["K7M2X9QD"])]
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


@calls.add(
    "/api/auth/register",
    PasswordFormat, PasswordCommon, errors.InvalidInviteCode,
    WrongCode, CodeExpired, errors.AlreadyExists, Busy,
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
    WrongCaptcha, CaptchaExpired, WrongCredentials, Busy,
    public=True,
    load="entry",
)  # fmt: skip
async def login(ctx: Context, body: LoginBody) -> TokenAnswer:
    token = await service.log_in(
        ctx, name=body.name, password=body.password, captcha=Solved(body.captcha_id, body.code)
    )
    return TokenAnswer(token=token)
