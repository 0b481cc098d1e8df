"""Connections of the API's server: thousands that are silent, kept ones that are used again, its own answers."""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import pytest
from prometheus_client import REGISTRY

from kalos.app.process import allow_files
from kalos.app.settings import Settings
from support.budget import least
from support.raw import PATIENCE_SECONDS, POST, ask, check_headers, connected, rest_of

SILENT: Final = 3_000
"""More than the operating system's line of waiting connections is long."""
PATH: Final = "/api/user/info"
CODE: Final = 406
HEAD: Final = POST.format(PATH).replace("Connection: close\n", "")
PROXY_SECONDS: Final = 5
"""How long a proxy may keep a connection idle. Source: docs/operations.md."""
WITHIN: Final = [PROXY_SECONDS / 2, PROXY_SECONDS] * 5
AROUND: Final = [*(PATIENCE_SECONDS + step / 1000 for step in range(-40, 60, 2)), PATIENCE_SECONDS + 1.5]
Kept = tuple[float, asyncio.Future[list[int]]]
"""How many calls had been handled, and the answers that each kept connection gets."""


async def call_twice(settings: Settings, idle_seconds: float) -> int:
    """Call, keep the connection idle and call again. Returns how many answers came, each whole."""
    request = HEAD.replace("\n", "\r\n").encode() + b"\r\n\r\n{}"
    answers = 0
    async with connected(settings) as (reader, writer):
        for pause in (0.0, idle_seconds):
            await asyncio.sleep(pause)
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(maxsplit=1)[0])
                assert b'"code":406' in await reader.readexactly(length)
                answers += 1
    return answers


def handled() -> float:
    return REGISTRY.get_sample_value("kalos_calls_total", {"path": PATH, "code": str(CODE)}) or 0.0


@pytest.fixture(scope="module")
async def kept(served: Settings) -> AsyncIterator[Kept]:
    """Begun with the first test that names it: this takes as long as the server's patience."""
    before = handled()
    calling = asyncio.gather(*(call_twice(served, seconds) for seconds in (*WITHIN, *AROUND)))
    yield before, calling
    calling.cancel()


@asynccontextmanager
async def silent(settings: Settings, count: int) -> AsyncIterator[list[asyncio.StreamReader]]:
    """That many connections that say nothing."""
    both = [await asyncio.open_connection("127.0.0.1", settings.port) for _ in range(count)]
    try:
        yield [reader for reader, _ in both]
    finally:
        for _, writer in both:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in both), return_exceptions=True)


async def test_thousands_of_silent_connections_keep_nobody_waiting(served: Settings) -> None:
    """As many as the machine lets this process hold at both of their ends."""
    count = min(SILENT, (allow_files(2 * SILENT + 500) - 500) // 2)

    async def longest() -> float:
        """The longest wait beside connections that were all still there in the end, as none was silent for too long."""
        found, opened = 0.0, time.monotonic()
        async with silent(served, count) as readers:
            for _ in range(5):
                began = time.monotonic()
                status, _ = await ask(served, POST.format(PATH), b"{}")
                assert status == 200
                found = max(found, time.monotonic() - began)
            closed_early = time.monotonic() - opened < PATIENCE_SECONDS and any(reader.at_eof() for reader in readers)
            return math.inf if closed_early else found

    assert await least(longest, below=3) < 3


async def drip(served: Settings, begin: bytes, each: bytes) -> tuple[int, str, float]:
    """Send `each` once a second behind `begin`. Returns status, answer, and the seconds until the server closed."""
    began = time.monotonic()
    async with connected(served) as (reader, writer):
        writer.write(begin)
        closed = asyncio.create_task(rest_of(reader))
        while not closed.done():
            with suppress(ConnectionError):
                writer.write(each)
            await asyncio.wait([closed], timeout=1)
        status, text = await closed
    return status, text, time.monotonic() - began


async def test_who_is_slow_is_cut_off_and_others_are_served_meanwhile(served: Settings, kept: Kept) -> None:
    head = POST.format("/api/auth/captcha").replace("Length: 2", "Length: 5000").replace("\n", "\r\n").encode()
    chunked = head.replace(b"Content-Length: 5000", b"Transfer-Encoding: chunked")
    slow = {
        "body": (head + b"\r\n\r\n{", b" ", 408),
        "kept body": (head.replace(b"Connection: close\r\n", b"") + b"\r\n\r\n{", b" ", 408),
        "chunks": (chunked + b"\r\n\r\n", b"1\r\n \r\n", 408),
        "headers": (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"x: y\r\n", 0),
        "one header": (b"GET /healthz HTTP/1.1\r\nx: ", b"y", 0),
        "nothing": (b"", b"", 0),
    }
    dripping = [asyncio.create_task(drip(served, *how[:2])) for how in slow.values() for _ in range(40)]
    waits, late = [], 0.0
    while not all(task.done() for task in dripping):
        began = time.monotonic()
        status, text = await ask(served, POST.format("/api/auth/captcha"), b"{}")
        assert (status, '"code":200' in text) == (200, True)
        waits.append(time.monotonic() - began)
        await asyncio.sleep(0.2)
        late += max(0.0, time.monotonic() - began - 1)  # as long as the machine stood still
    assert sorted(waits)[len(waits) * 9 // 10] < 3  # so it keeps some waiting; who is slow would keep them all
    outcomes = [await task for task in dripping]
    assert [status for status, _, _ in outcomes] == [status for *_, status in slow.values() for _ in range(40)]
    for status, text, seconds in outcomes:
        assert PATIENCE_SECONDS - 1 < seconds < PATIENCE_SECONDS + 4 + late
        if status:
            check_headers(text)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (f"{HEAD}\n" + "\n".join(f"x-{number}: {number}" for number in range(10_000)), 431),
        (f"{HEAD}\nx: " + "y" * 100_000, 431),
        ("NONSENSE / x", 400),
        (f"{HEAD}\nContent-Length: 3", 400),
        (f"{HEAD}\nx y: z", 400),
    ],
)
async def test_what_is_no_request_is_answered_by_a_status_alone(served: Settings, head: str, status: int) -> None:
    """The parser's own answers lack the headers of ours: there is no content that they could protect."""
    async with connected(served) as (reader, writer):
        with suppress(ConnectionError):
            writer.write(head.replace("\n", "\r\n").encode() + b"\r\n\r\n{}")
            await writer.drain()
        found, answer = await rest_of(reader)
    if found == 0:
        assert answer == ""  # so much was still coming that the answer was thrown away with it
    else:
        lines = answer.lower().split("\r\n")
        assert found == status
        assert {line.partition(":")[0] for line in lines[1:]} <= {"content-length", "connection", "date", ""}
        assert "content-length: 0" in lines


async def test_a_kept_connection_is_used_again_and_no_call_of_it_is_lost(kept: Kept) -> None:
    """Up to a proxy's time all are answered. Around the server's own, a call is answered or was never heard."""
    before, calling = kept
    answers = await calling
    assert answers[: len(WITHIN)] == [2] * len(WITHIN)
    assert min(answers) == 1, "the server closes what was idle for so long"
    assert handled() - before == sum(answers)
