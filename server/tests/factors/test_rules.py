"""TOTP by the vectors of its RFC, and what a withdrawal password is."""

import pytest

from kalos.domains.challenges.rules import Limit
from kalos.domains.factors import rules
from kalos.domains.factors.errors import OutPasswordFormat, PasswordMismatch
from kalos.domains.factors.rules import NewOutPassword

SECRET = b"12345678901234567890"
VECTORS = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}
"""RFC 6238, appendix B, for SHA-1: eight digits, of which ours are the last six."""


def test_the_scenes_of_a_mailed_code_are_those_of_the_specification() -> None:
    """identity.md, "Security centre": `user/sendEmail`."""
    assert set(rules.SCENES) == {
        "withdraw", "address", "password", "google", "bind", "unbind", "okx", "close", "login_wallet"
    }  # fmt: skip


@pytest.mark.parametrize(("second", "digits"), VECTORS.items())
def test_codes_are_those_of_the_rfc(second: int, digits: str) -> None:
    assert rules.totp(SECRET, second // 30) == digits[2:]
    assert rules.step_of(SECRET, digits[2:], after=0, wall=second * 1000) == second // 30


@pytest.mark.parametrize(("steps_off", "found"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_one_step_to_either_side_is_taken(steps_off: int, found: bool) -> None:
    now = 1_795_075_231_456
    step = now // 30_000 + steps_off
    assert rules.step_of(SECRET, rules.totp(SECRET, step), after=0, wall=now) == (step if found else None)


@pytest.mark.parametrize("used", [-1, 0, 1])
def test_no_step_up_to_the_last_used_one_is_taken(used: int) -> None:
    now = 1_795_075_231_456
    last = now // 30_000 + used
    taken = [rules.step_of(SECRET, rules.totp(SECRET, now // 30_000 + off), after=last, wall=now) for off in (-1, 0, 1)]
    assert [step for step in taken if step] == [now // 30_000 + off for off in (-1, 0, 1) if off > used]


@pytest.mark.parametrize(
    "code", ["", "12345", "1234567", "１２３４５６", "١٢٣٤٥٦", " 12345", "12345\n", "abcdef", "-12345"]
)
def test_what_is_no_six_ascii_digits_is_no_code(code: str) -> None:
    assert not rules.is_totp(code)


def test_code_in_other_letters_is_no_bug() -> None:
    assert rules.step_of(SECRET, "１２３４５６", after=0, wall=59_000) is None


def test_secret_is_shown_as_base32_in_an_address_that_authenticators_read() -> None:
    assert rules.otpauth("48213957", SECRET) == (
        "otpauth://totp/Kalos:48213957?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        "&issuer=Kalos&algorithm=SHA1&digits=6&period=30"
    )


@pytest.mark.parametrize("new", ["000000", "246810", "0" * 20])
def test_out_password_of_6_to_20_digits_is_taken(new: str) -> None:
    rules.check_new_out_password(NewOutPassword(new=new, confirm=new))


@pytest.mark.parametrize(
    "new", ["", "12345", "1" * 21, "12345a", "１２３４５６", "١٢٣٤٥٦", "123 456", "123456\n", "-123456"]
)
def test_any_other_out_password_is_refused(new: str) -> None:
    with pytest.raises(OutPasswordFormat):
        rules.check_new_out_password(NewOutPassword(new=new, confirm=new))


def test_both_entries_must_match() -> None:
    with pytest.raises(PasswordMismatch):
        rules.check_new_out_password(NewOutPassword(new="246810", confirm="246811"))


def test_windows_are_full_by_themselves() -> None:
    limit = Limit("out", 2, 10, ((3, 100),))
    assert not rules.is_full([80, 81], limit, 92)
    assert rules.is_full([83, 84], limit, 92)
    assert rules.is_full([1, 2, 3], limit, 100)
    assert not rules.is_full([1, 2, 3], limit, 101)
