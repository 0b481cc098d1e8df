"""Merkle trees: one hash stands for a list, and a short path proves that an entry is in it.

Leaves and nodes are hashed apart (bytes 0 and 1 in front), a node without a neighbour rises unchanged, as in RFC 6962.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

_BYTES: Final = 32  # of a hash
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()


@dataclass(frozen=True, slots=True)
class Step:
    """The neighbour that is hashed with what has been reached so far: at its left or at its right."""

    side: Literal["left", "right"]
    hash: bytes


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def tree_root(hashes: Sequence[bytes]) -> bytes:
    """The root over hashes of leaves, or over the roots of pieces of 2^k leaves each (the last may be short)."""
    level = list(hashes)
    while len(level) > 1:
        level = _above(level)
    return level[0] if level else EMPTY_ROOT


class Tree:
    """All levels over hashes of leaves, for the paths of many of them: 64 bytes a leaf."""

    def __init__(self, hashes: Sequence[bytes]) -> None:
        self._size = len(hashes)
        self._levels: list[bytes] = []  # below the root, each in one piece: as objects they would take three times that
        level = list(hashes)
        while len(level) > 1:
            self._levels.append(b"".join(level))
            level = _above(level)

    def path(self, index: int) -> list[Step]:
        """The steps from entry `index` up to `tree_root` of the same hashes."""
        assert 0 <= index < self._size, index
        steps = []
        for level in self._levels:
            place = (index ^ 1) * _BYTES
            if place < len(level):
                steps.append(Step("left" if index % 2 else "right", level[place : place + _BYTES]))
            index //= 2
        return steps


def follow(start: bytes, steps: Sequence[Step]) -> bytes:
    """The root that the steps lead to from the hash of a leaf."""
    for step in steps:
        start = _node(step.hash, start) if step.side == "left" else _node(start, step.hash)
    return start


def _above(level: list[bytes]) -> list[bytes]:
    pairs = [_node(level[place], level[place + 1]) for place in range(0, len(level) - 1, 2)]
    return pairs + level[-1:] if len(level) % 2 else pairs


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
