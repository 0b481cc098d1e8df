"""A process's log file, bounded: when it is full it becomes `NAME.log.1` and a new one begins."""

from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Final

_FULL_BYTES: Final = 5_000_000
_LAST_LINES: Final = 15
_LONGEST_BYTES: Final = 2_000  # of a line that hasn't ended: more isn't shown
_SHOWN: Final = 500


class BoundedLog:
    """Takes what a process writes; keeps two files of at most 5 MB and the last lines in memory.

    A disk that is full costs lines: whoever isn't read from would wait at its next one, for ever.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._size = place.stat().st_size if place.exists() else 0
        self._last: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._rest = b""  # a line whose end has not come yet: pieces end anywhere

    def write(self, content: bytes) -> None:
        with suppress(OSError):
            self._keep(content)
        *lines, rest = (self._rest + content).split(b"\n")
        self._last.extend(line[:_LONGEST_BYTES] for line in lines if line.strip())
        self._rest = rest[:_LONGEST_BYTES]

    def _keep(self, content: bytes) -> None:
        if self._size + len(content) > _FULL_BYTES and self._size:
            self.place.replace(self.place.with_suffix(".log.1"))
            self._size = 0
        with self.place.open("ab") as file:
            file.write(content)
        self._size += len(content)

    def last_lines(self) -> str:
        lines = [*self._last, self._rest] if self._rest.strip() else self._last
        return "\n".join(f"  | {line.decode(errors='replace').rstrip()[:_SHOWN]}" for line in lines)
