"""A real `run` command on a folder of its own, watched from outside as its user would."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from kalos.app.kept import free_port
from kalos.app.settings import PROJECT
from kalos.core.database import Database
from support import canary, clusters

_READY_SECONDS: Final = 90.0
_OWN_READY_SECONDS: Final = 60.0
_CUTS: Final = (0.4, 1.2, 2.4, 0.0)
_SETTINGS: Final = re.compile(r"MODE|PORT|HOST|DATA_DIR|.*_URL|CHAIN_.*|SMTP_.*|.*_SECRET|LIVE_.*|METRICS_.*|WIRE_.*")


async def until_audited(db: Database) -> None:
    """Until a new house has looked at its whole ledger: it would find money that no product explains, and stop."""
    done = "SELECT EXISTS (SELECT FROM ledger_watch) AND EXISTS (SELECT FROM ledger_audit)"
    async with asyncio.timeout(60):
        while not await db.value(done):
            await asyncio.sleep(0.1)


class RunningGroup:
    """The supervisor and its children on `folder`; `output` is what it printed so far."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.port = int(settings.get("PORT") or free_port())
        inherited = {name: value for name, value in os.environ.items() if not _SETTINGS.fullmatch(name)}
        self.environment = (
            inherited | {"DATA_DIR": str(folder), "PORT": str(self.port), "LOG_LEVEL": "debug"} | settings
        )
        self._printed = folder.with_name(f"{folder.name}-printed.txt")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def output(self) -> str:
        return self._printed.read_text()

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self) -> None:
        with self._printed.open("wb") as printed:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kalos.app.cli", "run"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                cwd=PROJECT,
            )

    def start(self) -> float:
        """Start it and wait until it says that it runs. Returns the seconds that took."""
        began = time.monotonic()
        self.begin()
        while "Kalos runs on" not in self.output:
            assert self._process is not None
            assert self._process.poll() is None, self.output
            assert time.monotonic() < began + _READY_SECONDS, self.output
            time.sleep(0.05)
        return time.monotonic() - began

    def wait(self, seconds: float) -> int:
        """The exit code, once it ended."""
        assert self._process is not None
        return self._process.wait(seconds)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        os.kill(self.pid, number)
        return self.wait(30)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run another command on the same folder."""
        return subprocess.run(
            [sys.executable, "-m", "kalos.app.cli", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=3) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def wait_until_ready(self, seconds: float = 60.0) -> None:
        until = time.monotonic() + seconds
        while not self.is_ready():
            assert time.monotonic() < until, self.output
            time.sleep(0.05)

    def processes(self) -> dict[int, str]:
        """Everything alive that belongs to this folder, by process id, with its command line."""
        found = {}
        mark = os.fsencode(self.folder)
        for place in Path("/proc").glob("[0-9]*"):
            try:
                words = (place / "cmdline").read_bytes()
                belongs = mark in words or mark in (place / "environ").read_bytes()
                if belongs or str((place / "cwd").readlink()).startswith(str(self.folder)):
                    found[int(place.name)] = words.replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue
        return {pid: words for pid, words in found.items() if words and pid != os.getpid()}

    def process(self, name: str) -> int:
        """The process id of one part."""
        marks = {"postgres": "bin/postgres -D", "chain": "bin/anvil"}
        mark = marks.get(name, f"kalos.app.cli {name}")
        pid, *_ = sorted(pid for pid, words in self.processes().items() if mark in words)
        return pid  # a process that PostgreSQL has just forked has still its words

    def wait_until_gone(self, seconds: float = 15.0) -> None:
        until = time.monotonic() + seconds
        while left := self.processes():
            assert time.monotonic() < until, left
            time.sleep(0.05)

    def end(self) -> None:
        """Whatever happened: nothing of it stays."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self.wait_until_gone(15)
        printed = self.output if self._printed.exists() else ""
        self._printed.unlink(missing_ok=True)
        canary.check_folder(self.folder)
        assert not canary.found_in(printed), printed


@dataclass(frozen=True, slots=True)
class FirstStart:
    """What the start on an empty folder printed, whether it was ready then, and the data that it left."""

    data: Path
    port: int
    printed: str
    was_ready: bool

    def group(self, folder: Path, **settings: str) -> RunningGroup:
        """A group that doesn't run yet, on a copy of the data: its start is a further one, a third as long."""
        shutil.copytree(self.data, folder, ignore=shutil.ignore_patterns("*.sock", "logs", "run.lock", "socket"))
        return RunningGroup(folder, **settings)


@contextmanager
def first_start() -> Iterator[FirstStart]:
    """Start on an empty folder, be killed on the way again and again, finish, and stop."""
    folder = clusters.new_folder(in_memory=True)
    group = RunningGroup(folder / "data")
    try:
        for pause in _CUTS:
            group.begin()
            time.sleep(pause)
            os.kill(group.pid, signal.SIGKILL)
            group.wait(5)
            group.wait_until_gone()
        group.start()
        made = FirstStart(group.folder, group.port, group.output, group.is_ready())
        assert group.stop() == 0
        yield made
    finally:
        group.end()
        shutil.rmtree(folder)


@contextmanager
def running_group(first: FirstStart, **settings: str) -> Iterator[RunningGroup]:
    """A group on a copy of the first start's data, from its start to its end."""
    folder = clusters.new_folder(in_memory=True)
    group = first.group(folder / "data", **settings)
    try:
        group.start()
        yield group
    finally:
        group.end()
        shutil.rmtree(folder)


def with_numbers(folder: Path, **numbers: int) -> Path:
    """Put the project into `folder` by links, with other business numbers. Returns what is `PYTHONPATH` then."""
    (folder / "server").mkdir()
    for place in (*PROJECT.iterdir(), *(PROJECT / "server").iterdir()):
        if place.name not in ("server", "terms.toml"):
            (folder / place.relative_to(PROJECT)).symlink_to(place)
    terms = (PROJECT / "server" / "terms.toml").read_text()
    for name, number in numbers.items():
        terms, found = re.subn(rf"(?m)^({name} = {{ default =) \d+,", rf"\1 {number},", terms)
        assert found == 1, name
    (folder / "server" / "terms.toml").write_text(terms)
    return folder / "server" / "src"


class OwnApi:
    """A further API process of a running group, on a port of its own."""

    def __init__(self, group: RunningGroup, **settings: str) -> None:
        self.port, self.metrics_port = free_port(), free_port()
        own = {"PORT": str(self.port), "METRICS_PORT": str(self.metrics_port)}
        self.environment = group.environment | own | settings
        self._folder = group.folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        command = [sys.executable, "-m", "kalos.app.cli", "api"]
        user = (self._folder / "secrets.json").stat().st_uid  # that of the group's own parts, where root started it
        other: dict[str, Any] = {"user": user, "group": user, "extra_groups": []} if user != os.geteuid() else {}
        self._process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, cwd=PROJECT, **other
        )

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)


async def wait_until_ready(http: httpx.AsyncClient) -> None:
    until = time.monotonic() + _OWN_READY_SECONDS
    while True:
        with suppress(httpx.TransportError):
            if (await http.get("/readyz")).status_code == 200:
                return
        assert time.monotonic() < until, http.base_url
        await asyncio.sleep(0.05)
