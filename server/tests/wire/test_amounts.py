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
    # digits of other scripts, and what only looks like a digit
    "۱", "۵", "߁", "১", "੧", "૧", "୧", "௧", "౧", "೧", "൧", "໑", "༡", "၁", "១", "᠑", "1๒", "𝟏", "𝟙", "𝟣", "𝟷", "🯱", "①",
    "❶", "㈠", "壹", "¹", "₁", "⅓", "Ⅰ", "O", "l", "1О", "0٠", "1.٥", "1.５",
    # signs, points and commas
    "＋1", "－1", "﹣1", "–1", "—1", "1-", "1+", "+0", "-0.0", "+.5", "±1", "1·5", "1‚5", "1，5", "1．", "1。",
    "1:5", "1;5",
    "1'5", "1’000", "1\u2009000", "1\u202f000", "0.1.", "0..1", ".0", ",5", "1,", "0.-1", "0.+1", "1.e1", "1.5e0",
    # blanks, ends of lines, and characters that nobody sees
    "\t1", "1\r", "1\r\n", "\x0b1", "1\x0c", "1\x1c", "1\x85", "\u20031", "1\u3000", "1\u2028", "1\u2029", "\u200b1",
    "1\u200c", "1\u200d", "\u20601", "1\ufeff", "\u00ad1", "1\u0301", "\u202d1", "\u20661\u2069", "1\x7f", "1\x1b[0m",
    # other ways to write a number
    "0X10", "1h", "10b", "#10", "1e+5", "1e400", "1E-400", "1p3", "0x1p3", "infinity", "+inf", "-nan", "sNaN",
    "1j", "1d",
    "1m", "1n", "1u", "1.5f", "1k", "1M", "1_0", "_1", "1_", "0_0.1", "1**2", "1*1", "1+1", "2^3", "1^0", "√1",
    "π", "1|0",
    # leading zeros, too many digits, too much
    "000", "0000000000000000001", "00.0", "01.5", "-01", "0.0000000000", "1.000000000", "0.123456789",
    "1000000000000000000.0",
    "10" * 20, "1." + "0" * 400, "0" * 400, "9" * 4_301, 10**19, 2**63, 2**64, -(2**63), 10**400,
    # other types as text, and what a template left over
    "[]", "{}", '"1"', "'1'", "undefined", "false", "{amount}", "${1}", "1;DROP TABLE", "<1>", "1&nbsp;",
    "%31", "\\u0031",
)  # fmt: skip


def test_table_is_large_enough() -> None:
    assert len(HOSTILE) == len({(type(text), text) for text in HOSTILE}) >= 150


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text)[:24])
def test_hostile_amount_is_refused(text: Any) -> None:
    for asset in (USDT, KLS):
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
