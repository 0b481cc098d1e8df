"""Other builds of the page: whoever still has one open loads its parts from here for a week after a deploy."""

import asyncio
import fcntl
import hashlib
import shutil
import time
from collections.abc import Collection
from pathlib import Path
from typing import Final, TextIO

import structlog

from kalos.app.files import ASSETS, File, read_files

_KEPT_SECONDS: Final = 7 * 86_400
_MOST: Final = 12
_PATIENCE_SECONDS: Final = 10.0
_LEFT: Final = ".left"
_COPY: Final = ".copy"
_log = structlog.get_logger("api")


class Builds:
    """The present build's files, and the lasting ones of those before and after it; `folder` has a copy of each build.

    A folder that can't be used is a line in the log: the present build is served all the same.
    """

    def __init__(self, dist: Path, folder: Path) -> None:
        self.files: dict[str, File] = {}
        self._present = read_files(dist)
        self._folder = folder
        lasting = sorted(path for path, file in self._present.items() if file.lasting)
        self._own = hashlib.sha256("\n".join(lasting).encode()).hexdigest()[:32] if lasting else None
        self._others: dict[str, dict[str, File]] = {}
        self._looking = asyncio.Lock()
        if self._own is not None:
            try:
                self._others = _former(dist, folder, self._own)
            except OSError:
                _log.exception("earlier builds of the page can't be read")
        self._serve()

    async def look(self) -> None:
        """Take what processes beside this one have put into the folder since: while they are restarted one after the
        other, a page from one asks another for its parts."""
        if self._own is None:
            return
        async with self._looking:
            try:
                names = {build.name for build in _builds(self._folder)} - {self._own}
                if names != self._others.keys():
                    self._others = await asyncio.to_thread(self._read, names)
                    self._serve()
            except OSError:
                _log.exception("other builds of the page can't be read")

    def _read(self, names: Collection[str]) -> dict[str, dict[str, File]]:
        return {name: self._others.get(name) or read_files(self._folder / name) for name in names}

    def _serve(self) -> None:
        self.files.clear()
        for files in (*self._others.values(), self._present):
            self.files |= files


def _former(dist: Path, folder: Path, name: str) -> dict[str, dict[str, File]]:
    """Keep the build in `dist` under its name. Returns the files of the others by their names. Raises: OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        _take(lock)
        own = folder / name
        try:
            _keep(dist / ASSETS, own)
        except OSError:  # those before it are there all the same
            _log.exception("this build of the page can't be kept")
        return {build.name: read_files(build) for build in _drop_old(folder, own)}


def _builds(folder: Path) -> list[Path]:
    return [build for build in folder.iterdir() if not build.name.startswith(".") and build.is_dir()]


def _take(lock: TextIO) -> None:
    """API processes of one installation start together. Raises: TimeoutError where another holds it too long."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise TimeoutError("another process holds the earlier builds") from None
            time.sleep(0.05)


def _keep(assets: Path, build: Path) -> None:
    """Copy the build whole or not at all. One that comes back is the present one again."""
    (build / _LEFT).unlink(missing_ok=True)
    if not build.exists():
        copy = build.with_name(_COPY)
        shutil.rmtree(copy, ignore_errors=True)
        try:
            shutil.copytree(assets, copy / ASSETS)
            copy.rename(build)
        finally:
            shutil.rmtree(copy, ignore_errors=True)


def _drop_old(folder: Path, own: Path) -> list[Path]:
    """The other builds; their week begins when another is first seen in their place."""
    left = []
    for build in _builds(folder):
        if build == own:
            continue
        if not (build / _LEFT).exists():
            (build / _LEFT).touch()
        left.append(((build / _LEFT).stat().st_mtime, build))
    left.sort(reverse=True)
    until = time.time() - _KEPT_SECONDS
    kept = [build for at, build in left[: _MOST - 1] if at > until]
    for _, build in left:
        if build not in kept:
            shutil.rmtree(build)
    return kept
