"""The writer's clock stamps every posting for ever: while it is not the database's, nothing is written."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress

import asyncpg
import pytest
from structlog.testing import capture_logs

from kalos.app.migrate import role_url
from kalos.core.clock import HOUR_MS, Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.ledger import lease as lease_module
from kalos.ledger import writer as writer_module
from kalos.ledger.postings import Posted
from kalos.ledger.stamps import ahead_ms
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import posting

_PATIENCE_SECONDS = 15


class Setting(Clock):
    """A machine's clock that somebody sets."""

    wrong_ms = 0

    def wall(self) -> int:  # type: ignore[override]
        return Clock.wall() + self.wrong_ms


@pytest.fixture
def hands() -> Setting:
    return Setting()


@pytest.fixture
async def written(hands: Setting, database_url: str) -> AsyncIterator[Writer]:
    """A writer that reads that clock."""
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), hands)
    await writer.start()
    yield writer
    await writer.stop()


async def post_when_it_writes(writer: Writer) -> Posted:
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            try:
                return await writer.post(posting())
            except Outage:
                await asyncio.sleep(0.05)


async def last_at(db: Database) -> int:
    at: int = await db.value("SELECT last_at FROM ledger_tail")
    return at


@pytest.mark.parametrize("wrong_ms", [3 * HOUR_MS, 1_500, -1_500, -3 * HOUR_MS])
async def test_no_posting_is_decided_by_a_clock_that_was_set_wrong(
    wrong_ms: int, hands: Setting, written: Writer, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even before the next beat compares the clocks."""
    await written.post(posting())
    monkeypatch.setattr(writer_module, "BEAT_SECONDS", 60.0)
    await asyncio.sleep(lease_module.BEAT_SECONDS * 1.5)  # the beat that was under way
    before = await last_at(db)
    hands.wrong_ms = wrong_ms
    with pytest.raises(Outage):
        await written.post(posting())
    monkeypatch.undo()
    assert await last_at(db) == before
    hands.wrong_ms = 0
    assert abs((await post_when_it_writes(written)).at - Clock.wall()) < 30_000
    assert await ahead_ms(db) <= 1_000


async def test_a_writer_without_work_finds_its_clock_wrong_and_tells_it(
    hands: Setting, written: Writer, db: Database
) -> None:
    hands.wrong_ms = HOUR_MS
    until = time.monotonic() + _PATIENCE_SECONDS
    while (off := await db.value("SELECT clock_off_ms FROM writer_lease")) > 10_000 - HOUR_MS or written.leads:
        if time.monotonic() > until:
            break
        await asyncio.sleep(0.05)
    assert abs(off + HOUR_MS) < 10_000
    assert not written.leads
    epoch, beaten = await db.value("SELECT epoch FROM writer_lease"), await db.value("SELECT now()")
    async with asyncio.timeout(_PATIENCE_SECONDS):
        # It keeps the lease, and beats: no second one of this machine would do better.
        while not await db.value("SELECT beat_at > $1::timestamptz + interval '1 s' FROM writer_lease", beaten):
            await asyncio.sleep(0.05)
    assert await db.value("SELECT epoch FROM writer_lease") == epoch
    assert not written.leads
    hands.wrong_ms = 0
    await post_when_it_writes(written)


async def test_a_writer_that_starts_with_a_wrong_clock_writes_once_it_is_right(
    hands: Setting, database_url: str, db: Database
) -> None:
    hands.wrong_ms = HOUR_MS
    before = await last_at(db)
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), hands)
    await writer.start()
    try:
        assert not writer.leads
        with pytest.raises(Outage, match="its clock is off"):
            await writer.post(posting())
        assert await last_at(db) == before
        hands.wrong_ms = 0
        await post_when_it_writes(writer)
    finally:
        await writer.stop()


async def test_a_clock_that_is_read_slowly_stops_nothing(
    written: Writer, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    epoch = await db.value("SELECT epoch FROM writer_lease")
    monkeypatch.setattr(lease_module, "_BEAT", lease_module._BEAT + ", pg_sleep(1.3)")
    for _ in range(25):
        await written.post(posting())
        await asyncio.sleep(0.1)
    assert await db.value("SELECT epoch FROM writer_lease") == epoch


async def test_a_clock_that_is_set_while_the_database_is_asked_stamps_nothing(
    hands: Setting, written: Writer, db: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says then is of the time before: it must not pass for the new clock's."""
    owner = await asyncpg.connect(database_url)
    asking = f"""
        SELECT EXISTS (SELECT FROM pg_stat_activity
            WHERE application_name = '{lease_module.BEATING}' AND state = 'active' AND query LIKE '%pg_sleep%')
    """
    monkeypatch.setattr(lease_module, "_BEAT", lease_module._BEAT + ", pg_sleep(0.5)")
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await owner.fetchval(asking):
            await asyncio.sleep(0.01)
        hands.wrong_ms = HOUR_MS
        monkeypatch.setattr(writer_module, "BEAT_SECONDS", 5.0)
        while await owner.fetchval(asking):
            await asyncio.sleep(0.01)
    refused = await asyncio.gather(written.post(posting()), return_exceptions=True)
    hands.wrong_ms = 0
    monkeypatch.undo()
    await owner.close()
    assert isinstance(refused[0], Outage)
    await post_when_it_writes(written)
    assert await ahead_ms(db) <= 1_000


async def test_a_clock_at_the_edge_is_waited_for_until_it_has_been_right_for_some_beats(
    hands: Setting, written: Writer, db: Database
) -> None:
    """Each start anew throws all copies away."""
    epoch = await db.value("SELECT epoch FROM writer_lease")
    for _ in range(3):
        hands.wrong_ms = 1_200
        with suppress(Outage):
            await written.post(posting())
        hands.wrong_ms = 0
        await asyncio.sleep(lease_module.BEAT_SECONDS * 2)
    assert await db.value("SELECT epoch FROM writer_lease") == epoch + 1
    hands.wrong_ms = 0
    await post_when_it_writes(written)


async def test_stamps_that_are_ahead_all_the_same_are_told(database_url: str, db: Database) -> None:
    owner = await asyncpg.connect(database_url)
    future = Clock.wall() + HOUR_MS
    before = await owner.fetchval("UPDATE ledger_tail SET last_at = $1 RETURNING last_at", future)
    assert before == future
    assert HOUR_MS - 60_000 < await ahead_ms(db) <= HOUR_MS
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), Clock())
    with capture_logs() as lines:
        await writer.start()
    try:
        told = [line for line in lines if line["log_level"] == "error"]
        assert [line["event"].partition(":")[0] for line in told] == ["the ledger's stamps are ahead"]
        assert (await writer.post(posting())).at == future
    finally:
        await writer.stop()
        await owner.execute("UPDATE ledger_tail SET last_at = 0")
        await owner.close()


async def test_business_time_that_demo_mode_moved_is_not_ahead(database_url: str, db: Database) -> None:
    owner = await asyncpg.connect(database_url)
    await owner.execute("UPDATE clock SET offset_ms = offset_ms + $1", 24 * HOUR_MS)
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), Clock())
    with capture_logs() as lines:
        await writer.start()
        assert (await writer.post(posting())).at > Clock.wall() + 23 * HOUR_MS
        await writer.stop()
        await writer.stop()
        again = Writer(role_url(database_url, "kalos_writer", SECRET), Clock())
        await again.start()
        await again.stop()
    assert await ahead_ms(db) <= 1_000
    assert [line for line in lines if line["log_level"] == "error"] == []
    await owner.close()
