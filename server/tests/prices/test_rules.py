"""How prices are written, how far they move, how long they stand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.clock import HOUR_MS
from kalos.core.errors import InvalidInput
from kalos.domains.prices import rules
from kalos.domains.prices.errors import PriceStepTooLarge

STEP = Fraction(1, 20)


@pytest.mark.parametrize(
    ("text", "rate"),
    [("0.5", Fraction(1, 2)), ("1", Fraction(1)), ("0.00000001", Fraction(1, 10**8)), ("12.34", Fraction(617, 50))],
)
def test_a_price_is_read_as_it_is_written(text: str, rate: Fraction) -> None:
    assert rules.rate_of(text) == rate


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0.0",
        "-0.5",
        "+0.5",
        ".5",
        "0.",
        "00.5",
        "0.123456789",
        "1e1",
        "0,5",
        " 0.5",
        "0.5\n",
        "１",
        "NaN",
        "1/2",
        "9" * 10,
    ],
)
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        rules.rate_of(text)


@given(units=st.integers(1, 10**17 - 1))
def test_every_price_reads_back_as_it_was_written(units: int) -> None:
    rate = Fraction(units, 10**8)
    assert rules.rate_of(rules.rate_text(rate)) == rate


@pytest.mark.parametrize("rate", ["0.475", "0.525", "0.5"])
def test_a_day_may_bring_a_price_as_far_as_the_step(rate: str) -> None:
    rules.check_step(rules.rate_of(rate), low=Fraction(1, 2), high=Fraction(1, 2), step=STEP)


@pytest.mark.parametrize("rate", ["0.47499999", "0.52500001", "5", "0.00000001"])
def test_a_price_beyond_the_step_is_refused_with_the_bounds(rate: str) -> None:
    with pytest.raises(PriceStepTooLarge) as refused:
        rules.check_step(rules.rate_of(rate), low=Fraction(1, 2), high=Fraction(1, 2), step=STEP)
    assert refused.value.fields == {"lowest": "0.47500000", "highest": "0.52500000"}


@given(began=st.fractions(Fraction(1, 10**6), 10**6), step=st.fractions(0, rules.LARGEST_STEP))
def test_bounds_that_are_told_are_taken_where_eight_decimals_can_say_them(began: Fraction, step: Fraction) -> None:
    with pytest.raises(PriceStepTooLarge) as refused:
        rules.check_step(began * 2, low=began, high=began, step=step)
    lowest, highest = (Fraction(refused.value.fields[name]) for name in ("lowest", "highest"))
    for bound in {lowest, highest} if lowest <= highest else ():
        rules.check_step(bound, low=began, high=began, step=step)


def test_a_price_stands_for_its_hours_and_no_millisecond_longer() -> None:
    assert not rules.is_stale(1_000, now=1_000 + 24 * HOUR_MS, stale_hours=24)
    assert rules.is_stale(1_000, now=1_001 + 24 * HOUR_MS, stale_hours=24)
