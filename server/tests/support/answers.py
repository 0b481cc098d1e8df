"""Holds what calls answer against the OpenAPI document's shapes: nothing more, nothing less, no other refusal."""

from typing import Any

import msgspec

from kalos.core.errors import Refusal
from kalos.wire.calls import Call
from kalos.wire.openapi import answers_of, data_of, refusals_of


def check_answer(call: Call, answer: dict[str, Any]) -> None:
    """The whole answer of a call: code, msg, data."""
    if answer["code"] == 200:
        assert _fits_one(answer["data"], answers_of(call)), f"{call.path} answers {answer['data']}"
        return
    stated = {(refusal.code, refusal.name): refusal for refusal in refusals_of(call)}
    refusal = stated.get((answer["code"], answer["data"]["error"]))
    assert refusal is not None, f"{call.path} may not answer {answer}"
    assert _fits_one(answer["data"], (data_of(refusal),)), f"{call.path} answers {answer}"


def check_refusal(call: Call, refusal: Refusal) -> None:
    """What a handler itself has raised."""
    check_answer(call, {"code": refusal.code, "msg": "", "data": {"error": refusal.name, **refusal.fields}})


def _fits_one(data: Any, shapes: tuple[Any, ...]) -> bool:
    """Whether reading the data as one of the shapes and writing it again gives the same."""
    for shape in shapes:
        try:
            if msgspec.to_builtins(msgspec.convert(data, shape)) == data:
                return True
        except msgspec.ValidationError:
            continue
    return False
