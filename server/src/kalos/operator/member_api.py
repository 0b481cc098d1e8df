"""Calls on members in the console: path, use case, shape."""

from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.emails import masked_email
from kalos.core.errors import Forbidden, NotFound, WrongState
from kalos.core.fields import Time
from kalos.domains.identity.rules import device_name
from kalos.domains.overview.api import SetLimits, limits_of
from kalos.operator import members as service
from kalos.operator.api import found_before
from kalos.operator.context import Desk
from kalos.operator.errors import OwnAccount
from kalos.operator.members import Looked
from kalos.operator.shapes import Reason
from kalos.operator.ticket_api import Account
from kalos.wire import languages
from kalos.wire.calls import Answer, Body, Calls
from kalos.wire.shapes import RequestId

calls = Calls("operator", audience="staff")


class DeskMemberBody(Body, frozen=True):
    """`name`: the whole account number or e-mail address."""

    name: Annotated[str, Meta(min_length=3, max_length=254, examples=["10000001"])]


class ActOnMemberBody(Body, frozen=True):
    account: Account
    reason: Reason
    request_id: RequestId


class OpenMemberBody(ActOnMemberBody, frozen=True):
    """`frozen_at` as it was shown: what was frozen anew meanwhile stays so."""

    frozen_at: Annotated[Time, Meta(lt=2**53)]


class DeskSession(Answer, frozen=True):
    """`last_at` is told to the hour."""

    device: Annotated[str, Meta(examples=["Chrome, Android"])]
    network: Annotated[str, Meta(examples=["203.0.113.9"])]
    last_at: Time


class DeskEvent(Answer, frozen=True):
    """Of the member's security log."""

    title: Annotated[str, Meta(examples=["Log-in from a new device"])]
    network: Annotated[str, Meta(examples=["203.0.113.9"])]
    device: Annotated[str, Meta(examples=["Chrome, Android"])]
    at: Time


class DeskMember(Answer, frozen=True):
    """`state` says who froze a frozen account: what the house froze, a new password doesn't open.

    `sessions` and `events`: the last ones, the latest first.
    """

    account: Account
    email: Annotated[str, Meta(examples=["a***e@example.com"])]
    country: Annotated[str | None, Meta(examples=["VN"])]
    registered_at: Time
    state: Annotated[Literal["open", "frozen_by_owner", "frozen_by_house", "closed"], Meta(examples=["open"])]
    frozen_at: Annotated[Time | None, Meta(examples=[None])]
    out_password_set: bool
    google_bound: bool
    withdrawals_held_until: Annotated[Time | None, Meta(examples=[None])]
    limits: SetLimits
    sessions: list[DeskSession]
    events: list[DeskEvent]


@calls.add("/api/operator/member", Forbidden, NotFound)
async def member(desk: Desk, body: DeskMemberBody) -> DeskMember:
    return _member(await service.find_member(desk, body.name))


async def _again(desk: Desk, account: str) -> DeskMember:
    return _member(await service.find_member(desk, account))


_ACTING = (Forbidden, OwnAccount, NotFound, WrongState)


@calls.add("/api/operator/freezeMember", *_ACTING, again=_again, find=found_before)
async def freeze_member(desk: Desk, body: ActOnMemberBody) -> DeskMember:
    return _member(await service.freeze_member(desk, body.account, reason=body.reason, request_id=body.request_id))


@calls.add("/api/operator/openMember", *_ACTING, again=_again, find=found_before)
async def open_member(desk: Desk, body: OpenMemberBody) -> DeskMember:
    return _member(
        await service.open_member(
            desk, body.account, frozen_at=body.frozen_at, reason=body.reason, request_id=body.request_id
        )
    )


def _member(found: Looked) -> DeskMember:
    row = found.row
    return DeskMember(
        account=row.account,
        email="" if row.closed_at is not None else masked_email(row.email),
        country=row.country,
        registered_at=row.registered_at,
        state=_state(found),
        frozen_at=row.frozen_at,
        out_password_set=found.has_out_password,
        google_bound=found.has_google,
        withdrawals_held_until=found.held_until,
        limits=limits_of(found.limits),
        sessions=[
            DeskSession(device=device_name(one.device), network=one.network, last_at=one.last_at)
            for one in found.sessions
        ],
        events=[
            DeskEvent(
                title=languages.event_text("en", one.event),
                network=one.network,
                device=device_name(one.device),
                at=one.at,
            )
            for one in found.events
        ],
    )


def _state(found: Looked) -> Literal["open", "frozen_by_owner", "frozen_by_house", "closed"]:
    if found.row.closed_at is not None:
        return "closed"
    if found.row.frozen_at is None:
        return "open"
    return "frozen_by_house" if found.row.frozen_by_house else "frozen_by_owner"
