"""How much of a form is taken in before it is refused."""

import gc
import weakref
from typing import Any

import pytest

from kalos.wire.http import TransportProblem
from kalos.wire.incoming import IncomingForm, Places, Stream


async def test_an_envelope_over_its_limit_is_not_read_on() -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="envelope"\r\n\r\n'
    asked = 0

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": head if asked == 1 else b"x" * 60, "more_body": True}

    stream = Stream(receive, 1_000_000)
    form = IncomingForm(stream, Places(1, 1), boundary=b"b", most_bytes=100, most_envelope_bytes=100)
    with pytest.raises(TransportProblem) as problem:
        await form.envelope()
    assert (problem.value.status, asked) == (413, 3)


async def test_a_form_that_was_cut_off_is_let_go_at_once() -> None:
    """Not by a collection of garbage: those come seldom."""
    gc.disable()
    try:
        boundary = b"b" * 20
        head = b"--" + boundary + b'\r\nContent-Disposition: form-data; name="envelope"\r\n\r\n{}'

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": head, "more_body": False}

        form = IncomingForm(
            Stream(receive, 10_000), Places(1, 1), boundary=boundary, most_bytes=1_000, most_envelope_bytes=1_000
        )
        with pytest.raises(TransportProblem):
            await form.envelope()
        left = weakref.ref(form._parser)
        form.close()
        del form
        assert left() is None
    finally:
        gc.enable()
