"""One house with two API processes, for all files that need it, as its start takes longest; and a watched ledger."""

from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from faults.station import Station, open_station
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
        await _leave_reserves(made.settings.owner_url)
        yield made
    finally:
        await made.close()
        own.kill()


async def _leave_reserves(owner_url: str) -> None:
    """Players' coins stand in the ledger alone here: a look at the chain, once a minute, would stop money out."""
    owner = await asyncpg.connect(owner_url)
    try:
        await owner.execute(
            "CREATE FUNCTION nobody_looks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"
            "CREATE TRIGGER nobody_looks BEFORE UPDATE ON reserve_state FOR EACH ROW EXECUTE FUNCTION nobody_looks()"
        )
    finally:
        await owner.close()


@pytest.fixture(scope="module")
async def station(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Station]:
    async with open_station(database_url, tmp_path_factory.mktemp("writer")) as made:
        yield made
