"""Each promise of identity.md is kept by tests that exist, or stands in the list of what is open."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
JOURNEYS: Final = TESTS.parents[1] / "e2e"
PROMISES: Final = tomllib.loads(Path(__file__).with_name("promises.toml").read_text())
OPEN: Final = PROMISES.pop("open")
KEPT: Final = {
    "Registering and logging in": 54,
    "Sessions": 6,
    "Security centre": 40,
    "Player protection": 10,
    "Who sees what": 2,
    "Features, countries, disclosures (principles.md)": 12,
    "Teams and levels (earn.md)": 7,
}
"""How many were found when the texts were read clause by clause."""


def exists(test: str) -> bool:
    file, _, name = test.partition("::")
    if file.startswith("e2e/"):
        return f'test("{name}"' in (JOURNEYS / file.removeprefix("e2e/")).read_text()
    return re.search(rf"^(async )?def {name}\(", (TESTS / file).read_text(), re.MULTILINE) is not None


@pytest.mark.parametrize("section", PROMISES)
def test_each_promise_is_kept_by_tests_that_exist(section: str) -> None:
    for promise, tests in PROMISES[section].items():
        assert tests, promise
        assert [test for test in tests if not exists(test)] == [], promise


def test_what_is_open_is_not_said_to_be_kept() -> None:
    assert all(OPEN.values())
    assert not OPEN.keys() & {promise for section in PROMISES.values() for promise in section}


def test_no_promise_is_lost() -> None:
    assert {section: len(promises) for section, promises in PROMISES.items()} == KEPT
