"""Reads and small writes: a queue of PostgreSQL connections with prepared statements.

asyncpg's own pool costs more than a point read; this one only hands connections out and takes them back.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import asyncpg

from kalos.core.errors import Outage

Record: TypeAlias = asyncpg.Record
Connection: TypeAlias = asyncpg.Connection
_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.ObjectNotInPrerequisiteStateError,  # a database that takes no connections
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver's own state, broken by a connection that ended in the middle
    OSError,
)
_in_transaction: ContextVar[bool] = ContextVar("in_transaction", default=False)


def forbid_transaction() -> None:
    """Assert that the caller has no transaction open: who waits for the ledger must hold no lock."""
    assert not _in_transaction.get(), "no transaction may be open here"


class Database:
    """At most `size` connections to `url`; a lost one is replaced at its next use.

    Raises: Outage where PostgreSQL can't be reached or no connection is free for 5 s.
    """

    def __init__(self, url: str, size: int = 8) -> None:
        self._url = url
        # Whoever waits longest is next, also where one who gives back asks again at once: a queue would serve that one.
        self._turn = asyncio.Semaphore(size)
        self._free: list[Connection | None] = [None] * size

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        try:
            async with asyncio.timeout(5):
                await self._turn.acquire()
        except TimeoutError as problem:
            raise Outage("no database connection is free") from problem
        if not self._free:
            self._turn.release()
            raise Outage("the connections were closed")
        held = self._free.pop()
        try:
            if held is None or held.is_closed():
                held = None
                held = await asyncpg.connect(self._url, timeout=5, command_timeout=30)
            yield held
        except asyncpg.QueryCanceledError:
            raise
        except _LOST as problem:
            if held is not None:
                held.terminate()
            held = None
            raise Outage("the database does not answer") from problem
        except asyncio.CancelledError:
            if held is not None:
                held.terminate()  # what was cut off may have left half a transaction behind
            held = None
            raise
        finally:
            self._free.append(held)
            self._turn.release()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """One connection inside one transaction; committed at the end, rolled back by any exception."""
        async with self.connection() as db, db.transaction():
            _in_transaction.set(True)
            try:
                yield db
            finally:
                _in_transaction.set(False)

    async def rows(self, query: str, *values: Any) -> list[Record]:
        async with self.connection() as db:
            return await db.fetch(query, *values)

    async def row(self, query: str, *values: Any) -> Record | None:
        async with self.connection() as db:
            return await db.fetchrow(query, *values)

    async def value(self, query: str, *values: Any) -> Any:
        async with self.connection() as db:
            return await db.fetchval(query, *values)

    async def execute(self, query: str, *values: Any) -> str:
        """Run one statement in a transaction of its own; the answer is its command tag, such as "UPDATE 1"."""
        async with self.connection() as db:
            return await db.execute(query, *values)

    async def close(self) -> None:
        while self._free:
            held = self._free.pop()
            if held is not None:
                await held.close()
