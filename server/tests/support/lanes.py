"""Runs the suite in four lanes beside each other, then in two what starts whole groups. `python -m support.lanes`;
with `lanes` or `groups` one of the two.

A lane is a process of pytest with a cluster, a chain and folders of its own. Tests are looked for once, then the
process goes on in as many copies. Each file belongs to the lane that takes it first.
"""

import asyncio
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from support.mutate import SERVER, end, say

FOUND: Final = pytest.StashKey[frozenset[str]]()
"""The names of all tests that this run found, whatever of them it leaves out."""
_LANES: Final = {"lanes": 4, "groups": 2}
_GROUP: Final = "group"
"""The mark of tests that start many processes and wait for what these promise in time: what runs beside yields."""
_ROOT: Final = "PYTEST_DEBUG_TEMPROOT"
"""Where pytest keeps tests' folders, and clears away those of earlier runs: two that clear one place at once fail."""

_LONGEST: Final = (
    "simulation/test_money.py",
    "ledger/test_machine.py",
    "ledger/test_midnight.py",
    "ledger/test_crash.py",
    "contract/test_every_call.py",
    "faults/test_backup.py",
    "faults/test_two_apis.py",
    "faults/test_two_apis_withdrawals.py",
)
"""They come first, so that no lane is left alone with one of them at the end."""


def make_root() -> None:
    """Keep the folders of this process's tests in a place of its own; its name is short, for sockets lie in them."""
    os.environ[_ROOT] = tempfile.mkdtemp(prefix="kalos-")


def remove_root() -> None:
    shutil.rmtree(os.environ[_ROOT], ignore_errors=True)


class Lanes:
    """pytest's plugin: what was found once is run by `count` processes, of each file by the one that takes it first.

    The first is pytest's own and prints as it goes; the others are copies of it that print once all have ended.
    """

    def __init__(self, count: int) -> None:
        from hypothesis import HealthCheck, settings  # all tests are read here anyway, and mostly one file elsewhere

        # Beside others a test may stand still anywhere. With CI's profile that is so already.
        patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
        settings.register_profile("lanes", patient)
        settings.load_profile("lanes")
        self._count = count
        self._others: dict[int, Path] = {}
        """Where each copy prints, by its process's number."""
        self._failed = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: not str(item.path).endswith(_LONGEST))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run as pytest itself would, but of each file only what this lane took: no file before its turn."""
        if session.testsfailed or session.config.option.collectonly:
            return None
        by_file: dict[Path, list[pytest.Item]] = {}
        for item in session.items:
            by_file.setdefault(item.path, []).append(item)
        files = [*by_file.values()]
        turns = _turns(len(files))
        # What was read to find the tests stays: no lane looks through it again and again.
        gc.collect()
        gc.freeze()
        for _ in range(self._count - 1):
            if not self._begin_other(session.config):
                break
        try:
            _run(session, (item for turn in turns for item in files[turn]))
        finally:
            # An interrupt reaches the others as well: they take down what they started.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for other, printed in self._others.items():
                self._failed += os.waitpid(other, 0)[1] != 0
                say(printed.read_text(errors="replace"))
                printed.unlink()
        session.testsfailed += self._failed
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._failed:
            terminalreporter.write_line(f"{self._failed} of the lanes further up failed.", red=True)

    def _begin_other(self, config: pytest.Config) -> bool:
        """Go on in two processes. Returns whether this is the first of them, which waits for the other."""
        number, name = tempfile.mkstemp(prefix="kalos-lane-")
        sys.stdout.flush()
        if other := os.fork():
            os.close(number)
            self._others[other] = Path(name)
            return True
        self._others.clear()
        make_root()
        # What is captured goes to files of its own, too: the first one's would have one place for both.
        capture = config.pluginmanager.getplugin("capturemanager")
        capture.stop_global_capturing()
        for shown in (sys.stdout, sys.stderr):
            os.dup2(number, shown.fileno())
        os.close(number)
        capture.start_global_capturing()
        capture.suspend_global_capture()
        return False


def _turns(count: int) -> Iterator[int]:
    """The numbers below `count`, each for one of the processes that go on with it: a pipe gives what it holds once."""
    reading, writing = os.pipe()
    os.write(writing, b"".join(number.to_bytes(2) for number in range(count)))
    os.close(writing)
    return map(int.from_bytes, iter(lambda: os.read(reading, 2), b""))


def _run(session: pytest.Session, items: Iterator[pytest.Item]) -> None:
    item = next(items, None)
    while item is not None:
        following = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following


async def run_lanes(count: int, *words: str) -> bool:
    """Run pytest with `words` in `count` lanes; when that is cancelled, let it take down what it started.

    Returns whether all passed.
    """
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--lanes={count}", *words)
    process = await asyncio.create_subprocess_exec(
        *command, cwd=SERVER, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return await process.wait() == 0
    finally:
        await end(process)
        with suppress(ProcessLookupError):  # a first lane that was ended at once has left the others
            os.killpg(process.pid, signal.SIGKILL)


async def main(parts: Collection[str]) -> int:
    """`lanes` for what starts no group, then `groups` for the rest. Returns 1 where a test failed."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    groups = [str(file) for file in sorted(SERVER.glob("tests/*/test_*.py")) if f"mark.{_GROUP}" in file.read_text()]
    passed = "lanes" not in parts or await run_lanes(_LANES["lanes"], "-m", f"not {_GROUP}")
    if passed and "groups" in parts:
        passed = await run_lanes(_LANES["groups"], "-m", _GROUP, *groups)
    return 0 if passed else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main(sys.argv[1:] or ("lanes", "groups"))))
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
