"""The whole group from nothing: a start that takes long, so it comes early, and others go on from what it left."""

import pytest

from support.group import FirstStart

pytestmark = pytest.mark.group


def test_first_start_that_was_killed_is_finished_by_the_next(first_start: FirstStart) -> None:
    assert first_start.was_ready
    assert f"Kalos runs on http://localhost:{first_start.port} " in first_start.printed
    assert "10000001   demo1234   KALOS1" in first_start.printed
