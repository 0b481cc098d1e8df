"""Calls of deposits: the address, a transaction's hash, lists, and the chain itself."""

from functools import lru_cache
from typing import Annotated, Final

import segno
from msgspec import Meta

from kalos.core.assets import BY_CODE, USDT
from kalos.core.errors import InvalidAmount
from kalos.core.fields import AssetCode, BlockHash, DecimalText, Height, Id, Time
from kalos.core.money import text_of
from kalos.domains.context import Context
from kalos.domains.deposits import queries, rules, service
from kalos.domains.deposits.errors import HashMismatch, HashUsed, SubmitFailed
from kalos.domains.deposits.rules import Reason, Status
from kalos.domains.deposits.tables import Deposit
from kalos.wire.calls import Answer, Body, Calls, Empty
from kalos.wire.shapes import AmountText, Paged, Rows, rows_of

calls = Calls("deposits")

_MOST_DRAWN: Final = 1_000  # codes of some 3 kB

_HASH: Final = "0x8c985b2d9224b0990ca78846b48567f739e5deb2fc2ab7f81f16fc379107e55d"
HashText = Annotated[
    str, Meta(max_length=80, examples=[_HASH], extra_json_schema={"pattern": "^\\s*0[xX][0-9a-fA-F]{64}\\s*$"})
]
TransactionHash = Annotated[BlockHash, Meta(examples=[_HASH])]
Address = Annotated[str, Meta(pattern="^0x[0-9a-fA-F]{40}$", examples=["0x52908400098527886E0F7030069857D2E4169EE7"])]
Protocol = Annotated[str, Meta(examples=["ERC-20"])]
ChainId = Annotated[int, Meta(ge=1, examples=[31337])]
Confirmations = Annotated[int, Meta(ge=0, description="blocks on top of the deciding one", examples=[3])]
TopUp = Annotated[DecimalText, Meta(examples=["100.000000"])]
Contract = Annotated[Address, Meta(examples=["0x8617E340B3D01FA5F11F306F4090FD50E238070D"])]


class DepositAddress(Answer, frozen=True):
    """`qr` is a data URL, `contract` the only one whose coins count.

    `delayed`: the chain's nodes don't agree or stand still, so that what arrives shows later.
    """

    asset: AssetCode
    address: Address
    qr: Annotated[str, Meta(examples=["data:image/svg+xml;charset=utf-8,%3Csvg/%3E"])]
    protocol: Protocol
    chain_id: ChainId
    contract: Contract
    minimum: DecimalText
    confirmations: Confirmations
    delayed: Annotated[bool, Meta(examples=[False])]


class HashBody(Body, frozen=True):
    hash: HashText
    amount: Annotated[AmountText | None, Meta(examples=["100"])] = None


class DepositShape(Answer, frozen=True):
    id: Annotated[Id, Meta(examples=["987"])]
    asset: AssetCode
    amount: TopUp
    status: Annotated[Status, Meta(examples=["approved"])]
    reason: Annotated[Reason | None, Meta(examples=[None])]
    hash: TransactionHash
    block: Annotated[Height, Meta(examples=[7940])]
    confirmations: Confirmations
    required: Confirmations
    protocol: Protocol
    time: Annotated[Time, Meta(examples=[1795074737000])]


class ListBody(Paged, frozen=True):
    status: Annotated[Status | None, Meta(examples=["approved"])] = None


class ContractShape(Answer, frozen=True):
    asset: AssetCode
    address: Contract
    decimals: Annotated[int, Meta(ge=0, examples=[6])]


class ChainShape(Answer, frozen=True):
    """`height` is the last block that was read, `explorer` the beginning of its pages' addresses."""

    chain_id: ChainId
    name: Annotated[str, Meta(examples=["Local test chain"])]
    protocol: Protocol
    height: Height
    confirmations: Confirmations
    explorer: Annotated[str | None, Meta(examples=["https://explorer.example"])]
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


@lru_cache(_MOST_DRAWN)
def _qr(address: str) -> str:
    """Drawn once for all looks of a member: it takes the event loop some milliseconds."""
    return segno.make(address, error="m").svg_data_uri(scale=4, border=2)


@calls.add("/api/recharge/index")
async def index(ctx: Context, _body: Empty) -> DepositAddress:
    network = ctx.house.chain.network
    address = await service.deposit_address(ctx.house, ctx.caller.id)
    behind = await queries.find_behind(ctx.house.db, network.chain_id) or 0
    return DepositAddress(
        asset=USDT.code,
        address=address,
        qr=_qr(address),
        protocol=network.protocol,
        chain_id=network.chain_id,
        contract=network.contract(USDT).address,
        minimum=str(ctx.terms.topup_min[USDT]),
        confirmations=network.confirmations,
        delayed=ctx.house.pulse.closed() == "chain" or behind > rules.MOST_BEHIND,
    )


@calls.add("/api/recharge/recharge", InvalidAmount, SubmitFailed, HashMismatch, HashUsed, load="money")
async def recharge(ctx: Context, body: HashBody) -> DepositShape:
    row = await service.submit_hash(ctx, transaction=body.hash, amount=body.amount)
    return _deposit(ctx, row, await service.height(ctx.house))


@calls.add("/api/recharge/list")
async def list_(ctx: Context, body: ListBody) -> Rows[DepositShape]:
    page, height = await service.list_deposits(ctx, body.query(ctx.terms.page_size), body.status)
    rows: Rows[DepositShape] = rows_of(page, lambda row: _deposit(ctx, row, height))
    return rows


@calls.add("/api/dapp/rechargeList")
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
