"""What a part prints is read whatever becomes of its log."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from kalos.app.child import copy_output, start
from kalos.app.logs import BoundedLog


async def test_a_disk_that_takes_nothing_costs_lines_and_stops_nobody(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "logs" / "part.log")  # a folder that isn't there takes nothing either
    words = (sys.executable, "-c", "for number in range(50_000): print(number, 'of many lines')")
    process = await start(words, signal.SIGTERM, dict(os.environ))
    async with asyncio.timeout(60):
        await copy_output(process, log)
        assert await process.wait() == 0
    assert "49999 of many lines" in log.last_lines()
    log.place.parent.mkdir()
    log.write(b"there is room again\n")
    assert log.place.read_bytes() == b"there is room again\n"


async def test_a_line_that_comes_in_pieces_is_one(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "part.log")
    whole = "a line of three pieces: né\n".encode()
    for piece in (b"the first\n\n" + whole[:9], whole[9:26], whole[26:], b"the last, and no e", b"nd"):
        log.write(piece)
    assert log.last_lines() == "  | the first\n  | a line of three pieces: né\n  | the last, and no end"


async def test_a_line_that_never_ends_is_kept_up_to_a_bound(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "part.log")
    for _ in range(100):
        log.write(b"x" * 10_000)
    assert len(log._rest) == 2_000
    assert log.last_lines() == "  | " + "x" * 500


async def test_a_full_log_becomes_the_older_one(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "part.log")
    for text in (b"a", b"b", b"c"):
        log.write(text * 3_000_000)
    assert log.place.stat().st_size == log.place.with_suffix(".log.1").stat().st_size == 3_000_000
