"""What the writer counts about itself."""

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

from kalos.ledger.verdicts import Outcome, Verdict

COMMIT_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds: the classes in which commits are counted."""


@dataclass(slots=True)
class Figures:
    """Counts of one writer; nothing of it ever falls.

    `commits` are counts by `COMMIT_BOUNDS`, with one more place for the slower. `outcomes` are by number, without
    POSTED; `refusals` by the number of the element that refused. `questions` asked whether a key was used: they stand
    nowhere else. `cache_looks` are the copies that batches touched, `cache_misses` those of them that had to be read.
    """

    batches: int = 0
    posted: int = 0
    halvings: int = 0
    commit_seconds: float = 0.0
    commits: list[int] = field(default_factory=lambda: [0] * (len(COMMIT_BOUNDS) + 1))
    outcomes: dict[int, int] = field(default_factory=dict)
    refusals: dict[int, int] = field(default_factory=dict)
    questions: int = 0
    cache_looks: int = 0
    cache_misses: int = 0

    def committed(self, seconds: float) -> None:
        self.commit_seconds += seconds
        self.commits[bisect_left(COMMIT_BOUNDS, seconds)] += 1

    def ended(self, verdict: Verdict) -> None:
        """Count how a posting ended that wasn't accepted as new."""
        self.outcomes[verdict.outcome] = self.outcomes.get(verdict.outcome, 0) + 1
        if verdict.outcome == Outcome.REFUSED:
            self.refusals[verdict.element] = self.refusals.get(verdict.element, 0) + 1
