"""Load for tests that break things: bets through the domains' client, each sent with one key until it is answered."""

import asyncio
import signal
import socket
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import asyncpg

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.database import Database
from kalos.core.errors import Busy, Outage, RequestRunning
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.lease import APPLICATION, BEATING
from kalos.ledger.postings import Fact, Insert, Ledger, Move, Open, Posted, Posting, Stamp, Take
from support.clusters import SECRET
from support.ledger import CHAIN, WriterProcess, new_key, new_owner, posting, writer_socket

IN_FLIGHT: Final = 64
STANDBY_CONNECTIONS: Final = 3
_PATIENCE_SECONDS: Final = 30.0
_FIRST: Final = 10**12
_CONNECTIONS: Final = f"""
    SELECT count(*) FROM pg_stat_activity
    WHERE application_name IN ('{APPLICATION}', '{BEATING}') AND datname = current_database()
"""


async def insist(ledger: Ledger, asked: Posting) -> Posted:
    """Send until it is answered, as a caller does who keeps the key."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            return await ledger.post(asked)
        except (Outage, RequestRunning, Busy):
            await asyncio.sleep(0.02)
    raise AssertionError(f"no writer for {_PATIENCE_SECONDS} s")


async def make_table(url: str, name: str, columns: str) -> None:
    """A domain's table, which only the writer may write."""
    db = await asyncpg.connect(url)
    await db.execute(
        f"CREATE TABLE {name} ({columns}); GRANT SELECT ON {name} TO kalos_app; "
        f"GRANT SELECT, INSERT, UPDATE ON {name} TO kalos_writer"
    )
    await db.close()


@asynccontextmanager
async def books_of(url: str) -> AsyncIterator[Database]:
    """Reads as the API does, over connections that no crash has touched; at the end the audit finds nothing."""
    db = Database(role_url(url, "kalos_app", SECRET), size=3)
    try:
        yield db
        problems = await audit(db)
        assert problems == [], problems
    finally:
        await db.close()


@asynccontextmanager
async def standby_of(url: str, folder: Path) -> AsyncIterator[WriterProcess]:
    """Another writer on the same socket; entered when it waits for the lease, and not ended with the block."""
    schema = await asyncpg.connect(url)
    before = await schema.fetchval(_CONNECTIONS)
    process = WriterProcess(url, folder)
    await process.begin()
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while await schema.fetchval(_CONNECTIONS) < before + STANDBY_CONNECTIONS:
                await asyncio.sleep(0.02)
    except BaseException:
        await process.end(signal.SIGKILL)
        raise
    finally:
        await schema.close()
    yield process


class Writers:
    """Two writer processes on one socket, one with the lease and one waiting; who ended is replaced by `keep`."""

    def __init__(self, url: str, folder: Path) -> None:
        self.socket = writer_socket(folder)
        self._url, self._folder = url, folder
        self._all: list[WriterProcess] = []

    async def keep(self, *, but: WriterProcess | None = None) -> WriterProcess:
        """Two are alive again, `but` not counted. Returns who of them serves."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                self._all = [one for one in self._all if one.is_running()]
                while len(self._all) - (but in self._all) < 2:
                    self._all.append(WriterProcess(self._url, self._folder))
                    await self._all[-1].begin()
                if (holder := self.holder()) not in (None, but):
                    return holder
                await asyncio.sleep(0.02)

    def holder(self) -> WriterProcess | None:
        """Who listens on the socket; None while nobody does."""
        with socket.socket(socket.AF_UNIX) as line:
            line.setblocking(False)  # who was stopped accepts nobody
            try:
                line.connect(str(self.socket))
            except OSError:
                return None
            (pid,) = struct.unpack("i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 4))
        return next((one for one in self._all if one.pid == pid and one.is_running()), None)

    async def kill(self) -> None:
        """SIGKILL whoever has the lease."""
        holder = await self.keep()
        await holder.end(signal.SIGKILL)

    async def stop_for(self, seconds: float) -> None:
        """SIGSTOP whoever has the lease, and wake it when another one has that: it must end itself.

        The other one may be ending, because a lost connection cost it the lease: then nobody could take over yet.
        """
        holder = await self.keep()
        holder.send(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        await self.keep(but=holder)
        holder.send(signal.SIGCONT)
        assert await holder.ended() != 0

    async def close(self) -> None:
        for one in self._all:
            await one.end(signal.SIGKILL)


class Bets:
    """64 members who bet again and again; what was acknowledged is remembered, and how long the ledger was away."""

    def __init__(self, client: LedgerClient, table: str) -> None:
        self.client = client
        self.table = table
        self.room = f"room of {new_owner()}"
        self.acknowledged: dict[bytes, int] = {}
        self.resent = 0
        self._members = [new_owner() for _ in range(IN_FLIGHT)]
        self._struck = 0.0
        self._back: asyncio.Future[float] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def begin(cls, url: str, client: LedgerClient) -> "Bets":
        table = f"bets_{new_owner()}"
        await make_table(url, table, "id bigint PRIMARY KEY, member bigint, hold bigint, units bigint, at bigint")
        bets = cls(client, table)
        for member in bets._members:
            await insist(client, posting(Move("test.fund", CHAIN, purse.available(member, USDT), _FIRST)))
        bets._tasks = [asyncio.create_task(bets._bet(member)) for member in bets._members]
        return bets

    def strike(self) -> asyncio.Future[float]:
        """Call it with the blow. Returns what will be the seconds until a posting that was sent after it was stored."""
        self._struck, self._back = time.monotonic(), asyncio.get_running_loop().create_future()
        return self._back

    async def end(self) -> None:
        """Stop betting; all that was sent is answered."""
        tasks, self._tasks = self._tasks, []
        await asyncio.gather(*tasks)

    async def abandon(self) -> None:
        """End at once, whatever is on its way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _bet(self, member: int) -> None:
        while self._tasks:
            asked = self._posting(member)
            while True:
                sent = time.monotonic()
                try:
                    posted = await self.client.post(asked)
                    break
                except (Outage, RequestRunning, Busy):
                    self.resent += 1
                    await asyncio.sleep(0.1)
            self.acknowledged[asked.key] = posted.id
            if self._back is not None and not self._back.done() and sent > self._struck:
                self._back.set_result(time.monotonic() - self._struck)

    def _posting(self, member: int) -> Posting:
        return Posting(
            key=new_key(),
            opens=[Open("test.stake", purse.available(member, USDT), 1)],
            takes=[Take(self.room, (1, 0), first=(_FIRST, 0)), Take(f"{self.room} of {member}", (1,), first=(_FIRST,))],
            riders=[
                Insert(self.table, {"id": Stamp.ID, "member": member, "hold": Stamp.HOLD, "units": 1, "at": Stamp.AT})
            ],
            facts=[Fact("test.bet", {"bet": Stamp.ID, "member": member})],
        )

    async def check(self, db: Database) -> None:
        """Each acknowledged bet is stored exactly once, with all of its parts, and nothing else is."""
        mine = set(self.acknowledged.values())
        count = len(self.acknowledged)
        assert len(mine) == count
        stored = await db.rows(f"SELECT b.id, k.key FROM {self.table} b JOIN keys k ON k.id = b.id")
        assert {row["key"].bytes: row["id"] for row in stored} == {
            key[:16]: number for key, number in self.acknowledged.items()
        }
        assert len(stored) == count
        for parts in (
            f"SELECT count(*) FROM holds h JOIN {self.table} b ON b.hold = h.id WHERE h.left_units = 1",
            f"SELECT count(*) FROM journal j JOIN {self.table} b ON b.id = j.posting_id",
            f"SELECT count(*) FROM outbox o JOIN {self.table} b ON b.id = o.posting_id",
        ):
            assert await db.value(parts) == count
        held = [purse.held(member, USDT) for member in self._members]
        assert await db.value("SELECT sum(balance) FROM accounts WHERE id = ANY($1::bigint[])", held) == count
        assert await db.value("SELECT left_units FROM quotas WHERE id = $1", self.room) == [_FIRST - count, 0]
