"""Calls of deposits: the address, a transaction's hash, lists, and the chain itself."""

from typing import Annotated

import msgspec
import segno

from kalos.core.assets import BY_CODE, USDT
from kalos.core.errors import InvalidAmount, InvalidInput
from kalos.core.money import text_of
from kalos.domains.context import Context
from kalos.domains.deposits import rules, service
from kalos.domains.deposits.errors import HashMismatch, HashUsed, SubmitFailed
from kalos.domains.deposits.tables import Deposit
from kalos.wire.calls import Answer, Body, Calls, Empty
from kalos.wire.shapes import AmountText, Paged, Rows, rows_of

calls = Calls("deposits")


class DepositAddress(Answer, frozen=True):
    asset: str
    address: str
    qr: str
    protocol: str
    chain_id: int
    contract: str
    minimum: str
    confirmations: int


class HashBody(Body, frozen=True):
    hash: Annotated[str, msgspec.Meta(max_length=80)]
    amount: AmountText | None = None


class DepositShape(Answer, frozen=True):
    id: str
    asset: str
    amount: str
    status: str
    reason: str | None
    hash: str
    block: int
    confirmations: int
    required: int
    protocol: str
    time: int


class ListBody(Paged, frozen=True):
    status: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class ContractShape(Answer, frozen=True):
    asset: str
    address: str
    decimals: int


class ChainShape(Answer, frozen=True):
    chain_id: int
    name: str
    protocol: str
    height: int
    confirmations: int
    explorer: str | None
    contracts: list[ContractShape]


class Chains(Answer, frozen=True):
    list: list[ChainShape]


def _deposit(ctx: Context, row: Deposit, height: int) -> DepositShape:
    return DepositShape(
        id=str(row.id),
        asset=row.asset,
        amount=text_of(row.units, BY_CODE[row.asset]),
        status=row.status,
        reason=row.reason,
        hash=row.transaction,
        block=row.block,
        confirmations=rules.confirmations(row, height),
        required=row.required,
        protocol=ctx.house.chain.network.protocol,
        time=row.seen_at,
    )


@calls.add("/api/recharge/index")
async def index(ctx: Context, _body: Empty) -> DepositAddress:
    network = ctx.house.chain.network
    address = await service.deposit_address(ctx.house, ctx.caller.id)
    return DepositAddress(
        asset=USDT.code,
        address=address,
        qr=segno.make(address, error="m").svg_data_uri(scale=4, border=2),
        protocol=network.protocol,
        chain_id=network.chain_id,
        contract=network.contract(USDT).address,
        minimum=str(ctx.terms.topup_min[USDT]),
        confirmations=network.confirmations,
    )


@calls.add("/api/recharge/recharge", InvalidInput, InvalidAmount, SubmitFailed, HashMismatch, HashUsed, load="money")
async def recharge(ctx: Context, body: HashBody) -> DepositShape:
    row = await service.submit_hash(ctx, transaction=body.hash, amount=body.amount)
    return _deposit(ctx, row, await service.height(ctx.house))


@calls.add("/api/recharge/list", InvalidInput)
async def list_(ctx: Context, body: ListBody) -> Rows[DepositShape]:
    page, height = await service.list_deposits(ctx, body.query(ctx.terms.page_size), body.status)
    rows: Rows[DepositShape] = rows_of(page, lambda row: _deposit(ctx, row, height))
    return rows


@calls.add("/api/dapp/rechargeList", InvalidInput)
async def recharge_list(ctx: Context, body: ListBody) -> Rows[DepositShape]:
    rows: Rows[DepositShape] = await list_(ctx, body)
    return rows


@calls.add("/api/lp/chain")
async def chain(ctx: Context, _body: Empty) -> Chains:
    network = ctx.house.chain.network
    contracts = [
        ContractShape(asset=one.asset.code, address=one.address, decimals=one.decimals) for one in network.contracts
    ]
    shape = ChainShape(
        chain_id=network.chain_id,
        name=network.name,
        protocol=network.protocol,
        height=await service.height(ctx.house),
        confirmations=network.confirmations,
        explorer=network.explorer,
        contracts=contracts,
    )
    return Chains(list=[shape])
