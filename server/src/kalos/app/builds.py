"""Earlier builds of the page: whoever still has one open loads its parts from here for a week after a deploy."""

import fcntl
import hashlib
import shutil
import time
from collections.abc import Mapping
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


def files_of_builds(dist: Path, folder: Path) -> dict[str, File]:
    """The present build's files, and the lasting ones of those before it; `folder` keeps a copy of each build.

    A folder that can't be used is a line in the log: the present build is served all the same.
    """
    present = read_files(dist)
    try:
        return {**_former(present, dist, folder), **present}
    except OSError:
        _log.exception("earlier builds of the page can't be read")
        return present


def _former(present: Mapping[str, File], dist: Path, folder: Path) -> dict[str, File]:
    lasting = sorted(path for path, file in present.items() if file.lasting)
    if not lasting:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        _take(lock)
        own = folder / hashlib.sha256("\n".join(lasting).encode()).hexdigest()[:32]
        try:
            _keep(dist / ASSETS, own)
        except OSError:  # those before it are there all the same
            _log.exception("this build of the page can't be kept")
        found: dict[str, File] = {}
        for build in reversed(_drop_old(folder, own)):
            found |= read_files(build)
    return found


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
    """The other builds, the one left last first; their week begins when another is first seen in their place."""
    left = []
    for build in folder.iterdir():
        if build == own or build.name.startswith(".") or not build.is_dir():
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
