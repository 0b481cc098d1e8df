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


async def test_each_file_is_run_once_and_a_failure_in_any_lane_fails_the_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"test_{number}.py" for number in range(8)]
    for file in files:
        file.write_text(f"{NOTE}def test_once():\n    note({str(file.with_suffix('.ran'))!r}, '')\n")
    wrong = tmp_path / "test_wrong.py"
    wrong.write_text("def test_wrong():\n    assert not 'right'\n")
    assert not await lanes.run_lanes(2, "-q", OF_OURS, *map(str, [*files, wrong]))
    ended = re.findall(r"^(?:(\d+) failed, )?(?:(\d+) passed|no tests ran)", capfd.readouterr().out, re.MULTILINE)
    assert sum(int(failed or 0) for failed, _ in ended) == 1
    assert all(file.with_suffix(".ran").exists() for file in files)


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
    assert not [note for note in notes if Path("/proc", note.read_text()).exists()]
