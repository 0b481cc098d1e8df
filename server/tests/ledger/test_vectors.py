"""Vectors as one integer: whatever is taken, what is left is right, and right or wrong as each number is."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalos.ledger.arrays import pack
from kalos.ledger.vectors import MOST, PLACE, array_of, is_whole, joined, numbers_of, packed, vector_of

LARGEST = 2**63 - 1
EDGES = [0, 1, LARGEST - 1, LARGEST]
left = st.sampled_from(EDGES) | st.integers(0, LARGEST)
taken = st.sampled_from([*EDGES, -1, 1 - LARGEST, -LARGEST]) | st.integers(-LARGEST, LARGEST)
pairs = st.lists(st.tuples(left, taken), min_size=1, max_size=MOST)


@given(pairs)
def test_what_is_left_is_each_number_less_what_is_taken_of_it(asked: list[tuple[int, int]]) -> None:
    before, units = zip(*asked, strict=True)
    size, expected = len(asked), tuple(one - other for one, other in asked)
    after = joined(before) - int.from_bytes(packed(units), "big", signed=True)
    assert numbers_of(after, size) == expected
    assert is_whole(after, size) == all(0 <= number <= LARGEST for number in expected)


@given(st.binary(min_size=PLACE, max_size=PLACE * MOST), st.lists(left, min_size=1, max_size=MOST))
def test_whatever_a_caller_sends_leaves_a_whole_vector_or_none(sent: bytes, before: list[int]) -> None:
    size = len(before)
    after = joined(before) - int.from_bytes(sent, "big", signed=True)
    numbers = numbers_of(after, size)
    assert is_whole(after, size) == (joined(numbers) == after and all(0 <= number <= LARGEST for number in numbers))


@pytest.mark.parametrize("vector", [-1, 1 << 63, 1 << PLACE * 8 * 2])
def test_what_is_no_vector_is_not_whole(vector: int) -> None:
    assert is_whole(LARGEST << PLACE * 8 | 5, 2)
    assert not is_whole(vector, 2)


@given(st.integers(1, MOST).flatmap(lambda size: st.lists(st.lists(left, min_size=size, max_size=size), min_size=1)))
def test_vectors_are_written_as_an_array_is(vectors: list[list[int]]) -> None:
    numbers = [number for vector in vectors for number in vector]
    written = array_of([joined(vector) for vector in vectors], len(vectors[0]))
    assert written == pack("bigint", numbers)
    assert struct.unpack_from(">q", written, 24) == (numbers[0],)


@given(st.lists(left, min_size=1, max_size=MOST))
def test_a_vector_is_read_as_it_was_written(numbers: list[int]) -> None:
    assert vector_of(array_of([joined(numbers)], len(numbers))) == (joined(numbers), len(numbers))
    assert vector_of(pack("bigint", numbers)) == (joined(numbers), len(numbers))
