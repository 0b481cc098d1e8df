"""When a job's next step begins."""

import asyncio

import pytest

from kalos.app.repeat import _pause, follow
from kalos.core.errors import Outage


@pytest.mark.parametrize(
    ("seconds", "failures", "pause"),
    [
        *((0.25, 0, 0.25), (0.25, 1, 0.5), (0.25, 5, 8), (0.25, 6, 10), (0.25, 5_000, 10)),
        *((10, 0, 10), (10, 1, 10), (10, 5_000, 10)),
        *((300, 0, 300), (300, 1, 10), (300, 2, 20), (300, 5, 160), (300, 6, 300), (300, 5_000, 300)),
    ],
)
def test_what_fails_is_tried_less_and_less_often(seconds: float, failures: int, pause: float) -> None:
    assert _pause(seconds, failures) == pause


async def test_whatever_goes_wrong_once_is_followed_on() -> None:
    problems = [Outage("away"), ValueError("a bug"), KeyError("another")]
    looked = asyncio.Event()

    async def look() -> None:
        if problems:
            raise problems.pop()
        looked.set()

    following = asyncio.create_task(follow("numbers", 0.001, look))
    async with asyncio.timeout(15):
        await looked.wait()
    following.cancel()
