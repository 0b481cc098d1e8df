"""A process that ends between any two effects: each effect is there once or never, and what was answered is there."""

import asyncio
import os
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from faults import outbox_reader
from kalos.app.migrate import role_url
from kalos.app.settings import BadSettings, load_settings
from kalos.core import failpoints
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Busy, Outage, RequestRunning
from kalos.core.failpoints import NAMES, VARIABLE, BadFailpoint, arm
from kalos.core.outbox import tell
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Fact, Insert, Move, Open, Posting, Resolve, Stamp
from kalos.ledger.writer import Writer
from signer.test_crashes import POINTS as SIGNERS
from signer.test_limits import POINTS as LIMITS
from support.budget import SOAK, count, seed
from support.clusters import SECRET
from support.force import books_of, insist, make_table
from support.ledger import CHAIN, FEES, WriterProcess, new_key, new_owner, posting

WRITERS: Final = ("queued", "decided", "sent", "committed", "answered_half", "hold_resolved_in_part")
READERS: Final = ("outbox_read", "outbox_done")
STOPPED: Final = WRITERS if SOAK else ("sent", "committed")
CALLERS: Final = 8
LATEST: Final = 40  # the time that a point is reached at most, before the process ends there


class Load:
    """Callers who fund themselves, open a hold, resolve a part of it and then the rest, again and again.

    Every posting writes a row that says how many moves it has. Of two callers one sends until he is answered, the
    other gives up what wasn't and begins anew.
    """

    def __init__(self, url: str, socket: Path, table: str) -> None:
        self.url, self.table = url, table
        self.acknowledged: dict[bytes, int] = {}
        self.abandoned: set[bytes] = set()
        self._clients = [LedgerClient(socket) for _ in range(CALLERS)]
        self._ending = False
        self._tasks = [asyncio.create_task(self._call(place, client)) for place, client in enumerate(self._clients)]

    @classmethod
    async def begin(cls, url: str, socket: Path) -> "Load":
        table = f"steps_{new_owner()}"
        await make_table(url, table, "id bigint PRIMARY KEY, moves bigint")
        return cls(url, socket, table)

    async def _call(self, place: int, client: LedgerClient) -> None:
        mine = purse.available(new_owner(), USDT)
        while not self._ending:
            opened = await self._send(place, client, moves=[Move("test.fund", CHAIN, mine, 10)]) and await self._send(
                place, client, opens=[Open("test.hold", mine, 6)]
            )
            if opened:
                hold = opened * 8
                await self._send(place, client, resolves=[Resolve("test.part", hold, mine, 2)])
                await self._send(place, client, resolves=[Resolve("test.rest", hold, FEES)])

    async def _send(self, place: int, client: LedgerClient, **elements: Any) -> int:
        """The posting's id, or 0 where this caller gave up."""
        step = Insert(self.table, {"id": Stamp.ID, "moves": 1})
        asked = Posting(key=new_key(), riders=[step], facts=[Fact("test.step", {"id": Stamp.ID})], **elements)
        try:
            posted = await client.post(asked)
        except (Outage, RequestRunning, Busy):
            if place % 2:
                self.abandoned.add(asked.key)
                await asyncio.sleep(0.05)
                return 0
            posted = await insist(client, asked)
        self.acknowledged[asked.key] = posted.id
        return posted.id

    async def end(self) -> None:
        """Everybody ends what he does; what is stored is then what was answered, and whole."""
        self._ending = True
        await asyncio.gather(*self._tasks)
        async with books_of(self.url) as books:
            rows = await books.rows(
                f"""
                SELECT t.id, t.moves, (SELECT count(*) FROM journal WHERE posting_id = t.id) AS moved,
                    (SELECT count(*) FROM outbox WHERE posting_id = t.id) AS told, k.key
                FROM {self.table} t JOIN keys k ON k.id = t.id
                """
            )
            assert await books.value(f"SELECT count(*) FROM {self.table}") == len(rows)
        stored = {row["key"].bytes: row["id"] for row in rows}
        assert len(stored) == len(rows), "a key was used twice"
        assert {key: stored.get(key[:16]) for key in self.acknowledged} == self.acknowledged
        assert stored.keys() <= {key[:16] for key in self.acknowledged.keys() | self.abandoned}
        assert [row for row in rows if (row["moved"], row["told"]) != (row["moves"], 1)] == []

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in self._clients:
            await client.close()


@asynccontextmanager
async def load_on(url: str, socket: Path) -> AsyncIterator[Load]:
    load = await Load.begin(url, socket)
    try:
        yield load
    finally:
        await load.close()


@asynccontextmanager
async def told(process: WriterProcess, text: str) -> AsyncIterator[WriterProcess]:
    """Start the writer with a failpoint; it doesn't outlive the block."""
    process._environment[VARIABLE] = text
    await process.start()
    try:
        yield process
    finally:
        await process.end(signal.SIGKILL)


@pytest.mark.parametrize("name", WRITERS)
async def test_a_writer_killed_here_does_each_posting_once_or_never(
    name: str, database_url: str, tmp_path: Path
) -> None:
    chance = random.Random(f"{seed()} {name}")
    process = WriterProcess(database_url, tmp_path)
    async with load_on(database_url, process.socket) as load:
        for _ in range(count("faults.failpoint.kills")):
            async with told(process, f"{name}:{chance.randint(1, LATEST)}"):
                assert await process.ended() == -signal.SIGKILL
        async with told(process, ""):
            await load.end()
            assert await process.end() == 0
    assert load.abandoned, "nobody gave up"


def stands(pid: int) -> bool:
    """Whether the process was stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.parametrize("name", STOPPED)
async def test_a_writer_stopped_here_is_replaced_and_ends_when_it_wakes(
    name: str, database_url: str, tmp_path: Path
) -> None:
    chance = random.Random(f"{seed()} {name} stopped")
    process = WriterProcess(database_url, tmp_path)
    standby = WriterProcess(database_url, tmp_path)
    async with told(process, f"{name}:{chance.randint(1, LATEST)}:stop"):
        before = process.socket.stat().st_ino
        try:
            async with load_on(database_url, process.socket) as load:
                async with asyncio.timeout(60):
                    while not stands(process.pid):
                        await asyncio.sleep(0.02)
                    await standby.begin()  # not before: it would take the place of one that is only slow
                    while process.socket.stat().st_ino == before:
                        await asyncio.sleep(0.02)
                fresh = LedgerClient(process.socket)
                await insist(fresh, posting())
                await fresh.close()
                process.send(signal.SIGCONT)
                assert await process.ended() != 0
                await load.end()
            assert await standby.end() == 0
        finally:
            if standby.is_running():
                await standby.end(signal.SIGKILL)


FACTS: Final = 120


@pytest.mark.parametrize("name", READERS)
async def test_a_reader_killed_here_repeats_effects_at_worst(name: str, database_url: str) -> None:
    """Effects of the same transaction are there once; those outside of it once or again; none is missing."""
    chance, topic = random.Random(f"{seed()} {name}"), f"test.{name}"
    owner = await asyncpg.connect(database_url)
    await owner.execute(
        "CREATE TABLE IF NOT EXISTS test_effects (reader text, topic text, number bigint); "
        "GRANT SELECT, INSERT ON test_effects TO kalos_app"
    )
    async with books_of(database_url) as books:
        await _tell_of(database_url, books, topic)
        for kill in range(count("faults.failpoint.kills") + 1):
            last = kill == count("faults.failpoint.kills")
            process = await asyncio.create_subprocess_exec(
                sys.executable, outbox_reader.__file__, database_url, topic, str(FACTS),
                env=os.environ | {
                    "PYTHONPATH": os.pathsep.join(sys.path),
                    VARIABLE: "" if last else f"{name}:{chance.randint(1, 12)}",
                },
            )  # fmt: skip
            assert await asyncio.wait_for(process.wait(), 60) == (0 if last else -signal.SIGKILL)
            await owner.execute("UPDATE domain_outbox SET due_at = 0")  # the lease of the dead reader ends
        for reader in outbox_reader.READERS:
            rows = await books.rows(
                "SELECT number, count(*) AS times FROM test_effects WHERE reader = $1 AND topic = $2 GROUP BY number",
                reader,
                topic,
            )
            assert {row["number"] for row in rows} == set(range(FACTS)), reader
            if reader.startswith("consume"):
                assert {row["times"] for row in rows} == {1}, reader
    await owner.close()


async def _tell_of(url: str, books: Database, topic: str) -> None:
    writer = Writer(role_url(url, "kalos_writer", SECRET), Clock())
    await writer.start()
    for number in range(FACTS):
        await writer.post(posting(facts=[Fact(topic, {"number": number})]))
        async with books.transaction() as step:
            for form in ("consume", "deliver"):
                await tell(step, f"{topic}.{form}", {"number": number}, wall=Clock.wall())
    await writer.stop()


@pytest.mark.parametrize(
    "text", ["nowhere", "sent:0", "sent:", "sent:stop", "sent:2:cont", "sent:1:stop:1", " sent", "SENT", "sent:٣"]
)
def test_an_unknown_point_is_an_error_at_the_start(text: str) -> None:
    with pytest.raises(BadFailpoint):
        arm({VARIABLE: text})


def test_every_point_stands_in_the_code_and_is_tried() -> None:
    """Those of midnight in ledger/test_midnight, that of teams in teams/test_jobs, the signer's in its own tests."""
    sources = Path(failpoints.__file__).parents[1].rglob("*.py")
    placed = {name for source in sources for name in re.findall(r'\breach\("([a-z_]+)"\)', source.read_text())}
    elsewhere = {"grant_slice", "payable_settled", "teams_counted", "withdrawal_returned", *LIMITS, *SIGNERS}
    assert placed == NAMES == {*WRITERS, *READERS, *elsewhere}


def test_nothing_is_armed_where_nothing_is_told() -> None:
    assert arm({}) is None
    assert arm({VARIABLE: ""}) is None
    assert failpoints._armed is None
    for name in NAMES:
        failpoints.reach(name)


def test_production_refuses_failpoints() -> None:
    with pytest.raises(BadSettings) as problem:
        load_settings({"MODE": "production", VARIABLE: "sent"})
    assert [fault for fault in problem.value.faults if VARIABLE in fault] == [
        "KALOS_FAILPOINT makes a process kill itself in tests: production refuses it"
    ]
    load_settings({VARIABLE: "sent"})
