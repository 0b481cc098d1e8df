"""A body is read as far as it was stated, and no further."""

from typing import Any

import pytest

from kalos.wire.http import Gone, TransportProblem, read_json_body
from kalos.wire.patience import Patience

MOST = 20
JSON = {b"content-type": b"application/json"}


def part(body: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


async def read(*messages: dict[str, Any], length: bytes | None = None) -> bytes:
    """What is read where these come and no more is asked for."""
    coming = list(messages)

    async def receive() -> dict[str, Any]:
        assert coming, "more was asked for"
        return coming.pop(0)

    headers = JSON if length is None else JSON | {b"content-length": length}
    return await read_json_body(headers, receive, MOST, Patience(10))


async def test_what_was_stated_is_whole_without_asking_for_more() -> None:
    assert await read(part(b'{"a":1}'), length=b"7") == b'{"a":1}'
    assert await read(part(b'{"a"'), part(b":1}"), length=b"7") == b'{"a":1}'
    assert await read(part(b""), length=b"0") == b""


async def test_what_was_not_stated_is_read_to_its_end() -> None:
    assert await read(part(b""), part(b'{"a"'), part(b":1}"), part(b"", more=False)) == b'{"a":1}'
    with pytest.raises(TransportProblem, match="413"):
        await read(part(b"x" * MOST), part(b"x"))


async def test_what_ends_before_its_stated_length_ends_the_call() -> None:
    with pytest.raises(Gone):
        await read(part(b'{"a"'), {"type": "http.disconnect"}, length=b"7")


@pytest.mark.parametrize("length", [b"21", b"-1", b"1e1", b"+7", b"", b"7 ", b"0" * 13])
async def test_a_length_that_is_none_or_too_large_is_refused_unread(length: bytes) -> None:
    with pytest.raises(TransportProblem, match="413"):
        await read(length=length)
