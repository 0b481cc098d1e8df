"""J1's grants after three missed days: released by workers that are killed at random, each grant and day once."""

import midnight
import pytest

from kalos.ledger import grants_release
from support.budget import SOAK, count, figures, seed

GRANTS = count("ledger.midnight.grants") if SOAK else 3_000
ROWS = grants_release.SLICE if SOAK else 20
PAUSE = 5.0 if SOAK else 0.2


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    """A million grants and three days of theirs are too much for a cluster in memory."""
    return str(request.getfixturevalue("durable_url" if SOAK else "database_url"))


async def test_three_missed_days_are_released_once_whoever_is_killed(url: str) -> None:
    kills = await midnight.missed(url, grants=GRANTS, count=3, seed=seed(), rows=ROWS, pause=PAUSE)
    figures("midnight.missed", grants=GRANTS, kills=kills)
    assert kills >= midnight.LEAST_KILLS
