"""Demo mode's helper calls: mails, captchas, test coins, blocks, reorganisations, the clock. Never in production."""

import base64
from typing import Annotated, Final

from msgspec import Meta

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.rpc import RpcRefused
from kalos.adapters.chain.wallet import DemoWallet
from kalos.adapters.screening.list import SANDBOX
from kalos.app.demo_mails import list_mails
from kalos.app.settings import Settings
from kalos.core.assets import USDT
from kalos.core.errors import InvalidAmount, InvalidInput, NotFound
from kalos.core.fields import BlockHash, Height, Time
from kalos.core.money import parse_amount
from kalos.domains.challenges.queries import find_captcha, find_slide
from kalos.domains.context import Context, House
from kalos.domains.deposits.service import deposit_address
from kalos.domains.factors import rules as factors
from kalos.domains.games.jobs import seal_up_to
from kalos.domains.identity.queries import find_by_name
from kalos.wire.calls import Answer, Body, Calls
from kalos.wire.shapes import AmountText

calls = Calls("demo")

_MAIL: Final = (
    "Hello,\n\nyour code for creating a Kalos account is 402913.\n\n"
    "It is valid for 10 minutes and works once. We never ask for it by phone or chat.\n\n"
    "If you did not ask for this code, you can ignore this mail: nothing happens without it."
)
_LARGEST_STEP = 400 * 24 * 3600


class InboxBody(Body, frozen=True):
    """`email` is an address, or the account that has one: the page of a member doesn't know the whole address."""

    email: Annotated[str, Meta(min_length=3, max_length=254, examples=["alice@example.com"])]


class MailShape(Answer, frozen=True):
    time: Time
    subject: Annotated[str, Meta(examples=["Your Kalos code: 402913"])]
    text: Annotated[str, Meta(examples=[_MAIL])]
    code: Annotated[str | None, Meta(examples=["402913"])]


class Inbox(Answer, frozen=True):
    list: list[MailShape]


class CaptchaBody(Body, frozen=True):
    captcha_id: Annotated[str, Meta(min_length=1, max_length=64, examples=["Vb3xQ0m8ZkT1sYw5Lr7uNg"])]


class CaptchaCode(Answer, frozen=True):
    code: Annotated[str, Meta(examples=["K7RTX"])]


class SlidePlace(Answer, frozen=True):
    """Where a slide's piece belongs."""

    x: Annotated[int, Meta(ge=0, examples=[148])]


class TotpBody(Body, frozen=True):
    secret: Annotated[str, Meta(pattern="^[A-Z2-7]{32}$", examples=["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"])]


class TotpCode(Answer, frozen=True):
    code: Annotated[str, Meta(pattern="^[0-9]{6}$", examples=["492039"])]


class FaucetBody(Body, frozen=True):
    """`listed`: the coins come from an address on the sandbox's list of sanctions."""

    amount: AmountText
    listed: bool = False


class Transaction(Answer, frozen=True):
    hash: Annotated[BlockHash, Meta(examples=["0x8c985b2d9224b0990ca78846b48567f739e5deb2fc2ab7f81f16fc379107e55d"])]


class MineBody(Body, frozen=True):
    blocks: Annotated[int, Meta(ge=1, le=100, examples=[3])] = 1


class ReorgBody(Body, frozen=True):
    depth: Annotated[int, Meta(ge=1, le=16, examples=[2])]


class Head(Answer, frozen=True):
    number: Height
    hash: BlockHash
    time: Annotated[Time, Meta(examples=[1795075265000])]


class HeadAnswer(Answer, frozen=True):
    head: Head


class ClockBody(Body, frozen=True):
    """One of the two: `to` in milliseconds of business time."""

    to: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    advance_seconds: Annotated[int, Meta(ge=0, le=_LARGEST_STEP, examples=[3600])] | None = None


class Now(Answer, frozen=True):
    now: Time


@calls.add("/api/demo/inbox", public=True)
async def inbox(ctx: Context, body: InboxBody) -> Inbox:
    member = await find_by_name(ctx.db, body.email)
    mails = await list_mails(ctx.db, member.email if member and member.email else body.email)
    return Inbox(list=[MailShape(time=one.at, subject=one.subject, text=one.text, code=one.code) for one in mails])


@calls.add("/api/demo/captcha", NotFound, public=True)
async def captcha(ctx: Context, body: CaptchaBody) -> CaptchaCode | SlidePlace:
    picture = await find_captcha(ctx.db, body.captcha_id)
    if picture is not None:
        return CaptchaCode(code=picture.answer)
    slide = await find_slide(ctx.db, body.captcha_id)
    if slide is not None and slide.x is not None:
        return SlidePlace(x=slide.x)
    if slide is not None and slide.code is not None:
        return CaptchaCode(code=slide.code)
    raise NotFound


@calls.add("/api/demo/totp", public=True)
async def totp(ctx: Context, body: TotpBody) -> TotpCode:
    return TotpCode(code=factors.totp(base64.b32decode(body.secret), ctx.wall // factors.STEP_MS))


@calls.add("/api/demo/faucet", InvalidAmount)
async def faucet(ctx: Context, body: FaucetBody) -> Transaction:
    amount = parse_amount(body.amount, USDT)
    if amount.units == 0:
        raise InvalidAmount(asset=USDT.code)
    address = await deposit_address(ctx.house, ctx.caller.id)
    contract = ctx.house.chain.network.contract(USDT).address
    through = SANDBOX[0] if body.listed else None
    return Transaction(hash=await wallet_of(ctx.house).transfer(contract, address, amount.units, through=through))


@calls.add("/api/demo/mine", public=True)
async def mine(ctx: Context, body: MineBody) -> HeadAnswer:
    for _ in range(body.blocks):
        # One after the other, for a round that is opened meanwhile as well.
        await seal_up_to(ctx.house, await ctx.house.chain.head() + 1)
        await wallet_of(ctx.house).mine(now_ms=ctx.now)
    return HeadAnswer(head=await _head(ctx.house))


@calls.add("/api/demo/reorg", InvalidInput, public=True)
async def reorg(ctx: Context, body: ReorgBody) -> HeadAnswer:
    try:
        await wallet_of(ctx.house).reorganise(body.depth)
    except RpcRefused as problem:
        raise InvalidInput(errors=[{"field": "depth", "reason": "too_deep"}]) from problem
    return HeadAnswer(head=await _head(ctx.house))


@calls.add("/api/demo/clock", InvalidInput, public=True)
async def clock(ctx: Context, body: ClockBody) -> Now:
    if (body.to is None) == (body.advance_seconds is None):
        raise InvalidInput(errors=[{"field": "to", "reason": "to_or_advance_seconds"}])
    own = ctx.house.clock
    ahead = own.offset_ms + body.advance_seconds * 1000 if body.advance_seconds is not None else 0
    wanted = ahead if body.to is None else body.to - own.wall()
    if wanted < own.offset_ms:
        raise InvalidInput(errors=[{"field": "to", "reason": "in_the_past"}])
    if wanted - own.offset_ms > _LARGEST_STEP * 1000:
        raise InvalidInput(errors=[{"field": "to", "reason": "too_far"}])
    stored = await ctx.db.value(
        "UPDATE clock SET offset_ms = greatest(offset_ms, $1) WHERE id = 1 RETURNING offset_ms", wanted
    )
    await ctx.db.execute("NOTIFY kalos_clock")
    own.offset_ms = max(own.offset_ms, stored)
    return Now(now=own.now())


async def prepare(settings: Settings) -> None:
    """Make what a newcomer finds: contracts, two members, coins, the house's funds. Repeatable after any end."""
    from kalos.app.demo_data import make

    await make(settings)


def wallet_of(house: House) -> DemoWallet:
    """The wallet of the local node behind this house."""
    chain = house.chain
    assert isinstance(chain, EvmChain), chain
    return DemoWallet(chain.nodes[0])


async def _head(house: House) -> Head:
    while True:
        block = await house.chain.block(await house.chain.head())
        if block is not None:
            return Head(number=block.number, hash=block.hash, time=block.time * 1000)
