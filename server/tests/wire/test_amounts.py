"""The amount grammar: a table of what looks like an amount and is none."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.assets import ASSETS, KLS, USDT, Asset
from kalos.core.errors import InvalidAmount
from kalos.core.money import parse_amount, text_of

HOSTILE: tuple[Any, ...] = (
    "", " ", "0x10", "0b1", "0o7", "1e5", "1E5", "1e-5", "1.", ".5", ".", "-1", "-0", "+1", "--1",
    "01", "00", "00.1",
    "007", "1,5", "1,000", "1_000", "1 000", " 1", "1 ", "1\n", "\n1", "1\t", "\u00a01", "1\u00a0",
    "1.5.5", "1..5",
    "1.5 ", "NaN", "nan", "Infinity", "inf", "-inf", "null", "true", "None", "１", "１.５", "1．5",
    "١", "๑", "๑.๕", "१",
    "1。5", "½", "²", "Ⅷ", "一", "1.123456789", "0.000000001", "1000000000000000000", "9999999999999999999",
    "999999999999999999", "1" * 32, "9" * 400, "1/2", "1%", "$1", "1USDT", "1 USDT", "1\x00", "\x001", "1\u200b",
    "\ufeff1", "1\u202e", "٠", "0.1e1", "1f", "1L", "0_1", "1.0_0", "1'000", "(1)", "=1", "1;",
    "1--", "1.2.3", "..", "-",
    "+", "e", "1e", "0,1", "0.", "-.5", "−1", "‐1", "1∕2", "1٫5", "1٬000", -1, -5, 10**18, 10**30, True, False,
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text)[:24])
@pytest.mark.parametrize("asset", [USDT, KLS], ids=str)
def test_hostile_amount_is_refused(asset: Asset, text: Any) -> None:
    with pytest.raises(InvalidAmount) as caught:
        parse_amount(text, asset)
    assert caught.value.fields == {"asset": asset.code}


@pytest.mark.parametrize(
    ("text", "asset", "units"),
    [
        ("0", USDT, 0),
        ("1", USDT, 1_000_000),
        (5, USDT, 5_000_000),
        ("0.000001", USDT, 1),
        ("12.5", USDT, 12_500_000),
        ("12.500000", USDT, 12_500_000),
        ("0.00000001", KLS, 1),
        ("0.10", KLS, 10_000_000),
        ("1000000000000", USDT, 10**18),
        ("1000000000", KLS, 10**17),
    ],
)
def test_amount_is_read_exactly(text: str | int, asset: Asset, units: int) -> None:
    assert parse_amount(text, asset).units == units


@pytest.mark.parametrize(
    ("text", "asset"),
    [("0.0000001", USDT), ("1.1234567", USDT), ("1000000000000.000001", USDT), ("1000000000.00000001", KLS)],
)
def test_too_many_decimals_and_more_than_the_maximum_are_refused(text: str, asset: Asset) -> None:
    with pytest.raises(InvalidAmount):
        parse_amount(text, asset)


@given(st.sampled_from(ASSETS), st.integers(0, 10**18))
def test_what_is_written_is_read_again(asset: Asset, units: int) -> None:
    units = min(units, asset.maximum_units)
    assert parse_amount(text_of(units, asset), asset).units == units


@given(st.text(max_size=12))
def test_any_text_is_read_exactly_or_refused(text: str) -> None:
    try:
        amount = parse_amount(text, KLS)
    except InvalidAmount:
        return
    whole, _, decimals = text.partition(".")
    assert text_of(amount.units, KLS) == f"{whole}.{decimals.ljust(8, '0')}"
