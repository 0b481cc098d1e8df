"""Sums by kind of all that an account ever moved: exact, of one moment, walked once, and made anew where they lie."""

import asyncio
import random
from typing import Final

import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger import purse, sums
from kalos.ledger.postings import Move
from kalos.ledger.statements import balances
from kalos.ledger.sums import Sums, sums_of, sums_since
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, FEES, new_owner, posting

KINDS: Final = ("test.a", "test.b", "test.c")
_KEPT: Final = "SELECT version, kinds, units FROM ledger_sums WHERE account = $1"


@pytest.fixture(autouse=True)
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "_STEP", 4)
    monkeypatch.setattr(sums, "_WORTH_KEEPING", 3)


class Life:
    """An account with moves of three kinds, in and out; what they sum up to since each of them began."""

    def __init__(self, writer: Writer, clock: Clock) -> None:
        self.account = purse.available(new_owner(), USDT)
        self.moved: list[tuple[int, str, int]] = []
        self._writer = writer
        self._clock = clock
        self._random = random.Random(7)

    async def go_on(self, moves: int) -> None:
        for _ in range(moves):
            self._clock.offset_ms += 60_000
            kind, units = self._random.choice(KINDS), self._random.randint(1, 9)
            goes = self._random.random() < 0.4 and sum(units for _, _, units in self.moved) >= units
            ends = (self.account, FEES) if goes else (CHAIN, self.account)
            posted = await self._writer.post(posting(Move(kind, *ends, units)))
            self.moved.append((posted.at, kind, -units if goes else units))

    def expected(self, start: int = 0) -> dict[tuple[int, str], int]:
        found: dict[tuple[int, str], int] = {}
        for at, kind, units in self.moved:
            if at >= start:
                found[self.account, kind] = found.get((self.account, kind), 0) + units
        return found


class Counted:
    """Looks at walks as they are made."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.parts: list[sums.Part] = []
        self._walk = sums._walk
        patch.setattr(sums, "_walk", self.walk)

    async def walk(self, db: Database, part: list[sums.Part]) -> sums.Units:
        self.parts.extend(part)
        return await self._walk(db, part)

    def taken(self) -> list[sums.Part]:
        parts, self.parts = self.parts, []
        return parts


@pytest.fixture
async def life(writer: Writer, clock: Clock) -> Life:
    life = Life(writer, clock)
    await life.go_on(14)
    return life


async def test_sums_are_those_of_the_moves_however_far_they_were_kept(db: Database, life: Life) -> None:
    for more in (0, 1, 2, 5, 11):
        await life.go_on(more)
        starts = [life.moved[at][0] for at in (0, 5, len(life.moved) - 1)]
        assert await sums_of(db, [life.account], starts) == Sums(
            life.expected(), {start: life.expected(start) for start in starts}
        )
        assert await sums_since(db, [life.account], starts[1]) == life.expected(starts[1])


async def test_the_same_moves_count_in_all_sums(writer: Writer, db: Database, life: Life) -> None:
    """What came while they were read would else be missing in one, and be yesterday's by subtraction."""
    start = life.moved[3][0]
    walk, parts = sums._walk, []

    async def interrupted(db: Database, part: list[sums.Part]) -> sums.Units:
        parts.append(part)
        await life.go_on(1)
        return await walk(db, part)

    expected = Sums(life.expected(), {start: life.expected(start)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_walk", interrupted)
        assert await sums_of(db, [life.account], [start]) == expected
    assert len(parts) > 3


async def test_a_long_history_is_walked_once(db: Database, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    await sums_of(db, [life.account], [])
    kept = await db.row(_KEPT, life.account)
    assert kept is not None
    assert kept["version"] == 12  # three steps of four; the last two moves aren't worth a row
    counted = Counted(monkeypatch)
    assert (await sums_of(db, [life.account], [])).ever == life.expected()
    assert counted.taken() == [(life.account, 12, 14)]


async def test_a_busy_day_is_walked_once_by_each_process(
    db: Database, life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, start, account = Counted(monkeypatch), life.moved[5][0], life.account
    assert await sums_since(db, [account], start) == life.expected(start)
    assert counted.taken() == [(account, 5, 9), (account, 9, 13), (account, 13, 14)]
    assert await sums_since(db, [account], start) == life.expected(start)
    assert counted.taken() == []
    await life.go_on(2)
    assert await sums_since(db, [account], start) == life.expected(start)
    assert counted.taken() == [(account, 14, 16)]
    before = await sums._since(db, {account: 15}, [start])  # who looked before that
    assert sum(before[start].values()) == sum(units for _, _, units in life.moved[5:15])
    assert counted.taken()[0] == (account, 5, 9)
    other = Database(db.url, 1)
    try:
        assert await sums_since(other, [account], start) == life.expected(start)
    finally:
        await other.close()
    assert counted.taken()[0] == (account, 5, 9)


async def test_a_short_day_is_not_kept_and_of_long_ones_so_many(
    db: Database, life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "_MOST_KEPT", 2)
    sums._kept.clear()
    starts = [at for at, _, _ in life.moved]
    for start in starts:
        assert await sums_since(db, [life.account], start) == life.expected(start)
        assert len(sums._kept[db]) <= 2
    assert list(sums._kept[db]) == [(life.account, 10), (life.account, 11)]


async def test_who_is_cut_off_has_kept_the_steps_before(db: Database, life: Life) -> None:
    walk, left = sums._walk, 2

    async def cut_off(db: Database, part: list[sums.Part]) -> sums.Units:
        nonlocal left
        if not left:
            raise TimeoutError
        left -= 1
        return await walk(db, part)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_walk", cut_off)
        with pytest.raises(TimeoutError):
            await sums_of(db, [life.account], [])
    assert await db.value("SELECT version FROM ledger_sums WHERE account = $1", life.account) == 8
    assert (await sums_of(db, [life.account], [])).ever == life.expected()


@pytest.mark.parametrize(
    "wrong",
    [
        "units = (SELECT array_agg(one + 1) FROM unnest(units) AS one)",
        "version = version - 1",
        "version = version + 1",
        "version = 1000000",
        "kinds = ARRAY['test.z'], units = ARRAY[5]",
    ],
)
async def test_what_was_kept_wrong_is_made_anew(db: Database, life: Life, wrong: str) -> None:
    await sums_of(db, [life.account], [])
    before = await db.row(_KEPT, life.account)
    await db.execute(f"UPDATE ledger_sums SET {wrong} WHERE account = $1", life.account)
    assert (await sums_of(db, [life.account], [])).ever == life.expected()
    after = await db.row(_KEPT, life.account)
    assert before is not None
    assert after is not None
    assert after["version"] == before["version"]
    assert dict(zip(*after[1:], strict=True)) == dict(zip(*before[1:], strict=True))


async def test_many_at_once_keep_one_row_that_never_goes_back(db: Database, life: Life) -> None:
    async def ask() -> Sums:
        return await sums_of(db, [life.account], [])

    for more in (0, 8):
        await life.go_on(more)
        assert await asyncio.gather(*(ask() for _ in range(16))) == [Sums(life.expected(), {})] * 16
    assert await db.value("SELECT count(*) FROM ledger_sums WHERE account = $1", life.account) == 1
    await db.execute(sums._KEEP, life.account, 3, ["test.a"], [1])  # who read long ago comes last
    assert await db.value("SELECT version FROM ledger_sums WHERE account = $1", life.account) == 20


async def test_several_accounts_and_those_that_never_moved(writer: Writer, db: Database, life: Life) -> None:
    other, never = purse.available(new_owner(), KLS), purse.available(new_owner(), USDT)
    await writer.post(posting(Move("test.a", purse.outside(purse.Purpose.ISSUANCE, KLS), other, 5)))
    found = await sums_of(db, [life.account, other, never], [0])
    assert found.ever == found.since[0] == life.expected() | {(other, "test.a"): 5}
    assert await sums_of(db, [never], [0]) == Sums({}, {0: {}})
    assert await sums_of(db, [], []) == Sums({}, {})
    has = await balances(db, [purse.owner_of(life.account)])
    assert sum(life.expected().values()) == has[life.account]
