"""One house with two API processes, for all files that need it: its start takes longest."""

import shutil
from collections.abc import AsyncIterator, Iterator

import pytest

from kalos.app.kept import free_port
from support import clusters
from support.group import OwnApi, RunningGroup
from support.pair import Pair


@pytest.fixture(scope="package")
def paired_group() -> Iterator[RunningGroup]:
    folder = clusters.new_folder(in_memory=True)
    port = str(free_port())
    running = RunningGroup(folder / "data", PORT=port, PUBLIC_URL=f"http://localhost:{port}")  # one address for both
    try:
        running.start()
        yield running
    finally:
        running.end()
        shutil.rmtree(folder)


@pytest.fixture(scope="package")
async def pair(paired_group: RunningGroup) -> AsyncIterator[Pair]:
    own = OwnApi(paired_group)
    own.start()
    made = Pair(paired_group, own)
    try:
        await made.wait_until_open()
        yield made
    finally:
        await made.close()
        own.kill()
