"""One house with two API processes, for all files that need it: its start takes longest."""

from collections.abc import AsyncIterator, Iterator

import pytest

from kalos.app.kept import free_port
from support.group import OwnApi, RunningGroup, running_group
from support.pair import Pair


@pytest.fixture(scope="package")
def paired_group() -> Iterator[RunningGroup]:
    port = str(free_port())
    with running_group(PORT=port, PUBLIC_URL=f"http://localhost:{port}") as running:  # one address for both
        yield running


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
