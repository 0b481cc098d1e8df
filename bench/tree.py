"""T1, T2: how soon a stake is counted at the top of a tree of a million, and `teamList` answers over HTTP meanwhile."""

import asyncio
import http.client
import itertools
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg

from http_house import server
from kalos.app.api import make_app, make_server, open_wire
from kalos.app.kept import free_port
from kalos.app.process import collect_seldom, configure
from kalos.app.repeat import repeat
from kalos.app.settings import Settings
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.terms import load_terms
from kalos.domains.context import House, Member
from kalos.domains.teams import jobs
from kalos.domains.teams.queries import find_team
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Ledger, Move
from ours import CHAIN
from report import Benchmark
from stand import HERE, app_url, check_books, complete, prepare, running_writer, temporary
from support.doors import house_of
from support.ledger import posting
from support.members import begin_session

RATE: Final = 500
"""Stakes a second; each is one unit, so that a sum is a count."""
CHAIN_END_EVERY: Final = 100
"""Of so many stakes one is of a chain's last member."""
DELAY_MS: Final = 2_000
LIST_MS: Final = 20
_GOAL: Final = "its goal"
_TERMS: Final = HERE.parent / "server" / "terms.toml"
_WATCH_SECONDS: Final = 0.02
_LOOK_SECONDS: Final = 0.06  # a member may make twenty reads a second
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


Ask = Callable[[str | None], Awaitable[None]]
"""The first member's call of `teamList`, of the own line or of an account's."""


def account_of(place: int) -> str:
    return f"{10_000_000 + place}"


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
        (first + n, account_of(n), f"m{n}@bench.example", f"B{n:08d}", inviter, "$argon2id$none", 1)
        for n, inviter in enumerate(inviters)
    )
    sums = ((first + n, inviter, True, direct[n], below[n]) for n, inviter in enumerate(inviters))
    async with owner.transaction():
        await owner.execute("ALTER TABLE members DISABLE TRIGGER members_join")
        await owner.copy_records_to_table("members", records=named, columns=_MEMBER)
        await owner.copy_records_to_table("teams", records=sums, columns=_TEAM)
        await owner.execute("ALTER TABLE members ENABLE TRIGGER members_join")
    await owner.execute("VACUUM ANALYZE members, teams")


async def play(house: House, ledger: Ledger, tree: Tree, *, rate: int, seconds: float) -> list[float]:
    """Settle stakes at that rate while a worker counts them. Returns each one's delay in milliseconds: from its commit
    to when the first member's sum, read as everybody reads it, has it.
    """
    delays, acknowledged = list[float](), list[float]()
    top = tree.members[0]
    before, done = (await find_team(house.db, top)).team_units, asyncio.Event()

    async def watch() -> None:
        while len(delays) < len(acknowledged) or not done.is_set():
            seen, now = (await find_team(house.db, top)).team_units - before, time.perf_counter()
            for at in acknowledged[len(delays) : seen]:
                delays.append(1_000 * (now - at))
            await asyncio.sleep(_WATCH_SECONDS)

    async def stake(member: int) -> None:
        mine = purse.available(member, USDT)
        await ledger.post(posting(Move("test.fund", CHAIN, mine, 1), Move("game.lost", mine, CHAIN, 1)))
        acknowledged.append(time.perf_counter())

    async with asyncio.TaskGroup() as group:
        group.create_task(watch())
        await _paced(stake, _players(tree, int(rate * seconds)), rate)
        done.set()
    return delays


async def look(ask: Ask, end: str, *, seconds: float) -> list[float]:
    """Ask for the first member's own line, in turn with that of the account at a chain's `end`.

    Returns each one's milliseconds.
    """
    until, lists = time.perf_counter() + seconds, list[float]()
    for account in itertools.cycle((None, end)):
        begun = time.perf_counter()
        if begun > until:
            break
        await ask(account)
        lists.append(1_000 * (time.perf_counter() - begun))
        await asyncio.sleep(_LOOK_SECONDS)
    return lists


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
    worker = await asyncio.create_subprocess_exec(sys.executable, __file__, "count", url)
    try:
        await asyncio.sleep(2)
        yield
    finally:
        worker.kill()
        await worker.wait()


async def _looked(port: int, token: str, end: str, seconds: float) -> list[float]:
    """`look` at an API process, from a process of its own: this one is busy with stakes."""
    words = (sys.executable, __file__, "look", str(port), token, end, str(seconds))
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    assert process.returncode == 0
    found: list[float] = json.loads(said)
    return found


async def tell_looks(port: str, token: str, end: str, seconds: str) -> None:
    """What `_looked` starts: nothing else runs in it, so it may wait for each answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", int(port))) as kept:

        async def ask(account: str | None) -> None:
            body = json.dumps({} if account is None else {"account": account})
            headers = {"authorization": token, "content-type": "application/json"}
            kept.request("POST", "/api/user/teamList", body, headers)
            answer = json.loads(kept.getresponse().read())
            assert answer["code"] == 200, answer

        print(json.dumps(await look(ask, end, seconds=float(seconds))))


def _house(url: str, ledger: LedgerClient) -> House:
    return house_of(Database(app_url(url), size=8), ledger, Clock(), load_terms(_TERMS))


async def count(url: str) -> None:
    """What `_worker` does, until it is ended."""
    house = _house(url, LedgerClient(Path("no ledger")))
    await repeat("teams", jobs.PAUSE_SECONDS, lambda: jobs.follow(house))


async def serve(url: str, writer: str, port: str, folder: str) -> None:
    """An API process on the set, until it is ended."""
    house = _house(url, LedgerClient(Path(writer)))
    settings = Settings(data_dir=Path(folder), port=int(port), live_port=free_port())
    configure(settings, "bench")
    async with open_wire(house, settings) as wire:
        collect_seldom()
        await make_server(make_app(wire, house, settings), settings).serve()


async def run(url: str, *, members: int, seconds: float) -> list[Benchmark]:
    """Its journal grows by the stakes of each run; the audit says that the books are sound."""
    tree = tree_of(members)
    async with running_writer(url) as process:
        ledger = LedgerClient(process.socket)
        house = _house(url, ledger)
        token, port = await begin_session(house.db, Member(tree.members[0], account_of(0))), free_port()
        with temporary("api") as folder:
            api = server(port, sys.executable, __file__, "serve", url, process.socket, str(port), folder)
            async with _worker(url), api:
                delays, lists = await asyncio.gather(
                    play(house, ledger, tree, rate=RATE, seconds=seconds),
                    _looked(port, token, account_of(tree.ends[0]), seconds),
                )
        await ledger.close()
        await process.end()
    await house.db.close()
    await check_books(url)
    about = f"{RATE} stakes/s in a tree of {members:,}"
    delay = Benchmark(
        "T1", f"{about}: a stake at the top, p99", "ms", DELAY_MS, lower=True, absolute=True, against=_GOAL
    )
    worst = Benchmark("T1 worst", "the last of them", "ms", DELAY_MS, lower=True, absolute=True, against=_GOAL)
    pages = Benchmark("T2", "`teamList` of the largest team meanwhile, over HTTP, p99", "ms", LIST_MS, lower=True,
        absolute=True, against=_GOAL)  # fmt: skip
    delay.add(_p99(delays), DELAY_MS)
    worst.add(max(delays), DELAY_MS)
    pages.add(_p99(lists), LIST_MS)
    return [delay, worst, pages]


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[len(times) * 99 // 100]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["count", url]:
            complete(count(url))
        case ["serve", url, writer, port, folder]:
            complete(serve(url, writer, port, folder))
        case ["look", port, token, end, seconds]:
            complete(tell_looks(port, token, end, seconds))
