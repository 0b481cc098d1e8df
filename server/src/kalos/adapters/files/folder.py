"""Files in a local folder, each sealed with a key of the installation: a disk that is lost shows no document."""

import asyncio
import os
import re
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kalos.core.errors import Outage

_NAME = re.compile(r"[0-9a-f]{32}", re.ASCII)
_FORM: Final = b"\x01"
"""The first byte: which layout follows."""
_NONCE_BYTES: Final = 12
_PART: Final = ".part"
FREE_BYTES: Final = 512 * 2**20
"""What stays free on the disk, which is the database's as well."""


class FolderFiles:
    """A FileStore. A file stands under a name of its own until it is whole and on the disk.

    The first of `keys` seals; all of them open.
    """

    def __init__(self, folder: Path, keys: Sequence[bytes], *, free_bytes: int = FREE_BYTES) -> None:
        self._folder = folder
        self._ciphers = [AESGCM(key) for key in keys]
        self._free_bytes = free_bytes

    async def put(self, name: str, content: bytes) -> None:
        await asyncio.to_thread(self._put, self._place(name), name, content)

    async def get(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._get, self._place(name), name)

    async def delete(self, names: Collection[str]) -> None:
        await asyncio.to_thread(self._delete, [self._place(name) for name in names])

    def _place(self, name: str) -> Path:
        assert _NAME.fullmatch(name), "a file's name is one that we made"
        return self._folder / name[:2] / name

    def _put(self, place: Path, name: str, content: bytes) -> None:
        nonce = os.urandom(_NONCE_BYTES)
        sealed = _FORM + nonce + self._ciphers[0].encrypt(nonce, content, name.encode())
        part = place.with_name(place.name + _PART)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if shutil.disk_usage(self._folder).free < self._free_bytes + len(sealed):
                raise Outage("the disk has no room for files")
            if not place.parent.exists():
                place.parent.mkdir(mode=0o700, exist_ok=True)
                _sync(self._folder)
            try:
                _write(part, sealed)
                part.rename(place)
                _sync(place.parent)
            except OSError:
                part.unlink(missing_ok=True)
                raise
        except OSError as problem:
            raise Outage(f"a file can't be kept: {problem.strerror}") from problem

    def _get(self, place: Path, name: str) -> bytes | None:
        try:
            sealed = place.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise Outage(f"a file can't be read: {problem.strerror}") from problem
        nonce, body = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        for cipher in self._ciphers if sealed.startswith(_FORM) else ():
            with suppress(InvalidTag, ValueError):  # ValueError: too short to be anything
                return cipher.decrypt(nonce, body, name.encode())
        raise Outage("a file is not as it was kept, or its key is not known")

    def _delete(self, places: Collection[Path]) -> None:
        try:
            for place in places:
                place.unlink(missing_ok=True)
                place.with_name(place.name + _PART).unlink(missing_ok=True)
            for folder in {place.parent for place in places if place.parent.exists()}:
                _sync(folder)
        except OSError as problem:
            raise Outage(f"a file can't be deleted: {problem.strerror}") from problem


def _write(place: Path, content: bytes) -> None:
    file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(file, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
