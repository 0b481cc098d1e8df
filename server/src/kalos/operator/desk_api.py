"""Calls of the dashboard and the queues: path, use case, shape."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from kalos.core.assets import BY_CODE, KLS, USDT, Asset
from kalos.core.errors import Forbidden, MoneyOutStopped, NotFound
from kalos.core.money import text_of
from kalos.domains.deposits import rules as deposit_rules
from kalos.domains.deposits.tables import Deposit
from kalos.domains.identity.errors import AccountFrozen
from kalos.domains.reserves.queries import Look
from kalos.domains.wallets.errors import AddressRemoved, HouseAddress
from kalos.domains.withdrawals import rules as withdrawal_rules
from kalos.domains.withdrawals.errors import AddressWaiting, SecurityHold
from kalos.domains.withdrawals.tables import Withdrawal
from kalos.ledger import purse
from kalos.operator import dashboard as board
from kalos.operator import desk_shapes as shape
from kalos.operator import reviews
from kalos.operator.context import Desk
from kalos.operator.desk_queries import Owed
from kalos.operator.effects import Effect
from kalos.operator.errors import OwnAccount
from kalos.operator.results import Results, Returned
from kalos.operator.reviews import Looked
from kalos.wire.calls import Calls, Empty
from kalos.wire.shapes import Paged, Rows, rows_of

calls = Calls("operator", audience="staff")

_GAS_SCALE: Final = 9
_RATE_SCALE: Final = 8
_RETURN_SCALE: Final = 4


@calls.add("/api/operator/dashboard")
async def dashboard(desk: Desk, _: Empty) -> shape.DeskDashboard:
    found = await board.show(desk)
    return shape.DeskDashboard(
        at=found.at,
        assets=[_held(one) for one in found.held],
        bankroll=[
            shape.DeskBankroll(asset=free.asset.code, available=str(free), reserved=str(reserved))
            for free, reserved in found.bankroll
        ],
        payables=[_payable(one) for one in found.owed],
        queues=[shape.DeskQueue(name=one.name, count=one.count, oldest_at=one.oldest_at) for one in found.queues],
        jobs=[_job(one) for one in found.jobs],
        chain=_chain(found),
        money_out=shape.DeskMoneyOut(
            stopped=found.money_out is not None, reason=None if found.money_out is None else found.money_out.reason
        ),
        prices=[_price(one) for one in found.prices],
        results=_results(found.results),
    )


@calls.add("/api/operator/withdrawals", Forbidden)
async def withdrawals(desk: Desk, body: shape.DeskWithdrawalsBody) -> Rows[shape.DeskWithdrawal]:
    page = await reviews.list_withdrawals(desk, body.query(desk.terms.page_size), body.status)
    return rows_of(page, lambda row: _withdrawal(desk, row))


async def _said_before(desk: Desk, body: shape.ReviewWithdrawalBody) -> Withdrawal | None:
    return await reviews.find_review(desk, int(body.id), body.request_id)


async def _say_again(desk: Desk, found: Withdrawal) -> shape.DeskWithdrawal:
    return _withdrawal(desk, await reviews.show_withdrawal(desk, found))


@calls.add(
    "/api/operator/reviewWithdrawal",
    Forbidden,
    OwnAccount,
    NotFound,
    MoneyOutStopped,
    HouseAddress,
    AddressRemoved,
    AddressWaiting,
    AccountFrozen,
    SecurityHold,
    load="money",
    again=_say_again,
    find=_said_before,
)
async def review_withdrawal(desk: Desk, body: shape.ReviewWithdrawalBody) -> shape.DeskWithdrawal:
    looked = await reviews.review_withdrawal(
        desk,
        int(body.id),
        revision=body.revision,
        verdict=body.verdict,
        reason=body.reason,
        signature=body.signature,
        request_id=body.request_id,
    )
    return _withdrawal(desk, looked)


@calls.add("/api/operator/deposits", Forbidden)
async def deposits(desk: Desk, body: Paged) -> Rows[shape.DeskDeposit]:
    page = await reviews.list_deposits(desk, body.query(desk.terms.page_size))
    return rows_of(page, lambda row: _deposit(desk, *row))


async def _decided_before(desk: Desk, body: shape.DecideDepositBody) -> Deposit | None:
    return await reviews.find_decided(desk, int(body.id), body.request_id)


async def _decided(desk: Desk, found: Deposit) -> shape.DeskDeposit:
    return _deposit(desk, found, await reviews.find_account(desk, found))


@calls.add(
    "/api/operator/decideDeposit",
    Forbidden,
    OwnAccount,
    NotFound,
    MoneyOutStopped,
    load="money",
    again=_decided,
    find=_decided_before,
)
async def decide_deposit(desk: Desk, body: shape.DecideDepositBody) -> shape.DeskDeposit:
    decided = await reviews.decide_deposit(
        desk,
        int(body.id),
        revision=body.revision,
        verdict=body.verdict,
        reason=body.reason,
        request_id=body.request_id,
    )
    return await _decided(desk, decided)


def _held(one: Look) -> shape.DeskReserves:
    asset = BY_CODE[one.check.asset]
    return shape.DeskReserves(
        asset=one.check.asset,
        liabilities=text_of(one.check.owed, asset),
        hot=text_of(one.units["hot"], asset),
        cold=text_of(one.units["cold"], asset),
        deposits=text_of(one.units["deposits"], asset),
        reserves=text_of(sum(one.units.values()), asset),
        covered=one.check.missing == 0,
    )


def _job(one: board.Job) -> shape.DeskJob:
    run = one.run
    return shape.DeskJob(
        name=one.name,
        last_at=one.last_at,
        is_late=one.is_late,
        started_at=None if run is None else run.started_at,
        ended_at=None if run is None else run.ended_at,
        result=None if run is None else run.result,
        error=None if run is None else run.error,
    )


def _payable(one: Owed) -> shape.DeskPayable:
    asset = purse.asset_of(one.account)
    return shape.DeskPayable(
        account=purse.purpose_of(one.account).name.lower(),
        asset=asset.code,
        amount=text_of(one.units, asset),
        count=one.count,
        oldest_at=one.oldest_at,
    )


def _chain(found: board.Dashboard) -> shape.DeskChain:
    gas = found.reserves.gas_gwei
    return shape.DeskChain(
        height=found.height,
        head=found.head,
        lag_blocks=None if found.head is None else max(0, found.head - found.height),
        gas=None if gas is None else _decimal(Fraction(gas, 10**_GAS_SCALE), _GAS_SCALE),
        gas_low=found.reserves.is_gas_low,
    )


def _price(one: board.Priced) -> shape.DeskPrice:
    price = one.price
    return shape.DeskPrice(
        asset=price.asset.code,
        rate=_decimal(price.rate, _RATE_SCALE),
        at=price.at_ms,
        source=price.source,
        is_stale=one.is_stale,
    )


def _results(found: Results) -> shape.DeskResults:
    return shape.DeskResults(
        day=found.day.isoformat(),
        turnover=[
            shape.DeskTurnover(
                product=one.product,
                asset=one.asset.code,
                today=text_of(one.today, one.asset),
                last_30_days=text_of(one.month, one.asset),
            )
            for one in found.turnover
        ],
        turnover_at=found.turnover_at,
        returns=[
            shape.DeskReturn(
                game=one.game,
                asset=one.asset.code,
                promised=_decimal(one.promised, _RETURN_SCALE),
                today=_returned(one.today, one.asset),
                last_30_days=_returned(one.month, one.asset),
            )
            for one in found.returns
        ],
        counted_at=found.counted_at,
        behind=found.behind,
        open_stakes=[
            shape.DeskStakes(asset=asset.code, staked=text_of(units, asset))
            for asset, units in found.open_stakes.items()
        ],
        open_rounds=found.open_rounds,
        open_since=found.open_since,
    )


def _returned(one: Returned, asset: Asset) -> shape.DeskReturned:
    return shape.DeskReturned(
        bets=one.bets,
        staked=text_of(one.staked, asset),
        paid=text_of(one.paid, asset),
        rate=None if one.rate is None else _decimal(one.rate, _RETURN_SCALE),
    )


def _decimal(value: Fraction, scale: int) -> str:
    """Rounded down to `scale` decimals."""
    units = value.numerator * 10**scale // value.denominator
    return f"{units // 10**scale}.{units % 10**scale:0{scale}d}"


def _withdrawal(desk: Desk, row: Looked) -> shape.DeskWithdrawal:
    one = row.withdrawal
    return shape.DeskWithdrawal(
        id=str(one.id),
        revision=one.revision,
        account=one.account,
        asset=one.asset,
        amount=text_of(one.units, one.coin),
        value=text_of(one.value_units, USDT),
        fee=text_of(one.fee_units, KLS),
        address=one.address,
        label=one.label,
        status=one.status,
        needed=one.needed,
        round=one.returned,
        risks=[shape.DeskRisk(reason=risk["reason"], detail=risk["detail"]) for risk in one.risks],
        reviews=[
            shape.DeskReview(
                staff=row.names[said.staff],
                verdict=said.verdict,
                reason=said.reason,
                at=said.at,
                round=said.round,
                counts=row.counts(said),
            )
            for said in row.reviews
        ],
        effects=[_effect(change, one.account) for change in row.effects],
        message=withdrawal_rules.message(one).decode(),
        requested_at=one.requested_at,
        age_seconds=max(0, desk.now - one.requested_at) // 1000,
        transaction=one.transaction,
    )


def _effect(one: Effect, account: str) -> shape.DeskEffect:
    return shape.DeskEffect(
        verdict=one.verdict,
        account="" if one.is_house else account,
        place=one.place.name.lower(),
        asset=one.before.asset.code,
        before=str(one.before),
        after=str(one.after),
    )


def _deposit(desk: Desk, one: Deposit, account: str, effects: Sequence[Effect] = ()) -> shape.DeskDeposit:
    return shape.DeskDeposit(
        id=str(one.id),
        revision=one.revision,
        account=account,
        asset=one.asset,
        amount=text_of(one.units, BY_CODE[one.asset]),
        status=one.status,
        reason=one.reason,
        verdicts=deposit_rules.verdicts(one),
        effects=[_effect(change, account) for change in effects],
        transaction=one.transaction,
        sender=one.sender,
        seen_at=one.seen_at,
        age_seconds=max(0, desk.now - one.seen_at) // 1000,
    )
