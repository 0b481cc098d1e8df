"""A writer's copies and keys, as many as it ever keeps: `full_writer.py PART` prints what a PART-th of them takes.

Two numbers in bytes: the process before, and at its largest. Every number is as long as a real one, no text is shared.
"""

import os
import sys
from itertools import islice
from pathlib import Path
from typing import Any, Final

from kalos.core.assets import USDT
from kalos.ledger import engine, state
from kalos.ledger.purse import FIRST_MEMBER, available, held
from kalos.ledger.state import Hold, Quota, State
from kalos.ledger.vectors import joined

_DIGITS: Final = 10
_UNITS: Final = 10**12
_BATCH: Final = 32


def peak_bytes() -> int:
    status = Path("/proc/self/status").read_text()
    return 1_024 * int(status.partition("VmHWM:")[2].split()[0])


def fill(part: int) -> State:
    most = engine.MOST_COPIES // part
    full = State()
    for number in range(most):
        member = FIRST_MEMBER + number
        account = (available if number % 2 else held)(member, USDT)
        full.accounts[account] = (_UNITS + number, 1_000 + number)
        full.holds[8 * (_UNITS + number)] = Hold(held(member, USDT), _UNITS + number, _UNITS + number, 300)
        if number % 2:
            continue
        name = f"game.member:{1_700_000_000_000 + number}:USDT:{member}"
        full.quotas[name] = Quota(joined([_UNITS + number + digit for digit in range(_DIGITS)]), _DIGITS, number, True)
    # All of them were touched lately, batch by batch: at once a set would take twice as much.
    touched: tuple[dict[Any, Any], ...] = (full.accounts, full.holds, full.quotas)
    for used, copies in zip(full.used, touched, strict=True):
        names = iter(copies)
        while batch := dict.fromkeys(islice(names, _BATCH)):
            used.update(batch)
    for first in range(0, state.MOST_KEYS // part, _BATCH):
        prints = [int.from_bytes(os.urandom(7), "big") for _ in range(_BATCH)]
        full.remember([os.urandom(16) for _ in range(_BATCH)], prints, _UNITS + first, _UNITS)
    return full


def main() -> None:
    before = peak_bytes()
    full = fill(int(sys.argv[1]))
    assert full.accounts
    print(before, peak_bytes())  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
