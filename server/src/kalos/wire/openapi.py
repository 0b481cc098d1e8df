"""The OpenAPI 3.1 document of the inner JSON, generated from the register of calls.

Source: spec README ("The OpenAPI document … is the contract"); errors.md for codes and names.
"""

import inspect
from collections.abc import Sequence
from types import UnionType
from typing import Any, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from kalos.core import errors as core
from kalos.core.errors import Refusal
from kalos.wire import errors as wire
from kalos.wire.calls import Call
from kalos.wire.examples import example_of
from kalos.wire.kernel import WIRE
from kalos.wire.keys import WireKeys
from kalos.wire.languages import refusal_text, say
from kalos.wire.opening import opening_calls

Schema = dict[str, Any]

WIRE_KEYS: Final = "/.well-known/wire-keys"
_ABOUT: Final = "What calls say inside their wrapping, which docs/decisions/0005-wire.md describes."
_REF: Final = "#/components/schemas/{name}"
_LANG: Final = {
    "name": "lang",
    "in": "header",
    "description": "The language of `msg`; English where it is none of these.",
    "schema": {"type": "string", "examples": ["en", "vn", "th", "ja", "ko", "zh_CN", "tw"]},
}
_OF_ANY_CALL: Final = (core.InvalidInput, core.TooMany)
_OF_A_CHANNEL: Final = (wire.BadSignature, wire.StaleTime, wire.Replay, wire.UnknownChannel, wire.EnvelopeRequired)
_OF_MONEY: Final = (core.Busy, core.RequestRunning, core.WrongState)
_TRANSPORT: Final = {
    "400": "No body that ends",
    "408": "The body took too long",
    "413": "The body is over 64 KiB",
    "415": "Not application/json, or compressed",
    "421": "Not served under this host",
    "429": "Too many calls from this network; try again after Retry-After",
    "503": "Nothing is known to have changed; try again after Retry-After, where it is there",
}
_WAITS: Final = ("429", "503")


def document(calls: Sequence[Call]) -> Schema:
    """Each path with its body, its answer, every refusal that it can give, and an example of each."""
    calls = [*opening_calls(None), *calls]
    refusals = sorted({refusal for call in calls for refusal in refusals_of(call)}, key=_place)
    data = {refusal: data_of(refusal) for refusal in refusals}
    shapes = [shape for call in calls for shape in (call.body, *answers_of(call))] + [*data.values(), WireKeys]
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_REF)
    for component in components.values():
        if "description" in component:  # a docstring: Python 3.13 takes its indent away, earlier ones don't
            component["description"] = inspect.cleandoc(component["description"])
    for refusal in refusals:
        stated = components.pop(data[refusal].__name__)
        components[f"refused.{refusal.name}"] = _refusal(refusal, stated, components)
    known = dict(zip(shapes, schemas, strict=True))
    paths = {call.path: {"post": _operation(call, known, components)} for call in calls}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kalos", "version": "1", "description": _ABOUT},
        "paths": {WIRE_KEYS: {"get": _keys_page(known[WireKeys], components)}, **paths},
        "components": {
            "schemas": dict(sorted(components.items())),
            "parameters": {"lang": _LANG},
            "responses": {f"http.{status}": _transport(status) for status in _TRANSPORT},
            "securitySchemes": {"token": {"type": "apiKey", "in": "header", "name": "Authorization"}},
        },
    }


def refusals_of(call: Call) -> tuple[type[Refusal], ...]:
    """What the call itself refuses and what kernel and ledger may refuse before it, by code and name."""
    every: set[type[Refusal]] = {*call.refusals, *_OF_ANY_CALL}
    if call.domain != WIRE:
        every.update(_OF_A_CHANNEL)
    if not call.public:
        every.add(core.SessionEnded)
    if call.load == "money":
        every.update(_OF_MONEY)
    if call.again is not None:
        every.add(core.RequestConflict)
    return tuple(sorted(every, key=_place))


def _place(refusal: type[Refusal]) -> tuple[int, str]:
    return refusal.code, refusal.name


def answers_of(call: Call) -> tuple[Any, ...]:
    """A call's answer, or the few shapes that it may have."""
    return get_args(call.answer) if isinstance(call.answer, UnionType) else (call.answer,)


def data_of(refusal: type[Refusal]) -> type[msgspec.Struct]:
    """The `data` of a refusal: its name and what its class states with a type."""
    hints = get_type_hints(refusal, include_extras=True)
    fields = [(name, hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar]
    return msgspec.defstruct(f"data.{refusal.name}", [("error", Literal[refusal.name]), *fields], kw_only=True)


def _operation(call: Call, known: dict[Any, Schema], components: dict[str, Schema]) -> Schema:
    done = [_envelope(200, say("en", "page.done"), known[shape]) for shape in answers_of(call)]
    refused = [{"$ref": _REF.format(name=f"refused.{refusal.name}")} for refusal in refusals_of(call)]
    examples = {_name_of(envelope): {"value": example_of(envelope, components, call.path)} for envelope in done}
    if call.example is not None:
        (named,) = examples.values()
        named["value"]["data"] = msgspec.to_builtins(call.example)
    return {
        "operationId": call.path.strip("/").replace("/", "_"),
        "tags": [call.domain],
        **({} if call.public else {"security": [{"token": []}]}),
        "parameters": [{"$ref": "#/components/parameters/lang"}],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": known[call.body],
                    "example": example_of(known[call.body], components, call.path),
                }
            },
        },
        "responses": {
            "200": {
                "description": "Done, or refused: `code` tells.",
                "content": {"application/json": {"schema": {"oneOf": [*done, *refused]}, "examples": examples}},
            },
            **{status: {"$ref": f"#/components/responses/http.{status}"} for status in _TRANSPORT},
        },
    }


def _keys_page(schema: Schema, components: dict[str, Schema]) -> Schema:
    example = example_of(schema, components, WIRE_KEYS)
    return {
        "operationId": "wire_keys",
        "tags": [WIRE],
        "responses": {
            "200": {
                "description": "The keys that channels are opened with.",
                "content": {"application/json": {"schema": schema, "example": example}},
            }
        },
    }


def _refusal(refusal: type[Refusal], data: Schema, components: dict[str, Schema]) -> Schema:
    """The whole answer of one refusal."""
    values = {name: value for name, value in example_of(data, components, refusal.name).items() if name != "error"}
    fields = {"type": "object", "properties": data["properties"], "required": data["required"]}
    found = _envelope(refusal.code, refusal_text("en", refusal.name, values), fields | {"additionalProperties": False})
    found["examples"] = [example_of(found, components, refusal.name)]
    return ({"description": inspect.cleandoc(refusal.__doc__)} if refusal.__doc__ else {}) | found


def _envelope(code: int, msg: str, data: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"code": {"const": code}, "msg": {"type": "string", "examples": [msg]}, "data": data},
        "required": ["code", "msg", "data"],
    }


def _name_of(envelope: Schema) -> str:
    reference: str = envelope["properties"]["data"]["$ref"]
    return reference.rpartition("/")[2]


def _transport(status: str) -> Schema:
    waits = {"headers": {"Retry-After": {"schema": {"type": "integer", "minimum": 1}}}} if status in _WAITS else {}
    return {"description": _TRANSPORT[status], **waits, "content": {"text/plain": {"schema": {"type": "string"}}}}
