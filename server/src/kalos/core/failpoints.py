"""Points between two effects at which a process can be told to kill or stop itself: what a crash there leaves behind.

Outside tests nothing is told: `reach` then looks at one name and returns. Production refuses the variable.
"""

import os
import re
import signal
from collections.abc import Mapping
from typing import Final

VARIABLE: Final = "KALOS_FAILPOINT"
NAMES: Final = frozenset(
    {
        "queued",  # a posting waits in the writer's line
        "decided",  # a batch is decided on the copies, nothing is sent
        "sent",  # the statement is on its way to PostgreSQL
        "committed",  # the batch is committed, nobody was told
        "answered_half",  # half of the callers were told
        "hold_resolved_in_part",  # a hold with something left was resolved in a batch that is committed
        "grant_slice",  # a slice of the day's grants is posted
        "payable_settled",  # a payable is paid
        "outbox_read",  # a consumer has read facts, their effect isn't there
        "teams_counted",  # what was turned over is added up the line, the cursor isn't moved
        "payment_chosen",  # the signer has read a withdrawal that is due
        "payment_checked",  # nothing is wrong with it
        "payment_signed",  # the bytes are there, nobody has them
        "payment_stored",  # they are in the database, no node has them
        "payment_sent",  # they have left for a node, which hasn't answered
        "payment_answered",  # a node has taken them, that isn't stored
        "payment_seen",  # a block has the payment
        "payment_final",  # a block that is deep enough has it
        "payment_ended",  # its end is stored
        "limit_kept",  # the signer's folder has an order's limit, the console isn't told
        "limit_refused",  # it is stored that an order isn't followed, the folder has its number still to come
        "withdrawal_returned",  # it is stored that people look at it again
        "outbox_done",  # the effect is there, the cursor or mark isn't stored
    }
)
_FORM: Final = re.compile(r"([a-z_]+)(?::([1-9][0-9]{0,8}))?(:stop)?", re.ASCII)


class BadFailpoint(ValueError):
    """The variable names no point, or isn't `name`, `name:count` or `name:count:stop`."""


class _Armed:
    """One point that waits to be reached for the `left`th time."""

    def __init__(self, name: str, left: int, number: signal.Signals) -> None:
        self.name, self.left, self.number = name, left, number

    def reach(self, name: str) -> None:
        assert name in NAMES, name
        if name == self.name:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), self.number)


def reach(name: str) -> None:
    """Say that a point is reached. Where it is the one of the environment, the process ends or stops here."""
    if _armed is not None:
        _armed.reach(name)


def armed() -> bool:
    """Whether any point waits to be reached."""
    return _armed is not None


def arm(environment: Mapping[str, str]) -> _Armed | None:
    """Read the variable. Raises: BadFailpoint."""
    text = environment.get(VARIABLE, "")
    if not text:
        return None
    read = _FORM.fullmatch(text)
    if read is None or read[1] not in NAMES or (read[3] and not read[2]):
        raise BadFailpoint(f"{VARIABLE} must be name, name:count or name:count:stop of {', '.join(sorted(NAMES))}")
    return _Armed(read[1], int(read[2] or 1), signal.SIGSTOP if read[3] else signal.SIGKILL)


_armed: Final = arm(os.environ)
