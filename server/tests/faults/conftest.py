"""One house with two API processes, for all files that need it: its start takes longest."""

from collections.abc import AsyncIterator, Iterator

import pytest

from kalos.app.kept import free_port
from support.group import FirstStart, OwnApi, RunningGroup, running_group
from support.pair import Pair


@pytest.fixture(scope="package")
def paired_group(first_start: FirstStart) -> Iterator[RunningGroup]:
    port = str(free_port())
    address = f"http://localhost:{port}"  # one for both
    with running_group(first_start, PORT=port, PUBLIC_URL=address, TRUSTED_PROXIES="127.0.0.1") as running:
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
