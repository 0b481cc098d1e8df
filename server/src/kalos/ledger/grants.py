"""Grants: what releases to a member over days. The plan of one, the riders that open and stop it, and its reads."""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final

from kalos.core.database import Database, Record
from kalos.core.money import times_down
from kalos.core.pages import MOST_COUNTED, Page, PageQuery, counted_page
from kalos.ledger.postings import Insert, Set, Stamp
from kalos.ledger.purse import owner_of

TABLE: Final = "grants"
RUNNING, ENDED, STOPPED = "running", "ended", "stopped"
_COLUMNS: Final = (
    "id, member, source, target, kind, reference, total, daily, released, first_day, last_day, released_day, status"
)
_OF_MEMBER: Final = f"""
    SELECT {_COLUMNS} FROM grants WHERE member = $1 AND id < $2 ORDER BY id DESC LIMIT $3
"""
_COUNT: Final = "SELECT count(*) FROM (SELECT 1 FROM grants WHERE member = $1 LIMIT $2) AS found"


@dataclass(frozen=True, slots=True)
class Plan:
    """`daily` units on each day from `first_day` on; the last day brings what is left of `total`.

    Source: ledger.md, "Grants" and "Rounding".
    """

    total: int
    daily: int
    first_day: date
    last_day: date

    def __post_init__(self) -> None:
        assert self.total > 0, self
        assert self.first_day <= self.last_day, self
        assert 0 <= self.daily * (self.last_day - self.first_day).days <= self.total, self

    @classmethod
    def by_rate(cls, total: int, rate: Fraction, first_day: date) -> "Plan":
        """A part of the total each day, rounded down, over as many days as the parts fill."""
        assert 0 < rate <= 1, rate
        days = -(-rate.denominator // rate.numerator)
        return cls(total, times_down(total, rate), first_day, first_day + timedelta(days=days - 1))

    @classmethod
    def by_amount(cls, total: int, daily: int, first_day: date) -> "Plan":
        """So many units each day, until there are none."""
        assert daily > 0, daily
        return cls(total, daily, first_day, first_day + timedelta(days=-(-total // daily) - 1))

    def units_on(self, day: date) -> int:
        """What the midnight that ends `day` releases."""
        if not self.first_day <= day <= self.last_day:
            return 0
        return self.total - self.daily * (day - self.first_day).days if day == self.last_day else self.daily

    def released_by(self, day: date) -> int:
        """What has been released when the midnight that ends `day` is over."""
        if day >= self.last_day:
            return self.total
        return self.daily * max(0, (day - self.first_day).days + 1)


@dataclass(frozen=True, slots=True)
class Grant:
    """One grant as stored. `source`, `target` are accounts; `released_day` is the last day that was released."""

    id: int
    member: int
    source: int
    target: int
    kind: str
    reference: int
    total: int
    daily: int
    released: int
    first_day: date
    last_day: date
    released_day: date
    status: str


def open_grant(plan: Plan, *, kind: str, source: int, target: int, reference: int | None = None) -> Insert:
    """The rider that opens a grant; a posting opens one at most, whose id is the posting's.

    Its releases are moves of `kind` with `reference` (the grant's own id where there is none); no other moves have that
    kind, since the whole audit compares its sums with what grants have released. An issuance is capped
    by the quota that the same posting takes the total from. A house source that can't pay owes (payables).
    `first_day` is not before the day of the posting: the next day for all but the NFT's.
    """
    return Insert(
        TABLE,
        {
            "id": Stamp.ID,
            "member": owner_of(target),
            "source": source,
            "target": target,
            "kind": kind,
            "reference": Stamp.ID if reference is None else reference,
            "total": plan.total,
            "daily": plan.daily,
            "released": 0,
            "opened_day": Stamp.DAY,
            "first_day": str(plan.first_day),
            "last_day": str(plan.last_day),
            "released_day": str(plan.first_day - timedelta(days=1)),
            "status": RUNNING,
        },
    )


def stop_grant(grant: Grant) -> Set:
    """The rider that ends a running grant where it stands; what isn't released by then never is."""
    return Set(
        TABLE,
        key={"id": grant.id},
        expect={"status": RUNNING, "released_day": str(grant.released_day)},
        values={"status": STOPPED},
    )


async def list_of_member(db: Database, member: int, query: PageQuery) -> Page[Grant]:
    """A member's grants, newest first; the key is the id."""
    before = 2**63 - 1 if query.after is None else query.after
    found = await db.rows(_OF_MEMBER, member, before, query.skip + query.size + 1)
    total: int = await db.value(_COUNT, member, MOST_COUNTED + 1)
    return counted_page([_grant(row) for row in found[query.skip :]], query, total, lambda grant: grant.id)


def _grant(row: Record) -> Grant:
    values: dict[str, Any] = dict(row)
    return Grant(**values)
