"""Commits a batch's statement, and tells what it means when that fails."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import asyncpg

from kalos.ledger.render import Statement
from kalos.ledger.verdicts import Outcome, Verdict, bug

_MOST_STATEMENTS: Final = 200
_LONGEST_SECONDS: Final = 8.0
LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver's own state, broken by a connection that ended in the middle
    OSError,
    TimeoutError,
)
_MINE, _FRESH, _EXPECTED = "KL001", "KL002", "KL003"


class Lost(Exception):
    """The connection, the lease or the copies are gone: all starts anew from the tables."""


class Failed(Exception):
    """The batch was not written, and this is why if it held one posting only."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.problem)
        self.verdict = verdict


class Committer:
    """Runs statements on the writer's own connection and tells what their failures mean."""

    def __init__(self, db: asyncpg.Connection) -> None:
        self.db = db
        self._prepared: dict[str, Callable[..., Any]] = {}

    async def run(self, statement: Statement) -> None:
        """Commit a batch. Raises: Failed (nothing was written), Lost (it is not known whether anything was)."""
        text = statement.text()
        try:
            async with asyncio.timeout(_LONGEST_SECONDS):
                run = self._prepared.get(text) or await self._prepare(text)
                await run(*statement.values)
        except asyncpg.QueryCanceledError as problem:
            raise Failed(Verdict(Outcome.BUSY)) from problem
        except ValueError as problem:  # a value that the driver can't send
            raise Failed(bug(str(problem))) from problem
        except LOST as problem:
            raise Lost(str(problem) or "no answer from the database") from problem
        except asyncpg.PostgresError as problem:
            raise _meaning(problem) from problem

    async def _prepare(self, text: str) -> Callable[..., Any]:
        if len(self._prepared) >= _MOST_STATEMENTS:
            self._prepared.clear()
        run: Callable[..., Any] = (await self.db.prepare(text)).fetch
        self._prepared[text] = run
        return run


def _meaning(problem: Exception) -> Exception:
    code = getattr(problem, "sqlstate", None)
    if code in (_MINE, _FRESH):
        return Lost(str(problem))
    if code == _EXPECTED or isinstance(problem, asyncpg.UniqueViolationError):
        return Failed(Verdict(Outcome.CHANGED))
    if isinstance(problem, asyncpg.LockNotAvailableError | asyncpg.DeadlockDetectedError):
        return Failed(Verdict(Outcome.BUSY))
    return Failed(bug(f"{type(problem).__name__}: {problem}"))
