"""Midnight: what each business day does once when it has ended, in the order that ledger.md names."""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Final

from kalos.domains.context import House
from kalos.ledger import days, fees, grants_release, payables_settle
from kalos.ledger.payables_settle import NotSettled

Step = Callable[[House, date], Awaitable[None]]

_DAYS_A_TURN: Final = 31


async def _sweep_fees(house: House, day: date) -> None:
    await fees.sweep(house.db, house.ledger, day)


async def _settle_in_part(house: House, day: date) -> None:
    await payables_settle.settle(house.db, house.ledger, part_of=day)


async def _release_grants(house: House, day: date) -> None:
    await grants_release.release(house.db, house.ledger, day)


# Each does its part of one day exactly once, however often it is called, and a later one counts on the earlier ones.
# Where the others go: close of the day before the fees; mining after the grants, then the day's result and its
# distribution, units, vouchers, interest, covers, merchants' settlements, and at last the snapshot for the proof.
STEPS: Final[tuple[Step, ...]] = (
    _sweep_fees,
    _settle_in_part,
    _release_grants,
)


async def turn(house: House) -> None:
    """Pay what became payable and can be paid, then do the days that have ended, each wholly before the next.

    Any number of workers may turn at once, and may be killed anywhere.
    Raises: Outage; the next turn goes on from there. NotReleased, NotSettled where somebody must look: the oldest day
      stays open until then, and has done for everybody else what it can.
    """
    stuck = await _attempt(payables_settle.settle(house.db, house.ledger))
    for _ in range(_DAYS_A_TURN):
        day = await days.next_day(house.db, house.clock.now())
        if day is None or not await days.has_ended(house.db, house.ledger, day):
            break
        for step in STEPS:
            stuck = await _attempt(step(house, day)) or stuck
        if stuck is not None:
            break
        await days.finish(house.ledger, days.MIDNIGHT, day)
    if stuck is not None:
        raise stuck


async def _attempt(work: Awaitable[None]) -> NotSettled | None:
    """A line that waits for somebody to look keeps no grant waiting: that is told when the others are served."""
    try:
        await work
    except NotSettled as problem:
        return problem
    return None
