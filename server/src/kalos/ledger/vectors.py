"""A quota's numbers as one large integer: taking a vector is one subtraction, and its bytes are those of an array.

Each number has twelve bytes, as PostgreSQL has an element of an array: four for its length, then its own eight. What is
left is whole where all numbers are from 0 to 2**63 - 1, which is where no bit stands outside of the lower 63 of each:
a number below zero borrows from the one before it, and one that is too large reaches into its own length.
"""

import struct
from collections.abc import Sequence
from typing import Final

MOST: Final = 16
PLACE: Final = 12  # bytes of a number
_BITS: Final = 8 * PLACE
_PLACE: Final = (1 << _BITS) - 1
_ARRAY: Final = struct.Struct(">iiIii")
_BIGINT: Final = 20


def _repeated(number: int) -> tuple[int, ...]:
    """The vectors of each size that have this number everywhere."""
    return tuple(sum(number << _BITS * place for place in range(size)) for size in range(MOST + 1))


_WHOLE: Final = _repeated(2**63 - 1)
_LENGTHS: Final = _repeated(8 << 64)


def joined(numbers: Sequence[int]) -> int:
    """One integer of these numbers, which may be negative."""
    vector = 0
    for number in numbers:
        vector = (vector << _BITS) + number
    return vector


def numbers_of(vector: int, size: int) -> tuple[int, ...]:
    """What `joined` made one."""
    numbers = []
    for _ in range(size):
        number = vector & _PLACE
        if number >> _BITS - 1:
            number -= 1 << _BITS
        numbers.append(number)
        vector = (vector - number) >> _BITS
    return tuple(reversed(numbers))


def is_whole(vector: int, size: int) -> bool:
    """Whether it is of so many numbers, each from 0 to 2**63 - 1."""
    return vector | _WHOLE[size] == _WHOLE[size]


def packed(numbers: Sequence[int]) -> bytes:
    """A vector for the way."""
    return joined(numbers).to_bytes(PLACE * len(numbers), "big", signed=True)


def array_of(vectors: Sequence[int], size: int) -> bytes:
    """Whole vectors, one after the other, as PostgreSQL reads an array of bigint."""
    lengths, width = _LENGTHS[size], PLACE * size
    head = _ARRAY.pack(1, 0, _BIGINT, len(vectors) * size, 1)
    return head + b"".join([(vector | lengths).to_bytes(width, "big") for vector in vectors])


def vector_of(array: bytes) -> tuple[int, int]:
    """What `array_of` wrote for one whole vector, and its size."""
    size = (len(array) - _ARRAY.size) // PLACE
    return int.from_bytes(array[_ARRAY.size :], "big") ^ _LENGTHS[size], size
