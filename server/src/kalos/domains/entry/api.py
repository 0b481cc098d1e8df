"""Registering, logging in and what mends an account under /api/auth: path, use case, shape."""

from datetime import date
from typing import Annotated, Final, Literal

from msgspec import Meta

from kalos.core.errors import AlreadyExists, Busy, InvalidInput
from kalos.domains.challenges.api import CaptchaId, Code, Email, PictureText, Proof, ProofText
from kalos.domains.challenges.errors import CaptchaExpired, CodeExpired, SlideRequired, WrongCaptcha, WrongCode
from kalos.domains.challenges.service import Solved
from kalos.domains.context import Context
from kalos.domains.entry import errors, service
from kalos.domains.factors.errors import SecondFactorRequired
from kalos.domains.identity.api import Token
from kalos.domains.identity.errors import AccountFrozen, PasswordCommon, PasswordFormat, WrongCredentials
from kalos.domains.wallets.api import Signature
from kalos.wire.calls import Answer, Body, Calls, Done

calls = Calls("entry")

_SOLVED: Final = {"captcha_id": "Vb3xQ0m8ZkT1sYw5Lr7uNg", "code": "K7RTX"}

Text = Annotated[str, Meta(min_length=1, max_length=254)]
Device = Annotated[str, Meta(min_length=1, max_length=64)]
FactorCode = Annotated[str, Meta(min_length=1, max_length=32, description="the authenticator's, or a recovery code")]
Password = Annotated[Text, Meta(examples=["blue4mountain"])]


class RegisterBody(Body, frozen=True):
    invite_code: Annotated[str, Meta(min_length=1, max_length=64, examples=["K7M2X9QD"])]
    email: Email
    email_code: Annotated[Code, Meta(examples=["402913"])]
    password: Password
    country: Annotated[str, Meta(pattern="^[A-Z]{2}$", examples=["VN"])] | None = None
    birth_date: Annotated[date, Meta(examples=["1990-05-17"])] | None = None
    terms_version: Annotated[str, Meta(min_length=1, max_length=20, examples=["2"])] | None = None
    device: Device | None = None


class LoginBody(Body, frozen=True):
    """With `password`, `code` is what the captcha's picture says. With `sign_message`, `name` is a login wallet's
    address, `code` the nonce, and `sign_message` the signature of its message; a captcha may come along, and nothing
    is read from it, for there is no room for its text. Both need `proof` after failures. `device` is what the last
    login on this device gave."""

    name: Annotated[Text, Meta(description="the account's number, its e-mail or its wallet", examples=["48213957"])]
    code: Annotated[str, Meta(min_length=1, max_length=64, examples=["K7RTX"])]
    password: Password | None = None
    captcha_id: CaptchaId | None = None
    sign_message: Annotated[Signature, Meta(examples=[None])] | None = None
    proof: ProofText | None = None
    google_code: FactorCode | None = None
    device: Device | None = None


class TokenAnswer(Answer, frozen=True):
    """`device` is sent with the next login: what fails on a known device counts for itself."""

    token: Token
    device: Annotated[str, Meta(examples=["u4cWq0Zt7JmXy2Ls9RbE1vK6hGfN8dPaTiO3oQ5_A-k"])]


class NeedAnswer(Answer, frozen=True):
    """The password is right, and the member has an authenticator: the same call again with `google_code`."""

    need: Literal["google"]


class SolvedCaptcha(Body, frozen=True):
    captcha_id: CaptchaId
    code: PictureText


class SendEmailBody(Body, frozen=True):
    """With one of the two: an image captcha that was read, or the proof of a slide. `device` as for logging in: on a
    known one its owner may ask for as many as strangers may."""

    email: Email
    scene: Literal["register", "reset"]
    captcha: Annotated[SolvedCaptcha | None, Meta(examples=[_SOLVED])] = None
    proof: ProofText | None = None
    device: Device | None = None

    def shown(self) -> Solved | str:
        """Raises: InvalidInput, where it isn't one of the two."""
        if self.captcha is not None and self.proof is None:
            return Solved(self.captcha.captcha_id, self.captcha.code)
        if self.captcha is None and self.proof is not None:
            return self.proof
        raise InvalidInput(errors=[{"field": "captcha", "reason": "captcha_or_proof"}])


class ResetBody(Body, frozen=True):
    """`device` as for logging in: a known one has tries of its own."""

    email: Email
    email_code: Annotated[Code, Meta(examples=["402913"])]
    password: Password
    proof: Proof | None = None
    google_code: FactorCode | None = None
    device: Device | None = None


class FreezeBody(Body, frozen=True):
    token: Annotated[str, Meta(min_length=1, max_length=64, examples=["pK3vN8tYw2Zc6RxM0bQ7sD1fH5jL9gU4aE_iOkTqX-m"])]


@calls.add(
    "/api/auth/sendEmail",
    WrongCaptcha, CaptchaExpired, SlideRequired,
    public=True,
    load="entry",
)  # fmt: skip
async def send_email(ctx: Context, body: SendEmailBody) -> Done:
    await service.send_code(ctx, email=body.email, scene=body.scene, shown=body.shown(), device=body.device)
    return Done()


@calls.add(
    "/api/auth/register",
    PasswordFormat, PasswordCommon, errors.InvalidInviteCode,
    WrongCode, CodeExpired, AlreadyExists, Busy,
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
        device=body.device,
    )
    opened = await service.register(ctx, application)
    return TokenAnswer(token=opened.token, device=opened.device)


@calls.add(
    "/api/auth/login",
    WrongCaptcha, CaptchaExpired, SlideRequired, WrongCredentials, AccountFrozen, WrongCode, Busy,
    public=True,
    load="entry",
)  # fmt: skip
async def login(ctx: Context, body: LoginBody) -> TokenAnswer | NeedAnswer:
    opened = await service.enter(
        ctx,
        name=body.name,
        code=body.code,
        password=body.password,
        captcha_id=body.captcha_id,
        signature=body.sign_message,
        proof=body.proof,
        google_code=body.google_code,
        device=body.device,
    )
    return NeedAnswer(need="google") if opened is None else TokenAnswer(token=opened.token, device=opened.device)


@calls.add(
    "/api/auth/resetPwd",
    PasswordFormat, PasswordCommon, SlideRequired, WrongCode, CodeExpired, SecondFactorRequired, Busy,
    public=True,
    load="entry",
)  # fmt: skip
async def reset_password(ctx: Context, body: ResetBody) -> Done:
    reset = service.Reset(
        email=body.email,
        email_code=body.email_code,
        password=body.password,
        proof=body.proof,
        google_code=body.google_code,
        device=body.device,
    )
    await service.reset_password(ctx, reset)
    return Done()


@calls.add("/api/auth/freeze", CodeExpired, public=True, load="entry")
async def freeze(ctx: Context, body: FreezeBody) -> Done:
    await service.freeze(ctx, body.token)
    return Done()
