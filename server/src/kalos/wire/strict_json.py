"""Strict JSON: what a body may be, before anything looks at its fields. Pure.

Source: wire.md, "Numbers, time, text".
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

import msgspec

MAX_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 16
MOST_FAULTS: Final = 10
"""How many faults of a body its refusal lists."""
MOST_PATH: Final = 100
"""How many letters of a fault's path it says."""
_BLANKS: Final = " \t\r\n"
_MAX_INTEGER: Final = 2**63 - 1
_PLAIN: Final = frozenset((str, bool, type(None)))
_decode: Final = msgspec.json.Decoder().decode
_encode: Final = msgspec.json.Encoder().encode

_STRING = re.compile(rb'"(?:[^"\\]|\\.|\\\Z)*(?:"|\Z)', re.DOTALL)  # an open one goes to the end: one pass only
_OPENERS: Final = frozenset(b"[{")
_CLOSERS: Final = frozenset(b"]}")
_BAD_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, line and paragraph ends, direction overrides and isolates."""


class NotStrict(ValueError):
    """The text is no strict JSON object; `reason` is one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def parse_object(raw: bytes) -> dict[str, Any]:
    """Read a JSON object of text, integers, true, false, null, lists and objects.

    Raises: NotStrict with `size`, `encoding`, `depth`, `duplicate_key`, `number`, `json`, `no_object` or `surrogate`.
    """
    if len(raw) > MAX_BYTES:
        raise NotStrict("size")
    return _parse(raw) if (value := _flat(raw)) is None else value


def _flat(raw: bytes) -> dict[str, Any] | None:
    """An object with neither lists nor objects in it, spelled as our pages do, in a third of the time; None: any other.

    msgspec reads more than is strict, but writes in one way: what is spelled so holds nothing else. It goes as deep as
    a text nests, and where the interpreter may recurse far, beyond the end of the stack: so it is given none that does.
    """
    if b"[" in raw or raw.find(b"{", 1) >= 0:
        return None
    try:
        value = _decode(raw)
    except ValueError:
        return None
    if type(value) is not dict:
        return None
    for item in value.values():
        kind = type(item)
        if kind not in _PLAIN and not (kind is int and -_MAX_INTEGER <= item <= _MAX_INTEGER):
            return None
    return value if _encode(value) == raw else None


def _parse(raw: bytes) -> dict[str, Any]:
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(raw) > MAX_DEPTH:
        raise NotStrict("depth")
    try:
        text = raw.decode().strip(_BLANKS)
    except UnicodeDecodeError as problem:
        raise NotStrict("encoding") from problem
    try:
        value, end = _scan(text, 0)
    except (StopIteration, json.JSONDecodeError) as problem:
        raise NotStrict("json") from problem
    if end != len(text):
        raise NotStrict("json")
    if type(value) is not dict:
        raise NotStrict("no_object")
    if b"\\u" in raw and not _is_encodable(value):
        raise NotStrict("surrogate")
    return value


def may_be_bad(raw: bytes) -> bool:
    """Whether texts in this strict JSON may have bad characters: nearly always a glance says no."""
    return b"\\" in raw or b"\x7f" in raw or not raw.isascii()


def bad_texts(value: Any) -> list[str]:
    """The paths of texts and keys with control or direction-override characters in them.

    The first MOST_FAULTS of them, each path cut to MOST_PATH letters: what came is not said again to whoever sent it.
    """
    return list(islice(_bad_texts(value, ""), MOST_FAULTS))


def _bad_texts(value: Any, path: str) -> Iterator[str]:
    """A path is cut before it is handed on: a long key costs its length once, not once for each item under it."""
    if isinstance(value, str):
        if _BAD_TEXT.search(value):
            yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            if _BAD_TEXT.search(key):
                yield path
            else:
                yield from _bad_texts(item, f"{path}.{key}"[:MOST_PATH] if path else key[:MOST_PATH])
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _bad_texts(item, f"{path}[{index}]"[:MOST_PATH])


def _depth(raw: bytes) -> int:
    """How deep the brackets outside texts nest."""
    deepest = depth = 0
    for byte in _STRING.sub(b"", raw):
        if byte in _OPENERS:
            depth += 1
            deepest = max(deepest, depth)
        elif byte in _CLOSERS:
            depth -= 1
    return deepest


def _is_encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotStrict("duplicate_key")
    return found


def _integer(digits: str) -> int:
    if len(digits) > 20 or digits == "-0":
        raise NotStrict("number")
    value = int(digits)
    if abs(value) > _MAX_INTEGER:
        raise NotStrict("number")
    return value


def _no_number(_: str) -> Any:
    raise NotStrict("number")


_scan: Final[Callable[[str, int], tuple[Any, int]]] = json.JSONDecoder(  # type: ignore[attr-defined]
    object_pairs_hook=_object, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number
).scan_once
