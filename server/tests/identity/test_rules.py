"""Addresses, names, passwords and limits."""

import re
import string
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.errors import InvalidInput
from kalos.core.terms import Terms
from kalos.domains.identity import rules
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat
from kalos.domains.identity.rules import TERMS_VERSION, check_profile

LABELS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=10)
LOCALS = st.from_regex(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}", fullmatch=True).filter(lambda local: "=?" not in local)
DOMAINS = st.tuples(LABELS, st.text(string.ascii_letters, min_size=2, max_size=6)).map(".".join)


@given(LOCALS, DOMAINS)
def test_plain_addresses_keep_their_local_part_and_lower_their_domain(local: str, domain: str) -> None:
    assert rules.canonical_email(f"{local}@{domain}") == f"{local}@{domain.lower()}"


@given(st.text(max_size=40) | st.tuples(st.text(max_size=10), st.text(max_size=20)).map("@".join))
def test_what_is_accepted_is_ascii_and_in_its_final_form(text: str) -> None:
    try:
        address = rules.canonical_email(text)
    except InvalidInput:
        return
    assert re.fullmatch(r"[!-~]+@[a-z0-9.-]+", address)
    assert rules.canonical_email(address) == address


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("a@b.co", "a@b.co"),
        ("Alice.B@EXAMPLE.Com", "Alice.B@example.com"),
        ("a+tag@example.com", "a+tag@example.com"),
        ("ａｌｉｃｅ＠ｅｘａｍｐｌｅ．ｃｏｍ", "alice@example.com"),  # full width: NFKC makes it the plain one
        ("alice@bücher.example", "alice@xn--bcher-kva.example"),
        ("alice@BÜCHER.example", "alice@xn--bcher-kva.example"),
        ("alice@xn--bcher-kva.example", "alice@xn--bcher-kva.example"),
        ("alice@例え。テスト", "alice@xn--r8jz45g.xn--zckzah"),
        (f"{'l' * 64}@example.com", f"{'l' * 64}@example.com"),
    ],
)
def test_address_has_one_form(written: str, canonical: str) -> None:
    assert rules.canonical_email(written) == canonical


@pytest.mark.parametrize(
    "written",
    [
        "",
        "@",
        "alice",
        "alice@",
        "@example.com",
        "alice@example",
        "alice@@example.com",
        "alice@b@example.com",
        "alıce@example.com",  # dotless i
        "аlice@example.com",  # Cyrillic a
        "alice@example.com\r\nBcc: x@example.com",
        "alice\r\n@example.com",
        "alice@example.com\n",
        "alice@exa\x00mple.com",
        "ali ce@example.com",
        " alice@example.com",
        '"alice"@example.com',
        "=?utf-8?q?=0D=0AX?=@example.com",  # a mail program would decode it
        "=?utf-8?q?bob=40bank.example=2C?=@example.com",
        "alice<x>@example.com",
        ".alice@example.com",
        "alice.@example.com",
        "al..ice@example.com",
        "alice@.example.com",
        "alice@example.com.",
        "alice@example..com",
        "alice@-example.com",
        "alice@example-.com",
        "alice@127.0.0.1",
        "alice@[127.0.0.1]",
        "alice@exam_ple.com",
        "alice@\u202eexample.com",
        "alice@exa\u00admple.com.\u200b",
        f"{'l' * 65}@example.com",
        f"alice@{'d' * 64}.com",
        f"alice@{'.'.join(['d' * 60] * 5)}.com",
    ],
)
def test_bad_address_is_refused(written: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        rules.canonical_email(written)
    assert refused.value.fields == {"errors": [{"field": "email", "reason": "invalid"}]}


@pytest.mark.parametrize(
    ("written", "name"),
    [("10000001", "10000001"), ("Bob@EXAMPLE.com", "Bob@example.com"), ("no name", "no name"), ("", "")],
)
def test_login_name_is_the_address_in_its_one_form_or_what_was_written(written: str, name: str) -> None:
    assert rules.login_name(written) == name


@given(LOCALS, DOMAINS)
def test_masked_address_shows_at_most_the_ends_of_its_local_part(local: str, domain: str) -> None:
    shown, _, shown_domain = rules.masked_email(f"{local}@{domain}").partition("@")
    assert shown_domain == domain
    assert shown == f"{local[0]}***{local[-1] if len(local) > 2 else ''}"


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
        rules.check_password(password)
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
        rules.check_password(password)
    else:
        with pytest.raises(refusal):
            rules.check_password(password)


def test_every_common_password_would_else_be_accepted() -> None:
    assert len(rules.COMMON_PASSWORDS) > 200
    for password in rules.COMMON_PASSWORDS:
        assert password == password.lower()
        with pytest.raises(PasswordCommon):
            rules.check_password(password)


@pytest.mark.parametrize("given", ["ACE39", "ace39", " a c E 3 9 ", "ＡＣＥ３９"])
def test_captcha_is_read_without_regard_to_capitals_width_and_blanks(given: str) -> None:
    assert rules.same_picture_text("ACE39", given)


@pytest.mark.parametrize("given", ["", " ", "ACE3", "ACE399", "ACE38", "ÀCE39"])
def test_other_captcha_texts_are_wrong(given: str) -> None:
    assert not rules.same_picture_text("ACE39", given)


def test_uncounted_network_has_no_limit_and_names_and_networks_have_their_own(terms: Terms) -> None:
    assert [limit.subject for limit in rules.login_limits(terms, name="n", network="")] == ["login:n"]
    assert [limit.most for limit in rules.login_limits(terms, name="n", network="203.0.113.9")] == [10, 10]
    assert [limit.window_ms for limit in rules.login_limits(terms, name="n", network="x")] == [300_000, 300_000]
    assert [(limit.most, limit.window_ms) for limit in rules.code_limits(terms, email="e", network="x")] == [
        (1, 60_000),
        (10, 86_400_000),
        (60, 3_600_000),
    ]


@given(st.integers(0, 10**15), st.integers(0, 10**9))
def test_wait_is_whole_seconds_and_long_enough(now: int, wait: int) -> None:
    seconds = rules.seconds_until(now + wait, now)
    assert seconds >= 1
    assert wait <= seconds * 1000 < wait + 1000 or (wait == 0 and seconds == 1)


TODAY = date(2026, 11, 21)
WHOLE: dict[str, Any] = {"country": "VN", "birth_date": date(1990, 5, 17), "terms_version": TERMS_VERSION}


@pytest.mark.parametrize(
    ("changed", "needed", "faults"),
    [
        ({}, True, []),
        (dict.fromkeys(WHOLE), False, []),
        (dict.fromkeys(WHOLE), True, ["country missing", "birth_date missing", "terms_version missing"]),
        ({"country": None}, True, ["country missing"]),
        ({"birth_date": TODAY}, True, []),
        ({"birth_date": TODAY + timedelta(days=1)}, False, ["birth_date range"]),
        ({"birth_date": date(1899, 12, 31)}, False, ["birth_date range"]),
        ({"terms_version": "1"}, False, ["terms_version outdated"]),
        ({"terms_version": "２"}, True, ["terms_version outdated"]),
    ],
)
def test_a_profile_is_whole_where_it_is_needed_and_right_where_it_is_given(
    changed: dict[str, Any], needed: bool, faults: list[str]
) -> None:
    if not faults:
        check_profile(**WHOLE | changed, today=TODAY, needed=needed)
        return
    with pytest.raises(InvalidInput) as refused:
        check_profile(**WHOLE | changed, today=TODAY, needed=needed)
    assert [f"{fault['field']} {fault['reason']}" for fault in refused.value.errors] == faults
