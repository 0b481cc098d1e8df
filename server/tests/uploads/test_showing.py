"""Pictures go to many at once, and who reads slowly keeps nobody else waiting."""

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from kalos.app.shell import Shell
from kalos.wire import showing
from kalos.wire.http import TransportProblem
from kalos.wire.showing import OF_ONE, PLACES, Showing
from support.pictures import picture
from uploads.conftest import Sender

CONTENT = picture()
SLOW, FAST = "192.0.2.1", "192.0.2.2"


class SlowReader:
    """Asks for a picture and takes none of it."""

    def __init__(self, app: Shell, url: str, network: str) -> None:
        self.begun = asyncio.Event()
        self.status = 0
        host = (b"host", b"localhost:8000")
        scope = {"type": "http", "method": "GET", "path": url, "headers": [host], "client": (network, 4000)}
        scope |= {"query_string": b"", "raw_path": url.encode(), "scheme": "http", "http_version": "1.1"}
        self.task = asyncio.ensure_future(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.begun.set()
        elif self.status == 200:
            await asyncio.Event().wait()


@asynccontextmanager
async def slow_readers(app: Shell, url: str, network: str, count: int) -> AsyncIterator[list[SlowReader]]:
    readers = [SlowReader(app, url, network) for _ in range(count)]
    try:
        yield readers
    finally:
        for reader in readers:
            reader.task.cancel()
        await asyncio.gather(*(reader.task for reader in readers), return_exceptions=True)


@asynccontextmanager
async def reader_of(app: Shell, network: str) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=app, client=(network, 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        yield client


async def test_slow_readers_of_one_network_keep_no_other_waiting(
    sender: Sender, app: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "_WAIT_SECONDS", 0.5)
    url = (await sender.send(CONTENT))["data"]["url"]
    async with slow_readers(app, url, SLOW, 2 * PLACES) as slow, reader_of(app, FAST) as http:
        async with asyncio.timeout(30):
            while sum(reader.begun.is_set() for reader in slow) < PLACES // 2:
                await asyncio.sleep(0.01)
            for _ in range(3):
                assert (await http.get(url)).status_code == 200
            await asyncio.gather(*(reader.begun.wait() for reader in slow))
        assert sorted(reader.status for reader in slow) == [200] * 16 + [503] * 48


async def test_a_reader_that_takes_nothing_loses_its_place(
    sender: Sender, app: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "_PIECE_SECONDS", 0.3)
    monkeypatch.setattr(showing, "_WAIT_SECONDS", 10.0)
    url = (await sender.send(CONTENT))["data"]["url"]
    async with slow_readers(app, url, SLOW, PLACES // 2) as slow, reader_of(app, SLOW) as http:
        async with asyncio.timeout(30):
            await asyncio.gather(*(reader.begun.wait() for reader in slow))
            assert (await http.get(url)).status_code == 200  # it waited until one of them had lost it
            await asyncio.gather(*(reader.task for reader in slow))
    assert [reader.status for reader in slow] == [200] * (PLACES // 2)


async def test_a_network_has_its_few_places_while_any_is_free_and_more_while_half_are() -> None:
    places = Showing(8, 2)
    held = [places.place(SLOW) for _ in range(4)]
    for one in held:
        await one.__aenter__()
    late = asyncio.create_task(places.place(SLOW).__aenter__())
    other = [places.place(FAST) for _ in range(2)]
    for one in other:
        await asyncio.wait_for(one.__aenter__(), 1)
    await asyncio.sleep(0)
    assert not late.done()
    await other[0].__aexit__(None, None, None)
    await asyncio.sleep(0)
    assert not late.done()
    for one in (other[1], held[0]):
        await one.__aexit__(None, None, None)
    await asyncio.wait_for(late, 1)


async def test_who_waits_in_vain_is_told_when_to_come_again_and_leaves_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(showing, "_WAIT_SECONDS", 0.05)
    places = Showing(2, 1)
    async with places.place(SLOW):
        for _ in range(2):
            with pytest.raises(TransportProblem) as refused:
                async with places.place(SLOW):
                    pass
            assert (refused.value.status, refused.value.retry_after) == (503, 1)
        assert not places._waiting
    assert not places._held
    assert OF_ONE == 4


async def test_one_network_does_not_fill_the_line() -> None:
    places = Showing(1, 1)
    async with places.place(SLOW):
        own = [asyncio.create_task(places.place(SLOW).__aenter__()) for _ in range(PLACES + 1)]
        done, _ = await asyncio.wait(own, timeout=0.2)
        assert [type(one.exception()) for one in done] == [TransportProblem]
        other = asyncio.create_task(places.place(FAST).__aenter__())
        await asyncio.sleep(0)
        assert not other.done()
        for one in (*own, other):
            one.cancel()
        await asyncio.gather(*own, other, return_exceptions=True)
    assert not places._held
    assert not places._waiting
