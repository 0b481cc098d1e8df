"""The archive of PostgreSQL's log. PostgreSQL runs this file for each segment, with the standard library alone.

`keep SOURCE FOLDER MARK` archives a segment, `fetch NAME TARGET FOLDER` brings one back.
"""

import gzip
import os
import shlex
import sys
import zlib
from pathlib import Path
from typing import Final

_ABSENT: Final = 1
_DAMAGED: Final = 200
"""Above 125: PostgreSQL ends the recovery instead of taking it for the end of the archive."""
_LEVEL: Final = 1


def archiving(folder: Path, mark: Path) -> dict[str, str]:
    """The server's options: from its first backup on, which leaves `mark`, all it writes goes to `folder` as well."""
    return {"archive_mode": "on", "archive_command": _command("keep", "%p", _quoted(folder), _quoted(mark))}


def fetching(folder: Path) -> dict[str, str]:
    """The options of a recovery out of `folder`; what it writes itself is archived by the next start."""
    command = _command("fetch", "%f", "%p", _quoted(folder))
    return {"archive_mode": "on", "archive_command": "", "restore_command": command}


def keep(source: Path, folder: Path, mark: Path) -> int:
    """Put a segment into the archive, on the disk before it returns. What is there already stays as it is.

    Without the folder there is no backup that the segment could be added to, and nothing is kept. Where `mark` says
    that there was one, the folder is gone, as with a disk that isn't mounted: the segment waits with PostgreSQL.
    """
    if not folder.is_dir():
        if not mark.exists():
            return 0
        print(f"{folder} is gone: a backup has begun the archive there", file=sys.stderr)
        return 1
    place = folder / f"{source.name}.gz"
    content = source.read_bytes()
    new = folder / f"{place.name}.{os.getpid()}.new"
    written = int(source.stat().st_mtime)
    try:
        with new.open("wb") as file:
            file.write(gzip.compress(content, _LEVEL, mtime=written))
            file.flush()
            os.fsync(file.fileno())
        os.link(new, place)  # never over another one
    except FileExistsError:
        if gzip.decompress(place.read_bytes()) != content:
            print(f"{place} is there already with another content", file=sys.stderr)
            return 1
    finally:
        new.unlink(missing_ok=True)  # also what a full disk cut off: PostgreSQL tries again and again
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
    return 0


def fetch(name: str, target: Path, folder: Path) -> int:
    """Bring a segment back. An absent one is the archive's end; a damaged one ends the recovery."""
    place = folder / f"{name}.gz"
    if not place.exists():
        return _ABSENT
    try:
        content = gzip.decompress(place.read_bytes())
    except (OSError, EOFError, zlib.error) as problem:
        print(f"{place} is damaged: {problem}", file=sys.stderr)
        return _DAMAGED
    target.write_bytes(content)
    return 0


def _command(*words: str) -> str:
    program = f"{_quoted(Path(sys.executable))} -I -S -B {_quoted(Path(__file__).resolve())}"
    return " ".join([program, *words])


def _quoted(path: Path) -> str:
    """For the shell, and for PostgreSQL, which replaces what stands behind a percent sign."""
    return shlex.quote(str(path)).replace("%", "%%")


def main(words: list[str]) -> int:
    match words:
        case ["keep", source, folder, mark]:
            return keep(Path(source), Path(folder), Path(mark))
        case ["fetch", name, target, folder]:
            return fetch(name, Path(target), Path(folder))
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
