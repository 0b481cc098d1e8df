"""H3: point reads, 64 in flight, beside asyncpg's pool.

A point read is what a call reads of one member by the key: here the balances, through the function that the calls use,
on as many connections as an API process has. The peer is `asyncpg.create_pool` as it comes (ten connections), which
fetches the same rows by a range of the primary key. Both are asked directly in one process, on the house's own cluster:
over HTTP, both would be hidden behind the server. The session that each call reads first stands beside it.
"""

import asyncio
import random
from typing import Final

import asyncpg

from http_house import Here
from http_load import token_of
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.tokens import digest
from kalos.domains.identity.queries import find_session
from kalos.ledger.purse import available
from kalos.ledger.statements import balances_of
from report import Benchmark
from slices import Slice, Work, measure, processor

_CONNECTIONS: Final = 8  # as open_house
_BALANCES: Final = "SELECT id, balance FROM accounts WHERE id >= $1 AND id < $2"
_SESSION: Final = """
    SELECT s.until_at, s.keep_ms, m.id, m.account FROM sessions s JOIN members m ON m.id = s.member
    WHERE s.token_hash = $1 AND s.until_at > $2
"""


async def run(here: Here, *, rounds: int, seconds: float, in_flight: int) -> list[Benchmark]:
    """H3 and its p99; the session's read has no goal."""
    ours = Database(here.app_url, _CONNECTIONS)
    async with asyncpg.create_pool(here.app_url) as pool:
        works = _works(here, ours, pool)
        meter = processor(here.owner)
        found: dict[str, list[Slice]] = {name: [] for name in works}
        for number in range(-1, rounds):
            names = [*works]
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                one = await measure(works[name], in_flight, seconds if number >= 0 else seconds / 5, meter)
                if number >= 0:  # the first opens connections and prepares statements
                    found[name].append(one)
    await ours.close()
    against, points = "asyncpg pool", (found["ours"], found["pool"])
    sessions = found["our session"], found["pool's session"]
    return [
        Benchmark("H3", "point reads, 64 in flight", "reads/s", 10, against=against).of_slices(*points, "rate"),
        Benchmark("H3 p99", "p99 of H3", "ms", 1 / 10, lower=True, against=against).of_slices(*points, "p99"),
        Benchmark("H3 session", "the read of a session", "reads/s", against=against).of_slices(*sessions, "rate"),
    ]


def _works(here: Here, ours: Database, pool: "asyncpg.Pool[asyncpg.Record]") -> dict[str, Work]:
    chance = random.Random(7)
    members = {digest(token_of(number)): member for number, member in enumerate(here.members)}
    sessions = [*members]

    async def read_ours(_: int) -> None:
        member = chance.choice(here.members)
        found = await balances_of(ours, member)
        assert available(member, USDT) in found

    async def read_pool(_: int) -> None:
        member = chance.choice(here.members)
        found = {row["id"]: row["balance"] for row in await pool.fetch(_BALANCES, member << 16, (member + 1) << 16)}
        assert available(member, USDT) in found

    async def session_ours(_: int) -> None:
        token = chance.choice(sessions)
        session = await find_session(ours, token, Clock.wall())
        assert session is not None
        assert session.member.id == members[token]

    async def session_pool(_: int) -> None:
        token = chance.choice(sessions)
        row = await pool.fetchrow(_SESSION, token, Clock.wall())
        assert row is not None
        assert row["id"] == members[token]

    works = {"ours": read_ours, "pool": read_pool, "our session": session_ours, "pool's session": session_pool}
    return {name: _one_of_many(work) for name, work in works.items()}


def _one_of_many(read: Work) -> Work:
    """Each read is another call's: whoever waits for a connection comes before it."""

    async def work(number: int) -> None:
        await asyncio.sleep(0)
        await read(number)

    return work
