"""Captchas and slides under /api/auth: path, use case, shape."""

from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.errors import Busy, InvalidInput
from kalos.core.fields import Time
from kalos.core.ports import SLIDE_WIDTH
from kalos.domains.challenges import errors, service
from kalos.domains.context import Context
from kalos.wire.calls import Answer, Body, Calls

calls = Calls("challenges")

Email = Annotated[str, Meta(min_length=1, max_length=254, examples=["alice@example.com"])]
CaptchaId = Annotated[str, Meta(min_length=1, max_length=64, examples=["Vb3xQ0m8ZkT1sYw5Lr7uNg"])]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
PictureText = Annotated[Code, Meta(examples=["K7RTX"])]
SlideX = Annotated[
    int, Meta(ge=0, le=SLIDE_WIDTH, description="the piece's left edge, in points of the picture", examples=[148])
]
SlideTime = Annotated[int, Meta(ge=0, le=3_600_000)]
ProofText = Annotated[str, Meta(min_length=1, max_length=64)]
Proof = Annotated[ProofText, Meta(examples=["hT2vXw8Kq5ZrY0mJ7uN4cB1sLfE9aG3iP6dQoR_kV-8"])]


class CaptchaWish(Body, frozen=True):
    """`tones`: a sound instead of the picture, for whoever can't see it."""

    kind: Literal["picture", "tones"] = "picture"


class CaptchaAnswer(Answer, frozen=True):
    """One of the two, as a data URL. Of `tones` the answer has a digit for each group: how many tones it has."""

    captcha_id: CaptchaId
    image: Annotated[str | None, Meta(examples=["data:image/png;base64,iVBORw0KGgo="])]
    tones: Annotated[str | None, Meta(examples=[None])]
    expires_at: Time


class SlideAnswer(Answer, frozen=True):
    """Data URLs of a picture of 320 × 160 points and of its piece of 56 × 56, which starts at the left edge; or of
    `tones` alone, as a captcha's."""

    captcha_id: CaptchaId
    background: Annotated[str | None, Meta(examples=["data:image/webp;base64,UklGRhoAAABXRUJQ"])]
    piece: Annotated[str | None, Meta(examples=["data:image/webp;base64,UklGRh4AAABXRUJQ"])]
    y: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="the piece's upper edge", examples=[61])]
    tones: Annotated[str | None, Meta(examples=[None])]
    expires_at: Time


class SlideVerifyBody(Body, frozen=True):
    """`track` is how the piece came to `x`: pairs of its left edge and the milliseconds since the first pair. Of tones
    `code` instead of both."""

    captcha_id: CaptchaId
    x: Annotated[SlideX | None, Meta(examples=[148])] = None
    track: Annotated[
        Annotated[
            list[Annotated[list[SlideTime], Meta(min_length=2, max_length=2)]], Meta(min_length=1, max_length=500)
        ]
        | None,
        Meta(examples=[[[0, 0], [52, 210], [131, 480], [148, 730]]]),
    ] = None
    code: Code | None = None

    def answer(self) -> service.Slid | str:
        """Raises: InvalidInput, where it isn't one of the two."""
        if self.code is None and self.x is not None and self.track is not None:
            return service.Slid(self.x, self.track)
        if self.code is not None and self.x is None and self.track is None:
            return self.code
        raise InvalidInput(errors=[{"field": "code", "reason": "slid_or_counted"}])


class ProofAnswer(Answer, frozen=True):
    """`proof` allows one call that asks for a slide."""

    proof: Proof
    expires_at: Time


@calls.add("/api/auth/captcha", Busy, public=True, load="draw")
async def captcha(ctx: Context, body: CaptchaWish) -> CaptchaAnswer:
    heard = body.kind == "tones"
    drawn = await service.draw_captcha(ctx, heard=heard)
    image, tones = (None, drawn.url) if heard else (drawn.url, None)
    return CaptchaAnswer(captcha_id=drawn.id, image=image, tones=tones, expires_at=drawn.until_at)


@calls.add("/api/auth/slide", Busy, public=True, load="draw")
async def slide(ctx: Context, body: CaptchaWish) -> SlideAnswer:
    if body.kind == "tones":
        played = await service.play_slide(ctx)
        return SlideAnswer(
            captcha_id=played.id, background=None, piece=None, y=None, tones=played.url, expires_at=played.until_at
        )
    drawn = await service.draw_slide(ctx)
    return SlideAnswer(
        captcha_id=drawn.id,
        background=drawn.background,
        piece=drawn.piece,
        y=drawn.y,
        tones=None,
        expires_at=drawn.until_at,
    )


@calls.add("/api/auth/slideVerify", errors.WrongCaptcha, errors.CaptchaExpired, public=True, load="entry")
async def slide_verify(ctx: Context, body: SlideVerifyBody) -> ProofAnswer:
    proof = await service.verify_slide(ctx, slide_id=body.captcha_id, answer=body.answer())
    return ProofAnswer(proof=proof.token, expires_at=proof.until_at)
