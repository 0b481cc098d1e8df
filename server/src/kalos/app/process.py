"""What all of our own processes share: their log, one JSON line an event, and how they end."""

import asyncio
import gc
import logging
import os
import re
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, TextIO

import structlog
import uvloop

from kalos.app.settings import Settings
from kalos.core.errors import ForOperator
from kalos.core.trace import name_request

_MOST_PROBLEMS: Final = 8
_MOST_FRAMES: Final = 30
_COLLECTED_AFTER: Final = 50_000  # objects more than before
_log = structlog.get_logger("process")


def configure(settings: Settings, name: str) -> None:
    """Send the logs of this process, libraries' too, to its output, and what ends it as well."""
    log_in_lines(settings.log_level, name)
    warnings.showwarning = _warned
    sys.excepthook = _ended_by


def log_in_lines(least: str, name: str) -> None:
    """Log JSON lines. What is thrown shows its place and none of its values; a library's line keeps its form only."""
    level = getattr(logging, least.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        name_request,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(shown),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(process=name)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
        processor=structlog.processors.JSONRenderer(),
        use_get_message=False,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(formatter)
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)


def shown(exc_info: structlog.typing.ExcInfo) -> list[dict[str, Any]]:
    """An exception and those behind it: type, the constraint that it names, file:line:function of each frame.

    Local variables stay out, and every text that wasn't written for this: a token or a row could stand in them.
    """
    waiting: list[BaseException] = [exc_info[1]]
    found: list[dict[str, Any]] = []
    while waiting and len(found) < _MOST_PROBLEMS:
        problem = waiting.pop(0)
        steps = traceback.StackSummary.extract(
            traceback.walk_tb(problem.__traceback__), limit=-_MOST_FRAMES, lookup_lines=False
        )
        line: dict[str, Any] = {"type": f"{type(problem).__module__}.{type(problem).__qualname__}"}
        constraint = getattr(problem, "constraint_name", None)
        if constraint:
            line["constraint"] = constraint
        if isinstance(problem, ForOperator):
            line["said"] = str(problem)
        elif isinstance(problem, OSError) and problem.errno is not None:
            line["said"] = os.strerror(problem.errno)
        found.append({**line, "frames": [f"{step.filename}:{step.lineno}:{step.name}" for step in steps]})
        if isinstance(problem, BaseExceptionGroup):
            waiting += problem.exceptions
        behind = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
        if behind is not None:
            waiting.append(behind)
    return found


def _ended_by(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
    """What no code caught ends the process with a line of the log; Ctrl-C is no bug."""
    if issubclass(kind, KeyboardInterrupt):
        return
    from kalos.app.problems import in_a_line  # with the database's driver, which not every process has

    about, said = (kind, problem, trace), in_a_line(problem)
    if said is None:
        _log.critical("ended by a bug", exc_info=about)
    else:  # where a system's call failed, its place may be needed all the same
        _log.critical("ended", said=said, exc_info=about if isinstance(problem, OSError) else None)


def _warned(
    message: Warning | str,  # noqa: ARG001 - Python's own form
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    _log.warning("a warning", kind=category.__name__, place=f"{filename}:{lineno}")


def _forgotten(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What no task or callback caught; its message goes on with the values of the call."""
    _log.error(re.split("[<({]", context["message"], maxsplit=1)[0].strip(), exc_info=context.get("exception"))


def collect_seldom() -> None:
    """What stands by now stays: collections look at what comes after, and seldom. A pause delays everybody."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)


def preempt_nobody() -> None:
    """What wakes a thread of this process waits until a processor is free or the present one's time is over.

    Each call and each batch wakes threads of several processes. Where there are few processors, the one that was woken
    would take the place of the one that woke it, and find locked what that one still holds: two switches for nothing.
    Threads that begin later have it, too. Where the system has no such way it stays as it is.
    """
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def allow_files(wanted: int) -> int:
    """Let this process have `wanted` files open, as far as the machine allows. Returns how many it may have now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else soft


def run_until_signal(main: Coroutine[object, object, None]) -> None:
    """Run a process's main; SIGTERM or SIGINT cancels it, so that its `finally` blocks close what is open."""

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(_forgotten)
        task = asyncio.ensure_future(main)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work())
