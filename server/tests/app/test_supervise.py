"""How long a start waits for a group that serves and lacks something, and what it says then."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kalos.app import supervise
from kalos.app.child import GaveUp
from kalos.app.kept import free_port
from kalos.app.rights import PartsUser
from kalos.app.settings import Mode, Settings
from kalos.app.supervise import Group

_LACKS = b'HTTP/1.0 503 Service Unavailable\r\n\r\n{"chain":"does not answer"}'


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "_READY_SECONDS", 0.3)


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """Of something that serves and isn't ready."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_LACKS)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


def group_of(folder: Path, mode: Mode, port: int) -> Group:
    settings = Settings(data_dir=folder, mode=mode, port=port, public_url="https://kalos.example")
    return Group(settings, os.environ, PartsUser(os.geteuid()))


async def test_a_house_that_serves_is_not_ended_for_what_is_others(tmp_path: Path, port: int) -> None:
    said = await group_of(tmp_path, "production", port)._wait_until_ready()
    assert said == 'not ready after 0 s (readyz 503): {"chain":"does not answer"}'


async def test_demo_mode_that_lacks_its_own_parts_is_ended(tmp_path: Path, port: int) -> None:
    with pytest.raises(GaveUp, match="readyz 503"):
        await group_of(tmp_path, "demo", port)._wait_until_ready()


async def test_a_house_of_which_nothing_answers_is_ended(tmp_path: Path) -> None:
    with pytest.raises(GaveUp, match="readyz silent"):
        await group_of(tmp_path, "production", free_port())._wait_until_ready()
