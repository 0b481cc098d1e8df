"""Strict JSON and amounts a second time, written from wire.md alone: what the product's readers are compared with."""

import re
from typing import Any, Final

MOST_BYTES: Final = 64 * 1024
MOST_DEPTH: Final = 16
_BLANKS: Final = " \t\r\n"
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS: Final = {"true": True, "false": False, "null": None}
_NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity")
_ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class _Broken(Exception):
    """From here on it is no JSON."""


class Reading:
    """One text: `faults` are all true reasons to refuse it, `value` what it says where there are none."""

    def __init__(self, raw: bytes) -> None:
        self.faults: set[str] = set()
        self.value: Any = None
        if len(raw) > MOST_BYTES:
            self.faults.add("size")
            return
        if depth_of(raw) > MOST_DEPTH:
            self.faults.add("depth")
            return
        try:
            self._text = raw.decode("utf-8")
        except UnicodeDecodeError:
            self.faults.add("encoding")
            return
        self._at = 0
        try:
            self.value = self._read()
            self._skip()
            if self._at != len(self._text):
                raise _Broken
        except _Broken:
            self.faults.add("json")
            return
        if not isinstance(self.value, dict):
            self.faults.add("no_object")

    def _skip(self) -> None:
        while self._text[self._at : self._at + 1] in tuple(_BLANKS):
            self._at += 1

    def _take(self, sign: str) -> bool:
        """Whether `sign` comes next; then it is behind us."""
        self._skip()
        if not self._text.startswith(sign, self._at):
            return False
        self._at += len(sign)
        return True

    def _read(self) -> Any:
        if self._take("{"):
            return self._object()
        if self._take("["):
            return self._list()
        if self._text.startswith('"', self._at):
            return self._string()
        for word, value in _WORDS.items():
            if self._take(word):
                return value
        return self._number()

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self._take("}"):
            return found
        while True:
            self._skip()
            name = self._string()
            if not self._take(":"):
                raise _Broken
            value = self._read()
            if name in found:
                self.faults.add("duplicate_key")
            found[name] = value
            if self._take("}"):
                return found
            if not self._take(","):
                raise _Broken

    def _list(self) -> list[Any]:
        found: list[Any] = []
        if self._take("]"):
            return found
        while True:
            found.append(self._read())
            if self._take("]"):
                return found
            if not self._take(","):
                raise _Broken

    def _string(self) -> str:
        match = _STRING.match(self._text, self._at)
        if match is None:
            raise _Broken
        self._at = match.end()
        units = re.sub(r"\\(u....|.)", _unescaped, match[0][1:-1])
        text = units.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if units.encode("utf-16", "surrogatepass") != text.encode("utf-16"):
            self.faults.add("surrogate")
        return text

    def _number(self) -> int:
        self._skip()
        if any(self._take(word) for word in _NO_NUMBERS):
            self.faults.add("number")
            return 0
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            raise _Broken
        self._at = match.end()
        digits = match[0].lstrip("-")
        if match[1] or match[2] or match[0] == "-0" or len(digits) > 19 or int(digits) >= 2**63:
            self.faults.add("number")
            return 0
        return int(match[0])


def _unescaped(match: re.Match[str]) -> str:
    sign = match[1]
    return chr(int(sign[1:], 16)) if len(sign) == 5 else _ESCAPES.get(sign, sign)


def depth_of(raw: bytes) -> int:
    """How deep the brackets outside strings nest, however broken the rest is."""
    depth = deepest = 0
    inside = escaped = False
    for byte in raw:
        if inside:
            inside = escaped or byte != ord('"')
            escaped = not escaped and byte == ord("\\")
        elif byte == ord('"'):
            inside = True
        else:
            depth += (byte in b"[{") - (byte in b"]}")
            deepest = max(deepest, depth)
    return deepest


def units_of(text: str, *, scale: int, most: int) -> int | None:
    """The smallest units that an amount's text says; None where it is no amount or too much."""
    whole, point, decimals = text.partition(".")
    if point and not decimals:
        return None
    if not 1 <= len(whole) <= 18 or len(decimals) > min(8, scale):
        return None
    units = 0
    for digit in whole + decimals.ljust(scale, "0"):
        if digit not in "0123456789":
            return None
        units = units * 10 + "0123456789".index(digit)
    if len(whole) > 1 and whole[0] == "0":
        return None
    return units if units <= most else None
