"""What is kept is bounded in age and number, and a change is never overlooked."""

import asyncio
import math

import pytest

from kalos.core.cache import Cache, Shared
from kalos.core.errors import Outage


class Rows:
    """What stands in the table; `reads` are the keys that were read."""

    def __init__(self) -> None:
        self.rows = {"a": 1, "b": 2, "c": 3}
        self.reads: list[str] = []
        self.slow = asyncio.Event()
        self.slow.set()

    async def read(self, key: str) -> int | None:
        self.reads.append(key)
        found = self.rows.get(key)
        await self.slow.wait()
        return found


class AtItsTime(Cache[str, int]):
    """Keeps a row for 9 seconds, for 30 while it is told of changes; what time it is, the test says."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows.read, seconds=9, told_seconds=30, most=10)
        self.now = 1000
        self._time = lambda: self.now


async def test_a_row_is_read_once_until_it_is_too_old() -> None:
    rows = Rows()
    cache = AtItsTime(rows)
    for _ in range(5):
        assert await cache.find("a") == 1
    assert rows.reads == ["a"]
    rows.rows["a"] = 7
    cache.now += 8
    assert await cache.find("a") == 1
    cache.now += 1
    assert await cache.find("a") == 7


async def test_its_age_counts_from_before_it_was_read() -> None:
    rows = Rows()
    cache = AtItsTime(rows)
    rows.slow.clear()
    asked = asyncio.create_task(cache.find("a"))
    await asyncio.sleep(0)
    cache.now += 9
    rows.slow.set()
    assert await asked == 1
    rows.rows["a"] = 7
    assert await cache.find("a") == 7


async def test_who_hears_of_every_change_reads_seldom() -> None:
    rows = Rows()
    cache = AtItsTime(rows)
    for _ in range(30):
        assert await cache.find("a") == 1
        cache.now += 1
        cache.heard(cache.now - 1)
    assert rows.reads == ["a"]
    rows.rows["a"] = 7
    assert await cache.find("a") == 7


async def test_who_heard_long_ago_reads_again() -> None:
    rows = Rows()
    cache = AtItsTime(rows)
    await cache.find("a")
    cache.heard(cache.now + 5)
    rows.rows["a"] = 7
    cache.now += 13
    assert await cache.find("a") == 1
    cache.now += 1
    assert await cache.find("a") == 7


async def test_what_was_heard_before_a_change_was_missed_counts_no_more() -> None:
    rows = Rows()
    cache = AtItsTime(rows)
    cache.heard(cache.now + 20)
    cache.clear()
    await cache.find("a")
    rows.rows["a"] = 7
    cache.now += 9
    assert await cache.find("a") == 7


async def test_what_is_not_there_is_not_kept() -> None:
    rows = Rows()
    cache = Cache(rows.read, seconds=9, most=10)
    assert await cache.find("d") is None
    rows.rows["d"] = 4
    assert await cache.find("d") == 4
    del rows.rows["d"]
    cache.forget("d")
    assert await cache.find("d") is None


async def test_what_changed_while_it_was_read_is_not_kept() -> None:
    rows = Rows()
    cache = Cache(rows.read, seconds=9, most=10)

    def forget() -> None:
        cache.forget("a")

    for changed in (forget, cache.clear):
        rows.rows["a"] = 1
        rows.slow.clear()
        asked = asyncio.create_task(cache.find("a"))
        await asyncio.sleep(0)
        rows.rows["a"] = 7
        changed()
        rows.slow.set()
        assert await asked == 1  # as the table was when it asked
        assert await cache.find("a") == 7
        cache.clear()


async def test_no_more_are_kept_than_said() -> None:
    rows = Rows()
    cache = Cache(rows.read, seconds=9, most=2)
    for key in ("a", "b", "c", "c", "b"):
        await cache.find(key)
    assert rows.reads == ["a", "b", "c"]
    await cache.find("a")
    assert rows.reads == ["a", "b", "c", "a"]


async def test_what_is_dear_is_read_once_for_all_who_ask_meanwhile() -> None:
    rows = Rows()
    cache = Shared(rows.read, seconds=math.inf, most=10)
    rows.slow.clear()
    first = [asyncio.create_task(cache.find(key)) for key in ("a", "b", "a")]
    while not rows.reads:
        await asyncio.sleep(0)
    late = [asyncio.create_task(cache.find(key)) for key in ("b", "a", "b")]
    first[0].cancel()  # who asked first and went takes nothing from the others
    await asyncio.sleep(0)
    rows.slow.set()
    assert await asyncio.gather(*first[1:], *late) == [2, 1, 2, 1, 2]
    assert rows.reads == ["a", "b"]


async def test_what_is_dear_is_read_one_at_a_time() -> None:
    rows, reading, most = Rows(), 0, 0

    async def read(key: str) -> int | None:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        await asyncio.sleep(0)
        reading -= 1
        return await rows.read(key)

    cache = Shared(read, seconds=math.inf, most=10)
    assert await asyncio.gather(*map(cache.find, "abca")) == [1, 2, 3, 1]
    assert most == 1


async def test_a_read_of_what_is_dear_that_failed_is_made_again() -> None:
    rows, away = Rows(), True

    async def read(key: str) -> int | None:
        if away:
            raise Outage("away")
        return await rows.read(key)

    cache = Shared(read, seconds=math.inf, most=10)
    with pytest.raises(Outage):
        await cache.find("a")
    away = False
    assert await cache.find("a") == 1
