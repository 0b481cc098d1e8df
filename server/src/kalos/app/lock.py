"""One group on a DATA_DIR at a time: a lock that dies with its holder, and who holds it."""

import fcntl
import json
import os
import signal
import time
from pathlib import Path
from typing import Final

_STOP_SECONDS: Final = 40.0


class AlreadyRunning(Exception):
    """Another group holds the folder."""


class FolderLock:
    """Held from `take` until the process ends."""

    def __init__(self, data_dir: Path) -> None:
        self._place = data_dir / "run.lock"
        self._file: int | None = None

    def take(self, port: int) -> None:
        """Raises: AlreadyRunning with the holder's process and port."""
        self._place.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            holder = self.holder()
            raise AlreadyRunning(
                f"already running on {self._place.parent}: process {holder.get('pid')}, port {holder.get('port')}. "
                f"End it with: make stop DATA_DIR={self._place.parent}"
            ) from None
        os.ftruncate(file, 0)
        os.pwrite(file, json.dumps({"pid": os.getpid(), "port": port}).encode(), 0)
        self._file = file

    def holder(self) -> dict[str, int]:
        try:
            found: dict[str, int] = json.loads(self._place.read_text())
        except (OSError, ValueError):
            return {}
        return found

    def is_held(self) -> bool:
        if not self._place.exists():
            return False
        file = os.open(self._place, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(file)
        return False


def stop(data_dir: Path) -> str:
    """End the group on this folder and wait until it is gone. Returns what happened, in a sentence."""
    lock = FolderLock(data_dir)
    if not lock.is_held():
        return f"nothing runs on {data_dir}"
    pid = lock.holder().get("pid")
    if pid is None:
        raise SystemExit(f"something holds {data_dir}, but not who")
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + _STOP_SECONDS
    while lock.is_held():
        if time.monotonic() > until:
            raise SystemExit(f"process {pid} does not end: kill -9 {pid} ends it and everything that it started")
        time.sleep(0.05)
    return f"stopped process {pid} on {data_dir}"
