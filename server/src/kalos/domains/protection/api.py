"""Calls of notices, limits and breaks: path, use case, shape."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from kalos.core.assets import USDT
from kalos.core.errors import InvalidAmount, InvalidInput, PriceUnavailable
from kalos.core.fields import DecimalText, SignedText, Time
from kalos.core.money import parse_amount, text_of
from kalos.core.ports import Feature
from kalos.domains.context import Context
from kalos.domains.protection import rules, service
from kalos.domains.protection.errors import Version
from kalos.domains.protection.rules import Kind
from kalos.domains.protection.service import Brakes, Notice
from kalos.wire.calls import Answer, Body, Calls, Done, Empty
from kalos.wire.shapes import AmountText

calls = Calls("protection")

FeatureName = Annotated[Feature, Meta(examples=["games"])]
Minutes = Annotated[int, Meta(ge=5, le=1_440, examples=[60])]
_LIMIT = {"amount": "100.000000", "used": "10.000000", "next_amount": None, "next_from": None}


class NoticeRow(Answer, frozen=True):
    """`accepted_at` is null where it has still to be accepted, 0 where it came with demo mode's registration."""

    feature: FeatureName
    version: Version
    text: Annotated[str, Meta(examples=["A bet can be lost as a whole."])]
    on: Annotated[bool, Meta(description="whether the feature can be used in the member's country", examples=[True])]
    accepted_at: Annotated[Time | None, Meta(examples=[None])]


class NoticesAnswer(Answer, frozen=True):
    list: list[NoticeRow]


class AcceptBody(Body, frozen=True):
    feature: FeatureName
    version: Version


class OwnLimit(Answer, frozen=True):
    """In USDT; null is no limit. `used` is today's. From `next_from` on `next_amount` counts instead."""

    amount: Annotated[DecimalText | None, Meta(examples=["100.000000"])]
    used: DecimalText
    next_amount: Annotated[DecimalText | None, Meta(examples=[None])]
    next_from: Annotated[Time | None, Meta(examples=[None])]


class LimitsAnswer(Answer, frozen=True):
    """`reminder` is the minutes after which the page reminds; `result`, in USDT, is today's prizes less lost stakes,
    what is open apart. A limit that is raised now counts from `raise_from` on."""

    stake: Annotated[OwnLimit, Meta(examples=[_LIMIT])]
    loss: Annotated[OwnLimit, Meta(examples=[_LIMIT])]
    topup: Annotated[OwnLimit, Meta(examples=[_LIMIT])]
    reminder: Annotated[Minutes | None, Meta(examples=[60])]
    result: SignedText
    raise_from: Time
    paused_until: Annotated[Time | None, Meta(examples=[None])]
    excluded_until: Annotated[Time | None, Meta(examples=[None])]


class SetLimitsBody(Body, frozen=True):
    """In USDT for a business day; null ends a limit, what is absent stays as it is."""

    stake: AmountText | UnsetType | None = UNSET
    loss: AmountText | UnsetType | None = UNSET
    topup: AmountText | UnsetType | None = UNSET
    reminder: Minutes | UnsetType | None = UNSET


class BreakBody(Body, frozen=True):
    days: Annotated[int, Meta(ge=1, le=90, examples=[7])]


class ExcludeBody(Body, frozen=True):
    months: Annotated[int, Meta(ge=6, le=120, examples=[6])]


class UntilAnswer(Answer, frozen=True):
    until: Time


@calls.add("/api/user/disclosures")
async def disclosures(ctx: Context, _: Empty) -> NoticesAnswer:
    return NoticesAnswer(list=[_notice(notice) for notice in await service.list_notices(ctx)])


@calls.add("/api/user/acceptDisclosure")
async def accept_disclosure(ctx: Context, body: AcceptBody) -> Done:
    await service.accept_notice(ctx, feature=body.feature, version=body.version)
    return Done()


@calls.add("/api/user/limits", PriceUnavailable)
async def limits(ctx: Context, _: Empty) -> LimitsAnswer:
    return _limits(await service.show_brakes(ctx))


@calls.add("/api/user/setLimits", InvalidAmount, PriceUnavailable)
async def set_limits(ctx: Context, body: SetLimitsBody) -> LimitsAnswer:
    wanted: dict[Kind, int | None] = {}
    for kind in rules.KINDS:
        value = getattr(body, kind)
        if value is not UNSET:
            wanted[kind] = value if value is None or kind == "reminder" else parse_amount(value, USDT).units
    if not wanted:
        raise InvalidInput(errors=[{"field": "stake", "reason": "nothing_given"}])
    return _limits(await service.set_limits(ctx, wanted))


@calls.add("/api/user/takeBreak")
async def take_break(ctx: Context, body: BreakBody) -> UntilAnswer:
    if body.days > ctx.terms.break_days:
        raise InvalidInput(errors=[{"field": "days", "reason": "too_long"}])
    return UntilAnswer(until=await service.take_break(ctx, days=body.days))


@calls.add("/api/user/selfExclude")
async def self_exclude(ctx: Context, body: ExcludeBody) -> UntilAnswer:
    if body.months < ctx.terms.exclude_months:
        raise InvalidInput(errors=[{"field": "months", "reason": "too_short"}])
    return UntilAnswer(until=await service.exclude(ctx, months=body.months))


def _notice(notice: Notice) -> NoticeRow:
    return NoticeRow(
        feature=notice.feature,
        version=notice.version,
        text=notice.text,
        on=notice.is_on,
        accepted_at=notice.accepted_at,
    )


def _limits(brakes: Brakes) -> LimitsAnswer:
    def own(kind: Kind) -> OwnLimit:
        limit = brakes.limits[kind]
        return OwnLimit(
            amount=_text(limit.value),
            used=text_of(max(0, brakes.day.used(kind)), USDT),
            next_amount=_text(limit.next_value),
            next_from=limit.next_from,
        )

    return LimitsAnswer(
        stake=own("stake"),
        loss=own("loss"),
        topup=own("topup"),
        reminder=brakes.limits["reminder"].value,
        result=text_of(-brakes.day.lost, USDT),
        raise_from=brakes.raise_from,
        paused_until=brakes.paused_until,
        excluded_until=brakes.excluded_until,
    )


def _text(units: int | None) -> str | None:
    return None if units is None else text_of(units, USDT)
