"""A busy ledger, whose writer halves batches and is killed, never alarms the running audit."""

import asyncio
import random
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg

from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage, Refusal, StateChanged
from kalos.ledger import purse, watch
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.explained import Holds
from kalos.ledger.postings import Insert, Move, Open, Posting, Resolve, Set, Stamp, Take
from kalos.ledger.watch import Step
from kalos.ledger.watch_roll import Pace
from support.budget import count, figures, seed
from support.ledger import BANKROLL, CHAIN, FEES, clients, new_owner, posting, writer_process

_MEMBERS: Final = 40
_AT_ONCE: Final = 16
_EXPLAINED: Final = (Holds("test.stake", "SELECT hold, member, state = 'waits' FROM test_rows"),)


@dataclass
class Load:
    """Members who pay, stake, win and lose at random; some ask for what is refused, or breaks a row's UNIQUE."""

    seed: int
    members: list[int] = field(default_factory=lambda: [new_owner() for _ in range(_MEMBERS)])
    open: dict[int, tuple[int, int]] = field(default_factory=dict)
    posted: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    async def fund(self, client: LedgerClient) -> None:
        accounts = [purse.available(member, USDT) for member in self.members]
        for account in (*accounts, BANKROLL):
            await client.post(posting(Move("test.fund", CHAIN, account, 10_000)))

    async def run(self, client: LedgerClient, goes_on: Callable[[], bool]) -> None:
        while goes_on():
            try:
                await self._one(client)
                self.posted += 1
            except Outage:  # the writer was killed: what was sent may stand or not
                await asyncio.sleep(0.02)
            except (Refusal, StateChanged):
                pass

    async def _one(self, client: LedgerClient) -> None:
        member = self.random.choice(self.members)
        mine = purse.available(member, USDT)
        units = self.random.randint(1, 50)
        match self.random.randrange(5):
            case 0:
                await client.post(posting(Move("test.a", mine, FEES, units), Move("test.b", BANKROLL, mine, units)))
            case 1:
                await client.post(posting(Move("test.a", mine, FEES, 1_000_000)))
            case 2:
                same = Insert("test_rows", {"id": Stamp.ID, "unique_word": str(units)})
                await client.post(posting(Move("test.a", mine, BANKROLL, units), riders=[same]))
            case 3:
                row = Insert("test_rows", {"id": Stamp.ID, "member": units, "hold": Stamp.HOLD, "state": "waits"})
                takes = [Take(f"load {units}", (1,), first=(1_000_000,))]
                posted = await client.post(posting(opens=[Open("test.stake", mine, units)], riders=[row], takes=takes))
                self.open[posted.id] = (units, mine)
            case _:
                with suppress(IndexError):
                    await client.post(self._settle(self.random.choice(list(self.open))))

    def _settle(self, stake: int) -> Posting:
        _, mine = self.open.pop(stake)
        ended = Set("test_rows", {"id": stake}, {"state": "waits"}, {"state": "ended"})
        return posting(resolves=[Resolve("test.end", stake * 8, mine)], riders=[ended])


async def _watch(db: Database, goes_on: Callable[[], bool], steps: list[Step]) -> None:
    pace = Pace(moves=500, accounts=20, holds=50, quotas=10)
    while goes_on():
        step = await watch.watch(db, Clock.wall(), explained=_EXPLAINED, pace=pace)
        if step is not None:
            steps.append(step)
            assert step.problems == []
        await asyncio.sleep(0.05)


async def test_a_busy_ledger_never_alarms(
    database_url: str, db: Database, owner: asyncpg.Connection, rows: str, tmp_path: Path
) -> None:
    seconds = count("ledger.watch.seconds")
    load, steps = Load(seed()), list[Step]()
    loop = asyncio.get_running_loop()
    async with writer_process(database_url, tmp_path) as process, clients(process.socket, 4) as four:
        await load.fund(four[0])
        until = loop.time() + seconds

        def goes_on() -> bool:
            """Longer where the machine is so slow that too little has happened."""
            enough = load.posted > 100 and len(steps) > seconds
            return loop.time() < until + (0 if enough else 60)

        async with asyncio.TaskGroup() as group:
            for client in four * (_AT_ONCE // 4):
                group.create_task(load.run(client, goes_on))
            for _ in range(2):
                group.create_task(_watch(db, goes_on, steps))
            await asyncio.sleep(seconds / 2)
            await process.end(signal.SIGKILL)
            await process.start()
        await process.end()
    assert await audit(db, _EXPLAINED) == []
    for _ in range(20):
        assert await watch.watch(db, Clock.wall(), explained=_EXPLAINED) == Step()
    figures("watch under load", posted=load.posted, steps=len(steps), most_behind=max(step.behind for step in steps))
    assert load.posted > 100
    assert len(steps) > seconds
    assert await owner.fetchval("SELECT last_move - move FROM ledger_tail, ledger_watch") == 0
