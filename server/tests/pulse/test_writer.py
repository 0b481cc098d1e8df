"""The writer's own clock: it stamps what came before what, so games close while it isn't the database's."""

import asyncio
import time
from typing import Final

import pytest

from kalos.app.migrate import role_url
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.ports import Closed
from kalos.domains.pulse.service import FollowedPulse
from kalos.ledger.writer import Writer
from support.clusters import SECRET

PATIENCE_SECONDS: Final = 15.0


class Drifting(Clock):
    """A wall's clock that can be set wrong."""

    drift_ms = 0

    @classmethod
    def wall(cls) -> int:
        return Clock.wall() + cls.drift_ms


@pytest.mark.parametrize("drift_ms", [30_000, -30_000])
async def test_a_writer_whose_clock_is_off_closes_games_until_it_is_right(
    drift_ms: int, db: Database, database_url: str
) -> None:
    class Own(Drifting):
        pass

    pulse = FollowedPulse(db, Clock())
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), Own())

    async def told(closed: Closed | None) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        await pulse.look()
        while pulse.closed() != closed and time.monotonic() < until:
            await pulse.look()
        assert pulse.closed() == closed

    await writer.start()
    try:
        await told(None)
        Own.drift_ms = drift_ms
        await told("clock")
        off = await db.value("SELECT clock_off_ms FROM writer_lease")
        assert abs(off + drift_ms) < 10_000
        Own.drift_ms = 0
        await told(None)
    finally:
        await writer.stop()


async def test_a_clock_that_is_a_little_off_closes_nothing(db: Database, database_url: str) -> None:
    class Own(Drifting):
        drift_ms = 600

    writer = Writer(role_url(database_url, "kalos_writer", SECRET), Own())
    await writer.start()
    try:
        async with asyncio.timeout(20):
            while abs(await db.value("SELECT clock_off_ms FROM writer_lease") + 600) > 300:
                await asyncio.sleep(0)
        pulse = FollowedPulse(db, Clock())
        await pulse.look()
        assert pulse.closed() is None
    finally:
        await writer.stop()
