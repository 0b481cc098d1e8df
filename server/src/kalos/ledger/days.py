"""Day jobs: which business day is next, whether it is over for the ledger too, and what was done for it."""

import os
from datetime import date, timedelta
from typing import Final

from kalos.core.clock import business_day
from kalos.core.database import Database
from kalos.ledger.postings import Insert, Ledger, Posting, Stamp, key_of

RUNS: Final = "day_runs"
MIDNIGHT: Final = "midnight"

_NEXT: Final = "SELECT max(day) + 1 FROM day_runs WHERE job = $1 AND item = ''"
_DONE: Final = "SELECT item FROM day_runs WHERE job = $1 AND day = $2"


def mark(job: str, item: str, day: date) -> Insert:
    """The rider that says: this was done for that day. It can be written once, and only after the day."""
    return Insert(RUNS, {"job": job, "item": item, "day": str(day), "at": Stamp.AT, "ran_on": Stamp.DAY})


async def done(db: Database, job: str, day: date) -> set[str]:
    """The items that a job has done for a day."""
    return {row["item"] for row in await db.rows(_DONE, job, day)}


async def finish(ledger: Ledger, job: str, day: date) -> None:
    """Mark a job as done for a day; whoever comes second changes nothing."""
    await ledger.post(Posting(key=key_of(job, day), riders=[mark(job, "", day)]))


async def next_day(db: Database, now: int) -> date | None:
    """The oldest day that has ended and whose midnight isn't finished, if there is one."""
    day: date = await db.value(_NEXT, MIDNIGHT)
    return day if day < business_day(now) else None


async def has_ended(db: Database, ledger: Ledger, day: date) -> bool:
    """Whether the ledger itself stands on a later day, so that nothing can be added to this one any more.

    The writer's clock may be a moment behind the caller's, and its time never goes back: where nothing was posted
    since, an empty posting asks it, under a key of its own: an earlier answer says nothing of now.
    """
    last_at: int = await db.value("SELECT last_at FROM ledger_tail")
    if business_day(last_at) <= day:
        last_at = (await ledger.post(Posting(key=os.urandom(32)))).at
    return business_day(last_at) > day


def day_before(day: date) -> date:
    return day - timedelta(days=1)
