"""When a job's next step begins."""

import pytest

from kalos.app.repeat import _pause


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
