"""Timed work inside a process: one bounded step again and again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from kalos.app.runs import Runs
from kalos.core.errors import Outage

Step = Callable[[], Awaitable[object]]
_LONGEST_PAUSE_SECONDS: Final = 10.0
_log = structlog.get_logger("jobs")


async def repeat(name: str, pause_seconds: float, step: Step, runs: Runs | None = None) -> None:
    """Run one bounded step for ever; an outage or a bug delays the next one and ends nothing.

    A problem that a step returns is one that it went on around: it delays nothing. `runs` are told of each.
    """
    runs = Runs() if runs is None else runs
    failures = 0
    while True:
        problem: Exception | None = None
        runs.begin(name, pause_seconds)
        try:
            left = await step()
            failures, problem = 0, left if isinstance(left, Exception) else None
        except Outage as outage:
            failures, problem = failures + 1, outage
            _log.warning("job waits", job=name, reason=str(outage))
        except Exception as bug:  # noqa: BLE001 — a bug in one step must not end the others
            failures, problem = failures + 1, bug
            _log.exception("job failed", job=name)
        runs.end(name, problem)
        await asyncio.sleep(max(pause_seconds, min(pause_seconds * 2 ** min(failures, 8), _LONGEST_PAUSE_SECONDS)))
