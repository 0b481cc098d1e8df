"""What each process knows of the pulse: whether games take bets here and now."""

import time

from kalos.core.clock import Clock, skew
from kalos.core.database import Database
from kalos.core.ports import Closed
from kalos.domains.pulse import queries, rules
from kalos.domains.pulse.queries import Known


class FollowedPulse:
    """A `Pulse`: the last beat and the writer's clock as they were read, and this process's clock beside the
    database's."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._known: Known | None = None
        self._read_at = 0.0
        self._skew_ms = 0

    def closed(self) -> Closed | None:
        if self._known is None:
            return None
        age = self._known.age_seconds
        if age is not None:
            age += time.monotonic() - self._read_at
        writer = self._known.writer_off_ms
        return rules.shown(self._known.reason, age_seconds=age, own_skew_ms=self._skew_ms, writer_skew_ms=writer)

    async def look(self) -> None:
        """Read the last beat and compare the clocks. Raises: Outage."""
        before = self._clock.wall()
        theirs = await queries.read_database_time(self._db)
        self._skew_ms = skew(before, theirs, max(before, self._clock.wall()))
        read_at = time.monotonic()
        self._known, self._read_at = await queries.read_pulse(self._db), read_at
