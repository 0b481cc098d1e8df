"""The text that is signed, beside the same written as its rule says it."""

from base64 import urlsafe_b64encode
from typing import Final
from urllib.parse import quote

from hypothesis import example, given
from hypothesis import strategies as st

from kalos.core.tokens import digest
from kalos.wire.signing import signing_string

_AROUND: Final = {"token": "a token", "lang": "en", "method": "POST", "path": "/api/x", "session": "s"}
_LETTERS: Final = st.text("aZ9-._~=&%:+é", max_size=4)


@given(st.dictionaries(_LETTERS, _LETTERS | st.integers(-9, 9), max_size=4))
@example({"": "v", "a": "1"})  # before what is added, which begins with "%"
@example({"a": "1&b=2"})
@example({"a": "1=", "b": "2"})
@example({"image": "1", "sign": "2"})
def test_it_is_all_pairs_in_the_order_of_their_encoded_names(fields: dict[str, str | int]) -> None:
    added = {f":{name}": value for name, value in _AROUND.items() if name != "token"}
    pairs = {**fields, **added, ":auth": urlsafe_b64encode(digest(_AROUND["token"])).rstrip(b"=").decode()}
    encoded = {quote(name, safe=""): quote(str(value), safe="") for name, value in pairs.items()}
    expected = "&".join(f"{name}={encoded[name]}" for name in sorted(encoded) if name not in ("sign", "image"))
    assert signing_string(fields, **_AROUND) == expected
