"""Fuzzing itself: `make soak` does each target, a run of the tests one, for a moment."""

import ast

import pytest

from fuzz.targets import TARGETS
from support.budget import SOAK, count

pytest.importorskip("atheris", reason="atheris has no wheel for this platform: the kept inputs are tried all the same")


@pytest.mark.parametrize("name", TARGETS if SOAK else ["strict_json"])
def test_fuzzing_finds_nothing(name: str) -> None:
    from fuzz.run import main

    assert main(name, str(count("fuzz.seconds")), keep=False) == 0


def test_a_finding_fails_and_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    from fuzz.run import main

    assert main("fuzz.planted:target", "60", keep=False) != 0
    told = capfd.readouterr()
    # Which quotes are around it depends on what it holds.
    shown = [ast.literal_eval(line.partition(": ")[2]) for line in told.out.splitlines() if line.startswith("crash-")]
    assert [raw[:2] for raw in shown] == [b"{!"], told
    assert "AssertionError" in told.out
