"""Calls of the console's frame: path, use case, shape."""

from typing import Any, Final

from kalos.core.errors import Busy, Forbidden, InsufficientBalance, InvalidAmount, NotFound, WrongState
from kalos.core.limits import LIMIT_NAMES
from kalos.domains.challenges.errors import WrongCode
from kalos.domains.factors.errors import PasswordSame
from kalos.domains.factors.rules import base32_of, otpauth
from kalos.domains.identity.errors import WrongCredentials
from kalos.domains.prices.rules import rate_text
from kalos.domains.prices.tables import PriceOrder
from kalos.operator import commands as orders
from kalos.operator import limits, prices, renewals, service
from kalos.operator import settings as numbers
from kalos.operator import shapes as shape
from kalos.operator import switches as features
from kalos.operator.context import Desk
from kalos.operator.errors import OwnAccount
from kalos.operator.requests import find_answered
from kalos.operator.rules import ROLES, Staff
from kalos.operator.tables import AuditRow, CommandRow
from kalos.wire.calls import Calls, Done, Empty
from kalos.wire.shapes import Paged, Rows, rows_of

calls = Calls("operator", audience="staff")

OF_A_KIND: Final = (Forbidden, NotFound, OwnAccount, InvalidAmount, InsufficientBalance)
"""What the kinds of commands refuse."""


async def found_before(desk: Desk, body: Any) -> str | None:
    """What a request of staff that was sent before was answered."""
    return await find_answered(desk, body.request_id)


async def command_again(desk: Desk, answer: str) -> shape.CommandShape:
    return _command(desk, await orders.find(desk, int(answer)))


@calls.add("/api/operator/login", WrongCredentials, Busy, public=True, load="entry")
async def login(desk: Desk, body: shape.StaffLoginBody) -> shape.StaffLoginAnswer:
    opened = await service.log_in(desk, name=body.name, password=body.password, code=body.code, device=body.device)
    staff = _staff(opened.staff, opened.ends_at)
    return shape.StaffLoginAnswer(token=opened.token, device=opened.device, staff=staff)


@calls.add("/api/operator/logout", load="exit")
async def logout(desk: Desk, _: Empty) -> Done:
    await service.log_out(desk)
    return Done()


@calls.add("/api/operator/me")
async def me(desk: Desk, _: Empty) -> shape.StaffShape:
    return _staff(desk.caller, await service.ends_at(desk))


@calls.add("/api/operator/changePassword", WrongCredentials, PasswordSame, WrongState, Busy, load="entry")
async def change_password(desk: Desk, body: shape.ChangePasswordBody) -> Done:
    await renewals.change_password(desk, password=body.password, code=body.code, new=body.new_password)
    return Done()


@calls.add("/api/operator/newAuthenticator", WrongCredentials, Busy, load="entry")
async def new_authenticator(desk: Desk, body: shape.NewAuthenticatorBody) -> shape.NewAuthenticatorAnswer:
    secret = await renewals.show_authenticator(desk, password=body.password, code=body.code)
    address = otpauth(f"{desk.caller.name}@console", secret)
    return shape.NewAuthenticatorAnswer(secret=base32_of(secret), otpauth=address)


@calls.add("/api/operator/bindAuthenticator", WrongState, WrongCode, load="entry")
async def bind_authenticator(desk: Desk, body: shape.BindAuthenticatorBody) -> Done:
    await renewals.bind_authenticator(desk, code=body.code)
    return Done()


@calls.add("/api/operator/changeKey", Forbidden, WrongCredentials, Busy, load="entry")
async def change_key(desk: Desk, body: shape.ChangeKeyBody) -> shape.StaffShape:
    key, signature = bytes.fromhex(body.public_key), bytes.fromhex(body.signature)
    staff = await renewals.change_key(desk, password=body.password, code=body.code, key=key, signature=signature)
    return _staff(staff, await service.ends_at(desk))


@calls.add("/api/operator/audit", Forbidden)
async def audit(desk: Desk, body: Paged) -> Rows[shape.AuditRowShape]:
    return rows_of(await service.list_audit(desk, body.query(desk.terms.page_size)), _audit_row)


@calls.add("/api/operator/commands", Forbidden)
async def commands(desk: Desk, body: shape.CommandsBody) -> Rows[shape.CommandShape]:
    page = await orders.list_commands(desk, body.query(desk.terms.page_size), state=body.state)
    return rows_of(page, lambda row: _command(desk, row))


@calls.add("/api/operator/preview", *OF_A_KIND)
async def preview(desk: Desk, body: shape.PreviewBody) -> shape.PreviewAnswer:
    seen = await orders.preview(desk, kind=body.kind, body=body.body)
    return shape.PreviewAnswer(
        object=seen.object,
        before=dict(seen.before),
        after=dict(seen.after),
        version=seen.version,
        signers=seen.signers,
        message=seen.message,
    )


@calls.add("/api/operator/submit", *OF_A_KIND, WrongState, again=command_again, find=found_before)
async def submit(desk: Desk, body: shape.SubmitBody) -> shape.CommandShape:
    made = await orders.submit(
        desk, kind=body.kind, body=body.body, reason=body.reason, request_id=body.request_id, signature=body.signature
    )
    return _command(desk, made)


@calls.add("/api/operator/sign", *OF_A_KIND, WrongState, Busy, again=command_again, find=found_before)
async def sign(desk: Desk, body: shape.SignBody) -> shape.CommandShape:
    signed = await orders.sign(
        desk, number=int(body.id), version=body.version, request_id=body.request_id, signature=body.signature
    )
    return _command(desk, signed)


@calls.add("/api/operator/refuse", Forbidden, NotFound, OwnAccount, WrongState, again=command_again, find=found_before)
async def refuse(desk: Desk, body: shape.RefuseBody) -> shape.CommandShape:
    refused = await orders.refuse(desk, number=int(body.id), reason=body.reason, request_id=body.request_id)
    return _command(desk, refused)


@calls.add("/api/operator/prices", Forbidden)
async def list_prices(desk: Desk, body: Paged) -> Rows[shape.PriceRow]:
    return rows_of(await prices.list_prices(desk, body.query(desk.terms.page_size)), lambda row: _price(*row))


@calls.add("/api/operator/settings", Forbidden)
async def settings(desk: Desk, _: Empty) -> shape.SettingsAnswer:
    listed = [_setting(one) for one in await numbers.list_settings(desk)]
    found = await limits.find_limits(desk.db)
    return shape.SettingsAnswer(
        list=listed,
        signer=[shape.SignerLimit(limit=name, value=str(found.values[name])) for name in LIMIT_NAMES if found.values],
        signer_order=found.order,
        signer_refused=found.refused,
    )


@calls.add("/api/operator/switches", Forbidden)
async def switches(desk: Desk, _: Empty) -> shape.SwitchesAnswer:
    return shape.SwitchesAnswer(list=[_switch(one) for one in await features.list_switches(desk)])


def _staff(staff: Staff, ends_at: int) -> shape.StaffShape:
    return shape.StaffShape(
        id=str(staff.id),
        name=staff.name,
        roles=[role for role in ROLES if role in staff.roles],
        public_key=None if staff.public_key is None else staff.public_key.hex(),
        account=staff.account,
        ends_at=ends_at,
    )


def _audit_row(row: AuditRow) -> shape.AuditRowShape:
    return shape.AuditRowShape(
        id=str(row.id),
        at=row.at,
        staff=row.name,
        act=row.act,
        object=row.object,
        before=row.before,
        after=row.after,
        hash=row.hash.hex(),
    )


def _command(desk: Desk, row: CommandRow) -> shape.CommandShape:
    return shape.CommandShape(
        id=str(row.id),
        kind=row.kind,
        object=row.object,
        state=orders.state_of(row, desk.wall),
        version=row.version,
        body=row.body,
        before=row.before,
        after=row.after,
        reason=row.reason,
        signers=row.signers,
        message=row.message,
        maker=row.maker_name,
        made_at=row.made_at,
        expires_at=row.expires_at,
        checker=row.checker_name,
        decided_at=row.decided_at,
        outcome=row.outcome,
        can_sign=orders.can_sign(desk, row),
        is_own=orders.is_own(desk, row),
    )


def _setting(one: numbers.Setting) -> shape.SettingRow:
    number, known = one.number, one.number.changeable
    return shape.SettingRow(
        name=number.name,
        value=one.value,
        default=number.default,
        unit=number.unit,
        type=number.type,
        decimals=number.decimals,
        bounds=number.bounds,
        note=number.source,
        is_changeable=known is not None,
        signers=1 if known is None else known.signers,
        history=[
            shape.Ordered(value=text, at=row.at, staff=row.ordered_by, checker=row.checker, reason=row.reason)
            for row, text in one.history
        ],
    )


def _price(one: PriceOrder, checker: str | None) -> shape.PriceRow:
    return shape.PriceRow(
        id=str(one.id),
        asset=one.asset,
        rate=rate_text(one.rate),
        at=one.at,
        staff=one.ordered_by,
        checker=checker,
        reason=one.reason,
    )


def _switch(one: features.Switch) -> shape.SwitchRow:
    return shape.SwitchRow(
        feature=one.feature,
        country=one.country,
        is_on=one.is_on,
        at=one.at,
        staff=one.staff,
        checker=one.checker,
        reason=one.reason,
    )
