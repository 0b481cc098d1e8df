"""A ledger that is watched: its writer, those who call it, and the page of figures that alarms look at."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import asyncpg

from kalos.app.kept import free_port
from kalos.app.metrics import serve_metrics
from kalos.app.migrate import role_url
from kalos.app.settings import PROJECT, Settings
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Move
from kalos.ledger.watch import watch
from support.clusters import SECRET
from support.force import insist
from support.ledger import FEES, WriterProcess, funded, posting
from support.loopback import loopback_client
from support.promql import Scrape, fires, of_writer

RULES: Final = (PROJECT / "deploy" / "alarms.yml").read_text()
ALARMS: Final[dict[str, str]] = dict(re.findall(r"- alert: (\w+)\n +expr: (.+)", RULES))
PATIENCE_SECONDS: Final = 30.0
PATIENT: Final = (str(Path(__file__).with_name("patient_writer.py")),)
FLOOD: Final = 6_000


class Station:
    """A writer process, those who call it, and the page of figures that is scraped."""

    def __init__(self, url: str, folder: Path, process: WriterProcess, owner: asyncpg.Connection, page: str) -> None:
        self.url, self.folder, self.process, self.owner = url, folder, process, owner
        self.db = Database(role_url(url, "kalos_app", SECRET), size=4)
        self.client = LedgerClient(process.socket)
        self.account = 0
        self._page = page
        self._http = loopback_client()

    async def scrape(self) -> Scrape:
        return Scrape.of(await self._text(), time.monotonic())

    async def of_writer(self) -> Scrape:
        """A scrape that has the writer's figures. Raises: TimeoutError."""
        return await of_writer(self._text)

    async def _text(self) -> str:
        answer = await self._http.get(self._page)
        assert answer.status_code == 200
        return answer.text

    async def traffic(self) -> None:
        """What is normal: postings on accounts that are known."""
        for _ in range(20):
            await self.client.post(
                posting(Move("test.a", self.account, FEES, 1), Move("test.b", FEES, self.account, 1))
            )

    def flood(self, callers: asyncio.TaskGroup) -> None:
        """More at once than a quarter of the queue; who gets no answer from a disk that stands still comes again."""
        for _ in range(FLOOD):
            callers.create_task(insist(self.client, posting(Move("test.a", self.account, FEES, 1))))

    async def recovered(self) -> None:
        """Return when the writer takes postings again."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                with suppress(Outage):
                    await self.client.post(posting())
                    return
                await asyncio.sleep(0.05)

    @asynccontextmanager
    async def expect(self, name: str) -> AsyncIterator[None]:
        """The alarm is silent over calm traffic, and fires after what the block does."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            first = await self.of_writer()
            await self.traffic()
            calm = await self.of_writer()
            if not fires(ALARMS[name], first, calm):
                break
            assert time.monotonic() < until, name  # a busy machine may disturb the calm
        yield
        await self.fired(name, calm)

    async def fired(self, name: str, calm: Scrape) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not fires(ALARMS[name], calm, await self.scrape()):
            assert time.monotonic() < until, name
            await asyncio.sleep(0.1)

    @asynccontextmanager
    async def slow_disk(self) -> AsyncIterator[None]:
        """The database's process of the writer stands still: a commit takes as long as the block."""
        backend: int = await self.owner.fetchval("SELECT backend FROM writer_lease")
        os.kill(backend, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(backend, signal.SIGCONT)

    async def close(self) -> None:
        await self._http.aclose()
        await self.client.close()
        await self.db.close()


@asynccontextmanager
async def open_station(url: str, folder: Path) -> AsyncIterator[Station]:
    process = WriterProcess(url, folder, PATIENT)
    owner = await asyncpg.connect(url)
    port = free_port()
    settings = Settings(data_dir=folder, database_url=url, installation_secret=SECRET.hex(), metrics_port=port)
    await process.start()
    async with serve_metrics(settings):
        made = Station(url, folder, process, owner, f"http://127.0.0.1:{port}/metrics")
        try:
            made.account = await funded(made.client, 1_000_000)
            await watch(made.db, Clock.wall())
            yield made
        finally:
            await made.close()
            await process.end(signal.SIGKILL)
            await owner.close()
