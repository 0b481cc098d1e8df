"""What the writer answers, as it travels, and what the caller then gets: a `Posted` or the element's own refusal."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import msgspec

from kalos.core.assets import BY_NUMBER
from kalos.core.errors import (
    Busy,
    InsufficientBalance,
    MoneyOutStopped,
    Outage,
    Refusal,
    RequestConflict,
    RequestRunning,
    StateChanged,
    TooMany,
    WrongState,
)
from kalos.ledger.checks import BadPosting
from kalos.ledger.postings import Posted, Posting, Refuse

RETRY_SECONDS: Final = 1


class Outcome(IntEnum):
    """How a posting ended; the numbers travel between processes."""

    POSTED = 0
    REPLAYED = 1
    REFUSED = 2
    CONFLICT = 3
    CHANGED = 4
    BUSY = 5
    TOO_MANY = 6
    OUTAGE = 7
    BUG = 8
    RUNNING = 9
    STOPPED = 10


POSTED: Final = Outcome.POSTED
"""Most are: an enumeration takes its time to give a member."""


class Element(IntEnum):
    """Which element of a posting refused it."""

    NONE = 0
    RESOLVE = 1
    MOVE = 2
    OPEN = 3
    TAKE_SHORT = 4
    TAKE_CLOSED = 5
    LATE = 6
    CLOSED = 7
    CLOSE = 8
    MANY = 9


class Verdict(msgspec.Struct, array_like=True, gc=False, omit_defaults=True):
    """One answer. `element`, `index`, `left` and `asset` explain a refusal, `problem` an outage or a bug."""

    outcome: int
    id: int = 0
    at: int = 0
    balances: dict[int, int] = {}
    quotas: dict[str, tuple[int, ...]] = {}
    element: int = 0
    index: int = 0
    left: int | tuple[int, ...] = 0
    asset: int = 0
    problem: str = ""


def refused(element: Element, index: int, left: int | tuple[int, ...], asset: int = 0) -> Verdict:
    return Verdict(Outcome.REFUSED, element=element, index=index, left=left, asset=asset)


def outage(problem: str) -> Verdict:
    return Verdict(Outcome.OUTAGE, problem=problem)


def bug(problem: str) -> Verdict:
    return Verdict(Outcome.BUG, problem=problem)


def result_of(posting: Posting, verdict: Verdict) -> Posted | Exception:
    """Turn a verdict into what `post` returns, or into the exception that it raises."""
    if verdict.outcome == POSTED:
        return Posted(verdict.id, verdict.at, balances=verdict.balances, left=verdict.quotas)
    if verdict.outcome == Outcome.REPLAYED:
        return Posted(verdict.id, verdict.at, replayed=True)
    if verdict.outcome == Outcome.REFUSED:
        return _refusal(posting, verdict)
    if verdict.outcome == Outcome.OUTAGE:
        return Outage(verdict.problem)
    if verdict.outcome == Outcome.BUG:
        return BadPosting(verdict.problem)
    return _PLAIN[Outcome(verdict.outcome)]()


def unwrap(result: Posted | Exception) -> Posted:
    if isinstance(result, Exception):
        try:
            raise result
        finally:
            del result  # else it would know this frame, which knows it: garbage of each refusal
    return result


_PLAIN: Final[dict[Outcome, Callable[[], Exception]]] = {
    Outcome.CONFLICT: RequestConflict,
    Outcome.STOPPED: MoneyOutStopped,
    Outcome.CHANGED: StateChanged,
    Outcome.BUSY: lambda: Busy(retry_after=RETRY_SECONDS),
    Outcome.TOO_MANY: lambda: TooMany(retry_after=RETRY_SECONDS),
    Outcome.RUNNING: RequestRunning,
}


def _refusal(posting: Posting, verdict: Verdict) -> Refusal:
    own = _own(posting, Element(verdict.element), verdict.index)
    if own is not None:
        return own(left=verdict.left)
    if verdict.asset in BY_NUMBER:
        return InsufficientBalance(asset=BY_NUMBER[verdict.asset].code)
    return WrongState()


def _own(posting: Posting, element: Element, index: int) -> Refuse | None:
    """The caller's callable for an element. A joined posting may differ from the first: its index may not exist."""
    if element == Element.LATE:
        return posting.late
    if element == Element.CLOSED:
        return None
    elements = {
        Element.RESOLVE: posting.resolves,
        Element.MOVE: posting.moves,
        Element.OPEN: posting.opens,
        Element.MANY: posting.many,
        Element.CLOSE: posting.closes,
    }.get(element, posting.takes)
    if index >= len(elements):
        return None
    found = elements[index]
    if element == Element.TAKE_CLOSED:
        return getattr(found, "closed", None)
    return getattr(found, "short", None)
