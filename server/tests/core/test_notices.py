"""A notice arrives; where one may have been lost, that is said."""

import asyncio
import math
import os
import signal
from collections.abc import AsyncIterator

import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database
from kalos.core.notices import APPLICATION, PROOF_SECONDS, hear
from support.clusters import SECRET

CHANNEL = "kalos_trial"


class Heard:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.missed = 0
        self.proven = -math.inf

    def miss(self) -> None:
        self.missed += 1

    def prove(self, at: float) -> None:
        self.proven = at


async def until(condition: object) -> None:
    assert callable(condition)
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.fixture
async def heard(database_url: str) -> AsyncIterator[Heard]:
    heard = Heard()
    task = asyncio.create_task(
        hear(role_url(database_url, "kalos_app", SECRET), {CHANNEL: heard.texts.append}, heard.miss, heard.prove)
    )
    await until(lambda: heard.missed)
    yield heard
    task.cancel()
    await asyncio.wait({task})


async def test_notices_come_in_their_order(db: Database, heard: Heard) -> None:
    for number in range(5):
        await db.execute("SELECT pg_notify($1, $2)", CHANNEL, str(number))
    await until(lambda: len(heard.texts) == 5)
    assert heard.texts == ["0", "1", "2", "3", "4"]
    assert heard.missed == 1


@pytest.mark.parametrize("asking", [False, True], ids=["between two proofs", "with a proof on its way"])
async def test_a_lost_connection_is_told_and_opened_again(db: Database, heard: Heard, asking: bool) -> None:
    listening: int = await db.value(
        "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()", APPLICATION
    )
    try:
        if asking:
            os.kill(listening, signal.SIGSTOP)  # the next proof is sent, and isn't answered
            await asyncio.sleep(3 * PROOF_SECONDS)
        os.kill(listening, signal.SIGTERM)
    finally:
        if asking:  # it can't be gone before
            os.kill(listening, signal.SIGCONT)
    await until(lambda: heard.missed >= 3)  # when it was lost, and when it stands again
    await db.execute("SELECT pg_notify($1, 'again')", CHANNEL)
    await until(lambda: heard.texts)
    assert heard.texts == ["again"]
    assert heard.missed == 3


async def test_whoever_has_heard_up_to_a_time_has_heard_all_that_was_committed_before(
    db: Database, heard: Heard
) -> None:
    for number in range(3):
        await db.execute("SELECT pg_notify($1, $2)", CHANNEL, str(number))
        told = asyncio.get_running_loop().time()
        await until(lambda: heard.proven > told)  # noqa: B023 - it is called at once
        assert len(heard.texts) == number + 1
    assert heard.proven <= asyncio.get_running_loop().time()
