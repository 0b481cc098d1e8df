"""Calls of second factors and of the withdrawal password: path, use case, shape."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from kalos.core.assets import KLS, USDT
from kalos.core.errors import Busy, InvalidAmount, InvalidInput, NotFound, WrongState
from kalos.core.fields import Id
from kalos.core.money import parse_amount
from kalos.domains.challenges.api import Email, Proof
from kalos.domains.challenges.errors import CodeExpired, SlideRequired, WrongCode
from kalos.domains.context import Context
from kalos.domains.factors import errors, service
from kalos.domains.factors.rules import NewOutPassword, Scene
from kalos.domains.identity.errors import AccountFrozen, WrongCredentials
from kalos.wire.calls import Answer, Body, Calls, Done, Empty
from kalos.wire.shapes import AmountText

calls = Calls("factors")

Text = Annotated[str, Meta(min_length=1, max_length=254)]
OutPassword = Annotated[Text, Meta(examples=["246810"])]
LoginPassword = Annotated[Text, Meta(examples=["blue4mountain"])]
Code = Annotated[str, Meta(min_length=1, max_length=32)]
GoogleCode = Annotated[Code, Meta(description="the authenticator's six digits", examples=["492039"])]
EmailCode = Annotated[Code, Meta(description="six digits from a mail for this scene", examples=["402913"])]
_SECRET: Final = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
_OTPAUTH: Final = f"otpauth://totp/Kalos:48213957?secret={_SECRET}&issuer=Kalos&algorithm=SHA1&digits=6&period=30"

_COINS: Final = {"USDT": USDT, "KLS": KLS, 1: USDT, 2: KLS}
"""By `coin_type`; the words are accepted too."""

PROVING: Final = (errors.SecondFactorRequired, WrongCode, CodeExpired)
"""What every call with a second factor may refuse."""
SPENDING: Final = (
    AccountFrozen, errors.OutPasswordNotSet, errors.OutPasswordLocked, errors.WrongOutPassword, Busy,
)  # fmt: skip
"""What every call with the withdrawal password may refuse."""


class ShownAnswer(Answer, frozen=True):
    """`qr` is a data URL that shows `otpauth`."""

    secret: Annotated[str, Meta(pattern="^[A-Z2-7]{32}$", examples=[_SECRET])]
    otpauth: Annotated[str, Meta(examples=[_OTPAUTH])]
    qr: Annotated[str, Meta(examples=["data:image/svg+xml,%3Csvg%3E%3C/svg%3E"])]


class BindBody(Body, frozen=True):
    """`code` is the authenticator's, `email_code` from a mail for the scene `google`."""

    code: GoogleCode
    password: LoginPassword
    email_code: EmailCode
    proof: Proof | None = None


class RecoveryAnswer(Answer, frozen=True):
    """Each stands in for the authenticator once; they are shown this once."""

    recovery_codes: Annotated[list[str], Meta(min_length=10, max_length=10, examples=[["K7RT-XM29-QDHP"] * 10])]


class UnbindBody(Body, frozen=True):
    """`google_code` may be a recovery code; `email_code` is from a mail for the scene `unbind`."""

    google_code: GoogleCode
    password: LoginPassword
    email_code: EmailCode
    proof: Proof | None = None


class OutPasswordBody(Body, frozen=True):
    """One of three: the first one with the login's `password`, a change with `old_password`, both with the second
    factor; a forgotten one with `email_code`, and `google_code` where an authenticator is bound."""

    new_password: OutPassword
    confirm_password: OutPassword
    password: Annotated[LoginPassword | None, Meta(examples=["blue4mountain"])] = None
    old_password: Annotated[Text | None, Meta(examples=[None])] = None
    google_code: Annotated[GoogleCode | None, Meta(examples=[None])] = None
    email_code: Annotated[EmailCode | None, Meta(examples=[None])] = None
    proof: Proof | None = None


class SendCodeBody(Body, frozen=True):
    """`coin_type` (1 or USDT, 2 or KLS), `amount`, `wallet_id` with `withdraw` alone: the code is right for that one.
    `email` with the scene `bind` alone: the code goes to that address, else to the one that is bound."""

    scene: Annotated[Scene, Meta(examples=["password"])]
    coin_type: Annotated[Literal["USDT", "KLS", 1, 2] | None, Meta(examples=[None])] = None
    amount: Annotated[AmountText | None, Meta(examples=[None])] = None
    wallet_id: Annotated[Annotated[Id, Meta(max_length=18)] | None, Meta(examples=[None])] = None
    email: Annotated[Email | None, Meta(examples=[None])] = None


@calls.add("/api/user/google", WrongState, load="draw")
async def google(ctx: Context, _: Empty) -> ShownAnswer:
    shown = await service.show_google(ctx)
    return ShownAnswer(secret=shown.secret, otpauth=shown.otpauth, qr=shown.qr)


@calls.add("/api/user/bindGoogle", WrongState, SlideRequired, WrongCredentials, WrongCode, CodeExpired, Busy)
async def bind_google(ctx: Context, body: BindBody) -> RecoveryAnswer:
    codes = await service.bind_google(
        ctx, code=body.code, password=body.password, email_code=body.email_code, proof=body.proof
    )
    return RecoveryAnswer(recovery_codes=codes)


@calls.add("/api/user/unbindGoogle", WrongState, SlideRequired, WrongCredentials, WrongCode, CodeExpired, Busy)
async def unbind_google(ctx: Context, body: UnbindBody) -> Done:
    await service.unbind_google(
        ctx,
        google_code=body.google_code,
        password=body.password,
        email_code=body.email_code,
        proof=body.proof,
    )
    return Done()


@calls.add(
    "/api/user/upOutPwd",
    errors.OutPasswordFormat, errors.PasswordMismatch, errors.PasswordSame,
    WrongState, SlideRequired, WrongCredentials, *SPENDING, *PROVING,
)  # fmt: skip
async def up_out_pwd(ctx: Context, body: OutPasswordBody) -> Done:
    wish = NewOutPassword(
        new=body.new_password,
        confirm=body.confirm_password,
        google_code=body.google_code,
        email_code=body.email_code,
        proof=body.proof,
    )
    match body.password, body.old_password, body.email_code:
        case str() as password, None, _:
            await service.set_out_password(ctx, wish, password=password)
        case None, str() as old, _:
            await service.change_out_password(ctx, wish, old=old)
        case None, None, str() as mailed:
            await service.reset_out_password(ctx, wish, email_code=mailed)
        case _:
            raise InvalidInput(errors=[{"field": "password", "reason": "one_way"}])
    return Done()


@calls.add("/api/user/sendEmail", InvalidAmount, NotFound)
async def send_email(ctx: Context, body: SendCodeBody) -> Done:
    match body.scene, body.coin_type, body.amount, body.wallet_id, body.email:
        case "withdraw", str() | int() as coin, str() | int() as amount, str() as wallet, None:
            await service.send_withdrawal_code(ctx, parse_amount(amount, _COINS[coin]), int(wallet))
        case "bind", None, None, None, email:
            await service.send_code(ctx, "bind", email=email)
        case scene, None, None, None, None if scene != "withdraw":
            await service.send_code(ctx, scene)
        case _:
            raise InvalidInput(errors=[{"field": "scene", "reason": "other_fields"}])
    return Done()
