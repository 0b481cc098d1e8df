"""Calls under /api/user, /api/finance and /api/auth that show: path, use case, shape."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from msgspec import Meta

from kalos.core import assets
from kalos.core.assets import USDT
from kalos.core.clock import business_day
from kalos.core.errors import PriceUnavailable
from kalos.core.fields import AssetCode, DecimalText, Id, SignedText, Time
from kalos.core.money import text_of
from kalos.core.ports import Price
from kalos.domains.context import Context
from kalos.domains.overview import service
from kalos.domains.overview.rules import DIVIDENDS, FEES, Holding, Income, Statement
from kalos.domains.protection.rules import Kind
from kalos.domains.teams.shapes import Figures, Level, figures_of
from kalos.ledger import waiting
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import StatementRow
from kalos.wire import languages
from kalos.wire.calls import Answer, Calls, Empty
from kalos.wire.shapes import LARGEST_KEY, Paged, Rows, rows_of

calls = Calls("overview")

Instant = Annotated[Time, Meta(lt=2**53)]
Account = Annotated[str, Meta(pattern="^[1-9][0-9]{7}$", description="eight digits")]
InviteCode = Annotated[str, Meta(examples=["Q4T8WZ3N"])]
Available = Annotated[DecimalText, Meta(examples=["90.000000"])]
Total = Annotated[DecimalText, Meta(examples=["102.500000"])]
_USDT: Final = {"asset": "USDT", "available": "90.000000", "held": "10.000000"}
_KLS: Final = {"asset": "KLS", "available": "5.00000000", "held": "0.00000000"}
_VALUED: Final = [_USDT | {"value": "100.000000"}, _KLS | {"value": "2.500000"}]
_RATE_DECIMALS = 8


class Balance(Answer, frozen=True):
    asset: AssetCode
    available: Available
    held: DecimalText


class Invited(Answer, frozen=True):
    account: Annotated[Account, Meta(examples=["57204613"])]
    registered_at: Annotated[Time, Meta(examples=[1794990000000])]


class InvitedList(Answer, frozen=True):
    """The last ten whom the member invited, and how many they are in all."""

    list: list[Invited]
    total: Annotated[int, Meta(ge=0, examples=[1])]


class LoginWallet(Answer, frozen=True):
    """Logs its member in, and proves what it does in blocks after `bound_at`."""

    address: Annotated[
        str, Meta(pattern="^0x[0-9a-fA-F]{40}$", examples=["0x52908400098527886E0F7030069857D2E4169EE7"])
    ]
    bound_at: Annotated[Time, Meta(examples=[1794990000000])]


class SetLimits(Answer, frozen=True):
    """What the member has limited for a business day, in USDT; null is no limit. `reminder` is in minutes."""

    stake: Annotated[DecimalText | None, Meta(examples=["100.000000"])]
    loss: Annotated[DecimalText | None, Meta(examples=[None])]
    topup: Annotated[DecimalText | None, Meta(examples=[None])]
    reminder: Annotated[int | None, Meta(examples=[60])]


class InfoAnswer(Figures, frozen=True):
    """`invite_link` is an address of the page; `superior` is null for the root account.

    `vip_level` follows from the member's own turnover of 30 days.
    """

    account: Annotated[Account, Meta(examples=["48213957"])]
    email: Annotated[str, Meta(examples=["a***e@example.com"])]
    invite_code: InviteCode
    invite_link: Annotated[str, Meta(examples=["https://kalos.example/register?code=Q4T8WZ3N"])]
    superior: Annotated[Account | None, Meta(examples=["30571846"])]
    registered_at: Annotated[Time, Meta(examples=[1794990000000])]
    vip_level: Level
    share_user_list: InvitedList
    email_bound: Annotated[bool, Meta(examples=[True])]
    out_password_set: Annotated[bool, Meta(examples=[True])]
    out_password_locked: Annotated[bool, Meta(description="until it is set anew", examples=[False])]
    google_bound: Annotated[bool, Meta(examples=[False])]
    anti_phishing: Annotated[str | None, Meta(description="the word that mails show", examples=["lighthouse"])]
    withdrawals_held_until: Annotated[Time | None, Meta(examples=[None])]
    security_hold: Annotated[
        int, Meta(ge=0, description="the hours that a change of password or factor holds withdrawals", examples=[24])
    ]
    country: Annotated[str | None, Meta(description="declared at registration, ISO 3166-1 alpha-2", examples=["VN"])]
    limits: SetLimits
    login_wallets: list[LoginWallet]
    balances: Annotated[list[Balance], Meta(examples=[[_USDT, _KLS]])]


class PriceSource(Answer, frozen=True):
    asset: Annotated[AssetCode, Meta(examples=["KLS"])]
    price: Annotated[DecimalText, Meta(examples=["0.50000000"])]
    at: Time
    source: Annotated[str, Meta(examples=["ref_first"])]


class ValuedBalance(Answer, frozen=True):
    """`value` is in USDT."""

    asset: AssetCode
    available: Available
    held: DecimalText
    value: Annotated[DecimalText, Meta(examples=["100.000000"])]


class DayTotal(Answer, frozen=True):
    day: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$", examples=["2026-11-19"])]
    total: Total


class FinanceAnswer(Answer, frozen=True):
    """Amounts are in USDT; `change_24h` is signed."""

    total: Total
    change_24h: Annotated[SignedText, Meta(examples=["-7.500000"])]
    price_source: PriceSource
    history: list[DayTotal]
    list: Annotated[list[ValuedBalance], Meta(examples=[_VALUED])]


class IncomeSums(Answer, frozen=True):
    """What came to the member in some time, by its source. `game` is what was won less the stakes that were lost."""

    dividend: Annotated[SignedText, Meta(examples=["0.000000"])]
    referral: Annotated[SignedText, Meta(examples=["0.000000"])]
    release: Annotated[SignedText, Meta(examples=["0.000000"])]
    game: Annotated[SignedText, Meta(examples=["-0.500000"])]
    shop: Annotated[SignedText, Meta(examples=["0.000000"])]
    total: Annotated[SignedText, Meta(examples=["-0.500000"])]


class IncomeAnswer(Answer, frozen=True):
    """Values in USDT at the present price; days are business days."""

    today: IncomeSums
    yesterday: IncomeSums
    total: IncomeSums
    price_source: PriceSource


class StatementBody(Paged, frozen=True):
    """From `start` to `end`, both in milliseconds and included; `kind` as the rows have it."""

    after: Annotated[str, Meta(max_length=40, pattern="^[0-9]*$")] = ""
    start: Annotated[Instant, Meta(examples=[1795075200000])] | None = None
    end: Annotated[Instant, Meta(examples=[1795161599999])] | None = None
    kind: Annotated[str, Meta(pattern="^[a-z_.]{1,61}$")] | None = None


class StatementLine(Answer, frozen=True):
    """`title` is the kind in the caller's language, `balance` what was there after it."""

    id: Annotated[Id, Meta(examples=["2071"])]
    time: Time
    kind: Annotated[str, Meta(examples=["game.stake"])]
    title: Annotated[str, Meta(examples=["Bet placed"])]
    amount: SignedText
    balance: Available
    reference: Id


@calls.add("/api/user/info")
async def info(ctx: Context, _: Empty) -> InfoAnswer:
    profile = await service.show_profile(ctx)
    standing = profile.standing
    return InfoAnswer(
        account=profile.account,
        email=profile.email,
        invite_code=profile.invite_code,
        invite_link=profile.invite_link,
        superior=profile.superior,
        registered_at=profile.registered_at,
        vip_level=standing.vip_level,
        share_user_list=InvitedList(
            list=[Invited(account=line.account, registered_at=line.registered_at) for line in standing.newest.rows],
            total=standing.newest.total,
        ),
        email_bound=bool(profile.email),
        out_password_set=profile.out_password_set,
        out_password_locked=profile.out_password_locked,
        google_bound=profile.google_bound,
        anti_phishing=profile.anti_phishing,
        withdrawals_held_until=profile.withdrawals_held_until,
        security_hold=profile.security_hold,
        country=profile.country,
        limits=limits_of(profile.limits),
        login_wallets=[LoginWallet(address=row.address, bound_at=row.bound_at) for row in profile.login_wallets],
        balances=[_balance(holding) for holding in profile.holdings],
        **figures_of(standing.row, ctx.terms.team_levels, business_day(ctx.now)),
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


@calls.add("/api/auth/income", PriceUnavailable)
async def income(ctx: Context, _: Empty) -> IncomeAnswer:
    found = await service.show_income(ctx)
    return IncomeAnswer(
        today=_income_sums(found.today),
        yesterday=_income_sums(found.yesterday),
        total=_income_sums(found.total),
        price_source=_price_source(found.price),
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


def _example(shown: Statement) -> Rows[StatementLine] | None:
    """An empty page of what nobody has moved yet; else the shapes' own example."""
    return None if shown == STATEMENTS["/api/user/usdtLog"] else Rows(list=[], total=0, next=None)


def _showing(shown: Statement) -> Callable[[Context, StatementBody], Awaitable[Rows[StatementLine]]]:
    keys = waiting.LARGEST_KEY if shown.owed else LARGEST_KEY

    async def log(ctx: Context, body: StatementBody) -> Rows[StatementLine]:
        query = body.query(ctx.terms.page_size, keys=keys)
        page = await service.list_statement(ctx, shown, query, start=body.start, end=body.end, kind=body.kind)
        return rows_of(page, lambda row: _line(ctx, shown, row))

    return log


for path, statement in STATEMENTS.items():
    calls.add(path, example=_example(statement))(_showing(statement))


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


def limits_of(limits: dict[Kind, int | None]) -> SetLimits:
    def text(units: int | None) -> str | None:
        return None if units is None else text_of(units, USDT)

    return SetLimits(
        stake=text(limits["stake"]),
        loss=text(limits["loss"]),
        topup=text(limits["topup"]),
        reminder=limits["reminder"],
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


def _income_sums(income: Income) -> IncomeSums:
    by_source = {source: text_of(units, USDT) for source, units in income.items()}
    return IncomeSums(total=text_of(sum(income.values()), USDT), **by_source)


def _price_source(price: Price) -> PriceSource:
    """The rate with eight decimals; further ones are cut off."""
    units = price.rate.numerator * 10**_RATE_DECIMALS // price.rate.denominator
    whole, decimals = divmod(units, 10**_RATE_DECIMALS)
    return PriceSource(
        asset=price.asset.code, price=f"{whole}.{decimals:0{_RATE_DECIMALS}d}", at=price.at_ms, source=price.source
    )
