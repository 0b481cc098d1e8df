"""Transfers between twenty accounts while writers and connections die: every read sums to the same."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.database import Database
from kalos.core.errors import Busy, InsufficientBalance, Outage, RequestRunning
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Move, Posting
from kalos.ledger.statements import balances
from support.budget import SOAK, count, figures, seed
from support.clusters import SECRET
from support.force import Writers, books_of, insist
from support.ledger import CHAIN, clients, new_owner, posting

ACCOUNTS: Final = 20
FIRST: Final = 1_000
TOTAL: Final = ACCOUNTS * FIRST
WRITERS: Final = 8
READERS: Final = 4
KILL_SECONDS: Final = 5.0 if SOAK else 2.0
CUT_SECONDS: Final = 3.0 if SOAK else 1.3
STOPPED_SECONDS: Final = 3.5

_SEEN: Final = """
    SELECT count(*), sum(balance) AS total, sum(version) AS version, (SELECT last_posting FROM ledger_tail) AS last
    FROM accounts WHERE id = ANY($1::bigint[])
"""

_CUT: Final = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND usename IN ('kalos_app', 'kalos_writer')
"""


class Bank:
    """Twenty accounts; who was told that a transfer is done is remembered, with its number."""

    def __init__(self, url: str, writers: Writers) -> None:
        self.url, self.writers = url, writers
        self.owners = [new_owner() for _ in range(ACCOUNTS)]
        self.accounts = [purse.available(owner, USDT) for owner in self.owners]
        self.acknowledged: dict[int, Posting] = {}
        self.refused: list[str] = []
        self.last = self.version = 0
        self.resent = self.reads = self.missed_reads = self.kills = self.cuts = 0
        self.ending = False

    async def fund(self) -> None:
        async with clients(self.writers.socket, 1) as (client,):
            await insist(client, posting(*(Move("test.fund", CHAIN, one, FIRST) for one in self.accounts)))

    async def transfer(self, chance: random.Random) -> None:
        """One client: transfers of chance, each sent with its key until it is answered."""
        async with clients(self.writers.socket, 1) as (client,):
            while not self.ending:
                source, target = chance.sample(self.accounts, 2)
                await self._send(client, posting(Move("test.bank", source, target, chance.randint(1, FIRST // 2))))

    async def _send(self, client: LedgerClient, asked: Posting) -> None:
        while True:
            try:
                posted = await client.post(asked)
            except InsufficientBalance:
                self.refused.append(asked.key[:16].hex())
                return
            except (Outage, RequestRunning, Busy):
                self.resent += 1
                await asyncio.sleep(0.02)
            else:
                assert posted.id not in self.acknowledged
                self.acknowledged[posted.id] = asked
                self.last = max(self.last, posted.id)
                return

    async def read(self, look: Callable[[Database], Awaitable[None]]) -> None:
        """One reader, over a connection of its own that is cut again and again."""
        db = Database(role_url(self.url, "kalos_app", SECRET), size=1)
        try:
            while not self.ending:
                try:
                    await look(db)
                    self.reads += 1
                except Outage:
                    self.missed_reads += 1
                await asyncio.sleep(0.005)
        finally:
            await db.close()

    async def look_at_statements(self, db: Database) -> None:
        found = await balances(db, self.owners)
        assert (len(found), sum(found.values())) == (ACCOUNTS, TOTAL)

    async def look_at_tables(self, db: Database) -> None:
        """All that was acknowledged before is there, and the house never goes back."""
        acknowledged, version = self.last, self.version
        row = await db.row(_SEEN, self.accounts)
        assert row is not None
        assert (row["count"], row["total"]) == (ACCOUNTS, TOTAL)
        assert row["last"] >= acknowledged
        assert row["version"] >= version
        self.version = max(self.version, row["version"])

    async def kill_writers(self) -> None:
        """Kill the writer again and again; the second blow stops it instead, until after it was replaced."""
        while not self.ending:
            await asyncio.sleep(KILL_SECONDS)
            if self.kills == 1:
                await self.writers.stop_for(STOPPED_SECONDS)
            else:
                await self.writers.kill()
            self.kills += 1
            await self.writers.keep()

    async def cut_connections(self) -> None:
        """End every connection of writers and readers, again and again."""
        schema = await asyncpg.connect(self.url)
        try:
            while not self.ending:
                await asyncio.sleep(CUT_SECONDS)
                self.cuts += await schema.fetchval(_CUT)
        finally:
            await schema.close()

    async def run(self, seconds: float) -> None:
        async with asyncio.TaskGroup() as tasks:
            for number in range(WRITERS):
                tasks.create_task(self.transfer(random.Random(f"{seed()} {number}")))
            for number in range(READERS):
                tasks.create_task(self.read(self.look_at_tables if number % 2 else self.look_at_statements))
            nemesis = [tasks.create_task(self.kill_writers()), tasks.create_task(self.cut_connections())]
            until = time.monotonic() + seconds
            while time.monotonic() < until or self.kills < 2:
                await asyncio.sleep(0.1)
            self.ending = True
            await asyncio.gather(*nemesis)

    async def check(self, db: Database) -> None:
        """Acknowledged is stored, once; the transfers, played again in the ledger's order, give the balances."""
        stored = await db.rows(
            "SELECT j.posting_id, j.from_id, j.to_id, j.amount FROM journal j JOIN kinds k ON k.id = j.kind "
            "WHERE k.name = 'test.bank' ORDER BY j.id"
        )
        assert [row["posting_id"] for row in stored] == sorted(self.acknowledged)
        played = dict.fromkeys(self.accounts, FIRST)
        for row in stored:
            (move,) = self.acknowledged[row["posting_id"]].moves
            assert (row["from_id"], row["to_id"], row["amount"]) == (move.source, move.target, move.units)
            played[move.source] -= move.units
            played[move.target] += move.units
            assert played[move.source] >= 0
        assert await balances(db, self.owners) == played
        assert await db.value("SELECT count(*) FROM keys WHERE key = ANY($1::uuid[])", self.refused) == 0


@pytest.fixture
async def writers(durable_url: str, tmp_path: Path) -> AsyncIterator[Writers]:
    made = Writers(durable_url, tmp_path)
    await made.keep()
    yield made
    await made.close()


async def test_every_read_sums_to_the_same_whatever_dies(durable_url: str, writers: Writers) -> None:
    bank = Bank(durable_url, writers)
    await bank.fund()
    await bank.run(count("ledger.bank.seconds"))
    async with books_of(durable_url) as books:
        await bank.check(books)
    figures(
        f"bank of seed {seed()}",
        transfers=len(bank.acknowledged),
        refused=len(bank.refused),
        resent=bank.resent,
        reads=bank.reads,
        missed_reads=bank.missed_reads,
        writers_killed=bank.kills,
        connections_cut=bank.cuts,
    )
    assert bank.resent > 0
    assert bank.reads > 0
