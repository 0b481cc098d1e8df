"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

SWITCHES: Final = "switches"
NUMBERS: Final = "number_orders"
NOTICES: Final = "notices_accepted"
LIMITS: Final = "player_limits"
BREAKS: Final = "player_breaks"
STEPS: Final = "player_steps"


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """What `ordered_by` (with `checker`) turned on or off and why.

    Country "" is everywhere; the latest of a name and country counts.
    """

    id: int
    name: str
    country: str
    is_on: bool
    reason: str
    ordered_by: str
    at: int
    checker: str | None


@dataclass(frozen=True, slots=True)
class NumberRow:
    """What `ordered_by` (with `checker`) set a business number to and why, in integers of its last decimal place.

    Country "" is everywhere; the latest of both counts.
    """

    id: int
    name: str
    country: str
    value: int
    reason: str
    ordered_by: str
    at: int
    checker: str | None


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """Which text a member accepted: its version, in which language he read it, and the text's SHA-256."""

    member: int
    feature: str
    version: int
    lang: str
    text_hash: bytes
    at: int


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A member's own limit in units of USDT (`reminder`: minutes), and what replaces it from `next_from` on."""

    member: int
    kind: str
    value: int | None
    next_value: int | None
    next_from: int | None
    changed_at: int


@dataclass(frozen=True, slots=True)
class BreakRow:
    """A time without play and investment: a member's one row of a kind. Nothing shortens it."""

    member: int
    kind: str
    from_at: int
    until_at: int


@dataclass(frozen=True, slots=True)
class StepRow:
    """How many stakes of a member were held against limits: each posting compares and counts it."""

    member: int
    step: int


ROWS: Final[dict[str, type[Any]]] = {
    SWITCHES: SwitchRow,
    NUMBERS: NumberRow,
    NOTICES: NoticeRow,
    LIMITS: LimitRow,
    BREAKS: BreakRow,
    STEPS: StepRow,
}
