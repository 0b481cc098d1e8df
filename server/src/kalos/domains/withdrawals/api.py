"""Calls of withdrawals: path, use case, shape, what they may refuse."""

from collections.abc import Sequence
from typing import Any, Final

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.errors import (
    BelowMinimum,
    InsufficientBalance,
    InvalidAmount,
    LimitReached,
    MoneyOutStopped,
    NotFound,
)
from kalos.core.money import parse_amount, text_of
from kalos.core.terms import assets_of
from kalos.domains.context import Context
from kalos.domains.factors.api import PROVING
from kalos.domains.factors.errors import OutPasswordLocked, OutPasswordNotSet, WrongOutPassword
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.protection.errors import KycRequired
from kalos.domains.wallets.api import AddressShape
from kalos.domains.wallets.errors import HouseAddress
from kalos.domains.withdrawals import rules, service
from kalos.domains.withdrawals.errors import AddressWaiting, ClaimTooHigh, PriceChanged, SecurityHold
from kalos.domains.withdrawals.rules import CoinType, Seen, Wish
from kalos.domains.withdrawals.service import Placed
from kalos.domains.withdrawals.shapes import (
    ClaimBody,
    ClaimReceipt,
    Means,
    RiskShape,
    TermsAnswer,
    WithdrawalReceipt,
    WithdrawalRow,
    WithdrawalsBody,
    WithdrawBody,
    price_text,
)
from kalos.domains.withdrawals.tables import Risk, Withdrawal
from kalos.ledger.postings import Posted
from kalos.wire.calls import Calls, Empty
from kalos.wire.shapes import Rows, receipt_of, rows_of

calls: Final = Calls("withdrawals")
_NUMBERS: Final[dict[Asset, CoinType]] = {asset: number for number, asset in rules.COINS.items()}


@calls.add("/api/withdraw/index")
async def index(ctx: Context, _: Empty) -> TermsAnswer:
    terms = await service.show_terms(ctx)
    rate, left = rules.rate_text(ctx.terms.withdraw_fee_rate), text_of(terms.daily_left, USDT)
    means = [
        Means(
            coin_type=_NUMBERS[asset],
            asset=asset.code,
            available=text_of(terms.available[asset], asset),
            minimum=str(ctx.terms.withdraw_min[asset]),
            fee_rate=rate,
            fee_asset=KLS.code,
            daily_left=left,
        )
        for asset in assets_of(ctx.terms.withdraw_min)
    ]
    entries = [
        AddressShape(
            id=str(one.id),
            chain=one.chain,
            address=one.address,
            label=one.label,
            created_at=one.created_at,
            usable_at=one.usable_at,
        )
        for one in terms.entries
    ]
    return TermsAnswer(
        assets=means,
        addresses=entries,
        price=price_text(terms.price.rate),
        selling_price=price_text(rules.selling_price(terms.price, ctx.terms)),
        price_at=terms.price.at_ms,
        price_source=terms.price.source,
        auto_max=text_of(rules.most_alone(ctx.terms), USDT),
        held_until=terms.held_until,
        is_stopped=terms.is_stopped,
    )


async def withdrawn_again(ctx: Context, posted: Posted) -> WithdrawalReceipt:
    return _receipt(await service.show_placed(ctx, posted))


@calls.add(
    "/api/withdraw/withdrawCoin",
    NotFound, InvalidAmount, BelowMinimum, PriceChanged, InsufficientBalance, LimitReached, KycRequired,
    MoneyOutStopped, SecurityHold, AddressWaiting, HouseAddress, AccountFrozen, OutPasswordNotSet, OutPasswordLocked,
    WrongOutPassword, *PROVING,
    load="money",
    again=withdrawn_again,
)  # fmt: skip
async def withdraw_coin(ctx: Context, body: WithdrawBody) -> WithdrawalReceipt:
    wish = Wish(
        amount=parse_amount(body.amount, rules.COINS[body.coin_type]),
        wallet=int(body.wallet_id),
        out_password=body.out_password,
        google_code=body.google_code,
        email_code=body.email_code,
        buys_fee=body.buy_fee,
        request_id=body.request_id,
        most_fee=None if body.most_fee is None else parse_amount(body.most_fee, KLS),
        most_purchase=None if body.most_purchase is None else parse_amount(body.most_purchase, USDT),
    )
    return _receipt(await service.withdraw(ctx, wish))


@calls.add("/api/withdraw/list")
async def list_(ctx: Context, body: WithdrawalsBody) -> Rows[WithdrawalRow]:
    asset = None if body.coin_type is None else rules.COINS[body.coin_type]
    page, seen = await service.list_withdrawals(ctx, body.query(ctx.terms.page_size), asset=asset, status=body.status)
    return rows_of(page, lambda one: _row(ctx, one, seen.get(one.id)))


async def claimed_again(ctx: Context, posted: Posted) -> ClaimReceipt:
    move = await service.show_claimed(ctx, posted)
    facts = receipt_of(
        posted.id, rules.CLAIMED, "approved", USDT, units=move.amount, balance=move.balance, at=posted.at
    )
    return ClaimReceipt(**facts | {"received": facts["amount"]})


@calls.add("/api/withdraw/receiveUsdt", InvalidAmount, ClaimTooHigh, load="money", again=claimed_again)
async def receive_usdt(ctx: Context, body: ClaimBody) -> ClaimReceipt:
    posted = await service.claim_income(ctx, amount=parse_amount(body.amount, USDT), request_id=body.request_id)
    return await claimed_again(ctx, posted)


def _receipt(placed: Placed) -> WithdrawalReceipt:
    one = placed.withdrawal
    facts = receipt_of(
        one.id, rules.OPENED, one.first_status, one.coin, units=one.units, balance=placed.balance, at=one.requested_at
    )
    paid = {"fee": text_of(one.fee_units, KLS), "fee_asset": KLS.code, "received": text_of(one.units, one.coin)}
    return WithdrawalReceipt(
        **facts | paid,
        fee_rate=one.fee_rate,
        address=one.address,
        label=one.label,
        chain=one.chain_id,
        price=price_text(one.price),
        price_at=one.price_at,
        price_source=one.price_source,
        risks=_risks(one.first_risks),
        needed=one.first_needed,
    )


def _row(ctx: Context, one: Withdrawal, seen: Seen | None) -> WithdrawalRow:
    network = ctx.house.chain_terms
    sent, explorer = seen.transaction if seen else one.transaction, network.explorer
    return WithdrawalRow(
        id=str(one.id),
        coin_type=_NUMBERS[one.coin],
        asset=one.asset,
        amount=text_of(one.units, one.coin),
        fee=text_of(one.fee_units, KLS),
        fee_asset=KLS.code,
        address=one.address,
        label=one.label,
        chain=one.chain_id,
        status=one.status,
        reason=one.reason,
        risks=_risks(one.risks),
        needed=one.needed,
        transaction=sent,
        explorer=f"{explorer.rstrip('/')}/tx/{sent}" if explorer and sent else None,
        confirmations=rules.confirmations(one, seen, network.confirmations),
        required=network.confirmations,
        requested_at=one.requested_at,
        changed_at=one.changed_at,
    )


def _risks(risks: Sequence[Risk]) -> list[Any]:
    return [RiskShape(**risk) for risk in risks]
