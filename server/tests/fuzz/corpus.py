"""The inputs that are kept: one file for each target, on each line one input as a Python bytes literal."""

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("corpus")
LONGEST: Final = 400
MOST: Final = 300
"""Bytes of one input, and inputs of one target."""


def read(name: str) -> list[bytes]:
    place = FOLDER / f"{name}.txt"
    return [ast.literal_eval(line) for line in place.read_text().splitlines()] if place.exists() else []


def write(name: str, inputs: Iterable[bytes]) -> None:
    """Keep what is kept already and the shortest of `inputs`, in an order that makes small differences."""
    old = set(read(name))
    new = sorted({one for one in inputs if len(one) <= LONGEST} - old, key=len)
    kept = sorted([*old, *new[: max(0, MOST - len(old))]])
    (FOLDER / f"{name}.txt").write_text("".join(f"{one!r}\n" for one in kept))
