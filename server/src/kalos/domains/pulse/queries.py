"""Every statement on the table of the pulse."""

from dataclasses import dataclass
from typing import Final

from kalos.core.database import Database
from kalos.domains.pulse.rules import Reason

_HELD_SECONDS: Final = 3


@dataclass(frozen=True, slots=True)
class Known:
    """The last beat: how long ago (None: never), what was wrong since how long, and which nodes don't vote.

    `writer_off_ms` is how far the ledger's writer found its own clock to be off at its last beat.
    """

    age_seconds: float | None
    reason: Reason | None
    since_seconds: float
    clock_off_ms: int
    block_off_ms: int
    left_out: int
    faults: str
    writer_off_ms: int


async def read_database_time(db: Database) -> int:
    """Milliseconds of the database's own clock."""
    now: int = await db.value("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    return now


async def read_pulse(db: Database) -> Known:
    row = await db.row(
        """
        SELECT extract(epoch FROM clock_timestamp() - beat_at)::float8 AS age_seconds, reason,
            coalesce(extract(epoch FROM clock_timestamp() - since), 0)::float8 AS since_seconds,
            clock_off_ms, block_off_ms, left_out, faults,
            (SELECT clock_off_ms FROM writer_lease) AS writer_off_ms
        FROM chain_pulse
        """
    )
    assert row is not None, "the migration makes this row"
    return Known(**dict(row))


async def beat(
    db: Database,
    holder: str,
    *,
    reason: Reason | None,
    head: int | None,
    clock_off_ms: int,
    block_off_ms: int,
    faults: list[str],
) -> bool:
    """Write down what one look found. False where another worker has beaten within seconds: that one goes on."""
    tag = await db.execute(
        """
        UPDATE chain_pulse SET holder = $1, beat_at = clock_timestamp(), reason = $2,
            since = CASE WHEN $2::text IS NULL THEN NULL WHEN reason IS NULL THEN clock_timestamp() ELSE since END,
            head = coalesce($3, head), clock_off_ms = $4, block_off_ms = $5, left_out = $6, faults = $7
        WHERE holder = $1 OR beat_at IS NULL OR beat_at < clock_timestamp() - make_interval(secs => $8)
        """,
        holder,
        reason,
        head,
        clock_off_ms,
        block_off_ms,
        len(faults),
        "\n".join(faults),
        _HELD_SECONDS,
    )
    return tag == "UPDATE 1"
