"""As whom the house's parts run where root starts them: as one user without rights, never the signer's."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kalos.app.settings import Settings

USER: Final = 65532
"""Of all parts but the signer and PostgreSQL: nobody else's number."""
_OWNED: Final = ("secrets.json", "ports.json", "chain", "files", "builds", "sockets")
"""What the parts read or write in DATA_DIR; all else there stays root's, PostgreSQL's or the signer's."""
_FREE_PORTS: Final = 1024
_LOOK: Final = "import os, sys, kalos.app; sys.exit(not all(os.access(place, os.R_OK) for place in sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class PartsUser:
    """Who the parts are; `change` turns a command of root's into one of theirs."""

    uid: int
    change: tuple[str, ...] = ()

    def command(self, *words: str, stop: signal.Signals = signal.SIGTERM) -> list[str]:
        """A change of user takes the signal back that comes when we die, and leaves root's home in the environment."""
        if not self.change:
            return [*words]
        return [*self.change, "setpriv", "--pdeathsig", stop.name.removeprefix("SIG"), "env", "HOME=/", *words]

    def own(self, place: Path) -> None:
        """Make a file theirs, or a folder with all that lies in it. Only a link that root made is followed."""
        if not self.change:
            return
        if place.is_symlink():
            if place.lstat().st_uid != 0:
                return
            place = place.resolve()
        self._own_one(place)
        for folder, folders, files in os.walk(place):
            for name in (*folders, *files):
                self._own_one(Path(folder) / name)

    def _own_one(self, place: Path) -> None:
        found = place.lstat()
        if (found.st_uid, found.st_gid) != (self.uid, self.uid):
            os.lchown(place, self.uid, self.uid)


def give_up(settings: Settings) -> PartsUser:
    """Find who the parts can be, and give them what they need; who isn't root starts them as what it is.

    Where the way to the code or to DATA_DIR leads through a folder that is closed to others, they stay root's, without
    any of root's capabilities: also so the signer's folder and memory are somebody else's.
    """
    if os.geteuid() == 0 and shutil.which("setpriv"):
        for user in (_lowered(USER, settings), _lowered(0, settings)):
            with suppress(OSError):  # of a disk that knows no owners
                if _runs(user):
                    _take_over(settings, user)
                    if _runs(user, *_look(settings)):
                        return user
    return PartsUser(os.geteuid())


def _lowered(uid: int, settings: Settings) -> PartsUser:
    """A port below 1024 is the one thing that needs a right of root."""
    kept = "net_bind_service" if any(0 < port < _FREE_PORTS for port in (settings.port, settings.live_port)) else ""
    sets = f"-all,+{kept}" if kept else "-all"
    change = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs")
    return PartsUser(uid, (*change, *(f"--{name}={sets}" for name in ("inh-caps", "ambient-caps", "bounding-set"))))


def _take_over(settings: Settings, user: PartsUser) -> None:
    """Also what an earlier start left to another user.

    What isn't theirs in DATA_DIR they neither move nor delete (sticky).
    """
    folder = settings.data_dir
    os.chown(folder, 0, user.uid)
    folder.chmod(folder.stat().st_mode & 0o7777 | 0o1070)
    for name in _OWNED:
        if (folder / name).exists():
            user.own(folder / name)


def _look(settings: Settings) -> tuple[str, ...]:
    """What ends well for whom the code, the page and what the settings name can be read."""
    named = (settings.sanctions_file, settings.countries_file, settings.data_dir / "secrets.json")
    places = (settings.terms_file, settings.web_dist, settings.data_dir, *named)
    return (sys.executable, "-c", _LOOK, *(str(place) for place in places if place and place.exists()))


def _runs(user: PartsUser, *words: str) -> bool:
    command = [*user.change, *(words or ("true",))]
    return subprocess.run(command, capture_output=True, check=False, cwd="/", timeout=60).returncode == 0
