"""An operator's list in a file: one entry a line, what follows a # is a note."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from kalos.core.errors import ForOperator

Entry = TypeVar("Entry")


class BadList(ForOperator, ValueError):
    """The file can't be read, or a line of it is no entry."""


def read_list(file: Path, read: Callable[[str], Entry]) -> list[Entry]:
    """What `read` makes of each line; it raises ValueError with what the line is not.

    Raises: BadList, with the line's number.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadList(f"{file.name} can't be read: {type(problem).__name__}") from problem
    found = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(read(text))
        except ValueError as problem:
            raise BadList(f"{file.name}, line {number}: {problem}") from None
    return found
