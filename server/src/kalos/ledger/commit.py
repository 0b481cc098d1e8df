"""Commits a batch's statement, and tells what it means when that fails."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

import asyncpg
import structlog

from kalos.core.failpoints import armed, reach
from kalos.core.patience import patience
from kalos.ledger.arrays import take_packed
from kalos.ledger.figures import Figures
from kalos.ledger.render import Part, Statement
from kalos.ledger.verdicts import Outcome, Verdict, bug

_log = structlog.get_logger("writer")
_MOST_STATEMENTS: Final = 200
_LONGEST_SECONDS: Final = 8.0
LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,  # no disk, no memory: of no posting's making, and halving would only repeat it
    asyncpg.PostgresSystemError,  # nor a disk that can't be read or written, or a file that is gone
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver's own state, broken by a connection that ended in the middle
    OSError,
    TimeoutError,
)
_MINE, _FRESH, _EXPECTED = "KL001", "KL002", "KL003"
# A row that stands there already: a stale copy; of these two mostly one that was not looked for.
_FENCED: Final = frozenset({"accounts", "holds", "journal"})
_GUESSED: Final = frozenset({"keys", "quotas"})


class Lost(Exception):
    """The connection, the lease or the copies are gone: all starts anew from the tables."""


class Failed(Exception):
    """The batch was not written, and this is why if it held one posting only.

    `known`: the table that has a key or a quota already; it may not have been asked for them.
    """

    def __init__(self, verdict: Verdict, *, known: str = "") -> None:
        super().__init__(verdict.problem)
        self.verdict = verdict
        self.known = known


class Committer:
    """Runs statements on the writer's own connection and tells what their failures mean."""

    def __init__(self, db: asyncpg.Connection, figures: Figures) -> None:
        self.db = db
        self._figures = figures
        take_packed(db)
        self._prepared: dict[tuple[Part, ...], Callable[..., Any]] = {}

    async def run(self, statement: Statement) -> float:
        """Commit a batch. Returns the seconds that it took.

        Raises: Failed (nothing was written), Lost (it is not known whether anything was).
        """
        if statement.problem:
            raise Failed(bug(statement.problem))
        parts, begun = tuple(statement.parts), time.perf_counter()
        try:
            async with patience(_LONGEST_SECONDS):
                run = self._prepared.get(parts) or await self._prepare(parts, statement.text())
                if armed():
                    await _reach_sent(run(*statement.values))
                else:
                    await run(*statement.values)
            seconds = time.perf_counter() - begun
        except asyncpg.QueryCanceledError as problem:
            self._figures.committed(time.perf_counter() - begun)  # as slow as they come: the slowest count, too
            raise Failed(Verdict(Outcome.BUSY)) from problem
        except ValueError as problem:  # a value that the driver can't send
            raise Failed(bug(str(problem))) from problem
        except LOST as problem:
            if isinstance(problem, TimeoutError):
                self._figures.committed(time.perf_counter() - begun)
            raise Lost(type(problem).__name__) from problem
        except asyncpg.PostgresError as problem:
            raise _meaning(problem) from problem
        self._figures.committed(seconds)
        return seconds

    async def _prepare(self, parts: tuple[Part, ...], text: str) -> Callable[..., Any]:
        if len(self._prepared) >= _MOST_STATEMENTS:
            self._prepared.clear()
        run: Callable[..., Any] = (await self.db.prepare(text)).fetch
        self._prepared[parts] = run
        return run


async def _reach_sent(running: Coroutine[Any, Any, Any]) -> None:
    """Run a statement, and between its leaving and its answer pass the failpoint."""
    sent = asyncio.ensure_future(running)
    await asyncio.sleep(0)
    reach("sent")
    await sent


def _meaning(problem: Exception) -> Exception:
    code, table = getattr(problem, "sqlstate", None), getattr(problem, "table_name", "")
    fence = isinstance(problem, asyncpg.UniqueViolationError) and table in _FENCED
    if code in (_MINE, _FRESH) or fence:
        return Lost(" ".join(filter(None, (type(problem).__name__, code, table))))
    if code == _EXPECTED or isinstance(problem, asyncpg.UniqueViolationError):
        return Failed(Verdict(Outcome.CHANGED), known=table if table in _GUESSED else "")
    if isinstance(problem, asyncpg.LockNotAvailableError | asyncpg.DeadlockDetectedError):
        return Failed(Verdict(Outcome.BUSY))
    _log.error("a batch was not taken by the database", exc_info=problem)
    return Failed(bug(f"{type(problem).__name__}: {problem}"))
