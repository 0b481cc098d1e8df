"""What every field may hold: a body's texts and lists have an end, and a time's name says its unit."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from kalos.app.calls import every_call
from kalos.operator.registry import KINDS
from kalos.wire.openapi import document

DOCUMENT = document(every_call(demo=True))
SCHEMAS = DOCUMENT["components"]["schemas"]
OF_A_KIND = {"/api/operator/preview", "/api/operator/submit"}
"""Whose `body` is of one of the kinds of commands."""
ENDLESS = re.compile(r"(?<!\\)[*+]|\{\d+,\}")


def body_of(path: str) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return found


def endless(schema: dict[str, Any], schemas: dict[str, Any], name: str = "") -> Iterator[str]:
    """The fields below a schema that may be of any length."""
    if "$ref" in schema:
        yield from endless(schemas[schema["$ref"].rpartition("/")[2]], schemas, name)
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from endless(one, schemas, name)
    if is_endless_text(schema):
        yield name
    elif schema.get("type") == "array":
        if "maxItems" not in schema:
            yield name
        for one in (schema.get("items"), *schema.get("prefixItems", ())):
            yield from endless(one or {}, schemas, f"{name}[]")
    elif schema.get("type") == "object":
        for field, one in schema.get("properties", {}).items():
            yield from endless(one, schemas, f"{name}.{field}")
        if schema.get("additionalProperties") is not False:
            yield f"{name}{{}}"


def is_endless_text(schema: dict[str, Any]) -> bool:
    if schema.get("type") != "string" or schema.keys() & {"maxLength", "enum", "const"}:
        return False
    return schema.get("format") != "date" and ("pattern" not in schema or bool(ENDLESS.search(schema["pattern"])))


@pytest.mark.parametrize("path", [path for path, methods in DOCUMENT["paths"].items() if "post" in methods])
def test_each_text_and_list_of_a_body_has_its_longest(path: str) -> None:
    assert list(endless(body_of(path), SCHEMAS)) == ([".body{}"] if path in OF_A_KIND else [])


@pytest.mark.parametrize("name", KINDS)
def test_so_has_each_of_a_command_of_any_kind(name: str) -> None:
    schema = msgspec.json.schema(KINDS[name].body)
    assert list(endless(schema, schema["$defs"])) == []


def test_what_has_no_end_is_seen() -> None:
    """The walk itself, for each form in which a schema may leave it open."""
    text = {"type": "string"}
    fields = {
        "a": text,
        "b": text | {"pattern": "^[0-9]+$"},
        "c": text | {"pattern": "^x{2,}$"},
        "d": {"anyOf": [text, {"type": "null"}]},
        "e": {"type": "array", "items": text, "maxItems": 3},
        "f": {"type": "array", "items": text | {"maxLength": 3}},
        "g": {"$ref": "#/Other"},
        "h": {"type": "object"},
        "i": text | {"pattern": r"^\+x{2,3}$"},
    }
    schema = {"type": "object", "properties": fields, "additionalProperties": False}
    assert list(endless(schema, {"Other": text})) == [".a", ".b", ".c", ".d", ".e[]", ".f", ".g", ".h{}"]


def named(schema: dict[str, Any], said: str, name: str = "") -> Iterator[str]:
    """The names of the fields below a schema that are described by these words."""
    if schema.get("description") == said:
        yield name
    for one in (*schema.get("anyOf", ()), *schema.get("prefixItems", ())):
        yield from named(one, said, name)
    for one in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(one, dict):
            yield from named(one, said, name)
    for field, one in schema.get("properties", {}).items():
        yield from named(one, said, field)


TIME = re.compile(r"at|time|now|until|start|end|\w+_(at|until|from|since)")


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_points_name_says_that_it_is_in_milliseconds_and_no_other_does(name: str) -> None:
    """Whatever the wire itself counts, and whatever lasts, is in seconds. Source: wire.md."""
    schema = SCHEMAS[name]
    points, seconds = (
        set(named(schema, "Unix milliseconds")),
        {*named(schema, "Unix seconds"), *named(schema, "seconds")},
    )
    of_the_house = {"server_time"} if name in ("HallAnswer", "SceneAnswer") else set()  # decision 0005
    assert {point for point in points if not TIME.fullmatch(point)} == of_the_house
    assert not {one for one in seconds if TIME.fullmatch(one)}
    fields = set(schema.get("properties", {}))
    assert {field for field in fields if field.endswith("_at") or field == "time"} <= points
