"""A folder that is closed to a process: its files, what stands in their place, and the memory of who has them."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from kalos.app import landlock, parts, supervise
from kalos.app.child import GaveUp, Part, copy_output, start
from kalos.app.kept import free_port
from kalos.app.landlock import closing, is_known
from kalos.app.logs import BoundedLog
from kalos.app.rights import PartsUser
from kalos.app.settings import Settings
from kalos.app.supervise import Group
from support import clusters

SEED: Final = "the seed of seeds"
READ: Final = "import pathlib, sys; print(pathlib.Path(sys.argv[1]).read_text())"
DENIED: Final = "Permission denied"

pytestmark = pytest.mark.skipif(not is_known(), reason="this kernel has no Landlock")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A DATA_DIR with a seed, some files and a folder that is written to."""
    made = clusters.new_folder(in_memory=True)
    for place, text in (("signer/seed", SEED), ("ports.json", "{}"), ("files/one", "a picture")):
        (made / place).parent.mkdir(exist_ok=True)
        (made / place).write_text(text)
    yield made
    shutil.rmtree(made)


async def said(folder: Path, *words: str, closed: bool = True) -> str:
    """What a command prints to which the signer's folder is closed."""
    log = BoundedLog(folder / "printed.log")
    process = await start(words, signal.SIGTERM, dict(os.environ), folder / "signer" if closed else None)
    await copy_output(process, log)
    await process.wait()
    return "".join(line.removeprefix("  | ") for line in log.last_lines().splitlines())


async def shell(folder: Path, line: str, *, closed: bool = True) -> str:
    return await said(folder, "sh", "-c", f"cd {folder}; {line}", closed=closed)


@pytest.mark.parametrize(
    "line",
    [
        "cat signer/seed",
        "cd signer && cat seed",
        "cat /proc/self/root$PWD/signer/seed",
        "sh -c 'cat signer/seed'",
        "ln -s signer other; cat other/seed",
        "ln signer/seed files/mine && cat files/mine",
        "mv signer/seed files/mine && cat files/mine",
        "mv signer aside && cat aside/seed",
    ],
)
async def test_what_is_closed_is_read_by_no_way(folder: Path, line: str) -> None:
    assert SEED not in await shell(folder, line)
    (folder / "signer" / "seed").write_text(SEED)
    assert SEED in await shell(folder, "cat signer/seed", closed=False)


@pytest.mark.parametrize(
    "line",
    [
        "echo mine > signer/seed",
        "echo mine >> signer/seed",
        "truncate -s 0 signer/seed",
        "mv files/one signer/seed",
        "cp files/one signer/seed",
        "mv signer aside; mv files signer",
        "mv signer aside; mkdir signer; echo mine > signer/seed",
        "rmdir empty; mkdir signer2",
    ],
)
async def test_nothing_else_is_put_in_its_place(folder: Path, line: str) -> None:
    (folder / "empty").mkdir()
    before = sorted(str(place.relative_to(folder)) for place in folder.rglob("*"))
    printed = await shell(folder, line)
    assert DENIED in printed or "cross-device" in printed
    (folder / "printed.log").unlink()
    assert (folder / "signer" / "seed").read_text() == SEED
    assert sorted(str(place.relative_to(folder)) for place in folder.rglob("*")) == before


async def test_a_link_beside_opens_nothing(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "signer")
    (folder / "loop").symlink_to(folder)
    for way in ("link/seed", "loop/signer/seed", "signer/seed"):
        assert SEED not in await shell(folder, f"cat {way}")


async def test_all_else_is_read_and_written_as_before(folder: Path) -> None:
    assert await shell(folder, "cat ports.json files/one") == "{}a picture"
    assert (
        await shell(folder, "mkdir files/ab && echo two > files/ab/two && mv files/ab/two files && cat files/two")
        == "two"
    )
    assert await said(folder, sys.executable, "-c", "import kalos.app.cli; print('starts')") == "starts"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a right that passes the files' own")
async def test_no_right_opens_it(folder: Path) -> None:
    (folder / "signer").chmod(0o700)
    right = ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")
    strong = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *right, "cat", str(folder / "signer/seed"))
    assert DENIED in await said(folder, *strong)
    assert await said(folder, *strong, closed=False) == SEED


async def test_the_memory_of_who_has_it_is_closed_too(folder: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            look = "import sys; open(sys.argv[1], 'rb').read(0); print('open')"
            words = (sys.executable, "-c", look, f"/proc/{other.pid}/mem")
            assert "PermissionError" in await said(folder, *words)
            assert await said(folder, *words, closed=False) == "open"
        finally:
            other.kill()


def a_group(folder: Path) -> Group:
    return Group(Settings(data_dir=folder), os.environ, PartsUser(os.geteuid()))


async def test_each_part_but_the_signer_is_closed_in(folder: Path) -> None:
    group = a_group(folder)
    command = [sys.executable, "-c", READ, str(folder / "signer" / "seed")]
    for name in ("signer", "postgres", "api"):
        group._add(Part(name, lambda: command))
    logs = {child.part.name: child.log for child in group.children}
    async with asyncio.timeout(20):
        # What ends a traceback comes after its first lines.
        while not all(SEED in lines or DENIED in lines for lines in (log.last_lines() for log in logs.values())):
            await asyncio.sleep(0.05)
    await group.stop()
    assert SEED in logs["signer"].last_lines()
    for name in ("postgres", "api"):
        assert DENIED in logs[name].last_lines()


async def test_so_is_a_command_on_the_way(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-c", READ, str(folder / "signer" / "seed")]
    monkeypatch.setattr(parts, "own_command", lambda name: command)
    with pytest.raises(GaveUp, match=DENIED):
        await a_group(folder)._step("migrate")


@pytest.mark.parametrize("beside", [".", ".."])
async def test_a_list_that_is_replaced_has_a_folder_of_its_own(
    folder: Path, beside: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = folder / "data"
    place = (data / beside / "listed.txt").resolve()
    data.mkdir()
    place.write_text("")
    assert await supervise.supervise(Settings(data_dir=data, sanctions_file=place, port=free_port()), os.environ) == 2
    assert f"put {place} into a folder of its own" in capsys.readouterr().err
    assert not (data / "logs").exists()


async def test_a_kernel_without_it_is_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(landlock, "_version", lambda: 1)
    monkeypatch.setattr(supervise, "give_up", lambda settings: PartsUser(os.geteuid()))
    with closing(folder / "signer") as rules:
        assert rules is None
    supervise._parts_user(Settings(data_dir=folder))
    assert "can read the signer's key" in capsys.readouterr().err


def test_what_parts_make_has_its_place_before_they_start(folder: Path) -> None:
    (folder / "contracts.json").write_text("an older start's")
    supervise._parts_user(Settings(data_dir=folder))
    assert (folder / "chain" / "contracts.json").read_text() == "an older start's"
    assert not (folder / "contracts.json").exists()
    for place in ("files", "builds", "sockets", "chain/contracts.lock", "backup"):
        assert (folder / place).exists(), place
