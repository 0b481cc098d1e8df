"""How long a start waits for a group that serves and lacks something, and what it says then."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kalos.app import probe, supervise
from kalos.app.child import GaveUp
from kalos.app.kept import free_port
from kalos.app.rights import PartsUser
from kalos.app.settings import Mode, Settings
from kalos.app.supervise import Group

_LACKS = b'HTTP/1.0 503 Service Unavailable\r\n\r\n{"chain":"does not answer"}'


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "_READY_SECONDS", 0.5)


class Lacking:
    """Serves under its own name and isn't ready; with `hangs` it answers its first question only."""

    def __init__(self) -> None:
        self.hangs = False
        self.port = 0
        self._asked = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self._asked += 1
        if self.hangs and self._asked > 1:
            await reader.read()
        elif b"\r\nHost: kalos.example\r\n" in head or b"\r\nHost: localhost\r\n" in head:
            writer.write(_LACKS)
        writer.close()


@pytest.fixture
async def lacking() -> AsyncIterator[Lacking]:
    made = Lacking()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    yield made
    server.close()


def group_of(folder: Path, mode: Mode, port: int) -> Group:
    settings = Settings(data_dir=folder, mode=mode, port=port, public_url="https://kalos.example")
    return Group(settings, os.environ, PartsUser(os.geteuid()))


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_house_that_serves_is_not_ended_for_what_is_others(
    tmp_path: Path, lacking: Lacking, monkeypatch: pytest.MonkeyPatch, hangs: bool
) -> None:
    """Nor where the last looks take longer than they are waited for."""
    monkeypatch.setattr(probe, "_SECONDS", 0.2)
    lacking.hangs = hangs
    said = await group_of(tmp_path, "production", lacking.port)._wait_until_ready()
    assert said.endswith('(readyz 503: {"chain":"does not answer"})')


async def test_demo_mode_that_lacks_its_own_parts_is_ended(tmp_path: Path, lacking: Lacking) -> None:
    with pytest.raises(GaveUp, match="readyz 503"):
        await group_of(tmp_path, "demo", lacking.port)._wait_until_ready()


@pytest.mark.parametrize(
    ("url", "named"), [("https://kalos.example:8443", "kalos.example"), ("https://[2001:db8::1]", "[2001:db8::1]")]
)
def test_our_own_questions_are_for_the_host_that_is_served(url: str, named: str) -> None:
    assert supervise._named(Settings(mode="production", public_url=url)) == named
    assert supervise._named(Settings(mode="demo", public_url=url)) == "localhost"


async def test_a_house_of_which_nothing_answers_is_ended(tmp_path: Path) -> None:
    with pytest.raises(GaveUp, match="readyz silent"):
        await group_of(tmp_path, "production", free_port())._wait_until_ready()
