"""Passwords."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.domains.identity import rules
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat

PRINTABLE = string.ascii_letters + string.digits + string.punctuation


@given(st.text(PRINTABLE, max_size=24) | st.text(max_size=24) | st.text(string.ascii_letters, max_size=24))
def test_password_is_six_to_twenty_ascii_letters_and_digits_of_both(password: str) -> None:
    good = (
        6 <= len(password) <= 20
        and set(password) <= set(string.ascii_letters + string.digits)
        and any(sign in string.ascii_letters for sign in password)
        and any(sign in string.digits for sign in password)
    )
    try:
        rules.check_password(password, refuse_common=True)
    except PasswordFormat:
        assert not good
    except PasswordCommon:
        assert good
        assert password.lower() in rules.COMMON_PASSWORDS
    else:
        assert good


@pytest.mark.parametrize(
    ("password", "refusal"),
    [
        ("abc12", PasswordFormat),
        ("xyz987", None),
        ("a1" * 10, None),
        ("a1" * 10 + "b", PasswordFormat),
        ("abcdefgh", PasswordFormat),
        ("12345678", PasswordFormat),
        ("пароль123", PasswordFormat),
        ("１２３４５６ab", PasswordFormat),
        ("٣٤٥٦٧٨ab", PasswordFormat),
        ("abc 1234", PasswordFormat),
        ("abc!1234", PasswordFormat),
        ("abc_1234", PasswordFormat),
        ("abc1234\n", PasswordFormat),
        ("Password1", PasswordCommon),
        ("QWERTY123", PasswordCommon),
    ],
)
def test_password_table(password: str, refusal: type[Exception] | None) -> None:
    if refusal is None:
        rules.check_password(password, refuse_common=True)
    else:
        with pytest.raises(refusal):
            rules.check_password(password, refuse_common=True)


def test_every_common_password_would_else_be_accepted() -> None:
    assert len(rules.COMMON_PASSWORDS) > 200
    for password in rules.COMMON_PASSWORDS:
        assert password == password.lower()
        with pytest.raises(PasswordCommon):
            rules.check_password(password, refuse_common=True)
        rules.check_password(password, refuse_common=False)
