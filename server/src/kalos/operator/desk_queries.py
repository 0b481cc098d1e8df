"""What the dashboard and the queues read of other rooms' tables: sums, counts and ages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kalos.core.database import Database

_COUNTED: Final = 1_000
JobResult = Literal["done", "waits", "failed"]
QueueName = Literal["withdrawals", "deposits", "strays", "commands", "tickets"]
_QUEUES: Final[dict[QueueName, tuple[str, str]]] = {
    "withdrawals": ("requested_at", "withdrawals WHERE status = 'pending_review'"),
    "deposits": ("seen_at", "deposits WHERE status = 'pending_review' AND reason <> 'below_minimum'"),
    "strays": ("seen_at", "strays WHERE state = 'open'"),
    "commands": ("made_at", "commands WHERE state = 'open'"),
    "tickets": ("asked_at", "tickets WHERE state = 'open'"),
}
"""What waits for a person: since when, and where it stands. Small top-ups wait for more money, not for anybody."""


@dataclass(frozen=True, slots=True)
class Queue:
    """`count` goes up to 1,000; `oldest_at` is None where nothing waits."""

    name: QueueName
    count: int
    oldest_at: int | None


@dataclass(frozen=True, slots=True)
class Owed:
    """What a house account couldn't pay yet: so many open payables, together `units`."""

    account: int
    count: int
    units: int
    oldest_at: int


async def list_queues(db: Database) -> list[Queue]:
    found = []
    for name, (since, rows) in _QUEUES.items():
        row = await db.row(
            f"SELECT (SELECT count(*) FROM (SELECT FROM {rows} LIMIT {_COUNTED}) AS counted) AS count,"
            f" (SELECT min({since}) FROM {rows}) AS oldest_at"
        )
        assert row is not None, name
        found.append(Queue(name, row["count"], row["oldest_at"]))
    return found


async def list_owed(db: Database) -> list[Owed]:
    rows = await db.rows(
        """
        SELECT account, count(*) AS count, sum(left_units) AS units, min(since) AS oldest_at
        FROM payables WHERE left_units > 0 GROUP BY account ORDER BY account
        """
    )
    return [Owed(row["account"], row["count"], int(row["units"]), row["oldest_at"]) for row in rows]


@dataclass(frozen=True, slots=True)
class JobRun:
    """A job's last run as its worker wrote it down; while one is under way, all but its start is of the run before."""

    name: str
    every_ms: int
    started_at: int
    ended_at: int | None
    result: JobResult | None
    error: str | None


async def list_runs(db: Database, since: int = 0) -> list[JobRun]:
    """Those that began since then."""
    rows = await db.rows(
        "SELECT name, every_ms, started_at, ended_at, result, error FROM job_runs WHERE started_at >= $1 ORDER BY name",
        since,
    )
    return [JobRun(**dict(row)) for row in rows]


async def find_audited(db: Database) -> tuple[int | None, int | None]:
    """When the running audit made its last step, and when everything was audited last."""
    row = await db.row("SELECT (SELECT at FROM ledger_watch) AS running, (SELECT at FROM ledger_audit) AS whole")
    assert row is not None
    return row["running"], row["whole"]


async def list_names(db: Database, staff: Sequence[int]) -> dict[int, str]:
    """The names of these people, whether they still work here or not."""
    rows = await db.rows("SELECT id, name FROM staff WHERE id = ANY($1::bigint[])", list(staff))
    return {row["id"]: row["name"] for row in rows}


async def list_past_reviewers(db: Database) -> set[int]:
    """Who works here no longer, or as something else."""
    return {
        row["id"] for row in await db.rows("SELECT id FROM staff WHERE NOT (is_active AND 'reviewer' = ANY(roles))")
    }


async def find_account(db: Database, member: int) -> str:
    """The eight digits of a member; empty for who is none."""
    return await db.value("SELECT account FROM members WHERE id = $1", member) or ""
