"""Garbage in a process that doesn't look for it by itself, since that would stop its loop at any time."""

import gc
import time
from typing import Final

_IDLE_SECONDS: Final = 1.0  # at least from one look to the next, while nothing waits
_BUSY_SECONDS: Final = 10.0  # and while something always does: beside a commit


class Garbage:
    """When it was last looked for. What is done leaves none as a rule; what comes seldom may, and libraries may."""

    def __init__(self) -> None:
        self._looked = time.monotonic()

    def while_idle(self) -> None:
        self._look(_IDLE_SECONDS)

    def while_busy(self) -> None:
        self._look(_BUSY_SECONDS)

    def _look(self, seconds: float) -> None:
        if not gc.isenabled() and time.monotonic() - self._looked > seconds:
            gc.collect(1)
            self._looked = time.monotonic()


def collect_all() -> None:
    """What is old, too: only while nobody is served."""
    if not gc.isenabled():
        gc.collect()
