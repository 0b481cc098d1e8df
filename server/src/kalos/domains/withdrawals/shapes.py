"""The shapes of withdrawals on the wire."""

from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from kalos.core.fields import AssetCode, BlockHash, Count, DecimalText, Id, RateText, Time
from kalos.core.money import times_up
from kalos.domains.factors.api import EmailCode, GoogleCode, OutPassword
from kalos.domains.wallets.api import Address, AddressShape, ChainId, Label, Number
from kalos.domains.withdrawals import rules
from kalos.domains.withdrawals.rules import Reason, Status
from kalos.wire.calls import Answer, Body
from kalos.wire.shapes import AmountText, Paged, Receipt, RequestId

CoinType = Annotated[rules.CoinType, Meta(description="1 is USDT, 2 is KLS", examples=[1])]
StatusWord = Annotated[Status, Meta(examples=["pending_review"])]
PriceText = Annotated[DecimalText, Meta(description="USDT for one KLS", examples=["0.50000000"])]
PriceName = Annotated[str, Meta(examples=["ref_first"])]
_TRANSACTION = "0x8c985b2d9224b0990ca78846b48567f739e5deb2fc2ab7f81f16fc379107e55d"


class Means(Answer, frozen=True):
    """`daily_left` is in USDT of value, for both coins together; the fee is `fee_rate` of the value, in `fee_asset`."""

    coin_type: CoinType
    asset: AssetCode
    available: Annotated[DecimalText, Meta(examples=["90.000000"])]
    minimum: DecimalText
    fee_rate: Annotated[RateText, Meta(examples=["0.005"])]
    fee_asset: Annotated[AssetCode, Meta(examples=["KLS"])]
    daily_left: Annotated[DecimalText, Meta(examples=["100000.000000"])]


class TermsAnswer(Answer, frozen=True):
    """`price` is what the fee is made with, `selling_price` what KLS for it costs with `buy_fee`.

    Up to `auto_max` USDT of value nobody looks at a withdrawal without a risk. `held_until`: until then they are on
    hold; `is_stopped`: nothing leaves the house at the moment.
    """

    assets: list[Means]
    addresses: list[AddressShape]
    price: PriceText
    selling_price: Annotated[PriceText, Meta(examples=["0.50500000"])]
    price_at: Time
    price_source: PriceName
    auto_max: Annotated[DecimalText, Meta(examples=["10000.000000"])]
    held_until: Annotated[Time | None, Meta(examples=[None])]
    is_stopped: Annotated[bool, Meta(examples=[False])]


class WithdrawBody(Body, frozen=True, kw_only=True):
    """`wallet_id` is an entry of the book; with `buy_fee` the KLS that lacks for the fee is bought in the same step.

    `most_fee` (KLS) and `most_purchase` (USDT for bought KLS) are what was confirmed: nothing moves where it is more.
    """

    coin_type: CoinType
    amount: AmountText
    wallet_id: Number
    out_password: OutPassword
    google_code: Annotated[GoogleCode | None, Meta(examples=[None])] = None
    email_code: Annotated[EmailCode | None, Meta(examples=["402913"])] = None
    buy_fee: bool = False
    request_id: RequestId
    most_fee: Annotated[AmountText | None, Meta(examples=["0.10000000"])] = None
    most_purchase: Annotated[AmountText | None, Meta(examples=["0.050500"])] = None


class RiskShape(Answer, frozen=True):
    """Why people look at it; `detail` is a point in time in ms, an amount in USDT, a login wallet, or empty."""

    reason: Annotated[Reason, Meta(examples=["listed_address"])]
    detail: Annotated[str, Meta(examples=[""])]


class WithdrawalReceipt(Receipt, frozen=True):
    """`needed` people look at it before it is sent; `received` is what arrives."""

    kind: Annotated[str, Meta(description="the kind of move", examples=[rules.OPENED])]
    status: StatusWord
    fee: Annotated[DecimalText, Meta(examples=["0.10000000"])]
    fee_asset: Annotated[AssetCode, Meta(examples=["KLS"])]
    received: Annotated[DecimalText, Meta(examples=["10.000000"])]
    fee_rate: Annotated[RateText, Meta(examples=["0.005"])]
    address: Address
    label: Label
    chain: ChainId
    price: PriceText
    price_at: Time
    price_source: PriceName
    risks: list[RiskShape]
    needed: Annotated[Count, Meta(examples=[1])]


class WithdrawalsBody(Paged, frozen=True):
    coin_type: Annotated[CoinType | None, Meta(examples=[1])] = None
    status: Annotated[StatusWord | None, Meta(examples=["approved"])] = None


class WithdrawalRow(Answer, frozen=True):
    """`reason` says why it was refused or failed, `risks` why `needed` people look at it.

    While it is on its way `transaction` and `confirmations` are those of the block that has it now: a reorganisation
    takes them back.
    """

    id: Id
    coin_type: CoinType
    asset: AssetCode
    amount: DecimalText
    fee: Annotated[DecimalText, Meta(examples=["0.10000000"])]
    fee_asset: Annotated[AssetCode, Meta(examples=["KLS"])]
    address: Address
    label: Label
    chain: ChainId
    status: Annotated[Status, Meta(examples=["approved"])]
    reason: Annotated[str | None, Meta(examples=[None])]
    risks: Annotated[list[RiskShape], Meta(examples=[[]])]
    needed: Annotated[Count, Meta(examples=[0])]
    transaction: Annotated[BlockHash | None, Meta(examples=[_TRANSACTION])]
    explorer: Annotated[str | None, Meta(examples=[f"https://explorer.example/tx/{_TRANSACTION}"])]
    confirmations: Annotated[int, Meta(ge=0, description="blocks on top of the deciding one", examples=[3])]
    required: Annotated[int, Meta(ge=0, description="blocks on top of the deciding one", examples=[3])]
    requested_at: Time
    changed_at: Time


class ClaimBody(Body, frozen=True, kw_only=True):
    amount: AmountText
    request_id: RequestId


class ClaimReceipt(Receipt, frozen=True):
    """What was claimable is available."""

    kind: Annotated[str, Meta(description="the kind of move", examples=[rules.CLAIMED])]
    status: Annotated[str, Meta(examples=["approved"])]
    received: Annotated[DecimalText, Meta(examples=["10.000000"])]


def price_text(price: Fraction) -> str:
    """USDT for one KLS, with eight decimals, rounded up as what is paid with it."""
    units = times_up(10**8, price)
    return f"{units // 10**8}.{units % 10**8:08d}"
