"""Two clocks: business time, which demo mode moves forward, and the wall's."""

import time
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Final

BUSINESS_ZONE: Final = timezone(timedelta(hours=8))

SECOND_MS: Final = 1_000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS

MOST_SKEW_MS: Final = SECOND_MS
"""A clock that is further off the database's is wrong."""


class Clock:
    """Points in time are whole Unix milliseconds.

    `offset_ms` is what business time runs ahead of the wall; it is a stored row that every process follows
    within a second, and it never falls.
    """

    def __init__(self, offset_ms: int = 0) -> None:
        self.offset_ms = offset_ms

    def now(self) -> int:
        """Business time: jobs, rounds, prices, terms, stamps of the ledger."""
        return self.wall() + self.offset_ms

    @staticmethod
    def wall() -> int:
        """Real time: wire, sessions, codes, captchas, tries."""
        return time.time_ns() // 1_000_000


def business_day(at_ms: int) -> date:
    """The stored date of a point in business time: UTC+8, from 00:00. Source: ledger.md."""
    return datetime.fromtimestamp(at_ms / 1000, BUSINESS_ZONE).date()


def day_start_ms(day: date) -> int:
    """The first millisecond of a business day."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=BUSINESS_ZONE)
    return int(midnight.timestamp()) * 1000


def utc_text(at_ms: int) -> str:
    """A time as an operator on the machine reads it."""
    return datetime.fromtimestamp(at_ms / SECOND_MS, UTC).strftime("%Y-%m-%d %H:%M UTC")


def skew(before: int, theirs: int, after: int) -> int:
    """How far another clock is off ours, at the least: it was read between `before` and `after`."""
    return theirs - after if theirs > after else min(theirs - min(before, after), 0)


class Jumps:
    """How far the wall's clock jumped since this was made: somebody set it, or the machine stood still."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._before, self._at, self._after = self._read()

    def since(self) -> int:
        """In milliseconds, at the least; below zero: back. What goes by between two readings counts as no jump."""
        before, at, after = self._read()
        return skew(before - self._after, at - self._at, after - self._before)

    def _read(self) -> tuple[int, int, int]:
        before = time.monotonic_ns() // 1_000_000
        return before, self._clock.wall(), time.monotonic_ns() // 1_000_000 + 1
