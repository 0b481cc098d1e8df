"""The OpenAPI 3.1 document of the inner JSON, generated from the register of calls.

Source: spec README ("The OpenAPI document … is the contract"); errors.md for codes and names.
"""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from kalos.core import errors as core
from kalos.core.errors import Refusal
from kalos.wire import errors as wire
from kalos.wire.calls import Call
from kalos.wire.languages import catalogue

_REF: Final = "#/components/schemas/{name}"
_OF_ANY_CALL: Final[tuple[type[Refusal], ...]] = (
    core.InvalidInput,
    core.NotFound,
    core.TooMany,
    wire.BadSignature,
    wire.StaleTime,
    wire.Replay,
    wire.UnknownChannel,
    wire.EnvelopeRequired,
)
_OF_MONEY: Final[tuple[type[Refusal], ...]] = (core.RequestConflict, core.RequestRunning, core.Busy)


def document(calls: Sequence[Call]) -> dict[str, Any]:
    """Each path with its body, its answer, and every refusal that it can give."""
    shapes = [shape for call in calls for shape in (call.body, call.answer)]
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_REF)
    for component in components.values():
        if "description" in component:  # a docstring: Python 3.13 takes its indent away, earlier ones don't
            component["description"] = inspect.cleandoc(component["description"])
    paths = {}
    for index, call in enumerate(calls):
        paths[call.path] = {"post": _operation(call, schemas[2 * index], schemas[2 * index + 1])}
        components |= {f"refused.{refusal.name}": _refusal(refusal) for refusal in refusals_of(call)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kalos", "version": "1", "description": "Every call is a POST; see ARCHITECTURE.md."},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"token": {"type": "apiKey", "in": "header", "name": "Authorization"}},
        },
    }


def refusals_of(call: Call) -> tuple[type[Refusal], ...]:
    """What the call itself refuses and what the kernel may refuse before it, by code and name."""
    every = {*call.refusals, *_OF_ANY_CALL}
    if not call.public:
        every.add(core.SessionEnded)
    if call.load == "money":
        every.update(_OF_MONEY)
    return tuple(sorted(every, key=lambda refusal: (refusal.code, refusal.name)))


def _operation(call: Call, body: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": call.path.strip("/").replace("/", "_").replace("-", "_").replace(".", "_"),
        "tags": [call.domain],
        "parameters": [{"name": "lang", "in": "header", "schema": {"type": "string"}}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "200": {
                "description": "Done, or refused: `code` tells.",
                "content": {
                    "application/json": {
                        "schema": {"oneOf": [_envelope({"const": 200}, answer), *_refused(refusals_of(call))]}
                    }
                },
            },
            "413": {"description": "The body is over 64 KiB"},
            "415": {"description": "Not application/json"},
            "503": {"description": "Nothing is known to have changed; try again after Retry-After"},
        },
    }
    if not call.public:
        operation["security"] = [{"token": []}]
    return operation


def _refused(refusals: Iterable[type[Refusal]]) -> list[dict[str, str]]:
    return [{"$ref": _REF.format(name=f"refused.{refusal.name}")} for refusal in refusals]


def _refusal(refusal: type[Refusal]) -> dict[str, Any]:
    """The whole answer of one refusal; it may carry further fields in `data`."""
    name = {"type": "object", "properties": {"error": {"const": refusal.name}}, "required": ["error"]}
    text = catalogue("en")[f"refusal.{refusal.name}"]
    example = {"code": refusal.code, "msg": text, "data": {"error": refusal.name}}
    return _envelope({"const": refusal.code}, name) | {"examples": [example]}


def _envelope(code: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"code": code, "msg": {"type": "string"}, "data": data},
        "required": ["code", "msg", "data"],
    }
