"""Timed work inside a process: one bounded step again and again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from kalos.app.runs import Runs
from kalos.core.errors import Outage

Step = Callable[[], Awaitable[object]]
_PAUSE_SECONDS: Final = 10.0
"""After a failure: at the most where steps follow each other sooner, and at first where they come less often."""
_log = structlog.get_logger("jobs")


async def repeat(name: str, pause_seconds: float, step: Step, runs: Runs | None = None) -> None:
    """Run one bounded step for ever; an outage or a bug ends nothing, and only moves the next one (`_pause`).

    A problem that a step returns is one that it went on around: it moves nothing. `runs` are told of each.
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
        await asyncio.sleep(_pause(pause_seconds, failures))


async def follow(name: str, pause_seconds: float, look: Step) -> None:
    """Look for ever, at one pace whatever goes wrong: what a process goes by must not grow older than it has to."""
    while True:
        await asyncio.sleep(pause_seconds)
        try:
            await look()
        except Outage as outage:
            _log.warning("not followed", what=name, reason=str(outage))
        except Exception:  # noqa: BLE001 — else nobody would follow any more, and nobody would know
            _log.exception("not followed", what=name)


def _pause(seconds: float, failures: int) -> float:
    """After failures: longer where steps come often; what comes seldom is tried sooner, and less and less so."""
    if failures == 0:
        return seconds
    factor: int = 2 ** min(failures, 8)
    return max(min(seconds * factor, _PAUSE_SECONDS), min(_PAUSE_SECONDS * factor / 2, seconds))
