"""The writer process: nothing stops its loop to look for garbage; it does that by hand, when nothing waits."""

import asyncio
import gc
import time
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kalos.app import writer
from kalos.app.settings import Settings
from kalos.ledger.client import LedgerClient
from support.clusters import SECRET
from support.ledger import posting


class Knot:
    """Garbage that only a collection finds: it names itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
async def client(database_url: str, tmp_path: Path) -> AsyncIterator[LedgerClient]:
    """To a writer that runs in this process as it does in its own."""
    settings = Settings(data_dir=tmp_path, database_url=database_url, installation_secret=SECRET.hex())
    running, made = asyncio.create_task(writer.main(settings)), LedgerClient(settings.writer_socket)
    try:
        await eventually(lambda: running.done() or settings.socket("writer-figures").exists())
        yield made
    finally:
        await made.close()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        gc.unfreeze()
        gc.enable()


async def eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        await asyncio.sleep(0.02)


async def test_the_writer_collects_by_hand_while_nothing_waits(client: LedgerClient) -> None:
    await client.post(posting())
    assert gc.get_freeze_count() > 0, "what is loaded is looked through again and again"
    assert not gc.isenabled(), "a collection may stop the loop at any time"
    knot = weakref.ref(Knot())
    assert knot() is not None
    for _ in range(3):  # at most once a second
        await asyncio.sleep(1.05)
        await client.post(posting())
    await eventually(lambda: knot() is None)
