"""`kalos restore`: the embedded database as it was at a time, out of a base backup and the archive.

It is recovered and audited beside the present one, and takes its place at the very end; the present one is kept aside.
"""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from kalos.app.aftermath import NotSound, conclude
from kalos.app.backup import DATABASE, FILES, SECRETS, base_folder, list_bases, shown
from kalos.app.embedded.archive import fetching
from kalos.app.embedded.manifest import Damaged, verify
from kalos.app.embedded.postgres import Cluster, ClusterProblem, RunningCluster, is_ready
from kalos.app.embedded.reach import Archive, CannotRestore, choose
from kalos.app.lock import AlreadyRunning, FolderLock
from kalos.app.settings import Settings
from kalos.core.clock import Clock

_RECOVERED: Final = "postgres.restored"
_NOT_REACHED: Final = "recovery ended before configured recovery target was reached"
_LONGEST_SECONDS: Final = 24 * 3600
_USAGE: Final = (
    "restore TIME | latest [--timeline NUMBER] | restore conclude TIME | latest, TIME as in '2026-11-23 12:00:00+00'"
)
_WITHOUT_TIME: Final = "the time must be like '2026-11-23 12:00:00+00', its zone said, or latest"


async def obey(settings: Settings, arguments: Sequence[str]) -> tuple[int, str]:
    """Returns exit code and text."""
    try:
        match list(arguments):
            case ["conclude", to]:
                return await told(settings, read_time(to))
            case [to] if to != "conclude":
                return 0, await restore(settings, read_time(to))
            case [to, "--timeline", number] if number.isdigit():
                return 0, await restore(settings, read_time(to), int(number))
            case _:
                return 2, _USAGE
    except (CannotRestore, Damaged, ClusterProblem, AlreadyRunning) as problem:
        return 1, f"nothing was changed: {problem}"


def read_time(text: str) -> int | None:
    """Milliseconds of the wall; None for `latest`. Raises: CannotRestore."""
    if text == "latest":
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise CannotRestore(_WITHOUT_TIME) from None
    if found.tzinfo is None:
        raise CannotRestore(_WITHOUT_TIME)
    return int(found.timestamp() * 1000)


async def restore(settings: Settings, to: int | None, timeline: int = 0) -> str:
    """Put the database of the time `to` (ms; None: all that is archived) in the present one's place.

    Returns what was done. Raises: CannotRestore, Damaged, ClusterProblem, AlreadyRunning.
    """
    if settings.database_url:
        raise CannotRestore("DATABASE_URL is set: restore that server by its own tools (docs/operations.md, Restore)")
    FolderLock(settings.data_dir).take(settings.port)
    archive = Archive(settings.archive, timeline)
    base, reach = choose(list_bases(settings), archive, to)
    folder = base_folder(settings, base)
    verify(folder / DATABASE)
    _bring_secret(settings, folder)
    if is_ready(settings.cluster):
        raise CannotRestore(f"PostgreSQL still runs on {settings.data_dir}")
    reached = shown(reach.until if to is None else to)
    running = _recover(settings, folder / DATABASE, archive.along, to)
    try:
        done = await conclude(settings, running.cluster.url(), reached)
    finally:
        running.stop()
    aside = _swap(settings.data_dir)
    _bring_files(folder / FILES, settings.data_dir / FILES)
    kept = [f"what stood there before lies in {aside}"] if aside else []
    return "\n".join([f"restored to {reached} from {base.name}", *done, *kept, "the ledger is sound: make run"])


async def told(settings: Settings, to: int | None) -> tuple[int, str]:
    """Tell a database that an operator restored by other tools what it must know. Returns exit code and what was done.

    Raises: CannotRestore, asyncpg.PostgresError.
    """
    if not settings.database_url:
        raise CannotRestore("DATABASE_URL isn't set: restore tells the embedded database by itself")
    reached = "its last archived second" if to is None else shown(to)
    try:
        done = await conclude(settings, settings.database_url, reached)
    except NotSound as problem:
        return 1, f"money out is stopped and all else is told, but start nothing: {problem}"
    return 0, "\n".join([*done, "the ledger is sound: start the house"])


def check_whole(settings: Settings) -> str | None:
    """Why nothing may start: a restore that was cut off has left no database, and an empty one would be made."""
    if (settings.data_dir / _RECOVERED).exists() and not (settings.data_dir / "postgres").exists():
        return f"a restore of {settings.data_dir} was cut off: make restore again"
    return None


def _bring_secret(settings: Settings, folder: Path) -> None:
    """The generated secret, where the data folder has lost it; before anything asks for it and makes another one."""
    kept = settings.data_dir / SECRETS
    if settings.installation_secret or kept.exists():
        return
    if not (folder / SECRETS).exists():
        raise CannotRestore(f"{kept} is missing, and the backup has none: set INSTALLATION_SECRET")
    shutil.copy2(folder / SECRETS, kept)


def _recover(settings: Settings, database: Path, timeline: int, to: int | None) -> RunningCluster:
    """Recover beside the present database and return the running server, which takes writes.

    Where nothing was committed after `to`, PostgreSQL doesn't find that time: then all of the archive is what is meant.
    """
    place = settings.data_dir / _RECOVERED
    extra = fetching(settings.archive) | {
        "hot_standby": "off",
        "recovery_target_timeline": str(timeline),
        "recovery_target_action": "promote",
    }
    targets = [{}] if to is None else [{"recovery_target_time": shown(to, "milliseconds")}, {}]
    for target in targets:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(database, place / "data")
        (place / "data" / "recovery.signal").touch()
        running = RunningCluster(Cluster(place, password=settings.cluster.password, extra=extra | target))
        try:
            running.start(seconds=_LONGEST_SECONDS)
        except ClusterProblem as problem:
            if not target or _NOT_REACHED not in str(problem):
                raise
            continue
        return running
    raise AssertionError("the last try has no target that could be missed")


def _swap(data_dir: Path) -> Path | None:
    """The recovered database takes the present one's place. Returns where that one is kept; None: there was none."""
    present, aside = data_dir / "postgres", None
    if present.exists():
        aside = data_dir / f"before-restore-{Clock.wall()}"
        aside.mkdir(mode=0o700)
        present.rename(aside / "postgres")
    (data_dir / _RECOVERED).rename(present)
    return aside


def _bring_files(kept: Path, target: Path) -> None:
    """Add what members sent and the data folder has lost; what is there stays."""
    for place in sorted(kept.rglob("*")) if kept.exists() else ():
        there = target / place.relative_to(kept)
        if place.is_dir():
            there.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not there.exists():
            new = there.with_name(there.name + ".part")
            shutil.copy2(place, new)
            new.rename(there)
