"""E-mail addresses: one form, and what of them is shown."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.core.emails import canonical_email, login_name, masked_email
from kalos.core.errors import InvalidInput

LABELS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=10)
LOCALS = st.from_regex(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}", fullmatch=True).filter(lambda local: "=?" not in local)
DOMAINS = st.tuples(LABELS, st.text(string.ascii_letters, min_size=2, max_size=6)).map(".".join)


@given(LOCALS, DOMAINS)
def test_plain_addresses_keep_their_local_part_and_lower_their_domain(local: str, domain: str) -> None:
    assert canonical_email(f"{local}@{domain}") == f"{local}@{domain.lower()}"


@given(st.text(max_size=40) | st.tuples(st.text(max_size=10), st.text(max_size=20)).map("@".join))
def test_what_is_accepted_is_ascii_and_in_its_final_form(text: str) -> None:
    try:
        address = canonical_email(text)
    except InvalidInput:
        return
    assert re.fullmatch(r"[!-~]+@[a-z0-9.-]+", address)
    assert canonical_email(address) == address


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
    assert canonical_email(written) == canonical


@pytest.mark.parametrize(
    "written",
    [
        "",
        "@",
        "alice",
        "alice@",
        "@example.com",
        "alice@example",
        "a@b.c",
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
        canonical_email(written)
    assert refused.value.fields == {"errors": [{"field": "email", "reason": "invalid"}]}


@pytest.mark.parametrize(
    ("written", "name"),
    [("10000001", "10000001"), ("Bob@EXAMPLE.com", "Bob@example.com"), ("no name", "no name"), ("", "")],
)
def test_login_name_is_the_address_in_its_one_form_or_what_was_written(written: str, name: str) -> None:
    assert login_name(written) == name


@given(LOCALS, DOMAINS)
def test_masked_address_shows_at_most_the_ends_of_its_local_part(local: str, domain: str) -> None:
    shown, _, shown_domain = masked_email(f"{local}@{domain}").partition("@")
    assert shown_domain == domain
    assert shown == f"{local[0]}***{local[-1] if len(local) > 2 else ''}"
