"""The lease: one writer at a time, and a standby that gets it as soon as its holder is gone."""

import asyncio
import os
import signal
import time
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest

from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.ledger import lease
from kalos.ledger import writer as writer_module
from kalos.ledger.commit import LOST
from kalos.ledger.postings import Posted
from kalos.ledger.state import State
from kalos.ledger.writer import Writer
from support.budget import TRIES
from support.ledger import posting


@pytest.fixture
async def held(lone_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Writer]:
    """A writer that has the lease and hangs: it beats no more, and its connections live."""
    monkeypatch.setattr(writer_module, "_BEAT_PATIENCE_SECONDS", 60.0)
    hanging = Writer(lone_url, Clock())
    await hanging.start()

    async def hang(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(hanging._lease, "beat", hang)
    yield hanging
    await hanging.stop()


async def test_whoever_takes_over_waits_two_seconds_and_ends_the_holders_connection(
    lone_url: str, held: Writer, lone_db: asyncpg.Connection
) -> None:
    assert held._engine is not None
    backend = held._engine._committer.db.get_server_pid()
    beat, begun = await lone_db.fetchval("SELECT beat_at FROM writer_lease"), time.monotonic()
    next_one = Writer(lone_url, Clock())
    await next_one.start()
    assert await lone_db.fetchval("SELECT beat_at FROM writer_lease") - beat >= timedelta(seconds=2)
    while await lone_db.fetchval("SELECT count(*) FROM pg_stat_activity WHERE pid = $1", backend):
        assert time.monotonic() - begun < 30
        await asyncio.sleep(0.02)
    assert isinstance(await next_one.post(posting()), Posted)
    with pytest.raises(Outage):
        await held.post(posting())
    await next_one.stop()


async def test_a_holder_whose_lease_was_taken_while_it_was_away_ends(
    lone_url: str, lone_db: asyncpg.Connection
) -> None:
    old = Writer(lone_url, Clock())
    await old.start()
    await lone_db.execute(
        "UPDATE writer_lease SET epoch = epoch + 1, holder = $1, beat_at = clock_timestamp()",
        uuid.uuid4(),
    )
    assert (await asyncio.wait({old.lost}, timeout=15))[0] == {old.lost}
    assert old.lost.result() == "another writer has taken over"
    await old.stop()


async def test_a_takeover_that_waits_for_the_old_commit_is_tried_again(
    lone_url: str, lone_db: asyncpg.Connection
) -> None:
    beats, writes = [await asyncpg.connect(lone_url, server_settings={"lock_timeout": "200ms"}) for _ in range(2)]
    one = lease.Lease(Clock())
    async with asyncio.TaskGroup() as group, lone_db.transaction():
        await lone_db.execute("SELECT FROM ledger_tail FOR UPDATE")
        taking = group.create_task(one.acquire(beats, writes, State()))
        await asyncio.sleep(0.6)
        assert not taking.done()
    assert one.epoch == await lone_db.fetchval("SELECT epoch FROM ledger_tail")
    for db in (beats, writes):
        await db.close()


async def test_a_lease_has_a_number_that_the_tail_repeats(lone_url: str, lone_db: asyncpg.Connection) -> None:
    beats, writes = await asyncpg.connect(lone_url), await asyncpg.connect(lone_url)
    first, second = lease.Lease(Clock()), lease.Lease(Clock())
    for place, mine in enumerate((first, second), start=1):
        await mine.acquire(beats, writes, State())
        await mine.beat(beats, State())
        assert mine.epoch == await lone_db.fetchval("SELECT epoch FROM ledger_tail") == place
        await lone_db.execute("UPDATE writer_lease SET beat_at = 'epoch'")
    await lone_db.execute("UPDATE writer_lease SET epoch = epoch + 1")
    for lost in (first.beat(beats, State()), second.beat(beats, State()), first.acquire(beats, writes, State())):
        with pytest.raises(lease.LeaseLost):
            await lost
    await beats.close()
    await writes.close()


async def test_a_holder_that_beats_is_left_alone(lone_url: str) -> None:
    """Where the machine stands still for as long as a lease lasts, nobody can beat, and that says nothing."""
    for _ in range(TRIES):
        first, second = Writer(lone_url, Clock()), Writer(lone_url, Clock())
        await first.start()
        standby = asyncio.create_task(second.start())
        await asyncio.sleep(2.6)
        asked = [asyncio.create_task(one.post(posting())) for one in (second, first)]
        answered, _ = await asyncio.wait(asked, timeout=15)
        left_alone = not standby.done()
        assert answered == set(asked)
        ended = [type(one.exception() or one.result()) for one in asked]
        await first.stop()
        await standby
        await second.stop()
        if left_alone:
            assert ended == [Outage, Posted]
            return
    raise AssertionError("the standby took over")


async def test_a_take_over_without_an_answer_is_tried_anew(lone_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its way to the database was dropped without a word: the standby would be none, and seem to be there."""
    monkeypatch.setattr(lease, "_TAKE_SECONDS", 0.3)
    beats, writes = await asyncpg.connect(lone_url), await asyncpg.connect(lone_url)
    mute = beats.get_server_pid()
    os.kill(mute, signal.SIGSTOP)
    taking = asyncio.create_task(lease.Lease(Clock()).acquire(beats, writes, State()))
    try:
        assert (await asyncio.wait({taking}, timeout=15))[0] == {taking}
    finally:
        os.kill(mute, signal.SIGCONT)
    with pytest.raises(LOST):
        await taking
    beats = await asyncpg.connect(lone_url)
    await lease.Lease(Clock()).acquire(beats, writes, State())
    await beats.close()
    await writes.close()


async def test_a_take_over_whose_path_was_dropped_keeps_the_lease_from_nobody(
    lone_url: str, lone_db: asyncpg.Connection
) -> None:
    gone = await Writer(lone_url, Clock())._connect(lease.BEATING)
    await gone.execute("BEGIN; UPDATE writer_lease SET backend = 1")
    await lone_db.execute("SET lock_timeout = '20s'")
    (ended,) = await asyncio.gather(lone_db.execute("UPDATE writer_lease SET beat_at = now()"), return_exceptions=True)
    assert ended == "UPDATE 1"
    gone.terminate()


async def test_a_take_over_whose_answer_was_lost_is_made_again(lone_url: str, lone_db: asyncpg.Connection) -> None:
    beats, writes = await asyncpg.connect(lone_url), await asyncpg.connect(lone_url)
    one, other = lease.Lease(Clock()), lease.Lease(Clock())
    await one.acquire(beats, writes, State())
    await lone_db.execute("UPDATE writer_lease SET epoch = epoch + 1")  # as its own next take did
    await one.acquire(beats, writes, State())
    assert one.epoch == await lone_db.fetchval("SELECT epoch FROM writer_lease")
    await lone_db.execute("UPDATE writer_lease SET beat_at = 'epoch'")
    await other.acquire(beats, writes, State())
    with pytest.raises(lease.LeaseLost):
        await one.acquire(beats, writes, State())
    await beats.close()
    await writes.close()
