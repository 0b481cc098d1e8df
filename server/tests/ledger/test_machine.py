"""Random lives of the ledger against the real writer, beside a model of a few lines."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Refusal, StateChanged
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.postings import Close, Insert, Move, Open, Posted, Posting, Resolve, Stamp, Take
from kalos.ledger.statements import balances
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import BANKROLL, CHAIN, new_key, new_owner

Result = TypeVar("Result")
MEMBERS = 3


class World:
    """The writer and its database on a loop of their own; Hypothesis runs outside it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.db, self.writer = self.run(self._open())

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _open(self) -> tuple[Database, Writer]:
        writer = Writer(role_url(self.url, "kalos_writer", SECRET), Clock())
        await writer.start()
        return Database(role_url(self.url, "kalos_app", SECRET), size=2), writer

    async def restart(self) -> None:
        await self.writer.stop()
        self.writer = Writer(role_url(self.url, "kalos_writer", SECRET), Clock())
        await self.writer.start()

    def close(self) -> None:
        async def end() -> None:
            await self.writer.stop()
            await self.db.close()

        self.run(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Life(RuleBasedStateMachine):
    """Members with money, holds, one quota, one table; some postings at once, some resent, a restart now and then."""

    world: World
    table: str

    @initialize()
    def begin(self) -> None:
        owners = [new_owner() for _ in range(MEMBERS)]
        self.owners = owners
        self.accounts = [purse.available(owner, USDT) for owner in owners]
        self.quota = f"quota of {owners[0]}"
        self.money: dict[int, int] = {}
        self.holds: dict[int, tuple[int, int]] = {}
        self.left: tuple[int, ...] | None = (20, 20)
        self.rows: set[int] = set()
        self.sent: list[tuple[Posting, int]] = []

    def post(self, *postings: Posting) -> list[Posted | None]:
        """Send at once; what is accepted goes into the model in the order of the ledger."""

        async def send() -> list[Any]:
            return await asyncio.gather(*(self.world.writer.post(one) for one in postings), return_exceptions=True)

        ended = self.world.run(send())
        for one in ended:
            assert isinstance(one, Posted | Refusal | StateChanged), one
        pairs = [(one, asked) for one, asked in zip(ended, postings, strict=True) if isinstance(one, Posted)]
        for posted, asked in sorted(pairs, key=lambda pair: pair[0].id):
            self.sent.append((asked, posted.id))
            self.apply(posted.id, asked)
            for account, balance in posted.balances.items():
                if account not in (CHAIN, BANKROLL):
                    assert self.money[account] >= 0
                    del balance
        return [one if isinstance(one, Posted) else None for one in ended]

    def change(self, source: int, target: int, units: int) -> None:
        self.money[source] = self.money.get(source, 0) - units
        self.money[target] = self.money.get(target, 0) + units

    def apply(self, number: int, asked: Posting) -> None:
        for end in asked.resolves:
            account, left = self.holds[end.hold]
            units = left if end.units is None else end.units
            self.change(account, end.target, units)
            self.holds[end.hold] = (account, left - units)
            assert left >= units > 0
        for move in asked.moves:
            self.change(move.source, move.target, move.units)
        for index, hold in enumerate(asked.opens):
            self.change(hold.source, hold.source + 1, hold.units)
            self.holds[number * 8 + index] = (hold.source + 1, hold.units)
        for take in asked.takes:
            assert self.left is not None
            self.left = tuple(have - units for have, units in zip(self.left, take.units, strict=True))
            assert min(self.left) >= 0
        if asked.closes:
            self.left = None
        self.rows.update(number for rider in asked.riders if isinstance(rider, Insert))

    @rule(member=st.integers(0, MEMBERS - 1), units=st.integers(1, 100))
    def fund(self, member: int, units: int) -> None:
        (posted,) = self.post(Posting(new_key(), [Move("test.fund", CHAIN, self.accounts[member], units)]))
        assert posted is not None

    @rule(
        moves=st.lists(
            st.tuples(st.integers(0, MEMBERS - 1), st.integers(0, MEMBERS), st.integers(1, 60)).filter(
                lambda move: move[0] != move[1]
            ),
            min_size=1,
            max_size=8,
        ),
        together=st.booleans(),
    )
    def move(self, moves: list[tuple[int, int, int]], together: bool) -> None:
        targets = [*self.accounts, BANKROLL]
        elements = [Move("test.move", self.accounts[source], targets[target], units) for source, target, units in moves]
        if together:
            self.post(Posting(new_key(), elements))
        else:
            self.post(*(Posting(new_key(), [one]) for one in elements))

    @rule(member=st.integers(0, MEMBERS - 1), units=st.lists(st.integers(1, 40), min_size=1, max_size=3))
    def open(self, member: int, units: list[int]) -> None:
        self.post(Posting(new_key(), opens=[Open("test.stake", self.accounts[member], one) for one in units]))

    @rule(data=st.data(), part=st.one_of(st.none(), st.integers(1, 30)), times=st.integers(1, 3))
    def resolve(self, data: st.DataObject, part: int | None, times: int) -> None:
        if self.holds:
            hold = data.draw(st.sampled_from(sorted(self.holds)))
            target = data.draw(st.sampled_from([*self.accounts, BANKROLL]))
            self.post(*(Posting(new_key(), resolves=[Resolve("test.end", hold, target, part)]) for _ in range(times)))

    @rule(
        takes=st.lists(st.tuples(st.integers(-3, 8), st.integers(-3, 8)), min_size=1, max_size=4),
        stake=st.integers(1, 20),
        close=st.sampled_from([False, False, False, True]),
    )
    def take(self, takes: list[tuple[int, int]], stake: int, close: bool) -> None:
        asked = [
            Posting(
                new_key(),
                opens=[Open("test.stake", self.accounts[0], stake)],
                takes=[Take(self.quota, units, first=(20, 20))],
                riders=[Insert(self.table, {"id": Stamp.ID, "member": self.owners[0]})],
            )
            for units in takes
        ]
        if close:
            asked.insert(len(asked) // 2, Posting(new_key(), closes=[Close(self.quota)]))
        self.post(*asked)

    @rule(data=st.data())
    def insert_twice(self, data: st.DataObject) -> None:
        if self.rows:
            row = data.draw(st.sampled_from(sorted(self.rows)))
            bad = Posting(
                new_key(),
                [Move("test.fund", CHAIN, self.accounts[0], 5)],
                riders=[Insert(self.table, {"id": row, "member": 0})],
            )
            good = Posting(new_key(), [Move("test.fund", CHAIN, self.accounts[1], 5)])
            assert [one is not None for one in self.post(bad, good)] == [False, True]

    @rule(data=st.data())
    def resend(self, data: st.DataObject) -> None:
        if self.sent:
            asked, number = data.draw(st.sampled_from(self.sent))
            again = self.world.run(self.world.writer.post(asked))
            assert (again.id, again.replayed) == (number, True)

    @rule()
    def restart(self) -> None:
        self.world.run(self.world.restart())

    @invariant()
    def the_books_are_as_the_model(self) -> None:
        run, db = self.world.run, self.world.db
        found = run(balances(db, self.owners))
        mine = {account: units for account, units in self.money.items() if account not in (CHAIN, BANKROLL)}
        assert found == mine
        holds = run(db.rows("SELECT id, left_units FROM holds WHERE id = ANY($1::bigint[])", list(self.holds)))
        assert {row["id"]: row["left_units"] for row in holds} == {
            number: left for number, (_, left) in self.holds.items()
        }
        quota = run(db.row("SELECT left_units, state FROM quotas WHERE id = $1", self.quota))
        if quota is not None:
            assert (quota["state"] == "closed") == (self.left is None)
            assert self.left in (None, tuple(quota["left_units"]))
        rows = run(db.rows(f"SELECT id FROM {self.table} WHERE member = $1", self.owners[0]))
        assert {row["id"] for row in rows} == self.rows
        assert run(audit(db)) == []


@pytest.fixture(scope="module")
def world(database_url: str, rows: str) -> Iterator[World]:
    made = World(database_url)
    yield made
    made.close()


def test_no_life_breaks_the_books(world: World, rows: str) -> None:
    Life.world, Life.table = world, rows
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
