"""Changes of the password and the address, and closing, under /api/user: path, use case, shape."""

from typing import Annotated

from msgspec import Meta

from kalos.core.errors import AlreadyExists, Busy
from kalos.domains.challenges.api import Email, Proof
from kalos.domains.challenges.errors import CodeExpired, SlideRequired, WrongCode
from kalos.domains.context import Context
from kalos.domains.entry.api import Device
from kalos.domains.factors.api import PROVING, SPENDING, EmailCode, GoogleCode, LoginPassword, OutPassword
from kalos.domains.factors.errors import PasswordMismatch, PasswordSame
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat, WrongCredentials
from kalos.domains.protection.errors import SelfExcluded
from kalos.domains.security import service
from kalos.domains.security.errors import BalanceNotZero
from kalos.wire.calls import Body, Calls, Done

calls = Calls("security")

NewPassword = Annotated[str, Meta(min_length=1, max_length=254, examples=["green7valley"])]


class PasswordBody(Body, frozen=True):
    """`device` is what the last login on this device gave: it stays known, all others are forgotten."""

    old_password: LoginPassword
    new_password: NewPassword
    confirm_password: NewPassword
    proof: Proof | None = None
    google_code: GoogleCode | None = None
    email_code: EmailCode | None = None
    device: Device | None = None


class EmailBody(Body, frozen=True):
    """`code` went to the new address, `old_code` to the one that is bound, both for the scene `bind`."""

    email: Email
    code: EmailCode
    old_code: EmailCode
    proof: Proof | None = None


class CloseBody(Body, frozen=True):
    """`out_password` where one is set."""

    password: LoginPassword
    out_password: OutPassword | None = None
    proof: Proof | None = None
    google_code: GoogleCode | None = None
    email_code: EmailCode | None = None


@calls.add(
    "/api/user/upPwd",
    PasswordFormat, PasswordCommon, PasswordMismatch, PasswordSame, SlideRequired, WrongCredentials, Busy, *PROVING,
)  # fmt: skip
async def change_password(ctx: Context, body: PasswordBody) -> Done:
    await service.change_password(
        ctx,
        old=body.old_password,
        new=body.new_password,
        confirm=body.confirm_password,
        proof=body.proof,
        google_code=body.google_code,
        email_code=body.email_code,
        device=body.device,
    )
    return Done()


@calls.add("/api/user/bindEmail", SlideRequired, WrongCode, CodeExpired, AlreadyExists)
async def bind_email(ctx: Context, body: EmailBody) -> Done:
    await service.bind_email(ctx, email=body.email, code=body.code, old_code=body.old_code, proof=body.proof)
    return Done()


@calls.add("/api/user/close", SlideRequired, BalanceNotZero, SelfExcluded, WrongCredentials, *PROVING, *SPENDING)
async def close(ctx: Context, body: CloseBody) -> Done:
    await service.close(
        ctx,
        password=body.password,
        out_password=body.out_password,
        proof=body.proof,
        google_code=body.google_code,
        email_code=body.email_code,
    )
    return Done()
