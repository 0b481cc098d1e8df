"""Whole examples of the document's schemas, put together from those of their fields."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


class NoExample(Exception):
    """A value without an example of its own, by its path."""


def example_of(schema: Schema, components: Mapping[str, Schema], place: str = "") -> Any:
    """Put an example together: a schema's own one, else its first word, false, or what its parts give.

    A field that may be left out stands there only with an example of its own. Raises: NoExample.
    """
    if "examples" in schema:
        return schema["examples"][0]
    if "$ref" in schema:
        return example_of(components[schema["$ref"].rpartition("/")[2]], components, place)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    for choices in ("anyOf", "oneOf"):
        if choices in schema:
            return _first(schema[choices], components, place)
    kind = schema.get("type")
    if kind == "boolean":
        return False
    if kind == "array":
        return [example_of(schema["items"], components, f"{place}[]")]
    if kind == "object" and "properties" in schema:
        return {
            name: example_of(field, components, f"{place}.{name}")
            for name, field in schema["properties"].items()
            if name in schema.get("required", ()) or _is_shown(field)
        }
    raise NoExample(place)


def _is_shown(field: Schema) -> bool:
    return "examples" in field or any("examples" in choice for choice in field.get("anyOf", ()))


def _first(choices: list[Schema], components: Mapping[str, Schema], place: str) -> Any:
    """The first choice that has an example."""
    for choice in choices:
        try:
            return example_of(choice, components, place)
        except NoExample:
            continue
    raise NoExample(place)
