"""Reads and small writes: a queue of PostgreSQL connections with prepared statements.

asyncpg's own pool costs more than a point read; this one only hands connections out and takes them back.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg
import structlog

from kalos.core.batch import Batch
from kalos.core.cache import Cache, Shared
from kalos.core.errors import Outage
from kalos.core.patience import patience

Record: TypeAlias = asyncpg.Record
Connection: TypeAlias = asyncpg.Connection
Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")
LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,  # no disk, no memory, no connection left
    asyncpg.PostgresSystemError,  # a disk that can't be read or written
    asyncpg.ObjectNotInPrerequisiteStateError,  # a database that takes no connections
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver's own state, broken by a connection that ended in the middle
    OSError,
)
_AT_ONCE: Final = 2  # statements of one query that gathers
_MOST_PLANNED: Final = 4  # connections of `planned`
_PLANNED: Final = {
    # PostgreSQL takes an array of unknown length for a longer one than those that come, so it would plan each anew.
    "plan_cache_mode": "force_generic_plan",
    # Rows are named by keys: the index is right however small a table was when the plan was made.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
_KEPT_SECONDS: Final = 5.0
_MOST_KEPT: Final = 10_000
_AGAIN_SECONDS: Final = 0.5
_log = structlog.get_logger("database")
_in_transaction: ContextVar[bool] = ContextVar("in_transaction", default=False)


def forbid_transaction() -> None:
    """Assert that the caller has no transaction open: who waits for the ledger must hold no lock."""
    assert not _in_transaction.get(), "no transaction may be open here"


async def wait_for_database(url: str) -> None:
    """Return once it takes connections: five quick deaths while it is away would end the whole group.

    Raises: what PostgreSQL says where it is there and refuses this one, ClientConfigurationError for a `url` that can't
      be right.
    """
    while True:
        try:
            (await asyncpg.connect(url, timeout=5)).terminate()
        except asyncpg.ClientConfigurationError:
            raise
        except LOST as problem:
            said = problem.strerror if isinstance(problem, OSError) else None
            _log.warning("the database is waited for", reason=type(problem).__name__, said=said)
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            return


class Database:
    """At most `size` connections to `url`; a lost one is replaced at its next use.

    Raises: Outage where PostgreSQL can't be reached or no connection is free for 5 s.
    """

    def __init__(self, url: str, size: int = 8, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self.url = url
        self._size = size
        self._settings = settings
        self._planned: Database | None = None
        self._closed = False
        # Whoever waits longest is next, also where one who gives back asks again at once: a queue would serve that one.
        self._turn = asyncio.Semaphore(size)
        self._free: list[Connection | None] = [None] * size
        self._gathered: dict[str, Batch[Any, list[Record]]] = {}
        self._kept: dict[Callable[..., Any], Cache[Any, Any]] = {}

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        if self._turn.locked():
            await self._wait()
        else:
            await self._turn.acquire()  # at once
        if not self._free:
            self._turn.release()
            raise Outage("the connections were closed")
        held = self._free.pop()
        try:
            if held is None or held.is_closed():
                held = None
                async with patience(5):
                    held = await asyncpg.connect(
                        self.url, timeout=60, command_timeout=30, server_settings=dict(self._settings)
                    )
            yield held
        except asyncpg.QueryCanceledError:
            raise
        except LOST as problem:
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

    async def _wait(self) -> None:
        try:
            async with patience(5):
                await self._turn.acquire()
        except TimeoutError as problem:
            raise Outage("no database connection is free") from problem

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """One connection inside one transaction; committed at the end, rolled back by any exception."""
        async with self.connection() as db, db.transaction():
            _in_transaction.set(True)
            try:
                yield db
            finally:
                _in_transaction.set(False)

    @property
    def planned(self) -> "Database":
        """A few connections of their own for statements that take keys as arrays: each is planned once.

        A short one's planning takes PostgreSQL four times what its work does.
        """
        if self._closed:
            raise Outage("the connections were closed")
        if self._planned is None:
            self._planned = Database(self.url, min(self._size, _MOST_PLANNED), _PLANNED)
        return self._planned

    async def rows(self, query: str, *values: Any) -> list[Record]:
        async with self.connection() as db:
            return await db.fetch(query, *values)

    def rows_of(self, query: str, key: Any) -> Awaitable[list[Record]]:
        """The rows of one key, read together with those that others ask for meanwhile.

        `query` is one of few fixed texts; it takes an array of keys as $1, and its first column is the row's key.
        """
        batch = self._gathered.get(query)
        if batch is None:
            batch = self._gathered[query] = Batch(partial(self._gather, query), at_once=_AT_ONCE)
        return batch.ask(key)

    async def _gather(self, query: str, keys: Sequence[Any]) -> list[list[Record]]:
        found: defaultdict[Any, list[Record]] = defaultdict(list)
        for row in await self.planned.rows(query, list(dict.fromkeys(keys))):
            found[row[0]].append(row)
        return [found.get(key, []) for key in keys]

    def kept(self, read: "Callable[[Database, Key], Awaitable[Found | None]]", key: Key) -> Awaitable[Found | None]:
        """What `read(self, key)` found, a few seconds ago at most: for rows that stand as they are once they are there.

        `read` is one of few fixed functions; it is asked again for what wasn't there (None).
        """
        cache = self._kept.get(read)
        if cache is None:
            cache = self._kept[read] = Cache(partial(read, self), seconds=_KEPT_SECONDS, most=_MOST_KEPT)
        return cache.find(key)

    def shared(
        self, read: "Callable[[Database, Key], Awaitable[Found | None]]", key: Key, *, seconds: float, most: int
    ) -> Awaitable[Found | None]:
        """The same for what is dear to read: one at a time, and one read for all who ask for it meanwhile.

        Kept for so many `seconds`, with no more than `most` others; both are always the same for one `read`.
        """
        cache = self._kept.get(read)
        if cache is None:
            cache = self._kept[read] = Shared(partial(read, self), seconds=seconds, most=most)
        return cache.find(key)

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
        """Give the connections back that nobody uses; what the database has cut already is none."""
        self._closed = True
        if self._planned is not None:
            await self._planned.close()
        while self._free:
            held = self._free.pop()
            if held is not None:
                try:
                    await held.close(timeout=2)
                except (*LOST, TimeoutError):
                    held.terminate()
