"""Calls under /api/user and /api/finance that show: path, use case, shape."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import msgspec

from kalos.core import assets
from kalos.core.assets import USDT
from kalos.core.errors import InvalidInput, PriceUnavailable
from kalos.core.money import text_of
from kalos.core.ports import Price
from kalos.domains.context import Context
from kalos.domains.overview import service
from kalos.domains.overview.rules import DIVIDENDS, FEES, Holding, Statement
from kalos.ledger.purse import Purpose
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


STATEMENTS: Final = {
    "/api/user/usdtLog": Statement(assets.USDT),
    "/api/user/usdcLog": Statement(assets.USDC),
    "/api/user/usoLog": Statement(assets.USO),
    "/api/user/usaLog": Statement(assets.USA),
    "/api/user/klsLog": Statement(assets.KLS),
    "/api/user/usaFeeLog": Statement(assets.USA, ending=FEES),
    "/api/user/betPointLog": Statement(assets.POINT),
    "/api/user/energyLog": Statement(assets.ENERGY),
    "/api/user/divvyLog": Statement(assets.USDT, ending=DIVIDENDS),
    "/api/user/divvyWaitLog": Statement(assets.USDT, Purpose.CLAIMABLE, owed=True),
    "/api/user/powerLog": Statement(assets.POWER),
    "/api/user/bwcLog": Statement(assets.BWC),
    "/api/user/bwtLog": Statement(assets.BWT),
    "/api/user/satsLog": Statement(assets.SATS),
    "/api/user/domiLog": Statement(assets.DOMI),
    "/api/user/aleoLog": Statement(assets.ALEO),
    "/api/user/rrtLog": Statement(assets.RRT),
}


def _showing(shown: Statement) -> Callable[[Context, StatementBody], Awaitable[Rows[StatementLine]]]:
    async def log(ctx: Context, body: StatementBody) -> Rows[StatementLine]:
        query = body.query(ctx.terms.page_size)
        page = await service.list_statement(ctx, shown, query, start=body.start, end=body.end, kind=body.kind)
        return rows_of(page, lambda row: _line(ctx, shown, row))

    return log


for path, statement in STATEMENTS.items():
    calls.add(path, InvalidInput)(_showing(statement))


def _line(ctx: Context, shown: Statement, row: StatementRow) -> StatementLine:
    return StatementLine(
        id=str(row.id),
        time=row.at,
        kind=row.kind,
        title=languages.kind_text(ctx.lang, row.kind),
        amount=text_of(row.amount, shown.asset),
        balance=text_of(row.balance, shown.asset),
        reference=str(row.reference),
    )


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
