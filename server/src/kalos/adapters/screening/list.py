"""The operator's list of sanctions: a file of addresses, read again whenever it is replaced."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

import structlog

from kalos.adapters.listing import BadList, read_list

_ADDRESS: Final = re.compile(r"0x[0-9a-f]{40}", re.ASCII)
SANDBOX: Final = ("0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",)
"""Listed in demo mode, so that a hit can be tried: the last account that every development chain knows."""

_log = structlog.get_logger("screening")


class ListedAddresses:
    """`AddressScreening` by a file with one address a line; what follows a # is a note. Without a file none is listed.

    `sandbox` is listed besides. A new file counts at the next question. One that can't be read is told in the log, and
    the last good one stands.
    Raises: BadList, at the start only.
    """

    def __init__(self, file: Path | None, sandbox: Collection[str] = ()) -> None:
        self._file = file
        self._sandbox = frozenset(address.lower() for address in sandbox)
        self._listed: frozenset[str] = frozenset()
        self._version = (0, 0)
        if file is not None:
            self._read(file)

    async def is_listed(self, address: str) -> bool:
        if problem := self.fault():
            _log.error("the list of sanctions is not read anew", problem=problem)
        return address.lower() in self._listed | self._sandbox

    def fault(self) -> str | None:
        if self._file is not None:
            try:
                self._read(self._file)
            except BadList as problem:
                return str(problem)
        return None

    def _read(self, file: Path) -> None:
        try:
            about = file.stat()
            version = (about.st_mtime_ns, about.st_size)
            if version == self._version:
                return
        except OSError as problem:
            raise BadList(f"{file.name} can't be read: {type(problem).__name__}") from problem
        self._listed = frozenset(read_list(file, _address))
        self._version = version


def _address(line: str) -> str:
    address = line.lower()
    if not _ADDRESS.fullmatch(address):
        raise ValueError("not an address of 0x and 40 hex digits")
    return address
