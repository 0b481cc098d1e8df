"""J1: a midnight's release to a million holders, beside one call for each, and beside a thousand bets a second.

The nights run in a process of their own, as the worker does, through the client to the writer's process. A night's
figures count where every grant has released exactly its days and the ledger's audit finds nothing. `missed` is no
benchmark: days that were missed are caught up by workers that are killed, over the same grants.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import asyncpg

from kalos.app.migrate import role_url
from kalos.core.assets import KLS
from kalos.core.clock import Clock, business_day
from kalos.core.database import Database
from kalos.ledger import days, grants_release, purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.grants import TABLE
from kalos.ledger.postings import Move, Posting, Set
from kalos.ledger.purse import Purpose
from ours import FIRST, Ours
from report import Benchmark
from stand import check_books, complete, fill_log, prepare, running_writer
from support.clusters import SECRET  # found because of `stand`
from support.nights import Workers

CALLS: Final = 10_000
"""How many are released by one call for each, a night and way; their time is scaled."""

LEAST_KILLS: Final = 3
_MILLION: Final = 1_000_000
_BETS: Final = 1_000  # a second
_AT_ONCE: Final = 64
_DAILY: Final = 10 * 10**8
_DAYS: Final = 200
_GRANTS: Final = """
    INSERT INTO grants (id, member, source, target, kind, reference, total, daily, released, opened_day, first_day,
        last_day, released_day, status)
    SELECT n, member, $2::bigint, member << 16 | $3::bigint, 'bench.release', n, $4::bigint * $5::int, $4, 0, $6::date,
        $6::date, $6::date + $5::int - 1, $6::date - 1, 'running'
    FROM generate_series(1, $1::bigint) AS n CROSS JOIN LATERAL (SELECT $7::bigint + n AS member) AS owner
"""
_DUE: Final = """
    SELECT id, source, target, daily, released FROM grants WHERE released_day = $1::date - 1 ORDER BY id LIMIT $2
"""
_UNLIKE: Final = """
    SELECT count(*) FROM (
        SELECT FROM journal WHERE from_id = $1 GROUP BY to_id
        HAVING count(*) <> $2 OR min(amount) <> $3 OR max(amount) <> $3
    ) AS grants
"""
_MIXED: Final = """
    SELECT count(*) FROM (
        SELECT min(id) AS first, lag(max(id)) OVER (ORDER BY place) AS before FROM (
            SELECT id, row_number() OVER (PARTITION BY to_id ORDER BY id) AS place FROM journal WHERE from_id = $1
        ) AS moves GROUP BY place
    ) AS days WHERE first < before
"""
_CAUGHT_UP: Final = """
    SELECT (SELECT max(day) FROM day_runs WHERE job = 'midnight' AND item = '') >= $1
        AND NOT EXISTS (SELECT FROM grants WHERE released_day < $1)
"""


@dataclass(frozen=True)
class _House:
    """A copy of the set with grants, and the writer on it."""

    url: str
    owner: asyncpg.Connection
    socket: Path
    ours: Ours
    grants: int

    async def next_night(self, count: int = 1) -> date:
        """Let business days end. Returns the last of them."""
        offset = await self.owner.fetchval(
            "UPDATE clock SET offset_ms = offset_ms + $1 * 86400000::bigint RETURNING offset_ms", count
        )
        await asyncio.sleep(1)  # the writer follows
        return business_day(Clock(offset).now()) - timedelta(days=1)

    async def night(self, day: date) -> float:
        """Release what is due, in a process of its own. Returns its seconds for a million grants."""
        due = await self.owner.fetchval("SELECT count(*) FROM grants WHERE released_day = $1::date - 1", day)
        command = [sys.executable, __file__, self.url, str(self.socket), str(day)]
        child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        said, _ = await child.communicate()
        assert child.returncode == 0, "the night has failed"
        return float(said) * _MILLION / int(due)


async def run(url: str, *, grants: int = _MILLION, rounds: int = 3) -> list[Benchmark]:
    """All of J1 on a copy of the set at `url`, which has that many members or any others."""
    ratio = Benchmark("J1", "a midnight's release to 1,000,000 holders", "grants/s", 10, against="one call for each")
    at_once = Benchmark("J1 at once", "the same", "grants/s", against=f"{_AT_ONCE} calls at once")
    alone = Benchmark("J1 alone", "the night alone", "s", 60, lower=True, absolute=True, against="one call for each")
    beside = Benchmark(
        "J1 beside", "the night beside 1,000 bets/s", "s", 180, lower=True, absolute=True, against="alone"
    )
    live = Benchmark("J1 live", "p99 of those bets", "ms", 25, lower=True, absolute=True, against="without the night")
    async with _house(url, grants) as house:
        for _ in range(rounds):
            day = await house.next_night()
            each = await _one_by_one(house, day, 1)
            many = await _one_by_one(house, day, _AT_ONCE)
            ours = await house.night(day)
            ratio.add(_MILLION / ours, _MILLION / each)
            at_once.add(_MILLION / ours, _MILLION / many)
            alone.add(ours, each)
        for _ in range(max(1, rounds // 3)):
            day = await house.next_night()
            without = await _bets_during(house, lambda: asyncio.sleep(10))
            seconds: list[float] = []

            async def night(day: date = day, seconds: list[float] = seconds) -> None:
                seconds.append(await house.night(day))

            p99 = await _bets_during(house, night)
            beside.add(seconds[0], sorted(alone.ours)[len(alone.ours) // 2])
            live.add(p99, without)
    return [ratio, at_once, alone, beside, live]


async def missed(
    url: str, *, grants: int, count: int, seed: int, workers: int = 3, rows: int = grants_release.SLICE, pause: float
) -> int:
    """So many missed days, caught up by workers of which one is killed at random again and again; returns how often.

    At most `pause` seconds after some of it was released. Where all was before the third was killed, as on a machine
    that stood still, one more day is missed. Each grant has released each day once, and each day wholly before the
    next: asserted here and by the books' checks at the end.
    """
    chance, kills, source = Random(seed), 0, purse.outside(Purpose.ISSUANCE, KLS)
    async with _house(url, grants) as house:
        last = await house.next_night(count)
        working = Workers(house.url, house.socket, rows=rows)
        try:
            while (left := not await house.owner.fetchval(_CAUGHT_UP, last)) or kills < LEAST_KILLS:
                if not left:
                    last, count = await house.next_night(), count + 1
                await working.keep(workers)
                before = await house.owner.fetchval("SELECT last_move FROM ledger_tail")
                if await _moved_on(house, before, last):
                    await asyncio.sleep(chance.uniform(0, pause))
                    await working.kill(chance)
                    kills += 1
        finally:
            await working.close()
        assert await house.owner.fetchval(_UNLIKE, source, count, _DAILY, timeout=600) == 0, "a day came not once"
        assert await house.owner.fetchval(_MIXED, source, timeout=600) == 0, "a day began before the last was over"
    return kills


async def _moved_on(house: _House, before: int, last: date) -> bool:
    """Wait until something is released. False where there is nothing left."""
    async with asyncio.timeout(60):
        while await house.owner.fetchval("SELECT last_move FROM ledger_tail") == before:
            if await house.owner.fetchval(_CAUGHT_UP, last):
                return False
            await asyncio.sleep(0.01)
    return True


@asynccontextmanager
async def _house(url: str, grants: int) -> AsyncIterator[_House]:
    """The grants are there, the writer runs; at the end all is as it must be."""
    await prepare(url)
    base, _, rest = url.partition("?")
    server, _, name = base.rpartition("/")
    copy = f"{server}/{name}_nights?{rest}" if rest else f"{server}/{name}_nights"
    schema = await asyncpg.connect(f"{server}/postgres?{rest}" if rest else f"{server}/postgres")
    await schema.execute(f'DROP DATABASE IF EXISTS "{name}_nights"')
    await schema.execute(f'CREATE DATABASE "{name}_nights" TEMPLATE "{name}" STRATEGY FILE_COPY')
    await prepare(copy)
    owner = await asyncpg.connect(copy)
    today = business_day(Clock(await owner.fetchval("SELECT offset_ms FROM clock")).now())
    kls = purse.available(0, KLS)
    source = purse.outside(Purpose.ISSUANCE, KLS)
    await owner.execute(_GRANTS, grants, source, kls, _DAILY, _DAYS, today, FIRST, timeout=600)
    await owner.execute("VACUUM ANALYZE grants", timeout=600)
    await fill_log(owner)
    async with running_writer(copy) as process:
        ours = Ours(process.socket)
        await ours.prepare(owner, min(grants, 10_000), fund=True)
        yield _House(copy, owner, process.socket, ours, grants)
        await ours.close()
        await process.end()
    await _check(owner, grants, today)
    await ours.check(owner)
    await owner.close()
    await check_books(copy)
    await schema.execute(f'DROP DATABASE "{name}_nights"')
    await schema.close()


async def _check(owner: asyncpg.Connection, grants: int, first: date) -> None:
    """Every grant has released each day that ended, and the journal has a move for each."""
    nights = (business_day(Clock(await owner.fetchval("SELECT offset_ms FROM clock")).now()) - first).days
    wrong = await owner.fetchval("SELECT count(*) FROM grants WHERE released <> $1", nights * _DAILY)
    moves = await owner.fetchval(
        "SELECT count(*) FROM journal WHERE from_id = $1", purse.outside(Purpose.ISSUANCE, KLS), timeout=600
    )
    assert wrong == 0, f"{wrong} grants have not released {nights} days"
    assert moves == grants * nights, f"{moves} releases for {grants} grants and {nights} nights"


async def _one_by_one(house: _House, day: date, at_once: int) -> float:
    """Release some by a call each, so many under way. Returns the seconds for a million."""
    due = iter(rows := await house.owner.fetch(_DUE, day, min(CALLS, house.grants // 10)))
    client = LedgerClient(house.socket)

    async def lane() -> None:
        for row in due:
            await client.post(_posting(row, day))

    begun = time.perf_counter()
    await asyncio.gather(*(lane() for _ in range(at_once)))
    seconds = time.perf_counter() - begun
    await client.close()
    return seconds * _MILLION / len(rows)


def _posting(row: Any, day: date) -> Posting:
    expect = {"status": "running", "released_day": str(days.day_before(day))}
    values = {"released": row["released"] + row["daily"], "released_day": str(day)}
    return Posting(
        key=os.urandom(32),
        moves=[Move("bench.release", row["source"], row["target"], row["daily"], reference=row["id"])],
        riders=[Set(TABLE, {"id": row["id"]}, expect, values)],
    )


async def _bets_during(house: _House, work: Callable[[], Awaitable[Any]]) -> float:
    """Bet a thousand times a second while `work` lasts, whatever the answers take. Returns their p99 in ms."""
    bet = house.ours.work("hot")
    assert bet is not None
    times: list[float] = []
    running: set[asyncio.Task[None]] = set()

    async def one(number: int, due: float) -> None:
        await bet(number)
        times.append(time.perf_counter() - due)

    working = asyncio.ensure_future(work())
    begun = time.perf_counter()
    number = 0
    while not working.done():
        while (due := begun + number / _BETS) <= time.perf_counter():
            task = asyncio.create_task(one(number, due))
            running.add(task)
            task.add_done_callback(running.discard)
            number += 1
        await asyncio.sleep(1 / _BETS)  # under a millisecond uvloop doesn't sleep: this loop alone filled a core
    await working
    rate = len(times) / (time.perf_counter() - begun)
    await asyncio.gather(*running)
    assert rate > 0.95 * _BETS, f"only {rate:.0f} bets a second were answered"
    times.sort()
    return 1_000 * times[len(times) * 99 // 100]


async def _release(url: str, socket: str, day: date) -> float:
    """What the worker does at midnight. Returns its seconds."""
    db, client = Database(role_url(url, "kalos_app", SECRET)), LedgerClient(socket)
    assert await days.has_ended(db, client, day)
    begun = time.perf_counter()
    await grants_release.release(db, client, day)
    seconds = time.perf_counter() - begun
    await client.close()
    await db.close()
    return seconds


def main(words: Sequence[str]) -> None:
    """The night's own process: address of the database, the writer's socket, the day."""
    url, socket, day = words
    print(complete(_release(url, socket, date.fromisoformat(day))))


if __name__ == "__main__":
    main(sys.argv[1:])
