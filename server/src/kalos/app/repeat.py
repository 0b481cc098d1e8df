"""Timed work inside a process: one bounded step again and again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from kalos.core.errors import Outage

Step = Callable[[], Awaitable[object]]
_LONGEST_PAUSE_SECONDS: Final = 10.0
_log = structlog.get_logger("jobs")


async def repeat(name: str, pause_seconds: float, step: Step) -> None:
    """Run one bounded step for ever; an outage or a bug delays the next one and ends nothing."""
    failures = 0
    while True:
        try:
            await step()
            failures = 0
        except Outage as problem:
            failures += 1
            _log.warning("job waits", job=name, reason=str(problem))
        except Exception:  # noqa: BLE001 — a bug in one step must not end the others
            failures += 1
            _log.exception("job failed", job=name)
        await asyncio.sleep(max(pause_seconds, min(pause_seconds * 2 ** min(failures, 8), _LONGEST_PAUSE_SECONDS)))
