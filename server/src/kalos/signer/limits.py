"""Following the console's orders of other limits: only those that two of the signer's own reviewers have signed."""

from dataclasses import asdict, replace
from typing import Any, Final

import structlog

from kalos.core.failpoints import reach
from kalos.core.limits import LIMIT_NAMES, LimitOrder
from kalos.signer import orders, rules
from kalos.signer.bench import Bench
from kalos.signer.rules import Limits
from kalos.signer.tables import SignedOrder

_SIGNERS: Final = 2
_log = structlog.get_logger("signer")


async def follow_limits(bench: Bench) -> None:
    """Take the next order, or write down why not; and tell the console what counts, where that has changed.

    The folder is written first: it is what counts, and an order's number is used once.
    """
    number = bench.limits.order + 1
    signed = await orders.list_orders(bench.db, number)
    if signed:
        found = next((order for one in signed if (order := verified(bench, one)) is not None), None)
        problem = "two trusted reviewers haven't signed it" if found is None else refusal(bench.limits, found)
        if found is not None and problem is None:
            bench.limits = bench.keep(ordered(bench.limits, found))
            reach("limit_kept")
            _log.warning("a limit was changed by an order", number=number, limit=found.name, value=found.after)
        else:
            await orders.refuse_order(bench.db, number, str(problem))
            reach("limit_refused")
            bench.limits = bench.keep(replace(bench.limits, order=number))
            _log.error("an order of a limit is not followed", number=number, problem=problem)
    told: dict[str, int] = {name: asdict(bench.limits)[name] for name in LIMIT_NAMES}
    await orders.tell_limits(bench.db, told, bench.limits.order)


def verified(bench: Bench, one: SignedOrder) -> LimitOrder | None:
    """The order, where two different people whom the folder names have signed this very text."""
    signers = rules.signers(one.message.encode(), one.signatures, bench.trusted())
    return LimitOrder.read(one.message) if len(signers) >= _SIGNERS else None


def ordered(limits: Limits, order: LimitOrder) -> Limits:
    """The limits with the order followed. Raises: AssertionError where they don't fit each other then."""
    change: dict[str, Any] = {order.name: order.after, "order": order.number}
    return replace(limits, **change)


def refusal(limits: Limits, order: LimitOrder) -> str | None:
    """Why an order that was signed isn't followed."""
    if order.number != limits.order + 1:
        return "it has another number"
    if asdict(limits)[order.name] != order.before:
        return f"{order.name} isn't {order.before} here"
    try:
        ordered(limits, order)
    except AssertionError as problem:
        return str(problem) or "the limits don't fit each other"
    return None
