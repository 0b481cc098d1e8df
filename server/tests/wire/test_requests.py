"""What a request says about itself: network, token, fingerprint, headers that lie."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.wire.http import headers_of
from kalos.wire.networks import is_loopback, network_of, networks_of
from kalos.wire.request import _SECRETS, read_request
from kalos.wire.signing import canonical_json

PROXIES = networks_of(("10.0.0.0/8", "::1", "127.0.0.1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "network"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "1.2.3.4", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.9.9.9", "1.2.3.4"),
        ("10.0.0.1", "10.1.1.1", "10.1.1.1"),
        ("10.0.0.1", "6.6.6.6, " * 1_000 + "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "nonsense", "unknown"),
        ("10.0.0.1", "fe80::1%\x01eth0", "fe80::/64"),
        ("10.0.0.1", "1.2.3.4%eth0", "1.2.3.4"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("", "", "unknown"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "", "203.0.113.9"),
        ("::1", "2001:db8::1", "2001:db8::/64"),
        ("::1", "", "::/64"),
    ],
)
def test_network_is_the_callers_own(peer: str, forwarded: str, network: str) -> None:
    assert network_of(peer, forwarded, PROXIES) == network


def test_loopback_is_known() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("127.9.9.9")
    assert is_loopback("::/64")
    assert not is_loopback("128.0.0.1")


def encoded(headers: dict[str, str]) -> dict[bytes, bytes]:
    return {name.replace("_", "-").encode(): text.encode() for name, text in headers.items()}


def test_headers_that_are_no_values_of_ours_are_none() -> None:
    request = read_request(
        {"path": "/api/x", "client": None},
        encoded({"authorization": "x" * 201, "lang": "é", "origin": "a\x7fb", "user_agent": "u" * 500}),
        PROXIES,
    )
    assert (request.token, request.session, request.lang, request.lang_header) == ("", b"", "en", "")
    assert (request.origin, request.device, request.network) == ("", "u" * 200, "unknown")


def test_repeated_headers_are_joined() -> None:
    """What a proxy adds as a line of its own must not stand behind what the caller sent."""
    headers = headers_of({"headers": [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"1.2.3.4")]})
    assert headers == {b"x-forwarded-for": b"6.6.6.6, 1.2.3.4"}
    request = read_request({"path": "/api/x", "client": ("10.0.0.1", 1)}, headers, PROXIES)
    assert request.network == "1.2.3.4"


def test_odd_characters_before_the_proxys_own_word_do_not_hide_the_caller() -> None:
    headers = {b"x-forwarded-for": b"\xff\x00, 1.2.3.4"}
    assert read_request({"path": "/api/x", "client": ("10.0.0.1", 1)}, headers, PROXIES).network == "1.2.3.4"


def test_fingerprint_is_of_the_body_without_its_secrets() -> None:
    request = read_request({"path": "/api/x", "client": None}, {}, ())
    prints = []
    for fields in (
        {"amount": "1", "request_id": "r"},
        {"request_id": "r", "amount": "1"},
        {"amount": "1", "request_id": "r", "out_password": "246810", "google_code": "123456"},
        {"amount": "2", "request_id": "r"},
        {"amount": 1, "request_id": "r"},
    ):
        request.fields = dict(fields)
        prints.append(request.fingerprint)
    assert prints[0] == prints[1] == prints[2]
    assert len(set(prints)) == 3
    assert len(prints[0]) == 32


def without_secrets(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in _SECRETS}


_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
_BODIES = st.dictionaries(
    _TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | _TEXTS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
        max_leaves=12,
    ),
    max_size=6,
)


@given(_BODIES.map(without_secrets))
def test_fingerprint_is_of_the_canonical_json(fields: dict[str, Any]) -> None:
    """It is stored for 400 days: another encoder must not make another body of the same."""
    request = read_request({"path": "/api/x", "client": None}, {}, ())
    request.fields = fields
    assert request.fingerprint == hashlib.sha256(canonical_json(fields).encode()).digest()
