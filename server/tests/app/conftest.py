"""The API behind its real server on a real port, in this process."""

from collections.abc import AsyncIterator

import pytest

from kalos.app.api import make_app, make_server, open_wire
from kalos.app.kept import free_port
from kalos.app.settings import Settings
from kalos.domains.context import House
from support.clusters import SECRET
from support.raw import serving


@pytest.fixture(scope="module")
def settings_of_house(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Those that lead to the house's own database."""
    folder = tmp_path_factory.mktemp("data")
    return Settings(
        data_dir=folder,
        database_url=database_url,
        installation_secret=SECRET.hex(),
        port=free_port(),
        live_port=4567,
    )


@pytest.fixture(scope="module")
async def served(house: House, settings_of_house: Settings) -> AsyncIterator[Settings]:
    """The settings of a server that runs."""
    chosen = settings_of_house
    async with open_wire(house, chosen) as wire:
        server = make_server(make_app(wire, house, chosen), chosen)
        async with serving(server, chosen.port):
            yield chosen
