"""Captchas and e-mail codes under /api/auth: path, use case, shape."""

from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.fields import Time
from kalos.domains.challenges import errors, service
from kalos.domains.context import Context
from kalos.wire.calls import Answer, Body, Calls, Empty

calls = Calls("challenges")

Email = Annotated[str, Meta(min_length=1, max_length=254, examples=["alice@example.com"])]
CaptchaId = Annotated[str, Meta(min_length=1, max_length=64, examples=["Vb3xQ0m8ZkT1sYw5Lr7uNg"])]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
PictureText = Annotated[Code, Meta(examples=["K7RTX"])]


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
