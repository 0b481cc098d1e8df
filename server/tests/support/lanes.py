"""Runs the suite in four lanes beside each other, then in two what starts whole groups. `python -m support.lanes`;
with `lanes` or `groups` one of the two.

A lane is a run of pytest with a cluster, a chain and folders of its own. Each file belongs to the lane that takes it
first.
"""

import asyncio
import hashlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Final

import pytest

from support.mutate import SERVER, end, say

FOUND: Final = pytest.StashKey[frozenset[str]]()
"""The names of all tests that this run found, whatever of them it leaves out."""
_LANES: Final = {"lanes": 4, "groups": 2}
_GROUP: Final = "group"
"""The mark of tests that start many processes and wait for what these promise in time: nothing else runs beside."""

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


class Lane:
    """pytest's plugin of one lane; in `folder` the lanes mark which files are taken."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: set[Path] = set()

    def _takes(self, file: Path) -> bool:
        if file not in self._own:
            with suppress(FileExistsError):
                (self._folder / hashlib.sha256(bytes(file)).hexdigest()).touch(exist_ok=False)
                self._own.add(file)
        return file in self._own

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: not str(item.path).endswith(_LONGEST))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run as pytest itself would, but of each file only what this lane took: no file before its turn."""
        if session.testsfailed or session.config.option.collectonly:
            return None
        taken: Iterator[pytest.Item] = (item for item in session.items if self._takes(item.path))
        item = next(taken, None)
        while item is not None:
            following = next(taken, None)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
            item = following
        return True


async def _pytest(*words: str, printed: IO[bytes] | None = None) -> int:
    """Run pytest to its end; when that is cancelled, let it take down what it started."""
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words)
    process = await asyncio.create_subprocess_exec(
        *command, cwd=SERVER, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, start_new_session=True
    )
    try:
        return await process.wait()
    finally:
        await end(process)


async def run_lanes(count: int, *words: str) -> bool:
    """Run pytest with `words` in `count` lanes. The first prints as it goes, others at the end.

    Returns whether all passed.
    """
    with tempfile.TemporaryDirectory(prefix="kalos-lanes-") as name, ExitStack() as stack:
        folder = Path(name)
        files = [stack.enter_context((folder / f"printed-{number}").open("w+b")) for number in range(1, count)]
        try:
            async with asyncio.TaskGroup() as group:  # waits for each, where it is cancelled too
                lanes = [
                    group.create_task(_pytest(f"--lane={folder}", *words, printed=file)) for file in (None, *files)
                ]
        finally:
            for file in files:
                file.seek(0)
                say(file.read().decode(errors="replace"))
    failed = [number for number, lane in enumerate(lanes, 1) if lane.result() != 0]
    if failed == [1]:
        say("It is the first lane, further up, that failed.")
    return not failed


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
