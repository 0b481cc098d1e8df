"""However many members there are, the writer's copies take less than a gigabyte, and there is one set of them."""

import asyncio
import gc
import subprocess
import sys
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.app.migrate import role_url
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.ledger import writer as writers
from kalos.ledger.lease import APPLICATION
from kalos.ledger.state import Hold, Quota, State
from kalos.ledger.writer import Writer
from support.budget import SOAK, figures
from support.clusters import SECRET
from support.ledger import funded, posting

MOST_BYTES: Final = 10**9
SCRIPT: Final = Path(__file__).with_name("full_writer.py")


def test_all_that_a_writer_keeps_takes_less_than_a_gigabyte() -> None:
    part = 1 if SOAK else 10
    printed = subprocess.run([sys.executable, SCRIPT, str(part)], check=True, capture_output=True, text=True).stdout
    before, largest = map(int, printed.split())
    whole = before + (largest - before) * part
    figures("memory of the writer", part=1 / part, megabytes=whole / 10**6)
    assert whole < MOST_BYTES


def test_each_sort_has_its_bound() -> None:
    full = State()
    for number in range(130):
        full.accounts[number] = (0, 1)
        full.holds[number] = Hold(1, 1, 1, 1)
        full.quotas[str(number)] = Quota(1, 1, 1, True)
    full.shrink(100, (), (), ())
    assert (len(full.accounts), len(full.holds), len(full.quotas)) == (90, 90, 45)


async def test_copies_go_with_the_connection_that_they_were_read_by(
    database_url: str, clock: Clock, by_hand: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those of the first one, which is frozen with all that is loaded."""
    states: list[State] = []

    def make() -> State:
        states.append(State())
        return states[-1]

    monkeypatch.setattr(writers, "State", make)
    writer, owner = Writer(role_url(database_url, "kalos_writer", SECRET), clock), await asyncpg.connect(database_url)
    try:
        await writer.start()
        gc.freeze()
        for _ in range(3):
            source = await settled(writer)
            assert source in states[-1].accounts
            await owner.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE application_name = $1 AND datname = current_database()",
                APPLICATION,
            )
            with pytest.raises(Outage):
                await writer.post(posting())
        await settled(writer)
        assert len(states) == 4
        assert not [state for state in states[:-1] if state.accounts or state.keys]
    finally:
        await owner.close()
        await writer.stop()


async def settled(writer: Writer) -> int:
    """An account that the writer knows: as soon as it has begun anew."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await funded(writer, 1)
            except Outage:
                await asyncio.sleep(0.05)
