"""`kalos backup`: a verified base backup of the embedded PostgreSQL, and what else a restored house needs.

Its first one begins the archive of the log. A backup lies under a `.new` name until it is whole, verified and on the
disk. Source: docs/decisions/0034-backup.md.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncpg
import msgspec

from kalos.app.embedded.manifest import Damaged, verify
from kalos.app.embedded.postgres import OWNER, Cluster, is_ready, programs
from kalos.app.embedded.reach import Archive, Base, CannotRestore, is_older, needed_from
from kalos.app.settings import Settings
from kalos.core.clock import Clock

KEPT: Final = 7
"""Base backups that stay, where no other number is asked for."""
DATABASE: Final = "database"
FILES: Final = "files"
SECRETS: Final = "secrets.json"
_TOLD: Final = "backup.json"
_NEW: Final = ".new"
_LONGEST_SECONDS: Final = 24 * 3600
_OTHERS: Final = "DATABASE_URL is set: back that server up by its own tools (docs/operations.md, Backup)"
_USAGE: Final = "backup [--keep NUMBER] | backup list"


class CannotBackUp(Exception):
    """No backup was made; the text says why."""


async def obey(settings: Settings, arguments: Sequence[str]) -> tuple[int, str]:
    """`backup [--keep NUMBER]` makes one, `backup list` tells of all. Returns exit code and text."""
    match list(arguments):
        case ["list"]:
            return 0, told(settings)
        case []:
            return await _made(settings, KEPT)
        case ["--keep", number] if number.isdigit() and int(number) > 0:
            return await _made(settings, int(number))
        case _:
            return 2, _USAGE


async def _made(settings: Settings, keep: int) -> tuple[int, str]:
    try:
        base = await back_up(settings, keep)
    except (CannotBackUp, Damaged) as problem:
        return 1, str(problem)
    return 0, f"backed up to {base_folder(settings, base)}"


def told(settings: Settings) -> str:
    """A line for each base backup, the newest last, and up to when one can restore."""
    bases = list_bases(settings)
    if not bases and settings.database_url:
        return _OTHERS
    if not bases:
        return f"no backup in {settings.backups}: make backup"
    lines = [f"{base.name}  from {shown(base.ended_at)} on" for base in bases]
    try:
        until = Archive(settings.archive).reach(bases[-1]).until
        lines.append(f"the archive reaches to {shown(until)}")
    except CannotRestore as problem:
        lines.append(str(problem))
    return "\n".join(lines)


def shown(at: int, exactness: str = "seconds") -> str:
    """A time of the wall, as `restore` takes it."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(sep=" ", timespec=exactness)


def base_folder(settings: Settings, base: Base) -> Path:
    return settings.backups / "base" / base.name


def list_bases(settings: Settings) -> list[Base]:
    """Those that are whole, the oldest first."""
    found = (settings.backups / "base").glob(f"*/{_TOLD}")
    bases = [msgspec.json.decode(place.read_bytes(), type=Base) for place in found if place.parent.suffix != _NEW]
    return sorted(bases, key=lambda base: base.ended_at)


async def back_up(settings: Settings, keep: int = KEPT) -> Base:
    """Make a base backup while the house runs, verify it, and delete what the newest `keep` don't need.

    Raises: CannotBackUp.
    """
    if settings.database_url:
        raise CannotBackUp(_OTHERS)
    if not is_ready(settings.cluster):
        raise CannotBackUp(f"nothing runs on {settings.data_dir}: make run first")
    with _alone(settings.backups):
        await _archive_from_now_on(settings)
        base = _copy(settings)
        _prune(settings, keep)
    return base


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Raises: CannotBackUp while another backup is being made."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotBackUp("another backup is being made") from None
        yield


async def _archive_from_now_on(settings: Settings) -> None:
    """The first backup makes the folder of the archive; until then idle segments weren't ended either.

    Its mark lies with the data: a segment that finds no folder later waits instead of being given up.
    """
    settings.archive.mkdir(mode=0o700, exist_ok=True)
    settings.archive_mark.touch(mode=0o600)
    _sync_folder(settings.data_dir)
    db = await asyncpg.connect(settings.cluster.url("postgres"))
    try:
        await db.execute(f"ALTER SYSTEM SET archive_timeout = '{settings.archive_seconds}s'")
        await db.execute("SELECT pg_reload_conf()")
    finally:
        await db.close()


def _copy(settings: Settings) -> Base:
    begun_at = Clock.wall()
    name = datetime.fromtimestamp(begun_at / 1000, UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    folder = settings.backups / "base" / name
    new = folder.with_name(name + _NEW)
    for left_over in folder.parent.glob(f"*{_NEW}"):
        shutil.rmtree(left_over)
    new.mkdir(mode=0o700, parents=True)
    _copy_database(settings.cluster, new / DATABASE)
    ended_at = Clock.wall() + 1
    log = verify(new / DATABASE)
    _copy_files(settings, new / FILES)
    if not settings.installation_secret:
        shutil.copy2(settings.data_dir / SECRETS, new / SECRETS)
    base = Base(name=name, timeline=log.timeline, stop=log.stops_at, begun_at=begun_at, ended_at=ended_at)
    (new / _TOLD).write_bytes(msgspec.json.encode(base))
    _sync(new)
    new.rename(folder)
    _sync_folder(folder.parent)
    return base


def _copy_database(cluster: Cluster, target: Path) -> None:
    """The server's own copy while it runs, with the log that makes it whole, a checksum for each file."""
    command = [
        str(programs() / "pg_basebackup"),
        f"--pgdata={target}",
        "--checkpoint=fast",
        "--wal-method=stream",
        "--manifest-checksums=SHA256",
        "--no-password",
        f"--host={cluster.socket_folder}",
        f"--port={cluster.socket_port}",
        f"--username={OWNER}",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "PGPASSWORD": cluster.password},
        capture_output=True,
        text=True,
        cwd="/",
        timeout=_LONGEST_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        raise CannotBackUp(f"pg_basebackup failed:\n{done.stderr.strip()[-2000:]}")


def _copy_files(settings: Settings, target: Path) -> None:
    """What members sent, after the database, so that the file of each row is there. A file never changes: one that an
    earlier backup has is linked, not copied."""
    bases = list_bases(settings)
    before = base_folder(settings, bases[-1]) / FILES if bases else None
    source = settings.data_dir / FILES
    target.mkdir(mode=0o700)
    for place in sorted(source.rglob("*")) if source.exists() else ():
        part = place.relative_to(source)
        if place.is_dir():
            (target / part).mkdir(mode=0o700, exist_ok=True)
        elif before is not None and (before / part).exists():
            os.link(before / part, target / part)
        else:
            _copy_one(place, target / part)


def _copy_one(place: Path, target: Path) -> None:
    try:
        shutil.copy2(place, target)
    except FileNotFoundError:  # deleted meanwhile: its row is gone, too, or goes before it is restored
        target.unlink(missing_ok=True)


def _prune(settings: Settings, keep: int) -> None:
    """Delete older bases than the newest `keep`, and the segments that none of those needs."""
    bases = list_bases(settings)
    for base in bases[:-keep]:
        shutil.rmtree(base_folder(settings, base))
    first = needed_from(bases[-keep:])
    for place in settings.archive.iterdir():
        if is_older(place.name, first):
            place.unlink()


def _sync(folder: Path) -> None:
    """What this process itself wrote there; the server's copy is on the disk already."""
    for place in (folder / _TOLD, folder / SECRETS, *(folder / FILES).rglob("*")):
        if place.is_file():
            with place.open("rb") as file:
                os.fsync(file.fileno())
    for part in (folder, folder / FILES, *(p for p in (folder / FILES).rglob("*") if p.is_dir())):
        _sync_folder(part)


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
