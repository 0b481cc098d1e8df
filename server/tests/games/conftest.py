"""Fixtures of the games."""

import pytest

from games.stage import Stage
from kalos.domains.context import House


@pytest.fixture(scope="module")
def stage(house: House) -> Stage:
    return Stage(house)
