"""Our side: the posting of a real bet, through the client that domains use, to the writer as its own process."""

import asyncio
import os
import random
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Final

import asyncpg

from kalos.core.assets import USDT
from kalos.core.errors import StateChanged
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Fact, Insert, Move, Posted, Posting, Set, Stamp, Take
from kalos.ledger.purse import Purpose
from slices import Work

BANKROLL: Final = purse.house(Purpose.BANKROLL, USDT)
CHAIN: Final = purse.outside(Purpose.CHAIN, USDT)
PLENTY: Final = 10**13
FIRST: Final = 10_000  # owner of the first member's account
ROOM: Final = (10**15,) * 10
ODD, EVEN = (1, -1) * 5, (-1, 1) * 5
STAKE, PRIZE = "game.stake", "game.prize"

SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS bench_bets (
        id bigint PRIMARY KEY, member bigint NOT NULL, round bigint NOT NULL, option text NOT NULL,
        stake bigint NOT NULL, at bigint NOT NULL, day date NOT NULL, state text NOT NULL
    );
    CREATE TABLE IF NOT EXISTS bench_rounds (id bigint PRIMARY KEY, state text NOT NULL);
    INSERT INTO bench_rounds SELECT n, 'open' FROM generate_series(1, 10000) AS n ON CONFLICT DO NOTHING;
    GRANT SELECT, INSERT ON bench_bets TO kalos_writer;
    GRANT SELECT, UPDATE ON bench_rounds TO kalos_writer;
"""
_CYCLE: Final = 195  # of `_resent`: with the five that are sent twice these are 200 requests
_ROUNDS: Final = 10_000


def members_of(count: int) -> list[int]:
    """The available accounts of so many members; every side has the same."""
    return [purse.available(FIRST + number, USDT) for number in range(count)]


class Draws:
    """Members and keys by chance, drawn beforehand and for many at once: bet by bet it costs the client 0.5 µs.

    Members repeat in the same order once each was drawn five times on average.
    """

    def __init__(self, members: Sequence[int]) -> None:
        chance = random.Random(7)
        self.member = cycle(chance.choices(members, k=5 * len(members))).__next__
        self.key = _keys().__next__

    def two(self) -> tuple[int, int]:
        """Two that are not the same."""
        one = other = self.member()
        while other == one:
            other = self.member()
        return one, other


def _keys() -> Iterator[bytes]:
    chance = random.Random()
    while True:
        many = chance.randbytes(32 * 1_024)
        for start in range(0, len(many), 32):
            yield many[start : start + 32]


class Ours:
    """One client, as one API process has."""

    name = "ours"

    def __init__(self, socket: Path) -> None:
        self._client = LedgerClient(socket)
        self._draws = Draws([BANKROLL])
        self._random = random.Random(7)
        self._old: deque[tuple[Posting, int]] = deque(maxlen=5_000)
        self.bets = 0

    async def prepare(self, owner: asyncpg.Connection, accounts: int, *, fund: bool = True) -> None:
        await owner.execute(SCHEMA)
        self.bets = await owner.fetchval("SELECT count(*) FROM bench_bets")
        members = members_of(accounts)
        self._draws = Draws(members)
        if fund:
            await post_all(
                self._client,
                [Posting(os.urandom(32), [Move("bench.fund", CHAIN, to, PLENTY)]) for to in [BANKROLL, *members]],
            )

    def work(self, name: str) -> Work | None:
        works = {"hot": self._bet, "alone": self._bet, "uniform": self._between, "bare": self._bare}
        return {**works, "resent": self._resent}.get(name)

    async def check(self, owner: asyncpg.Connection) -> None:
        stored = await owner.fetchval("SELECT count(*) FROM bench_bets")
        assert stored == self.bets, f"{stored} bets are stored, {self.bets} were acknowledged"

    async def close(self) -> None:
        await self._client.close()

    async def _bet(self, number: int) -> None:
        posting = self._bet_posting(number)
        posted = await self._client.post(posting)
        self.bets += 1
        if number % 20 == 0:
            self._old.append((posting, posted.id))

    async def _between(self, number: int) -> None:
        source, target = self._draws.two()
        quotas = f"height 1 {source}", f"height 1 {target}"  # nothing that all share
        await self._client.post(self._with_rows(Move(STAKE, source, target, 1), source, number, quotas))
        self.bets += 1

    async def _bare(self, number: int) -> None:
        member = self._draws.member()
        await self._client.post(Posting(self._draws.key(), [Move(STAKE, member, BANKROLL, 1)], member=number + 1))

    async def _resent(self, number: int) -> bool:
        """Bets; of 200 requests two have a violated rider, five a key that waits, five one that was committed long ago.

        Returns False for what posts nothing: only new bets count.
        """
        chance = number * 89 % _CYCLE
        if chance < 2:
            await self._violate(number)
            return False
        if chance < 7 and self._old:
            posting, first = self._random.choice(self._old)
            again = await self._client.post(posting)
            assert again.replayed, "a used key was posted again"
            assert again.id == first, f"posting {first} was answered as {again.id}"
            return False
        posting = self._bet_posting(number)
        if chance < 12:
            one, other = await asyncio.gather(self._client.post(posting), self._client.post(posting))
            assert one.id == other.id, "one key made two postings"
            assert one.replayed != other.replayed, "of two equal keys one is the first"
        else:
            await self._client.post(posting)
        self.bets += 1
        return True

    async def _violate(self, number: int) -> None:
        wrong = Set("bench_rounds", {"id": self._random.randint(1, _ROUNDS)}, {"state": "closed"}, {"state": "paid"})
        try:
            await self._client.post(self._bet_posting(number, wrong))
        except StateChanged:
            return
        raise AssertionError("a violated rider was accepted")

    def _bet_posting(self, number: int, *further: Set) -> Posting:
        """Seven stakes and three prizes of ten; all share the house's account and the quota of the height."""
        member = self._draws.member()
        stake = number % 10 < 7
        move = Move(STAKE, member, BANKROLL, 5) if stake else Move(PRIZE, BANKROLL, member, 9)
        return self._with_rows(move, member, number, ("height 1", f"height 1 {member}"), *further)

    def _with_rows(self, move: Move, member: int, number: int, quotas: tuple[str, str], *further: Set) -> Posting:
        """One move, two takes, one rider, one fact."""
        vector = ODD if number & 1 else EVEN
        row = {
            "id": Stamp.ID,
            "member": member,
            "round": 1,
            "option": "odd" if number & 1 else "even",
            "stake": move.units,
            "at": Stamp.AT,
            "day": Stamp.DAY,
            "state": "awaiting_draw",
        }
        return Posting(
            key=self._draws.key(),
            moves=[move],
            takes=[Take(quota, vector, first=ROOM) for quota in quotas],
            riders=[Insert("bench_bets", row), *further],
            facts=[Fact("bets", {"round": "1", "bet": Stamp.ID})],
            fingerprint=b"f" * 32,
            member=number + 1,
        )


async def post_all(client: LedgerClient, postings: Sequence[Posting]) -> None:
    """Bulk; every posting must be accepted."""
    for answer in await client.post_many(postings):
        assert isinstance(answer, Posted), f"refused: {answer!r}"
