"""The row of this domain's table; the fields are the columns."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from kalos.domains.pulse.rules import Reason

PULSE: Final = "chain_pulse"


@dataclass(frozen=True, slots=True)
class PulseRow:
    """What the last beat found; times are the database's. `faults` are sentences on nodes, one a line."""

    one: bool
    holder: str | None
    beat_at: datetime | None
    reason: Reason | None
    since: datetime | None
    head: int | None
    clock_off_ms: int
    block_off_ms: int
    left_out: int
    faults: str


ROWS: Final[dict[str, type[Any]]] = {PULSE: PulseRow}
