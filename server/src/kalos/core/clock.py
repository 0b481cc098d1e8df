"""Two clocks: business time, which demo mode moves forward, and the wall's."""

import time
from datetime import date, datetime, timedelta, timezone
from typing import Final

BUSINESS_ZONE: Final = timezone(timedelta(hours=8))

SECOND_MS: Final = 1_000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS


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


def skew(before: int, theirs: int, after: int) -> int:
    """How far another clock is off ours, at the least: it was read between `before` and `after`."""
    return theirs - after if theirs > after else min(theirs - min(before, after), 0)
