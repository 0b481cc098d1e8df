"""What other processes say about rows that they changed (LISTEN, NOTIFY).

A notice can be lost with its connection, and a connection can hang. So who keeps rows for longer than a lost notice may
do harm asks for proof: PostgreSQL delivers notices in the order of their commits, so whoever hears its own has heard
all that were committed before.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import asyncpg
import structlog

from kalos.core.database import LOST

APPLICATION: Final = "kalos notices"
_PAUSE_SECONDS: Final = 0.5
PROOF_SECONDS: Final = 0.2
_SETTINGS: Final = {"application_name": APPLICATION, "synchronous_commit": "off"}  # nobody misses a lost proof
_OWN: Final = "kalos_heard_"
Told = Mapping[str, Callable[[str], None]]
_log = structlog.get_logger("notices")


async def hear(url: str, channels: Told, missed: Callable[[], None], heard: Callable[[float], None]) -> None:
    """Give each notice's text to its channel's function, for ever.

    `missed` is called where some may have been lost: as a connection ends and once the next one listens. `heard` is
    told again and again before which time (`time.monotonic`) all that was said has been heard.
    """
    while True:
        try:
            await _listen(url, channels, missed, heard)
        except (*LOST, asyncpg.PostgresError, TimeoutError) as problem:
            _log.warning("notices are not heard", reason=type(problem).__name__)
        await asyncio.sleep(_PAUSE_SECONDS)


async def _listen(url: str, channels: Told, missed: Callable[[], None], heard: Callable[[float], None]) -> None:
    """Until the connection ends."""
    db = await asyncpg.connect(url, timeout=5, command_timeout=10, server_settings=_SETTINGS)
    try:
        ended = asyncio.Event()
        db.add_termination_listener(lambda _: ended.set())
        for channel, told in channels.items():
            await db.add_listener(channel, lambda _db, _pid, _channel, text, told=told: told(text))
        missed()
        try:
            await _prove(db, ended, heard)
        finally:
            missed()  # also where a proof was on its way, which fails with its connection
    finally:
        await db.close(timeout=2)


async def _prove(db: asyncpg.Connection, ended: asyncio.Event, heard: Callable[[float], None]) -> None:
    """Say the time on a channel of this connection's own, and hear it."""
    own = f"{_OWN}{db.get_server_pid()}"
    await db.add_listener(own, lambda _db, _pid, _channel, text: heard(float(text)))
    while not ended.is_set():
        await db.execute("SELECT pg_notify($1, $2)", own, repr(time.monotonic()))
        with suppress(TimeoutError):
            async with asyncio.timeout(PROOF_SECONDS):
                await ended.wait()
