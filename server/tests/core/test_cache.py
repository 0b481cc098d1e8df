"""What is kept is bounded in age and number, and a change is never overlooked."""

import asyncio

from kalos.core.cache import Cache


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
