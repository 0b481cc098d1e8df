"""One supervised process: started in a session of its own, watched, restarted, and never left behind."""

import asyncio
import ctypes
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kalos.app.landlock import closing, enter
from kalos.app.logs import BoundedLog

_QUICK_SECONDS: Final = 10.0
_QUICK_KILL_SECONDS: Final = 1.0
_QUICK_DEATHS: Final = 5
_FIRST_PAUSE: Final = 0.1
_PATIENCE_SECONDS: Final = 10.0
_SET_DEATH_SIGNAL: Final = 1


async def _at_once() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Part:
    """What to run: `prepare` runs before each start, `ready` tells when others may build on it."""

    name: str
    command: Callable[[], Sequence[str]]
    prepare: Callable[[], None] = lambda: None
    ready: Callable[[], Awaitable[bool]] = _at_once
    stop_signal: signal.Signals = signal.SIGTERM


class GaveUp(Exception):
    """A process can't be started, or died again and again."""


class Child:
    """Keeps one part running until `stop`."""

    def __init__(self, part: Part, log: BoundedLog, environment: dict[str, str], *, closed: Path | None = None) -> None:
        """`closed` is a folder that the part may not read, as in `start`."""
        self.part = part
        self.log = log
        self._environment = environment
        self._closed = closed
        self._process: Process | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def is_stopping(self) -> bool:
        return self._stopping

    async def keep_running(self) -> None:
        """Run it, and again when it ends. Raises: GaveUp after five quick deaths, or where `prepare` fails."""
        quick = 0
        while not self._stopping:
            started = time.monotonic()
            code = await self._run_once()
            if self.is_stopping:
                return
            # A process that somebody kills was able to run: only one that dies of itself is given up soon.
            limit = _QUICK_KILL_SECONDS if code == -signal.SIGKILL else _QUICK_SECONDS
            quick = quick + 1 if time.monotonic() - started < limit else 1
            self._note(f"{self.part.name} ended ({_in_words(code)}), starting it again")
            if quick >= _QUICK_DEATHS:
                words = f"{self.part.name} ended {quick} times in a row, last {_in_words(code)}"
                raise GaveUp(f"{words}:\n{self.log.last_lines()}")
            await asyncio.sleep(_FIRST_PAUSE * 2 ** (quick - 1))

    async def stop(self) -> None:
        """Ask it to end; after ten seconds end it and everything of its session."""
        self._stopping = True
        process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.send_signal(self.part.stop_signal)
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await process.wait()
        except TimeoutError:
            self._note(f"{self.part.name} did not end in {_PATIENCE_SECONDS:.0f} s and was killed")
        _end_session(process.pid)

    async def _run_once(self) -> int:
        try:
            await asyncio.to_thread(self.part.prepare)
            process = await start(self.part.command(), self.part.stop_signal, self._environment, self._closed)
        except Exception as problem:
            raise GaveUp(f"{self.part.name} can't be started: {problem}") from problem
        self._process = process
        if self._stopping:
            _end_session(process.pid)
        reader = asyncio.create_task(copy_output(process, self.log))
        code = await process.wait()
        _end_session(process.pid)
        with suppress(TimeoutError):  # what it left behind may hold its output open for a moment
            async with asyncio.timeout(1):
                await reader
        self._process = None
        return code

    def _note(self, text: str) -> None:
        self.log.write(f"--- {time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n".encode())
        if not self._stopping:
            print(text, file=sys.stderr, flush=True)


async def start(
    command: Sequence[str], stop_signal: signal.Signals, environment: dict[str, str], closed: Path | None = None
) -> Process:
    """Start a process in a session of its own that gets `stop_signal` when this process dies.

    The folder `closed` is closed to it, where the kernel can do that.
    """
    me = os.getpid()
    library = ctypes.CDLL(None)
    with closing(closed) as rules:

        def before() -> None:
            if hasattr(library, "prctl"):
                library.prctl(_SET_DEATH_SIGNAL, int(stop_signal))
            if os.getppid() != me:
                os._exit(1)
            if rules is not None:
                enter(rules)

        return await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            env=environment,
            cwd="/",
            start_new_session=True,
            preexec_fn=before,
        )


async def copy_output(process: Process, log: BoundedLog) -> None:
    """Write what the process prints to its log, until it closes it."""
    assert process.stdout is not None
    while content := await process.stdout.read(65_536):
        log.write(content)


def _end_session(pid: int) -> None:
    """Kill what a dead process left in its session."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _in_words(code: int) -> str:
    return f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
