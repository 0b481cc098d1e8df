"""Earlier builds: what lasts of them stays for a week after another took their place, and nothing else."""

import errno
import fcntl
import os
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from kalos.app import builds
from kalos.app.builds import files_of_builds

DAY = 86_400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "builds"


def build(tmp_path: Path, name: str) -> Path:
    """A build whose one part is named after it; the part that all share never changes."""
    dist = tmp_path / name
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text(f"<html>{name}</html>")
    (dist / "assets" / f"part-{name}.js").write_text(f"part of {name}")
    (dist / "assets" / f"part-{name}.js.br").write_bytes(b"twin of " + name.encode())
    (dist / "assets" / "shared-0.js").write_text("shared")
    return dist


def age(folder: Path, days: float) -> None:
    for mark in folder.glob("*/.left"):
        at = time.time() - days * DAY
        os.utime(mark, (at, at))


def parts(dist: Path, folder: Path) -> list[str]:
    return sorted(path for path in files_of_builds(dist, folder) if "part" in path)


def test_parts_of_the_build_before_stay_with_their_twins(tmp_path: Path, folder: Path) -> None:
    first, second = build(tmp_path, "a"), build(tmp_path, "b")
    files_of_builds(first, folder)
    found = files_of_builds(second, folder)
    assert sorted(found) == ["/assets/part-a.js", "/assets/part-b.js", "/assets/shared-0.js", "/index.html"]
    assert found["/index.html"].body == b"<html>b</html>"
    assert found["/assets/part-a.js"].lasting
    assert (found["/assets/part-a.js"].body, found["/assets/part-a.js"].twins[b"br"]) == (b"part of a", b"twin of a")


def test_the_week_begins_when_another_build_took_its_place(tmp_path: Path, folder: Path) -> None:
    first, second = build(tmp_path, "a"), build(tmp_path, "b")
    files_of_builds(first, folder)
    for entry in folder.rglob("*"):
        os.utime(entry, (0, 0))  # it was the present one for years
    both = ["/assets/part-a.js", "/assets/part-b.js"]
    assert parts(second, folder) == both
    age(folder, 6.9)
    assert parts(second, folder) == both
    age(folder, 7.1)
    assert parts(second, folder) == ["/assets/part-b.js"]
    assert len([entry for entry in folder.iterdir() if entry.is_dir()]) == 1


def test_a_build_that_comes_back_is_the_present_one(tmp_path: Path, folder: Path) -> None:
    first, second = build(tmp_path, "a"), build(tmp_path, "b")
    for dist in (first, second, first):
        files_of_builds(dist, folder)
    age(folder, 7.1)
    assert parts(first, folder) == ["/assets/part-a.js"]
    assert files_of_builds(first, folder)["/index.html"].body == b"<html>a</html>"


def test_builds_are_bounded_and_the_oldest_goes_first(tmp_path: Path, folder: Path) -> None:
    for number in range(14):
        files_of_builds(build(tmp_path, f"{number:02}"), folder)
        for mark in folder.glob("*/.left"):
            os.utime(mark, (mark.stat().st_mtime - 60,) * 2)
    assert parts(tmp_path / "13", folder) == [f"/assets/part-{number:02}.js" for number in range(2, 14)]


def test_a_copy_that_broke_off_is_made_anew(tmp_path: Path, folder: Path) -> None:
    (folder / ".copy" / "assets").mkdir(parents=True)
    (folder / ".copy" / "assets" / "torn-1.js").write_text("torn")
    files_of_builds(build(tmp_path, "a"), folder)
    assert parts(build(tmp_path, "b"), folder) == ["/assets/part-a.js", "/assets/part-b.js"]
    assert not list(folder.rglob("torn-*"))


def test_without_the_folder_the_present_build_is_served(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with capture_logs() as lines:
        assert parts(build(tmp_path, "a"), tmp_path / "file" / "builds") == ["/assets/part-a.js"]
    assert [line["event"] for line in lines] == ["earlier builds of the page can't be read"]


def test_a_build_that_cannot_be_kept_takes_nothing_from_those_before(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_source: Path, target: Path) -> None:
        target.mkdir(parents=True)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files_of_builds(build(tmp_path, "a"), folder)
    (folder / "stray").write_text("")
    monkeypatch.setattr(shutil, "copytree", full)
    with capture_logs() as lines:
        assert parts(build(tmp_path, "b"), folder) == ["/assets/part-a.js", "/assets/part-b.js"]
    assert [line["event"] for line in lines] == ["this build of the page can't be kept"]
    assert not (folder / ".copy").exists()


def test_processes_that_start_together_copy_one_after_the_other(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying, copy = threading.Lock(), shutil.copytree

    def alone(source: Path, target: Path) -> None:
        assert copying.acquire(blocking=False), "two copy at once"
        time.sleep(0.02)
        copy(source, target)
        copying.release()

    monkeypatch.setattr(shutil, "copytree", alone)
    dists = [build(tmp_path, name) for name in "abcd"]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda dist: files_of_builds(dist, folder), dists))
    assert len(parts(dists[0], folder)) == 4


def test_who_holds_the_builds_too_long_keeps_nobody_from_serving(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builds, "_PATIENCE_SECONDS", 0.1)
    folder.mkdir(parents=True)
    with (folder / ".lock").open("w") as lock, capture_logs() as lines:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert parts(build(tmp_path, "a"), folder) == ["/assets/part-a.js"]
    assert [line["event"] for line in lines] == ["earlier builds of the page can't be read"]


def test_where_nothing_is_built_nothing_is_kept(tmp_path: Path, folder: Path) -> None:
    assert files_of_builds(tmp_path / "none", folder) == {}
    assert not folder.exists()
