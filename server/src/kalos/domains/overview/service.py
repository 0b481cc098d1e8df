"""A member's own page: profile, finances, statements."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from kalos.core.assets import ASSETS, KLS, Asset
from kalos.core.clock import DAY_MS, business_day, day_start_ms
from kalos.core.emails import masked_email
from kalos.core.pages import Page, PageQuery
from kalos.core.ports import Price
from kalos.domains.context import Context
from kalos.domains.factors.queries import find_set
from kalos.domains.identity import queries as identity
from kalos.domains.overview import rules
from kalos.domains.overview.rules import Holding, Income, Statement
from kalos.domains.protection import service as protection
from kalos.domains.protection.rules import Kind
from kalos.domains.teams import service as teams
from kalos.domains.teams.service import Standing
from kalos.domains.wallets import service as wallets
from kalos.domains.wallets.tables import LoginWalletRow
from kalos.ledger import purse, statements, waiting
from kalos.ledger.sums import sums_of


@dataclass(frozen=True, slots=True)
class Profile:
    """`invite_link` is an address of the page; `superior` the inviter's account, None for the root.

    `withdrawals_held_until` is None where they aren't held, `security_hold` for how many hours a change holds them.
    `country` is what was declared at registration; `limits` are in units of USDT, the reminder's in minutes.
    """

    account: str
    email: str
    invite_code: str
    invite_link: str
    superior: str | None
    registered_at: int
    out_password_set: bool
    out_password_locked: bool
    google_bound: bool
    anti_phishing: str | None
    withdrawals_held_until: int | None
    security_hold: int
    country: str | None
    limits: dict[Kind, int | None]
    login_wallets: list[LoginWalletRow]
    holdings: list[Holding]
    standing: Standing


@dataclass(frozen=True, slots=True)
class Valued:
    holding: Holding
    value: int


@dataclass(frozen=True, slots=True)
class Finances:
    """Values are in the smallest units of USDT; `change` may be negative. `history` ends with today."""

    total: int
    change: int
    price: Price
    rows: list[Valued]
    history: list[tuple[date, int]]


@dataclass(frozen=True, slots=True)
class Incomes:
    """Of the same moment, all at its price."""

    today: Income
    yesterday: Income
    total: Income
    price: Price


async def show_profile(ctx: Context) -> Profile:
    """Read the caller's own profile and balances. Mails to the caller are in the language of this call from now on.

    Source: identity.md, "Security centre" (`user/info`); section 7 /api/user/info.
    """
    found = await identity.find_profile(ctx.db, ctx.caller.id)
    if found.row.lang != ctx.lang:
        await identity.set_lang(ctx.db, ctx.caller.id, ctx.lang)
    factors = await find_set(ctx.db, ctx.caller.id)
    return Profile(
        account=found.row.account,
        email=masked_email(found.row.email),
        invite_code=found.row.invite_code,
        invite_link=f"{ctx.house.page_url}/register?code={found.row.invite_code}",
        superior=found.superior,
        registered_at=found.row.registered_at,
        out_password_set=factors.out_password,
        out_password_locked=factors.locked,
        google_bound=factors.google,
        anti_phishing=found.row.anti_phishing,
        withdrawals_held_until=await identity.held_until(ctx.db, ctx.caller.id, ctx.now),
        security_hold=ctx.terms.security_hold,
        country=found.row.country,
        limits=await protection.list_limits(ctx),
        login_wallets=await wallets.list_login_wallets(ctx),
        holdings=await _holdings(ctx),
        standing=await teams.show_standing(ctx),
    )


async def show_finances(ctx: Context) -> Finances:
    """Value what the caller has now, had 24 hours ago and at the end of each of the past days.

    All of it at the present prices: the change and the history show what came and went.

    Raises: PriceUnavailable.
    Source: section 7 /api/finance/userFinance.
    """
    price = await ctx.house.prices.last(KLS)
    rates = rules.rates_with(price.rate)
    now, days = ctx.now, rules.past_days(ctx.now)
    holdings = await _holdings(ctx)
    total = rules.total({holding.asset: holding.units for holding in holdings}, rates)
    edges = [now - DAY_MS, *map(rules.end_ms, days)]
    totals = await _totals_before(ctx, edges, rates)
    return Finances(
        total=total,
        change=total - totals[edges[0]],
        price=price,
        rows=[Valued(holding, rules.value(holding.units, holding.asset, rates)) for holding in holdings],
        history=[*((day, totals[rules.end_ms(day)]) for day in days), (business_day(now), total)],
    )


async def show_income(ctx: Context) -> Incomes:
    """What came to the caller today, yesterday (business days) and ever, by its source; at the present prices.

    Raises: PriceUnavailable.
    Source: identity.md, `auth/income`.
    """
    price = await ctx.house.prices.last(KLS)
    day = business_day(ctx.now)
    today, yesterday = day_start_ms(day), day_start_ms(day - timedelta(days=1))
    sums = await sums_of(ctx.db, rules.income_accounts(ctx.caller.id), [today, yesterday])
    of_today, of_both = sums.since[today], sums.since[yesterday]
    of_yesterday = {name: units - of_today.get(name, 0) for name, units in of_both.items()}
    rates = rules.rates_with(price.rate)
    return Incomes(
        today=rules.income_of(of_today, rates),
        yesterday=rules.income_of(of_yesterday, rates),
        total=rules.income_of(sums.ever, rates),
        price=price,
    )


async def list_statement(
    ctx: Context,
    shown: Statement,
    page: PageQuery,
    *,
    start: int | None = None,
    end: int | None = None,
    kind: str | None = None,
) -> Page[statements.StatementRow]:
    """List what came to and went from one of the caller's own accounts, newest first; what is owed stands before it.

    Source: ledger.md, "Statements"; section 7 /api/user/usdtLog and the others.
    """
    account = purse.account(ctx.caller.id, shown.asset, shown.purpose)
    if shown.owed:
        return await waiting.page(ctx.db, account, page, start=start, end=end, kind=kind)
    return await statements.page(ctx.db, account, page, start=start, end=end, kind=kind, ending=shown.ending)


async def _holdings(ctx: Context) -> list[Holding]:
    return rules.holdings_of(ctx.caller.id, await statements.balances_of(ctx.db, ctx.caller.id))


async def _totals_before(ctx: Context, edges: list[int], rates: Mapping[Asset, Fraction]) -> dict[int, int]:
    accounts = rules.accounts_of(ctx.caller.id)
    found = await statements.balances_before(ctx.db, accounts, edges)
    units = {edge: dict.fromkeys(ASSETS, 0) for edge in edges}
    for (account, edge), balance in found.items():
        units[edge][accounts[account]] += balance
    return {edge: rules.total(amounts, rates) for edge, amounts in units.items()}
