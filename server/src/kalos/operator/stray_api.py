"""Calls of tokens that the house doesn't know: path, use case, shape."""

from typing import Annotated, Final

from msgspec import Meta

from kalos.core.errors import Forbidden, NotFound, WrongState
from kalos.core.fields import Id, Time
from kalos.domains.deposits.api import Address, ChainId, TransactionHash
from kalos.domains.deposits.rules import StrayState, StrayVerdict
from kalos.operator import strays as service
from kalos.operator.api import found_before
from kalos.operator.context import Desk
from kalos.operator.desk_shapes import Account, Age, MaybeTime, Said
from kalos.operator.errors import OwnAccount
from kalos.operator.strays import Looked
from kalos.operator.ticket_api import Account as SoughtAccount
from kalos.wire.calls import Answer, Body, Calls
from kalos.wire.shapes import Paged, RequestId, Rows, rows_of

calls = Calls("operator", audience="staff")

_CONTRACT: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
StrayId = Annotated[Id, Meta(max_length=18, examples=["31"])]
State = Annotated[StrayState, Meta(examples=["open"])]
WholeUnits = Annotated[str, Meta(pattern="^[1-9][0-9]{0,77}$", examples=["25000000"])]


class DeskStraysBody(Paged, frozen=True):
    """`account`: of this member alone."""

    state: State = "open"
    account: SoughtAccount | None = None


class DeskStray(Answer, frozen=True):
    """`units` are whole ones of the contract, whose decimals nobody here knows; `payment` sent them back.

    `listed`: the list of sanctions has the sender. `staff` decided it.
    """

    id: StrayId
    account: Account
    chain_id: ChainId
    contract: Annotated[Address, Meta(examples=[_CONTRACT])]
    units: WholeUnits
    sender: Address
    listed: bool
    address: Address
    transaction: TransactionHash
    seen_at: Time
    age_seconds: Age
    state: State
    staff: Annotated[str | None, Meta(examples=[None])]
    reason: Annotated[str | None, Meta(examples=[None])]
    payment: Annotated[TransactionHash | None, Meta(examples=[None])]
    decided_at: MaybeTime


class DecideStrayBody(Body, frozen=True):
    """`payment` is the final transaction that sent it back, of nothing else."""

    id: StrayId
    verdict: Annotated[StrayVerdict, Meta(examples=["left"])]
    reason: Said
    request_id: RequestId
    payment: Annotated[TransactionHash | None, Meta(examples=[None])] = None


@calls.add("/api/operator/strays", Forbidden)
async def strays(desk: Desk, body: DeskStraysBody) -> Rows[DeskStray]:
    page = body.query(desk.terms.page_size)
    found = await service.list_strays(desk, page, state=body.state, account=body.account)
    return rows_of(found, lambda row: _stray(desk, row))


async def _again(desk: Desk, number: str) -> DeskStray:
    return _stray(desk, await service.show_stray(desk, int(number)))


@calls.add("/api/operator/decideStray", Forbidden, NotFound, OwnAccount, WrongState, again=_again, find=found_before)
async def decide_stray(desk: Desk, body: DecideStrayBody) -> DeskStray:
    decided = await service.decide_stray(
        desk,
        int(body.id),
        verdict=body.verdict,
        payment=body.payment,
        reason=body.reason,
        request_id=body.request_id,
    )
    return _stray(desk, decided)


def _stray(desk: Desk, looked: Looked) -> DeskStray:
    one = looked.stray
    return DeskStray(
        id=str(one.id),
        account=looked.account,
        chain_id=one.chain_id,
        contract=one.contract,
        units=str(one.units),
        sender=one.sender,
        listed=looked.is_listed,
        address=one.recipient,
        transaction=one.transaction,
        seen_at=one.seen_at,
        age_seconds=max(0, desk.now - one.seen_at) // 1000,
        state=one.state,
        staff=looked.staff,
        reason=one.reason,
        payment=one.payment,
        decided_at=one.decided_at,
    )
