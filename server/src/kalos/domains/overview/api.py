"""Calls under /api/user and /api/finance that show: path, use case, shape."""

from typing import Annotated

import msgspec

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.errors import InvalidInput, PriceUnavailable
from kalos.core.money import text_of
from kalos.core.ports import Price
from kalos.domains.context import Context
from kalos.domains.overview import service
from kalos.domains.overview.rules import Holding
from kalos.ledger.statements import StatementRow
from kalos.wire import languages
from kalos.wire.calls import Answer, Calls, Empty
from kalos.wire.shapes import Paged, Rows, rows_of

calls = Calls("overview")

Time = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
_RATE_DECIMALS = 8


class Balance(Answer, frozen=True):
    asset: str
    available: str
    held: str


class InfoAnswer(Answer, frozen=True):
    """`invite_link` is an address of the page; `superior` is null for the root account."""

    account: str
    email: str
    invite_code: str
    invite_link: str
    superior: str | None
    registered_at: int
    balances: list[Balance]


class PriceSource(Answer, frozen=True):
    asset: str
    price: str
    at: int
    source: str


class ValuedBalance(Answer, frozen=True):
    """`value` is in USDT."""

    asset: str
    available: str
    held: str
    value: str


class DayTotal(Answer, frozen=True):
    day: str
    total: str


class FinanceAnswer(Answer, frozen=True):
    """Amounts are in USDT; `change_24h` is signed."""

    total: str
    change_24h: str
    price_source: PriceSource
    history: list[DayTotal]
    list: list[ValuedBalance]


class StatementBody(Paged, frozen=True):
    """From `start` to `end`, both in milliseconds and included; `kind` as the rows have it."""

    start: Time | None = None
    end: Time | None = None
    kind: Annotated[str, msgspec.Meta(pattern="^[a-z_.]{1,61}$")] | None = None


class StatementLine(Answer, frozen=True):
    id: str
    time: int
    kind: str
    title: str
    amount: str
    balance: str
    reference: str


@calls.add("/api/user/info")
async def info(ctx: Context, _: Empty) -> InfoAnswer:
    profile = await service.show_profile(ctx)
    return InfoAnswer(
        account=profile.account,
        email=profile.email,
        invite_code=profile.invite_code,
        invite_link=profile.invite_link,
        superior=profile.superior,
        registered_at=profile.registered_at,
        balances=[_balance(holding) for holding in profile.holdings],
    )


@calls.add("/api/finance/userFinance", PriceUnavailable)
async def user_finance(ctx: Context, _: Empty) -> FinanceAnswer:
    finances = await service.show_finances(ctx)
    return FinanceAnswer(
        total=text_of(finances.total, USDT),
        change_24h=text_of(finances.change, USDT),
        price_source=_price_source(finances.price),
        list=[_valued(row) for row in finances.rows],
        history=[DayTotal(day=day.isoformat(), total=text_of(total, USDT)) for day, total in finances.history],
    )


@calls.add("/api/user/usdtLog", InvalidInput)
async def usdt_log(ctx: Context, body: StatementBody) -> Rows[StatementLine]:
    return await _statement(ctx, USDT, body)


@calls.add("/api/user/klsLog", InvalidInput)
async def kls_log(ctx: Context, body: StatementBody) -> Rows[StatementLine]:
    return await _statement(ctx, KLS, body)


async def _statement(ctx: Context, asset: Asset, body: StatementBody) -> Rows[StatementLine]:
    query = body.query(ctx.terms.page_size)
    page = await service.list_statement(ctx, asset, query, start=body.start, end=body.end, kind=body.kind)

    def line(row: StatementRow) -> StatementLine:
        return StatementLine(
            id=str(row.id),
            time=row.at,
            kind=row.kind,
            title=languages.kind_text(ctx.lang, row.kind),
            amount=text_of(row.amount, asset),
            balance=text_of(row.balance, asset),
            reference=str(row.reference),
        )

    return rows_of(page, line)


def _balance(holding: Holding) -> Balance:
    return Balance(
        asset=holding.asset.code,
        available=text_of(holding.available, holding.asset),
        held=text_of(holding.held, holding.asset),
    )


def _valued(row: service.Valued) -> ValuedBalance:
    holding = row.holding
    return ValuedBalance(
        asset=holding.asset.code,
        available=text_of(holding.available, holding.asset),
        held=text_of(holding.held, holding.asset),
        value=text_of(row.value, USDT),
    )


def _price_source(price: Price) -> PriceSource:
    """The rate with eight decimals; further ones are cut off."""
    units = price.rate.numerator * 10**_RATE_DECIMALS // price.rate.denominator
    whole, decimals = divmod(units, 10**_RATE_DECIMALS)
    return PriceSource(
        asset=price.asset.code, price=f"{whole}.{decimals:0{_RATE_DECIMALS}d}", at=price.at_ms, source=price.source
    )
