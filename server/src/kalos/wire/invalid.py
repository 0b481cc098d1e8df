"""From a body to its typed shape; what doesn't fit becomes a list of fields and reasons."""

import re
from typing import Any, Final, TypeVar

import msgspec

from kalos.core.errors import InvalidInput
from kalos.wire.strict_json import MOST_PATH

Shape = TypeVar("Shape")

_PLACE = re.compile(r" - at `(?:key in )?\$\.?(?P<path>[^`]*)`$")
_FIELD = re.compile(r"field `(?P<field>[^`]*)`")
_REASONS: Final = (
    ("missing required field", "missing"),
    ("contains unknown field", "unknown"),
    ("matching regex", "form"),
    ("of length", "length"),
    ("Invalid enum value", "choice"),
    (" >= ", "range"),
    (" <= ", "range"),
    (" > ", "range"),
    (" < ", "range"),
    ("Expected", "type"),
)


def convert(fields: dict[str, Any], shape: type[Shape]) -> Shape:
    """Raises: InvalidInput with the field that doesn't fit and the reason in one word."""
    try:
        return msgspec.convert(fields, shape, strict=True)
    except msgspec.ValidationError as problem:
        raise InvalidInput(errors=[_fault(str(problem))]) from problem


def _fault(message: str) -> dict[str, str]:
    place = _PLACE.search(message)
    path = place["path"] if place else ""
    named = _FIELD.search(message)
    if named:
        path = f"{path}.{named['field']}" if path else named["field"]
    reason = next((word for text, word in _REASONS if text in message), "invalid")
    return {"field": path[:MOST_PATH], "reason": reason}
