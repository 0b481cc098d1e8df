"""What one look at chain and clocks says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.clock import skew as skew_of
from kalos.domains.pulse import rules
from kalos.domains.pulse.rules import Look, Tip

NOW = 1_795_075_000_000
TIP = Tip(7, NOW - 1_000, NOW - 3_000)


def look(**fields: Any) -> Look:
    known: dict[str, Any] = {"began": NOW, "ended": NOW + 20, "tip": TIP}
    return Look(**(known | fields))


def reason(one: Look, *, block_off: int = 0, clock_off: int = 0) -> rules.Reason | None:
    return rules.reason_of(one, block_off=block_off, clock_off=clock_off, block_seconds=2, window_seconds=15)


@given(before=st.integers(0, 10**6), took=st.integers(0, 10**4), off=st.integers(-(10**5), 10**5))
def test_a_clock_that_agrees_is_never_off_however_long_its_answer_takes(before: int, took: int, off: int) -> None:
    assert skew_of(before, before + took // 2, before + took) == 0
    assert abs(skew_of(before, before + took // 2 + off, before + took)) >= abs(off) - took


@pytest.mark.parametrize(
    ("before", "theirs", "after", "off"),
    [(10, 12, 15, 0), (10, 10, 10, 0), (10, 16, 15, 1), (10, 8, 15, -2), (15, 3, 10, -7), (15, 12, 10, 2)],
)
def test_skew_is_the_distance_to_the_time_in_which_the_clock_was_read(
    before: int, theirs: int, after: int, off: int
) -> None:
    assert skew_of(before, theirs, after) == off


def test_all_is_well() -> None:
    assert reason(look()) is None


@pytest.mark.parametrize(("off", "found"), [(1_000, None), (-1_000, None), (1_001, "clock"), (-1_001, "clock")])
def test_more_than_a_second_between_the_clocks_closes(off: int, found: str | None) -> None:
    assert reason(look(), clock_off=off) == found


@pytest.mark.parametrize(
    ("off", "found"), [(2_000, None), (-2_000, None), (2_001, "block_time"), (-2_001, "block_time")]
)
def test_more_than_a_blocks_length_between_block_and_business_time_closes(off: int, found: str | None) -> None:
    assert reason(look(), block_off=off) == found


@pytest.mark.parametrize(("age", "found"), [(15_000, None), (15_001, "late")])
def test_no_new_block_within_the_result_window_closes(age: int, found: str | None) -> None:
    assert reason(look(tip=Tip(7, NOW - age, NOW - age - 2_000))) == found


def test_nodes_that_do_not_agree_close() -> None:
    assert reason(look(tip=None)) == "nodes"


@pytest.mark.parametrize(
    ("at", "off"),
    [
        (NOW - 1_000, 0),
        (NOW - 5_000, 0),
        (NOW - 5_001, -1),
        (NOW - 9_000, -4_000),
        (NOW + 20, 0),
        (NOW + 9_020, 9_000),
    ],
)
def test_a_block_is_off_by_what_it_is_outside_of_the_time_between_two_looks(at: int, off: int) -> None:
    last = look(began=NOW - 5_000, ended=NOW - 4_900, tip=Tip(6, NOW - 6_000, NOW - 8_000))
    assert rules.off_by(last, look(tip=Tip(7, at, at - 2_000)), is_demo=False) == off


def test_the_first_look_knows_only_blocks_that_are_ahead() -> None:
    assert rules.off_by(None, look(tip=Tip(7, NOW - 60_000, NOW - 62_000)), is_demo=False) == 0
    assert rules.off_by(None, look(tip=Tip(7, NOW + 60_020, NOW)), is_demo=False) == 60_000


@pytest.mark.parametrize("number", [5, 6])
def test_without_a_new_block_nothing_new_is_known(number: int) -> None:
    last = look(began=NOW - 5_000, tip=Tip(6, NOW - 6_000, NOW - 8_000))
    assert rules.off_by(last, look(tip=Tip(number, 1_000, 0)), is_demo=False) is None
    assert rules.off_by(last, look(tip=None), is_demo=False) is None


@pytest.mark.parametrize(("gap", "is_demo", "off"), [(1_000, True, 0), (1_000, False, 29_980), (2_000, True, 29_980)])
def test_in_demo_mode_a_block_that_could_not_be_earlier_does_not_count(gap: int, is_demo: bool, off: int) -> None:
    last = look(began=NOW - 1_000, tip=Tip(6, NOW + 29_000, NOW))
    assert rules.off_by(last, look(tip=Tip(7, NOW + 30_000, NOW + 30_000 - gap)), is_demo=is_demo) == off


@pytest.mark.parametrize(
    ("known", "age", "skew", "shown"),
    [
        (None, None, 0, None),
        (None, 15.0, 1_000, None),
        ("nodes", 1.0, 0, "chain"),
        ("late", 1.0, 0, "chain"),
        ("block_time", 1.0, 0, "clock"),
        ("clock", 1.0, 0, "clock"),
        (None, 15.1, 0, "chain"),
        (None, 1.0, 1_001, "clock"),
        ("nodes", None, -1_001, "clock"),
    ],
)
def test_a_process_closes_for_what_was_found_for_silence_and_for_its_own_or_the_writers_clock(
    known: rules.Reason | None, age: float | None, skew: int, shown: str | None
) -> None:
    assert rules.shown(known, age_seconds=age, own_skew_ms=skew, writer_skew_ms=0) == shown
    assert rules.shown(known, age_seconds=age, own_skew_ms=0, writer_skew_ms=skew) == shown
