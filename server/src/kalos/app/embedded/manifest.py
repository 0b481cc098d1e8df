"""Whether a base backup is what PostgreSQL copied: each file against the manifest, and the log that makes it whole.

The wheel's own `pg_verifybackup` can't be run, so this is done here.
"""

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kalos.app.embedded.postgres import programs
from kalos.app.embedded.reach import place_of

_NAME: Final = "backup_manifest"
_UNLISTED: Final = (_NAME, "pg_wal/")
_SUM: Final = b'"Manifest-Checksum"'
_MOST_SHOWN: Final = 5
_LONGEST_SECONDS: Final = 3600


class Damaged(Exception):
    """The copy isn't what was written; the text names what differs."""


@dataclass(frozen=True, slots=True)
class Log:
    """The part of the log that a backup needs to be whole."""

    timeline: int
    start: str
    stop: str

    @property
    def stops_at(self) -> int:
        return place_of(self.stop)


def verify(database: Path) -> Log:
    """Check every file, and read the log from beginning to end. Raises: Damaged."""
    manifest = _read(database / _NAME)
    listed = {file["Path"]: file for file in manifest["Files"]}
    there = {
        name
        for place in database.rglob("*")
        if place.is_file() and not (name := place.relative_to(database).as_posix()).startswith(_UNLISTED)
    }
    wrong = sorted(there ^ listed.keys())
    wrong += [name for name in sorted(there & listed.keys()) if not _is_same(database / name, listed[name])]
    if wrong:
        raise Damaged(f"{database} isn't what was backed up: {', '.join(wrong[:_MOST_SHOWN])}")
    (found,) = manifest["WAL-Ranges"]
    log = Log(found["Timeline"], found["Start-LSN"], found["End-LSN"])
    _read_log(database / "pg_wal", log)
    return log


def _read(place: Path) -> Any:
    try:
        written = place.read_bytes()
    except FileNotFoundError:
        raise Damaged(f"{place} is missing") from None
    summed, _, told = written.rpartition(_SUM)
    if hashlib.sha256(summed).hexdigest().encode() not in told:
        raise Damaged(f"{place} isn't what was written")
    return json.loads(written)


def _is_same(place: Path, told: dict[str, Any]) -> bool:
    if place.stat().st_size != told["Size"]:
        return False
    with place.open("rb") as file:
        return bool(hashlib.file_digest(file, "sha256").hexdigest() == told["Checksum"])


def _read_log(folder: Path, log: Log) -> None:
    reader = [str(programs() / "pg_waldump"), "--quiet", f"--path={folder}"]
    part = [f"--timeline={log.timeline}", f"--start={log.start}", f"--end={log.stop}"]
    done = subprocess.run(
        [*reader, *part], capture_output=True, text=True, cwd="/", timeout=_LONGEST_SECONDS, check=False
    )
    if done.returncode != 0:
        raise Damaged(f"the log in {folder} can't be read: {done.stderr.strip()[:500]}")
