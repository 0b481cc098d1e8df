"""The operator's list of sanctions: a file of addresses, read again whenever it is replaced."""

import re
from pathlib import Path
from typing import Final

import structlog

from kalos.core.errors import ForOperator

_ADDRESS: Final = re.compile(r"0x[0-9a-f]{40}", re.ASCII)
_log = structlog.get_logger("screening")


class BadList(ForOperator, ValueError):
    """The file isn't there, or a line of it is no address."""


class ListedAddresses:
    """`AddressScreening` by a file with one address a line; what follows a # is a note. Without a file none is listed.

    A new file counts at the next question. One that can't be read is told in the log, and the last good one stands.
    Raises: BadList, at the start only.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._listed: frozenset[str] = frozenset()
        self._version = (0, 0)
        if file is not None:
            self._read(file)

    async def is_listed(self, address: str) -> bool:
        if self._file is not None:
            try:
                self._read(self._file)
            except BadList as problem:
                _log.error("the list of sanctions is not read anew", problem=str(problem))
        return address.lower() in self._listed

    def _read(self, file: Path) -> None:
        try:
            about = file.stat()
            version = (about.st_mtime_ns, about.st_size)
            if version == self._version:
                return
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as problem:
            raise BadList(f"{file.name} can't be read: {type(problem).__name__}") from problem
        self._listed = frozenset(_addresses(file.name, lines))
        self._version = version


def _addresses(name: str, lines: list[str]) -> list[str]:
    found = []
    for number, line in enumerate(lines, start=1):
        address = line.partition("#")[0].strip().lower()
        if address and not _ADDRESS.fullmatch(address):
            raise BadList(f"{name}, line {number}: not an address of 0x and 40 hex digits")
        if address:
            found.append(address)
    return found
