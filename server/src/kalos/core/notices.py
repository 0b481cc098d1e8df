"""What other processes say about rows that they changed (LISTEN, NOTIFY): it makes caches quick, not right."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

import asyncpg
import structlog

from kalos.core.database import LOST

APPLICATION: Final = "kalos notices"
_PAUSE_SECONDS: Final = 0.5
_log = structlog.get_logger("notices")


async def hear(url: str, channels: Mapping[str, Callable[[str], None]], missed: Callable[[], None]) -> None:
    """Give each notice's text to its channel's function, for ever; `missed` is called where some may have been lost."""
    while True:
        try:
            await _listen(url, channels, missed)
        except (*LOST, asyncpg.PostgresError, TimeoutError) as problem:
            _log.warning("notices are not heard", reason=type(problem).__name__)
        await asyncio.sleep(_PAUSE_SECONDS)


async def _listen(url: str, channels: Mapping[str, Callable[[str], None]], missed: Callable[[], None]) -> None:
    """Until the connection ends."""
    db = await asyncpg.connect(url, timeout=5, command_timeout=10, server_settings={"application_name": APPLICATION})
    try:
        ended = asyncio.Event()
        db.add_termination_listener(lambda _: ended.set())
        for channel, told in channels.items():
            await db.add_listener(channel, lambda _db, _pid, _channel, text, told=told: told(text))
        missed()
        await ended.wait()
        missed()
    finally:
        await db.close(timeout=2)
