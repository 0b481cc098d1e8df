"""The lanes of `make test`: no file is run twice or by nobody, a failure shows, and nothing outlives an interrupt."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from support import lanes

OF_OURS: Final = "tests/core/test_emails.py"
"""Makes pytest read the suite's own settings, whatever stands beside it."""
NOTE: Final = """import os, time
def note(place, what):
    with open(place, "x") as file:
        file.write(str(what))
"""


STILL: Final = """import time
from hypothesis import given, settings, strategies
@settings(max_examples=2)
@given(strategies.integers())
def test_still(number):
    time.sleep(0.3)
"""
"""Longer in one example than hypothesis allows by itself."""


LEAVING: Final = """import asyncio
async def test_leaves():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    await asyncio.get_running_loop().create_connection(asyncio.Protocol, *server.sockets[0].getsockname())
"""


async def test_each_file_is_run_once_and_a_failure_in_any_lane_fails_the_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    files = [tmp_path / f"test_{number}.py" for number in range(8)]
    for file in files:
        file.write_text(f"{NOTE}def test_once():\n    note({str(file.with_suffix('.ran'))!r}, '')\n")
    wrong, still = tmp_path / "test_wrong.py", tmp_path / "test_still.py"
    wrong.write_text("def test_wrong():\n    assert not 'right'\n")
    still.write_text(STILL)
    assert not await lanes.run_lanes(2, "-q", OF_OURS, *map(str, [*files, wrong, still]))
    ended = re.findall(r"^(?:(\d+) failed, )?(?:(\d+) passed|no tests ran)", capfd.readouterr().out, re.MULTILINE)
    assert sum(int(failed or 0) for failed, _ in ended) == 1
    assert all(file.with_suffix(".ran").exists() for file in files)


async def test_what_a_test_leaves_open_fails_the_run_and_does_not_hang_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    leaving = tmp_path / "test_leaving.py"
    leaving.write_text(LEAVING)
    assert not await lanes.run_lanes(1, "-q", OF_OURS, str(leaving))
    printed = capfd.readouterr().out
    assert "test_leaves: unclosed resource <TCPServer" in printed
    assert "test_leaves: unclosed resource <TCPTransport" in printed
    assert " failed" not in printed


async def test_each_lane_keeps_folders_where_no_other_run_clears_them_away_and_leaves_none(tmp_path: Path) -> None:
    notes = [tmp_path / "0", tmp_path / "1"]
    for note in notes:
        waits = f"while not all(map(os.path.exists, {[*map(str, notes)]!r})): time.sleep(0.01)"
        tests = f"def test_folder(tmp_path):\n    note({str(note)!r}, tmp_path)\n    {waits}\ndef test_next(): pass\n"
        note.with_name(f"test_{note.name}.py").write_text(NOTE + tests)
    assert await lanes.run_lanes(2, "-q", OF_OURS, str(tmp_path))
    folders = [Path(note.read_text()) for note in notes]
    cleared = {folder.parents[1] for folder in folders}
    """Where pytest clears away what earlier runs left."""
    assert len(cleared) == 2
    assert not [folder for folder in folders if folder.exists()]


async def test_what_runs_in_lanes_ends_with_them(tmp_path: Path) -> None:
    notes = [tmp_path / "0", tmp_path / "1"]
    for note in notes:
        # In short sleeps: an interrupt that comes just before one is heeded when that ends.
        waits = "for _ in range(600): time.sleep(0.1)"
        tests = f"def test_long():\n    note({str(note)!r}, os.getpid())\n    {waits}\ndef test_next(): pass\n"
        note.with_name(f"test_{note.name}.py").write_text(NOTE + tests)
    running = asyncio.create_task(lanes.run_lanes(2, "-q", OF_OURS, str(tmp_path)))
    while not all(note.exists() and note.read_text() for note in notes):
        assert not running.done()
        await asyncio.sleep(0.05)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    async with asyncio.timeout(15):  # whose parent went first is there until the system has heard of its end
        while any(Path("/proc", note.read_text()).exists() for note in notes):
            await asyncio.sleep(0.05)
