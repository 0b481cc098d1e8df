"""Random lives of the ledger against a writer process, beside a model that says what must happen to each posting."""

import asyncio
import random
import signal
import uuid
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Posted, Posting
from support import clusters
from support.budget import count, figures, seed
from support.compare import Books
from support.force import books_of, make_table
from support.ledger import WriterProcess, writer_process
from support.lives import HOUSES, TABLES, Life
from support.model import Expected, Model, Short

STEPS: Final = 50
AT_ONCE: Final = len(HOUSES)
PARTS: Final = 5
Result = Posted | Exception


class Fleet:
    """Lives that take their steps together, so that the writer's batches are mixed; checked after each step."""

    def __init__(self, process: WriterProcess, books: Books, lives: Sequence[Life]) -> None:
        self.process, self.books, self.model, self.lives = process, books, books.model, lives
        self.clients = {life: LedgerClient(process.socket) for life in lives}
        self.accepted: dict[int, tuple[Posting, Expected]] = {}
        self.posted = self.refused = 0

    async def run(self, chance: random.Random) -> None:
        try:
            for step in range(STEPS):
                self.accepted.clear()
                await self._together(step, chance.random())
                self.posted += len(self.accepted)
                await self.books.check(self.accepted)
        finally:
            for client in self.clients.values():
                await client.close()

    async def _together(self, step: int, way: float) -> None:
        if not step:
            await asyncio.gather(*(self._send(life, [life.first()]) for life in self.lives))
        elif way < 0.005:
            await self._crash()
        elif way < 0.15:
            await self._refuse()
        else:
            await asyncio.gather(*(self._step(life) for life in self.lives))

    async def _step(self, life: Life) -> None:
        """What a life does next: one posting, some at once, bulk, a race, a key that was sent before."""
        chance, now = life.chance, Clock.wall()
        way = chance.random()
        if way < 0.5:
            await self._send(life, [life.posting(now)])
        elif way < 0.75:
            await self._send(life, (life.posting(now, calm=True) for _ in range(chance.randint(2, 5))))
        elif way < 0.82:
            await self._send(life, (life.posting(now, calm=True) for _ in range(chance.randint(2, 12))), bulk=True)
        elif way < 0.88:
            await self._send(life, life.race())
        elif way < 0.92:
            await self._send(life, [life.posting(now)] * 2)
        elif life.sent:
            before = chance.choice(life.sent)[0]
            await self._send(life, [before if way < 0.97 else life.other_body(before)])

    async def _send(self, life: Life, wishes: Iterable[Posting], *, bulk: bool = False) -> None:
        """At once, in this order; each wish is made when the model has the one before."""
        asked, expected = [], []
        for one in wishes:
            asked.append(one)
            expected.append(self.model.accept(one, Clock.wall()))
        client = self.clients[life]
        if bulk:
            results: Sequence[Result | BaseException] = await client.post_many(asked)
        else:
            results = await asyncio.gather(*map(client.post, asked), return_exceptions=True)
        for one, wanted, result in zip(asked, expected, results, strict=True):
            self._compare(life, one, wanted, result)

    async def _refuse(self) -> None:
        """All lives try only what must be refused: not one row changes."""
        asked = {life: self._bad(life) for life in self.lives}
        before = await self.books.digest()
        await asyncio.gather(*(self._send(life, [one]) for life, one in asked.items() if one is not None))
        assert await self.books.digest() == before
        assert not self.accepted

    def _bad(self, life: Life) -> Posting | None:
        tries = (life.posting(Clock.wall()) for _ in range(30))
        return next((one for one in tries if self.model.decide(one, Clock.wall()).refusal is not None), None)

    async def _crash(self) -> None:
        """The writer dies while every life has a posting on its way; each is sent until it is answered."""

        async def insist(life: Life) -> None:
            one = life.posting(Clock.wall())
            expected = self.model.accept(one, Clock.wall())
            await asyncio.sleep(life.chance.random() * 0.02)
            while True:
                result = (await asyncio.gather(self.clients[life].post(one), return_exceptions=True))[0]
                if not isinstance(result, Outage):
                    break
                await asyncio.sleep(0.05)
            self._compare(life, one, expected, result, again=True)

        async def die() -> None:
            await asyncio.sleep(0.01)
            await self.process.end(signal.SIGKILL)
            await self.process.start()

        await asyncio.gather(die(), *map(insist, self.lives))

    def _compare(
        self, life: Life, one: Posting, expected: Expected, result: Result | BaseException, *, again: bool = False
    ) -> None:
        if expected.refusal is not None:
            assert type(result) is expected.refusal, (one, expected, result)
            if isinstance(result, Short):
                assert result.fields["left"] == expected.left
            self.refused += 1
            return
        assert isinstance(result, Posted), (one, expected, result)
        if expected.replayed:
            assert result.replayed
            assert (one, result.id) in life.sent or result.id in self.accepted
            return
        assert again or not result.replayed
        if not result.replayed:
            owners = set(life.members)
            assert {key: units for key, units in result.balances.items() if key >> 16 in owners} == {
                key: units for key, units in expected.balances.items() if key >> 16 in owners
            }
            taken = {take.quota for take in one.takes}
            assert {key: tuple(left) for key, left in result.left.items()} == {
                name: left for name, left in expected.quotas.items() if name in taken
            }
        assert result.id not in self.accepted
        self.accepted[result.id] = (one, expected)
        self.model.name_holds(one, result.id)
        life.remember(one, result.id)


@pytest.fixture
async def url(template: str) -> AsyncIterator[str]:
    """A ledger of its own, so that each part can be repeated alone."""
    name = f"test_machine_{uuid.uuid4().hex[:12]}"
    url = await clusters.copy_template(template, name)
    for table, columns in TABLES.items():
        await make_table(url, table, columns)
    yield url
    await clusters.drop(template, name)


@pytest.mark.parametrize("part", range(PARTS))
async def test_no_life_breaks_the_books(url: str, tmp_path: Path, part: int) -> None:
    async with writer_process(url, tmp_path) as process:
        await live(process, f"{part}", range(count("ledger.machine.runs"))[part::PARTS])


async def test_no_life_breaks_the_books_of_a_writer_that_forgets(url: str, tmp_path: Path) -> None:
    program = (str(Path(__file__).with_name("forgetful_writer.py")),)
    async with writer_process(url, tmp_path, program) as process:
        await live(process, "forgetful", range(count("ledger.machine.runs"))[:: 2 * PARTS])


async def live(process: WriterProcess, part: str, lives_of_part: Sequence[int]) -> None:
    """Let these lives take all of their steps, some of them at a time."""
    db = await asyncpg.connect(process.url)
    books = Books(db, Model())
    posted = refused = 0
    for first in range(0, len(lives_of_part), AT_ONCE):
        numbers = lives_of_part[first : first + AT_ONCE]
        print(f"lives {numbers} of KALOS_SEED={seed()}")  # noqa: T201
        books.model.forget_members()
        lives = [
            Life(books.model, random.Random(f"{seed()} {number}"), house)
            for number, house in zip(numbers, HOUSES, strict=False)
        ]
        books.begin(lives[0].members[0])
        fleet = Fleet(process, books, lives)
        await fleet.run(random.Random(f"{seed()} fleet {numbers[0]}"))
        posted, refused = posted + fleet.posted, refused + fleet.refused
    await db.close()
    async with books_of(process.url):
        figures(
            f"machine {part} of seed {seed()}", runs=len(lives_of_part), steps=STEPS, posted=posted, refused=refused
        )
