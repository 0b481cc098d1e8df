"""What became of each job's last run: kept in memory and written down now and then, as some run four times a second."""

from dataclasses import dataclass, replace

from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage

TELL_SECONDS = 5.0
_MOST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Run:
    """While one is under way, `ended_at`, `result` and `error` are of the run before."""

    name: str
    every_ms: int
    started_at: int
    ended_at: int | None = None
    result: str | None = None
    error: str | None = None


class Runs:
    """The last runs of a process's jobs."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._told: dict[str, Run] = {}

    def begin(self, name: str, pause_seconds: float) -> None:
        """A job's next run begins."""
        before, wall = self._runs.get(name), Clock.wall()
        run = Run(name, max(1, round(pause_seconds * 1000)), wall)
        self._runs[name] = run if before is None else replace(before, started_at=wall)

    def end(self, name: str, problem: Exception | None = None) -> None:
        """A job's run is over. An outage says what it waits for; of a bug only its sort is told, its log says more."""
        result = "done" if problem is None else "waits" if isinstance(problem, Outage) else "failed"
        text = f"{type(problem).__name__}: {problem}" if result == "waits" else type(problem).__name__
        error = None if problem is None else text[:_MOST_TEXT]
        self._runs[name] = replace(self._runs[name], ended_at=Clock.wall(), result=result, error=error)

    async def tell(self, db: Database) -> None:
        """Write down what has changed; of several workers the one that began last counts."""
        news = [run for name, run in self._runs.items() if self._told.get(name) != run]
        columns = list(
            zip(*((r.name, r.every_ms, r.started_at, r.ended_at, r.result, r.error) for r in news), strict=True)
        )
        if not columns:
            return
        await db.execute(
            """
            INSERT INTO job_runs AS known (name, every_ms, started_at, ended_at, result, error)
            SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
            ON CONFLICT (name) DO UPDATE SET every_ms = excluded.every_ms, started_at = excluded.started_at,
                ended_at = excluded.ended_at, result = excluded.result, error = excluded.error
            WHERE known.started_at <= excluded.started_at
            """,
            *map(list, columns),
        )
        self._told |= {run.name: run for run in news}
