"""Calls of wallets under /api/auth and /api/user: path, use case, shape."""

from typing import Annotated, Any

from msgspec import Meta

from kalos.core.errors import AlreadyExists, Busy, NotFound
from kalos.core.fields import Id, Time
from kalos.domains.challenges.api import Code
from kalos.domains.challenges.errors import CodeExpired, SlideRequired, WrongCode
from kalos.domains.context import Context
from kalos.domains.factors.errors import (
    OutPasswordLocked,
    OutPasswordNotSet,
    SecondFactorRequired,
    WrongOutPassword,
)
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.wallets import service
from kalos.domains.wallets.errors import HouseAddress, InvalidAddress
from kalos.domains.wallets.service import Shown, Signed
from kalos.domains.wallets.tables import AddressRow
from kalos.wire.calls import Answer, Body, Calls, Done
from kalos.wire.shapes import Paged, RequestId, Rows, rows_of

calls = Calls("wallets")

_OWN = "0x52908400098527886E0F7030069857D2E4169EE7"
AddressText = Annotated[str, Meta(min_length=1, max_length=64, examples=[_OWN])]
Address = Annotated[str, Meta(pattern="^0x[0-9a-fA-F]{40}$", examples=[_OWN])]
Nonce = Annotated[str, Meta(min_length=1, max_length=64, examples=["4c1f0a7be2d94d3f8a60b5c7e1928d3f"])]
Signature = Annotated[str, Meta(min_length=1, max_length=200, examples=["0x" + "5f" * 64 + "1b"])]
ChainId = Annotated[int, Meta(ge=1, lt=2**53, examples=[31337])]
Label = Annotated[str, Meta(min_length=1, max_length=64, examples=["My hardware wallet"])]
Proof = Annotated[str, Meta(min_length=1, max_length=64, examples=["yZ2hK8m4QxV0tR6wB1nS9cJ3fL5pD7gA_uE-iOkTqXs"])]
OutPassword = Annotated[str, Meta(min_length=1, max_length=64, examples=["246810"])]
Number = Annotated[str, Meta(pattern="^[0-9]{1,18}$", examples=["7"])]
_OUT_PASSWORD = (WrongOutPassword, OutPasswordNotSet, OutPasswordLocked, AccountFrozen, Busy)


class NonceBody(Body, frozen=True):
    address: AddressText


class NonceAnswer(Answer, frozen=True):
    """`message` is the very text to sign: to log in for a visitor, to bind the wallet for whoever has a session."""

    nonce: Nonce
    message: Annotated[str, Meta(examples=["kalos.example wants you to sign in with your Ethereum account:"])]
    expires_at: Time


class FactorBody(Body, frozen=True, kw_only=True):
    """The authenticator's code where one is bound, else the code that was mailed."""

    google_code: Annotated[Code, Meta(examples=["402913"])] | None = None
    email_code: Annotated[Code, Meta(examples=["402913"])] | None = None


class LoginWalletBody(FactorBody, frozen=True, kw_only=True):
    """`code` is the nonce, `sign_message` the signature of its message; with `remove` neither is needed."""

    address: AddressText
    code: Nonce | None = None
    sign_message: Signature | None = None
    proof: Proof | None = None
    remove: bool = False


class AddressBody(FactorBody, frozen=True, kw_only=True):
    """`address` with its checksum, `chain` as lp/chain has it, `label` of 1 to 32 signs."""

    chain: ChainId
    address: AddressText
    label: Label
    out_password: OutPassword
    proof: Proof | None = None
    request_id: RequestId


class RemovalBody(Body, frozen=True):
    id: Number
    out_password: OutPassword
    request_id: RequestId


class AddressShape(Answer, frozen=True):
    """Withdrawals may go there from `usable_at` on."""

    id: Annotated[Id, Meta(examples=["7"])]
    chain: ChainId
    address: Address
    label: Label
    created_at: Time
    usable_at: Annotated[Time, Meta(examples=[1795161631456])]


class BookRow(AddressShape, frozen=True):
    """`last_used_at`: when a withdrawal to it was last asked for, whatever became of that."""

    last_used_at: Annotated[Time | None, Meta(examples=[None])]


class BookAnswer(Rows[BookRow], frozen=True, omit_defaults=True, kw_only=True):
    """`wait_hours` is how long an address waits that is written down now."""

    wait_hours: Annotated[int, Meta(ge=0, examples=[24])]


@calls.add("/api/auth/nonce", InvalidAddress, public=True, load="entry")
async def nonce(ctx: Context, body: NonceBody) -> NonceAnswer:
    made = await service.make_nonce(ctx, body.address)
    return NonceAnswer(nonce=made.nonce, message=made.text, expires_at=made.until_at)


@calls.add(
    "/api/user/bindLogin",
    InvalidAddress, AlreadyExists, NotFound, SlideRequired, SecondFactorRequired, WrongCode, CodeExpired,
)  # fmt: skip
async def bind_login(ctx: Context, body: LoginWalletBody) -> Done:
    shown = Shown(body.google_code, body.email_code, body.proof)
    signed = Signed(body.address, body.code or "", body.sign_message or "")
    await service.change_login_wallet(ctx, signed, shown, remove=body.remove)
    return Done()


async def bound_again(_ctx: Context, row: AddressRow) -> AddressShape:
    return _shape(row)


async def find_bound(ctx: Context, body: AddressBody) -> AddressRow | None:
    return await service.find_added(ctx, body.request_id)


@calls.add(
    "/api/user/bindWallet",
    InvalidAddress, HouseAddress, AlreadyExists, SlideRequired, SecondFactorRequired, WrongCode, CodeExpired,
    *_OUT_PASSWORD,
    again=bound_again,
    find=find_bound,
)  # fmt: skip
async def bind_wallet(ctx: Context, body: AddressBody) -> AddressShape:
    shown = Shown(body.google_code, body.email_code, body.proof, body.out_password)
    row = await service.add_address(
        ctx, chain=body.chain, address=body.address, label=body.label, request_id=body.request_id, shown=shown
    )
    return _shape(row)


@calls.add("/api/user/walletList")
async def wallet_list(ctx: Context, body: Paged) -> BookAnswer:
    page, used = await service.list_book(ctx, body.query(ctx.terms.page_size))
    rows = rows_of(page, lambda row: BookRow(**_fields(row), last_used_at=used.get(row.id)))
    return BookAnswer(list=rows.list, total=rows.total, next=rows.next, wait_hours=service.wait_hours(ctx.house))


async def deleted_again(_ctx: Context, _row: AddressRow) -> Done:
    return Done()


async def find_deleted(ctx: Context, body: RemovalBody) -> AddressRow | None:
    return await service.find_removed(ctx, body.request_id)


@calls.add("/api/user/delWallet", NotFound, *_OUT_PASSWORD, again=deleted_again, find=find_deleted)
async def del_wallet(ctx: Context, body: RemovalBody) -> Done:
    await service.remove_address(ctx, number=int(body.id), request_id=body.request_id, out_password=body.out_password)
    return Done()


def _shape(row: AddressRow) -> AddressShape:
    return AddressShape(**_fields(row))


def _fields(row: AddressRow) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "chain": row.chain,
        "address": row.address,
        "label": row.label,
        "created_at": row.created_at,
        "usable_at": row.usable_at,
    }
