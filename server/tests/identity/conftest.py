"""The root member of each module's house: its invitation code is ROOT01."""

import pytest

from identity.people import make_root


@pytest.fixture(scope="module")
async def root(database_url: str) -> int:
    return await make_root(database_url)
