"""T1, T2: how soon a stake is counted at the top of a tree of a million, and `teamList` answers meanwhile."""

import asyncio
import itertools
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg

from kalos.app.repeat import repeat
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.pages import PageQuery
from kalos.core.terms import load_terms
from kalos.domains.context import Context, House, Member
from kalos.domains.teams import jobs, service
from kalos.domains.teams.queries import find_team
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Ledger, Move
from ours import CHAIN
from report import Benchmark
from stand import HERE, app_url, check_books, complete, prepare, running_writer
from support.doors import house_of
from support.ledger import posting

RATE: Final = 500
"""Stakes a second; each is one unit, so that a sum is a count."""
CHAIN_END_EVERY: Final = 100
"""Of so many stakes one is of a chain's last member."""
DELAY_MS: Final = 2_000
LIST_MS: Final = 20
_GOAL: Final = "its goal"
_TERMS: Final = HERE.parent / "server" / "terms.toml"
_WATCH_SECONDS: Final = 0.02
_MEMBER: Final = ("id", "account", "email", "invite_code", "inviter", "password_hash", "registered_at")
_TEAM: Final = ("member", "inviter", "is_counted", "direct_users", "team_users")


@dataclass(frozen=True)
class Tree:
    """`inviters[n]` is the place of who invited member n (the first: None); `ends` are the chains' last members."""

    inviters: list[int | None]
    ends: list[int]

    @property
    def members(self) -> range:
        return range(purse.FIRST_MEMBER, purse.FIRST_MEMBER + len(self.inviters))


@dataclass
class Figures:
    """In milliseconds."""

    delays: list[float] = field(default_factory=list)
    lists: list[float] = field(default_factory=list)


def grow(count: int, *, chains: int, length: int) -> Tree:
    """Each member is invited by any older one; at the end stand chains, each below any member of the others."""
    chance = random.Random(5)
    free = count - chains * length
    inviters: list[int | None] = [None, *(chance.randrange(place) for place in range(1, free))]
    for _ in range(chains):
        inviters += [chance.randrange(free), *range(len(inviters), len(inviters) + length - 1)]
    return Tree(inviters, [free + length * number - 1 for number in range(1, chains + 1)])


async def build(owner: asyncpg.Connection, tree: Tree) -> None:
    """Into a migrated database without members: all at once, with the counts that the job would have made."""
    first, count = purse.FIRST_MEMBER, len(tree.inviters)
    direct, below = [0] * count, [0] * count
    for place in range(count - 1, 0, -1):
        above = tree.inviters[place]
        assert above is not None
        direct[above] += 1
        below[above] += 1 + below[place]
    inviters = [None if above is None else first + above for above in tree.inviters]
    named = (
        (first + n, f"{10_000_000 + n}", f"m{n}@bench.example", f"B{n:08d}", inviter, "$argon2id$none", 1)
        for n, inviter in enumerate(inviters)
    )
    sums = ((first + n, inviter, True, direct[n], below[n]) for n, inviter in enumerate(inviters))
    async with owner.transaction():
        await owner.execute("ALTER TABLE members DISABLE TRIGGER members_join")
        await owner.copy_records_to_table("members", records=named, columns=_MEMBER)
        await owner.copy_records_to_table("teams", records=sums, columns=_TEAM)
        await owner.execute("ALTER TABLE members ENABLE TRIGGER members_join")
    await owner.execute("VACUUM ANALYZE members, teams")


async def play(house: House, ledger: Ledger, tree: Tree, *, rate: int, seconds: float) -> Figures:
    """Settle stakes at that rate while a worker counts them.

    A stake's delay is from its commit to when the first member's sum, read as everybody reads it, has it.
    """
    figures, acknowledged = Figures(), list[float]()
    top = tree.members[0]
    before, done = (await find_team(house.db, top)).team_units, asyncio.Event()

    async def watch() -> None:
        while len(figures.delays) < len(acknowledged) or not done.is_set():
            seen, now = (await find_team(house.db, top)).team_units - before, time.perf_counter()
            for at in acknowledged[len(figures.delays) : seen]:
                figures.delays.append(1_000 * (now - at))
            await asyncio.sleep(_WATCH_SECONDS)

    async def look() -> None:
        end = f"{10_000_000 + tree.ends[0]}"
        for account in itertools.cycle((None, end)):
            if done.is_set():
                return
            begun = time.perf_counter()
            await service.list_team(Context(house, Member(top, "10000000")), PageQuery(10), account=account)
            figures.lists.append(1_000 * (time.perf_counter() - begun))
            await asyncio.sleep(_WATCH_SECONDS)

    async def stake(member: int) -> None:
        mine = purse.available(member, USDT)
        await ledger.post(posting(Move("test.fund", CHAIN, mine, 1), Move("game.lost", mine, CHAIN, 1)))
        acknowledged.append(time.perf_counter())

    async with asyncio.TaskGroup() as group:
        group.create_task(watch())
        group.create_task(look())
        await _paced(stake, _players(tree, int(rate * seconds)), rate)
        done.set()
    return figures


def _players(tree: Tree, stakes: int) -> list[int]:
    """Anybody but the first, who has nobody above; of so many one at a chain's end."""
    chance, first = random.Random(9), tree.members[0]
    return [
        first + (chance.choice(tree.ends) if number % CHAIN_END_EVERY == 0 else chance.randrange(1, len(tree.inviters)))
        for number in range(stakes)
    ]


async def _paced(stake: Callable[[int], Coroutine[None, None, None]], players: Sequence[int], rate: int) -> None:
    """Each at its time, whether or not those before are done."""
    begun = time.perf_counter()
    async with asyncio.TaskGroup() as stakes:
        for number, member in enumerate(players):
            await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
            stakes.create_task(stake(member))


async def build_set(url: str, *, members: int) -> None:
    """The kept set: 100 chains of 1,000 below any of the others."""
    await prepare(url)
    owner = await asyncpg.connect(url)
    await build(owner, tree_of(members))
    await owner.close()


def tree_of(members: int) -> Tree:
    return grow(members, chains=members // 10_000, length=1_000)


@asynccontextmanager
async def _worker(url: str) -> AsyncIterator[None]:
    """A process that counts as often as the product's worker does."""
    worker = await asyncio.create_subprocess_exec(sys.executable, __file__, url)
    try:
        await asyncio.sleep(2)
        yield
    finally:
        worker.kill()
        await worker.wait()


async def count(url: str) -> None:
    """What `_worker` does, until it is ended."""
    db = Database(app_url(url), size=1)
    house = house_of(db, LedgerClient(Path("no ledger")), Clock(), load_terms(_TERMS))
    await repeat("teams", jobs.PAUSE_SECONDS, lambda: jobs.follow(house))


async def run(url: str, *, members: int, seconds: float) -> list[Benchmark]:
    """Its journal grows by the stakes of each run; the audit says that the books are sound."""
    db = Database(app_url(url), size=8)
    async with running_writer(url) as process:
        ledger = LedgerClient(process.socket)
        house = house_of(db, ledger, Clock(), load_terms(_TERMS))
        async with _worker(url):
            figures = await play(house, ledger, tree_of(members), rate=RATE, seconds=seconds)
        await ledger.close()
        await process.end()
    await db.close()
    await check_books(url)
    about = f"{RATE} stakes/s in a tree of {members:,}"
    delay = Benchmark(
        "T1", f"{about}: a stake at the top, p99", "ms", DELAY_MS, lower=True, absolute=True, against=_GOAL
    )
    worst = Benchmark("T1 worst", "the last of them", "ms", DELAY_MS, lower=True, absolute=True, against=_GOAL)
    lists = Benchmark("T2", "`teamList` of the largest team meanwhile, p99", "ms", LIST_MS, lower=True, absolute=True,
        against=_GOAL)  # fmt: skip
    delay.add(_p99(figures.delays), DELAY_MS)
    worst.add(max(figures.delays), DELAY_MS)
    lists.add(_p99(figures.lists), LIST_MS)
    return [delay, worst, lists]


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[len(times) * 99 // 100]


if __name__ == "__main__":
    complete(count(sys.argv[1]))
