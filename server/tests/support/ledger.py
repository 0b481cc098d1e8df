"""What tests of the ledger share: accounts of members nobody else has, keys, and the writer as a process."""

import asyncio
import itertools
import os
import signal
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import asyncpg

from kalos.app.settings import Settings
from kalos.core.assets import USDT, Asset
from kalos.core.clock import Clock
from kalos.core.errors import MoneyOutStopped
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Close, Ledger, Move, MoveMany, Posted, Posting
from kalos.ledger.purse import Purpose
from support.clusters import SECRET

CHAIN: Final = purse.outside(Purpose.CHAIN, USDT)
FEES: Final = purse.house(Purpose.FEES, USDT)
BANKROLL: Final = purse.house(Purpose.BANKROLL, USDT)
_KALOS: Final = ("-m", "kalos.app.cli")
_BEAT: Final = "SELECT beat_at FROM writer_lease"
_PATIENCE_SECONDS: Final = 60
"""For what takes one: a process that starts or ends beside many others on a slow machine."""
_owners = itertools.count(1_000_000)


def new_key() -> bytes:
    return uuid.uuid4().bytes * 2


def new_owner() -> int:
    """A member's number that no other test has."""
    return next(_owners)


def posting(*moves: Move, **fields: Any) -> Posting:
    return Posting(**({"key": new_key(), "moves": moves} | fields))


async def funded(ledger: Ledger, units: int, asset: Asset = USDT) -> int:
    """A new member's available account with so many units."""
    account = purse.available(new_owner(), asset)
    await ledger.post(posting(Move("test.fund", purse.outside(Purpose.CHAIN, asset), account, units)))
    return account


async def crowd(ledger: Ledger, clock: Clock, account: int, kind: str, count: int = 150) -> Posted:
    """So many more moves to an account of USDT, a unit each, in the very millisecond of the ledger's last posting."""
    slice_ = MoveMany(kind, [CHAIN] * count, [account] * count, [1] * count, [0] * count)
    usual = clock.offset_ms
    clock.offset_ms -= 60_000  # the ledger's time stands still until the clock's comes to it
    try:
        return await ledger.post(posting(many=[slice_]))
    finally:
        clock.offset_ms = max(clock.offset_ms, usual)  # a beat may have brought it back already


async def until_money_goes_out(ledger: Ledger, value: Callable[[str], Awaitable[Any]]) -> None:
    """Return when the writer has read that the flag is gone: with its second beat, for one may be on its way."""
    for _ in range(2):
        beat_at = await value(_BEAT)
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while await value(_BEAT) == beat_at:
                await asyncio.sleep(0.02)
    out = Move("test.money_out", FEES, CHAIN, 1)
    await ledger.post(posting(Move("test.fund", CHAIN, FEES, 1)))
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            with suppress(MoneyOutStopped):
                await ledger.post(posting(out))
                return
            await asyncio.sleep(0.05)


async def close(ledger: Ledger, account: int) -> None:
    """Make an account to which nothing can be moved any more."""
    moves = [Move("test.fund", CHAIN, account, 1), Move("test.fund", account, CHAIN, 1)]
    await ledger.post(posting(*moves, closes=[Close(account=account)]))


@asynccontextmanager
async def refusing(owner: asyncpg.Connection, table: str, check: str) -> AsyncIterator[None]:
    """The database refuses rows of a table that aren't so, until somebody has mended it."""
    await owner.execute(f"ALTER TABLE {table} ADD CONSTRAINT test_refuses CHECK ({check}) NOT VALID")
    try:
        yield
    finally:
        await owner.execute(f"ALTER TABLE {table} DROP CONSTRAINT test_refuses")


def writer_socket(folder: Path) -> Path:
    """Where a writer on this DATA_DIR listens."""
    return Settings(data_dir=folder).writer_socket


class WriterProcess:
    """`kalos.app.cli writer` on a database, with its socket in `folder`; or another `program` in its place."""

    def __init__(self, url: str, folder: Path, program: Sequence[str] = _KALOS) -> None:
        self.url = url
        self._program = program
        self.socket = writer_socket(folder)
        self._environment = os.environ | {
            "DATABASE_URL": url,
            "DATA_DIR": str(folder),
            "INSTALLATION_SECRET": SECRET.hex(),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def begin(self) -> None:
        """Start it, without waiting: a standby isn't ready before the other one has gone."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, *self._program, "writer"), env=self._environment, stdout=sys.stderr, stderr=sys.stderr
        )

    async def start(self) -> None:
        self.socket.unlink(missing_ok=True)
        await self.begin()
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not self.socket.exists():
                assert self._process is not None
                assert self._process.returncode is None, "the writer ended at once"
                await asyncio.sleep(0.02)

    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Signal it and wait. Returns its exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        return await asyncio.wait_for(self._process.wait(), _PATIENCE_SECONDS)

    async def ended(self) -> int:
        assert self._process is not None
        return await asyncio.wait_for(self._process.wait(), _PATIENCE_SECONDS)


@asynccontextmanager
async def writer_process(url: str, folder: Path, program: Sequence[str] = _KALOS) -> AsyncIterator[WriterProcess]:
    process = WriterProcess(url, folder, program)
    try:
        await process.start()
        yield process
    finally:
        await process.end(signal.SIGKILL)


@asynccontextmanager
async def clients(socket: Path, count: int) -> AsyncIterator[list[LedgerClient]]:
    """So many connections of their own."""
    made = [LedgerClient(socket) for _ in range(count)]
    try:
        yield made
    finally:
        for client in made:
            await client.close()


async def results(*tasks: Coroutine[Any, Any, Posted]) -> list[Posted | BaseException]:
    return await asyncio.gather(*tasks, return_exceptions=True)
