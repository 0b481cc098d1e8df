"""What the wire's caches keep of a request: nothing whose length its caller chooses."""

import pytest

from kalos.wire import request, signing
from kalos.wire.request import read_request

AROUND = {"token": "", "lang": "en", "method": "POST", "session": "s"}


def test_of_a_language_that_is_too_long_only_its_beginning_is_kept() -> None:
    request._known_text.cache_clear()
    for number in range(20):
        stated = b"x" * 201 + b"%d" % number * 10_000
        read = read_request({"path": "/api/x", "client": None}, {b"lang": stated}, ())
        assert (read.lang, read.lang_header) == ("en", "")
    assert request._known_text.cache_info().currsize == 1


@pytest.mark.parametrize(("length", "kept"), [(64, 1), (65, 0), (65_000, 0)])
def test_a_name_is_kept_up_to_its_longest(length: int, kept: int) -> None:
    signing._known_quoted.cache_clear()
    name = "x" * (length - 1) + "é"
    string = signing.signing_string({name: 1}, path="/api/x", **AROUND)
    assert string.endswith("&" + "x" * (length - 1) + "%C3%A9=1")
    assert signing._known_quoted.cache_info().currsize == kept


@pytest.mark.parametrize(("length", "kept"), [(100, 1), (101, 0), (30_000, 0)])
def test_a_path_is_kept_up_to_its_longest(length: int, kept: int) -> None:
    signing._known_place.cache_clear()
    path = "/" + "x" * (length - 1)
    assert f"&%3Apath=%2F{path[1:]}&" in signing.signing_string({}, path=path, **AROUND)
    assert signing._known_place.cache_info().currsize == kept
