"""What a withdrawal costs and is worth, and who looks at it: exact, and rounded against nobody but who pays."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.money import Amount, times_up
from kalos.core.terms import load_terms
from kalos.domains.withdrawals import rules
from kalos.domains.withdrawals.rules import Beside

TERMS = load_terms(Path(__file__).parents[2] / "terms.toml")
HALF = Fraction(1, 2)
ONE = 10**6
OLD = Beside(now=1000, created_at=0, usable_at=10, held_until=None, is_listed=False)

ALL = {"new_address", "recent_security_change", "over_auto_max", "listed_address"}

prices = st.fractions(min_value=Fraction(1, 10**6), max_value=10**4, max_denominator=10**8)
rates = st.fractions(min_value=0, max_value=Fraction(2, 100), max_denominator=10**6)


@pytest.mark.parametrize(
    ("amount", "value", "fee"),
    [
        (Amount(10 * ONE, USDT), 10 * ONE, 10_000_000),
        (Amount(10 * ONE + 1, USDT), 10 * ONE + 1, 10_000_001),
        (Amount(20 * 10**8, KLS), 10 * ONE, 10_000_000),
        (Amount(20 * 10**8 + 1, KLS), 10 * ONE + 1, 10_000_001),
    ],
)
def test_value_and_fee_at_half_a_dollar(amount: Amount, value: int, fee: int) -> None:
    assert rules.value_units(amount, HALF) == value
    assert rules.fee_units(amount, TERMS.withdraw_fee_rate, HALF) == fee


@given(units=st.integers(1, 10**15), asset=st.sampled_from([USDT, KLS]), rate=rates, price=prices)
def test_a_fee_is_its_rate_of_the_value_rounded_up(units: int, asset: Asset, rate: Fraction, price: Fraction) -> None:
    fee = rules.fee_units(Amount(units, asset), rate, price)
    whole = Fraction(units, 10**8) if asset is KLS else Fraction(units, 10**6) / price
    assert 0 <= Fraction(fee, 10**8) - whole * rate < Fraction(1, 10**8)


@given(units=st.integers(0, 10**18), rate=rates)
def test_rounding_up_takes_less_than_one_unit_more(units: int, rate: Fraction) -> None:
    assert 0 <= times_up(units, rate) - units * rate < 1


@given(
    units=st.integers(1, 10**12),
    fee=st.integers(0, 10**12),
    available=st.integers(0, 10**13),
    asset=st.sampled_from([USDT, KLS]),
)
def test_bought_is_exactly_what_is_missing_of_the_fee(units: int, fee: int, available: int, asset: Asset) -> None:
    missing = rules.missing_kls(Amount(units, asset), fee, available)
    assert 0 <= missing <= fee
    own = units if asset is KLS else 0
    if available >= own:
        assert available + missing >= own + fee
        assert missing == 0 or available + missing == own + fee


@given(missing=st.integers(0, 10**14), price=prices)
def test_the_house_never_sells_below_its_price(missing: int, price: Fraction) -> None:
    bought = rules.purchase(missing, price)
    if missing == 0:
        assert bought is None
    else:
        assert bought is not None
        assert bought.kls == missing
        assert 0 <= Fraction(bought.usdt, ONE) - Fraction(missing, 10**8) * price < Fraction(1, ONE)


@pytest.mark.parametrize(
    ("value", "beside", "found", "needed"),
    [
        (10_000 * ONE, OLD, set(), 0),
        (10_000 * ONE + 1, OLD, {"over_auto_max"}, 1),
        (50_000 * ONE - 1, OLD, {"over_auto_max"}, 1),
        (50_000 * ONE, OLD, {"over_auto_max"}, 2),
        (ONE, Beside(19, 0, 10, None, False), {"new_address"}, 1),
        (ONE, Beside(20, 0, 10, None, False), set(), 0),
        (ONE, Beside(20, 20, 20, None, False), set(), 0),
        (ONE, Beside(1000, 0, 10, 990, False), {"recent_security_change"}, 1),
        (ONE, Beside(1000, 0, 10, None, True), {"listed_address"}, 1),
        (ONE, Beside(1000, 0, 10, None, False, "0xab"), {"listed_address"}, 1),
        (50_000 * ONE, Beside(19, 0, 10, 18, True), ALL, 2),
    ],
)  # fmt: skip
def test_risks_and_how_many_look_at_them(value: int, beside: Beside, found: set[str], needed: int) -> None:
    risks = rules.risks(value, beside, TERMS)
    assert set(risks) == found
    assert rules.needed(value, risks, TERMS) == needed


@pytest.mark.parametrize(
    ("rate", "text"), [("0.005", "0.005"), ("0", "0"), ("0.02", "0.02"), ("0.000000000001", "0.000000000001")]
)
def test_a_rate_is_written_as_it_is(rate: str, text: str) -> None:
    assert rules.rate_text(Fraction(rate)) == text


def test_room_ends_at_nothing() -> None:
    assert [rules.room(100, used) for used in (0, ONE, 100 * ONE, 101 * ONE)] == [100 * ONE, 99 * ONE, 0, 0]
