"""How many API processes serve beside this one: what all of them count together is then counted here, as far as that
can't do harm.

Each holds a lock that all can have, and looks twice a second who else does; with the process goes its connection, and
with that its lock. One that finds others when it starts waits until each of them must have seen it. So no process
serves that the others don't know of.
"""

import asyncio
from typing import Final

import asyncpg
import structlog

from kalos.core.database import LOST

APPLICATION: Final = "kalos peers"
_LOOK_SECONDS: Final = 0.5
_VALID_SECONDS: Final = 1.5  # how long a look is believed
_SLOT_SECONDS: Final = 1.0  # what was counted alone in one of them is not to be counted again
_PATIENCE_SECONDS: Final = 5.0
_LOCK: Final = 0x4B414C4F  # two numbers that no other lock of ours has
_PART: Final = 1
_JOIN: Final = f"SELECT pg_advisory_lock_shared({_LOCK}, {_PART})"
_OTHERS: Final = f"""
    SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
    WHERE locktype = 'advisory' AND (classid, objid, objsubid) = ({_LOCK}, {_PART}, 2) AND pid <> pg_backend_pid()
"""
_log = structlog.get_logger("peers")


class Peers:
    """The API processes of one house, as one of them sees them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._db: asyncpg.Connection | None = None
        self._time = asyncio.get_running_loop().time
        self._others = 0
        self._until = 0.0

    def others(self) -> int | None:
        """How many other processes serve; None: not known."""
        return self._others if self._time() < self._until else None

    async def join(self) -> None:
        """Be seen by all others. Raises: what the database says when it refuses the connection."""
        self._db = await asyncpg.connect(
            self._url,
            timeout=_PATIENCE_SECONDS,
            command_timeout=_PATIENCE_SECONDS,
            server_settings={"application_name": APPLICATION},
        )
        await self._db.execute(_JOIN)
        await self._look()
        if self._others:
            self._until = 0.0  # nobody counts on this one yet
            await asyncio.sleep(_VALID_SECONDS + _SLOT_SECONDS)
            await self._look()

    async def follow(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                await (self.join() if self._db is None else self._look())
            except (*LOST, asyncpg.PostgresError, TimeoutError) as problem:
                _log.warning("other processes are not seen", reason=type(problem).__name__)
                self.leave()

    async def _look(self) -> None:
        assert self._db is not None
        begun = self._time()
        self._others = await self._db.fetchval(_OTHERS)
        self._until = begun + _VALID_SECONDS

    def leave(self) -> None:
        """The lock goes with the connection."""
        self._until = 0.0
        if self._db is not None:
            self._db.terminate()
            self._db = None
