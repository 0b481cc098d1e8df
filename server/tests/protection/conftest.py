"""A stage for bets; what was ordered on it counts no longer after a test."""

from collections.abc import AsyncIterator

import pytest

from games.stage import Stage
from kalos.domains.context import House
from kalos.domains.protection.rules import GATES
from kalos.domains.protection.service import gate_of


@pytest.fixture
async def stage(house: House) -> AsyncIterator[Stage]:
    yield Stage(house)
    await house.db.execute(
        """
        INSERT INTO switches (name, country, is_on, reason, ordered_by, at)
        SELECT DISTINCT name, country, name <> $1, 'after a test', 'test', 0 FROM switches
        """,
        GATES,
    )
    gate_of(house).clear()
