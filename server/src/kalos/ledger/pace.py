"""How many of those that wait go into the next batch."""

from typing import Final

_SHARE: Final = 0.1  # of a new measurement in the averages
_PATIENCE: Final = 4  # a wait is this much shorter than what it may spare
_DATABASE: Final = 1.2  # what the database works for a row, in times of what the writer works for its posting


class Pace:
    """Weighs the part of a commit that costs the same for one row as for many (the flush, the round trip) against work.

    Where that part is short, half of the postings at once is best: while the database writes them, the writer and its
    callers work on the other half. Where flushing is slow, all of them at once: each flush then serves more.
    Seconds throughout.
    """

    __slots__ = ("_fixed", "_work")

    def __init__(self) -> None:
        self._work = 50e-6  # of the writer, for one posting
        self._fixed = 0.0  # of a commit, whatever its size

    def worked(self, seconds: float, postings: int) -> None:
        """The writer has decided and rendered a batch."""
        self._work += _SHARE * (seconds / postings - self._work)

    def committed(self, seconds: float, postings: int) -> None:
        fixed = max(0.0, seconds - _DATABASE * self._work * postings)
        self._fixed += _SHARE * (fixed - self._fixed)

    def size(self, unanswered: int) -> int:
        """So many postings at the most, where so many have no answer yet."""
        return unanswered if self._slow(unanswered) else (unanswered + 1) // 2

    def patience(self, answered: int) -> float:
        """So many seconds to wait for those who were answered, and may come again, before the next commit."""
        return self._fixed / _PATIENCE if self._slow(answered) else 0.0

    def _slow(self, postings: int) -> bool:
        return self._fixed > 3 * self._work * postings
