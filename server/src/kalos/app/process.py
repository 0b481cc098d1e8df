"""What all of our own processes share: their log, one JSON line an event, and how they end."""

import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine

import structlog
import uvloop

from kalos.app.settings import Settings


def configure(settings: Settings, name: str) -> None:
    """Send the logs of this process, libraries' too, to its output."""
    level = getattr(logging, settings.log_level.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False)),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(process=name)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processor=structlog.processors.JSONRenderer()
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(formatter)
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)


def run_until_signal(main: Coroutine[object, object, None]) -> None:
    """Run a process's main; SIGTERM or SIGINT cancels it, so that its `finally` blocks close what is open."""

    async def work() -> None:
        task = asyncio.ensure_future(main)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work())
