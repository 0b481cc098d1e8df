"""What is wrong with chain and clocks, from what one look found."""

from dataclasses import dataclass
from typing import Final, Literal

from kalos.core.clock import MOST_SKEW_MS, SECOND_MS, skew
from kalos.core.ports import Closed

Reason = Literal["nodes", "late", "block_time", "clock"]
"""The nodes don't answer or don't agree; no new block for too long; a block's time isn't when it came; the wall's clock
isn't the database's."""

UNWATCHED_SECONDS: Final = 15.0
"""After so long without a beat nobody knows how the chain is."""

_SHOWN: Final[dict[Reason, Closed]] = {"nodes": "chain", "late": "chain", "block_time": "clock", "clock": "clock"}


@dataclass(frozen=True, slots=True)
class Tip:
    """The newest block, in milliseconds of business time: its own, and that of the block before it."""

    number: int
    at: int
    parent_at: int


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the chain: it began and ended at these points in business time. `tip` None: nodes don't agree."""

    began: int
    ended: int
    tip: Tip | None


def off_by(last: Look | None, look: Look, *, is_demo: bool) -> int | None:
    """How far a block that came between two looks is off the time in which it came, at the least. None: none came.

    In demo mode a call may mine blocks ahead of their time, each a second after the one before: such a one doesn't
    count, nor those behind it until time has caught up with them.
    """
    tip = look.tip
    if tip is None or (last is not None and last.tip is not None and last.tip.number >= tip.number):
        return None
    if is_demo and tip.at - tip.parent_at <= SECOND_MS:
        return 0
    return skew(tip.at if last is None else last.began, tip.at, look.ended)


def reason_of(look: Look, *, block_off: int, clock_off: int, block_seconds: int, window_seconds: int) -> Reason | None:
    """Why games take no bets; None: they do."""
    if abs(clock_off) > MOST_SKEW_MS:
        return "clock"
    if look.tip is None:
        return "nodes"
    if abs(block_off) > block_seconds * SECOND_MS:
        return "block_time"
    if look.began - look.tip.at > window_seconds * SECOND_MS:
        return "late"
    return None


def shown(reason: Reason | None, *, age_seconds: float | None, own_skew_ms: int, writer_skew_ms: int) -> Closed | None:
    """What members are told, from the last beat, a process's own clock and the writer's, whose time says what came
    before what. No beat ever: nothing was opened yet."""
    if max(abs(own_skew_ms), abs(writer_skew_ms)) > MOST_SKEW_MS:
        return "clock"
    if age_seconds is not None and age_seconds > UNWATCHED_SECONDS:
        return "chain"
    return None if reason is None else _SHOWN[reason]
