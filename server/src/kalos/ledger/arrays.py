"""Arrays in PostgreSQL's binary form, packed at once and before their turn: a fifth of what the driver takes."""

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import asyncpg

_HEAD: Final = 20  # dimensions, nulls, type, length, lower bound
_LENGTH: Final = 4  # of each element, before it
_TEXT, _UUID = 25, 2950
_SIXTEEN: Final = (16).to_bytes(_LENGTH, "big")
_NULL: Final = struct.pack(">i", -1)
_SHORT: Final = 256
_SIZES: Final = [size.to_bytes(_LENGTH, "big") for size in range(_SHORT)]


def _packer(element: int, form: str, size: int) -> Callable[[Sequence[int | None]], bytes]:
    @lru_cache(256)
    def layout(count: int) -> struct.Struct:
        return struct.Struct(">iiIii" + f"{_LENGTH}x{form}" * count)

    step, mark = _LENGTH + size, bytes([size])

    def pack(numbers: Sequence[int | None]) -> bytes:
        count = len(numbers)
        try:
            packed = bytearray(layout(count).pack(1, 0, element, count, 1, *numbers))
        except struct.error as problem:
            if None in numbers:
                return _with_nulls(numbers, element, form, size)
            raise ValueError(f"no {size * 8}-bit number among {numbers[:20]}") from problem
        packed[_HEAD + _LENGTH - 1 :: step] = mark * count
        return bytes(packed)

    return pack


def _with_nulls(numbers: Sequence[int | None], element: int, form: str, size: int) -> bytes:
    one = struct.Struct(f">i{form}")
    try:
        body = [_NULL if number is None else one.pack(size, number) for number in numbers]
    except struct.error as problem:
        raise ValueError(f"no {size * 8}-bit number among {numbers[:20]}") from problem
    return struct.pack(">iiIii", 1, 1, element, len(numbers), 1) + b"".join(body)


def _pack_texts(texts: Sequence[str | None]) -> bytes:
    parts = [struct.pack(">iiIii", 1, None in texts, _TEXT, len(texts), 1)]
    for text in texts:
        if text is None:
            parts.append(_NULL)
        else:
            word = text.encode()
            size = len(word)
            parts += (_SIZES[size] if size < _SHORT else size.to_bytes(_LENGTH, "big"), word)
    return b"".join(parts)


def _pack_uuids(words: Sequence[bytes]) -> bytes:
    return struct.pack(">iiIii", 1, 0, _UUID, len(words), 1) + _SIXTEEN + _SIXTEEN.join(words)


_PACKERS: Final[dict[str, tuple[str, int, Callable[[Any], bytes]]]] = {
    "bigint": ("_int8", 1016, _packer(20, "q", 8)),
    "smallint": ("_int2", 1005, _packer(21, "h", 2)),
    "text": ("_text", 1009, _pack_texts),
    "uuid": ("_uuid", 2951, _pack_uuids),
}


def pack(kind: str, column: Sequence[Any]) -> Any:
    """A column, as `take_packed` lets a connection send it; a uuid is 16 bytes, and a column of uuids is never empty.

    What is packed already, or is of a kind that isn't packed here (the driver does it), is returned as it is.
    Raises: ValueError.
    """
    packer = _PACKERS.get(kind)
    return column if packer is None or type(column) is bytes else packer[2](column)


def take_packed(db: asyncpg.Connection) -> None:
    """Let a connection send arrays that were packed, and no others of their types; it can't read any."""
    driver: Any = db
    settings = driver._protocol.get_settings()  # noqa: SLF001 - the driver's own door takes no arrays
    for name, array, _ in _PACKERS.values():
        settings.add_python_codec(array, name, "pg_catalog", [], "scalar", bytes, _refuse, "binary")


def _refuse(_: bytes) -> Any:
    raise NotImplementedError("this connection writes")
