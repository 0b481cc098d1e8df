"""Earlier builds: what lasts of them stays for a week after another took their place, and nothing else."""

import asyncio
import errno
import fcntl
import os
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from kalos.app import builds
from kalos.app.builds import Builds
from kalos.app.files import File, Files, Page, read_files
from kalos.app.shell import Shell

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
    return sorted(path for path in Builds(dist, folder).files if "part" in path)


def test_parts_of_the_build_before_stay_with_their_twins(tmp_path: Path, folder: Path) -> None:
    first, second = build(tmp_path, "a"), build(tmp_path, "b")
    Builds(first, folder)
    found = Builds(second, folder).files
    assert sorted(found) == ["/assets/part-a.js", "/assets/part-b.js", "/assets/shared-0.js", "/index.html"]
    assert found["/index.html"].body == b"<html>b</html>"
    assert found["/assets/part-a.js"].lasting
    assert (found["/assets/part-a.js"].body, found["/assets/part-a.js"].twins[b"br"]) == (b"part of a", b"twin of a")


def test_the_week_begins_when_another_build_took_its_place(tmp_path: Path, folder: Path) -> None:
    first, second = build(tmp_path, "a"), build(tmp_path, "b")
    Builds(first, folder)
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
        Builds(dist, folder)
    age(folder, 7.1)
    assert parts(first, folder) == ["/assets/part-a.js"]
    assert Builds(first, folder).files["/index.html"].body == b"<html>a</html>"


def test_builds_are_bounded_and_the_oldest_goes_first(tmp_path: Path, folder: Path) -> None:
    for number in range(14):
        Builds(build(tmp_path, f"{number:02}"), folder)
        for mark in folder.glob("*/.left"):
            os.utime(mark, (mark.stat().st_mtime - 60,) * 2)
    assert parts(tmp_path / "13", folder) == [f"/assets/part-{number:02}.js" for number in range(2, 14)]


def test_a_copy_that_broke_off_is_made_anew(tmp_path: Path, folder: Path) -> None:
    (folder / ".copy" / "assets").mkdir(parents=True)
    (folder / ".copy" / "assets" / "torn-1.js").write_text("torn")
    Builds(build(tmp_path, "a"), folder)
    assert parts(build(tmp_path, "b"), folder) == ["/assets/part-a.js", "/assets/part-b.js"]
    assert not list(folder.rglob("torn-*"))


def test_the_week_of_a_build_that_came_back_begins_when_it_is_left_again(tmp_path: Path, folder: Path) -> None:
    first, second = build(tmp_path, "a"), build(tmp_path, "b")
    for dist in (first, second, first):
        parts(dist, folder)
    age(folder, 7.1)
    assert parts(second, folder) == ["/assets/part-a.js", "/assets/part-b.js"]


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

    Builds(build(tmp_path, "a"), folder)
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
        list(pool.map(lambda dist: Builds(dist, folder).files, dists))
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


async def test_where_nothing_is_built_nothing_is_kept(tmp_path: Path, folder: Path) -> None:
    builds = Builds(tmp_path / "none", folder)
    await builds.look()
    assert builds.files == {}
    assert not folder.exists()


def page_of(builds: Builds) -> httpx.AsyncClient:
    app = Shell(nothing, {}, Files(builds.files, lambda _: Page({}), builds.look), hosts=("localhost",), secure=False)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost")


async def nothing(*_: object) -> None:
    raise AssertionError("no call is made")


async def test_a_process_of_the_old_build_serves_the_parts_of_the_new_one(tmp_path: Path, folder: Path) -> None:
    before = Builds(build(tmp_path, "a"), folder)
    async with page_of(before) as old:
        assert (await old.get("/assets/part-b.js")).status_code == 404
        async with page_of(Builds(build(tmp_path, "b"), folder)) as new:
            for page, name in ((old, "a"), (old, "b"), (new, "a"), (new, "b")):
                part = await page.get(f"/assets/part-{name}.js", headers={"accept-encoding": "identity"})
                assert (part.status_code, part.text) == (200, f"part of {name}")
                assert part.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (await old.get("/login")).text == "<html>a</html>"  # its screens stay those of its own build
        shutil.rmtree(next(entry for entry in folder.iterdir() if (entry / "assets" / "part-b.js").exists()))
        await old.get("/assets/part-c.js")
        assert (await old.get("/assets/part-b.js")).status_code == 404  # what it holds is bounded by the folder


@pytest.mark.parametrize(
    "path",
    ["/assets/../.lock", "/assets/%2e%2e/.lock", "/assets/..%2fsecret.js", "/assets/.left", "/assets/assets/part-b.js"],
)
async def test_nothing_but_the_parts_of_a_build_is_found_in_the_folder(tmp_path: Path, folder: Path, path: str) -> None:
    before = Builds(build(tmp_path, "a"), folder)
    Builds(build(tmp_path, "b"), folder)
    (folder / "secret.js").write_text("secret")
    async with page_of(before) as old:
        assert (await old.get(httpx.URL("http://localhost", raw_path=path.encode()))).status_code == 404


async def test_names_that_no_build_has_read_nothing(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Builds(build(tmp_path, "a"), folder)
    Builds(build(tmp_path, "b"), folder)
    read: list[Path] = []

    def counted(place: Path) -> dict[str, File]:
        read.append(place)
        return read_files(place)

    monkeypatch.setattr(builds, "read_files", counted)
    async with page_of(before) as old:
        answers = await asyncio.gather(*(old.get(f"/assets/part-{number}.js") for number in range(20)))
    assert {answer.status_code for answer in answers} == {404}
    assert len(read) == 1  # the build that came, once


async def test_a_folder_that_is_lost_later_takes_nothing_away(tmp_path: Path, folder: Path) -> None:
    first = Builds(build(tmp_path, "a"), folder)
    shutil.rmtree(folder)
    with capture_logs() as lines:
        await first.look()
    assert "/assets/part-a.js" in first.files
    assert [line["event"] for line in lines] == ["other builds of the page can't be read"]
