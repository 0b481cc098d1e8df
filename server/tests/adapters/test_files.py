"""Where files lie: what both stores promise, and what the folder does on a disk."""

import errno
import os
import stat
from pathlib import Path
from typing import Any, Final

import pytest

from kalos.adapters.files import folder as disk
from kalos.adapters.files.folder import FolderFiles
from kalos.adapters.files.sandbox import SandboxFiles
from kalos.core.errors import Outage
from kalos.core.ports import FileStore

KEY: Final = bytes(range(32))
NAME: Final = "0123456789abcdef0123456789abcdef"
OTHER: Final = "f" * 32
CONTENT: Final = b"a document with a name in it"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "files"


@pytest.fixture(params=["folder", "sandbox"])
def store(request: pytest.FixtureRequest, folder: Path) -> FileStore:
    return FolderFiles(folder, [KEY]) if request.param == "folder" else SandboxFiles()


def lying(folder: Path) -> list[Path]:
    return [place for place in folder.rglob("*") if place.is_file()]


async def test_a_file_comes_back_as_it_was_put(store: FileStore) -> None:
    assert await store.get(NAME) is None
    await store.put(NAME, CONTENT)
    await store.put(OTHER, b"")
    assert (await store.get(NAME), await store.get(OTHER)) == (CONTENT, b"")
    await store.delete([NAME, "e" * 32])
    assert (await store.get(NAME), await store.get(OTHER)) == (None, b"")


async def test_on_the_disk_it_is_sealed_and_its_owners_alone(folder: Path) -> None:
    await FolderFiles(folder, [KEY]).put(NAME, CONTENT)
    (place,) = lying(folder)
    assert CONTENT not in place.read_bytes()
    assert b"document" not in place.read_bytes()
    assert {stat.S_IMODE(one.stat().st_mode) for one in (folder, place.parent)} == {0o700}
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


async def test_what_was_changed_or_moved_is_not_given_out(folder: Path) -> None:
    files = FolderFiles(folder, [KEY])
    await files.put(NAME, CONTENT)
    (place,) = lying(folder)
    whole = place.read_bytes()
    for changed in (whole[:-1], b"\x02" + whole[1:], whole[:20] + bytes([whole[20] ^ 1]) + whole[21:], b""):
        place.write_bytes(changed)
        with pytest.raises(Outage, match="not as it was kept"):
            await files.get(NAME)
    elsewhere = folder / OTHER[:2] / OTHER
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(whole)
    with pytest.raises(Outage, match="not as it was kept"):
        await files.get(OTHER)
    place.write_bytes(whole)
    with pytest.raises(Outage):
        await FolderFiles(folder, [KEY[::-1]]).get(NAME)
    assert await files.get(NAME) == CONTENT


async def test_a_file_of_a_former_key_is_still_read(folder: Path) -> None:
    await FolderFiles(folder, [KEY]).put(NAME, CONTENT)
    newer = FolderFiles(folder, [KEY[::-1], KEY])
    await newer.put(OTHER, CONTENT)
    assert (await newer.get(NAME), await newer.get(OTHER)) == (CONTENT, CONTENT)
    with pytest.raises(Outage):
        await FolderFiles(folder, [KEY]).get(OTHER)


@pytest.mark.parametrize("name", ["", "../secret", "a/b", NAME.upper(), NAME + ".part", NAME[:-1]])
async def test_only_our_own_names_become_files(folder: Path, name: str) -> None:
    files = FolderFiles(folder, [KEY])
    for doing in (files.put(name, b""), files.get(name), files.delete([name])):
        with pytest.raises(AssertionError):
            await doing
    assert not folder.exists()


async def test_a_disk_that_has_little_room_takes_nothing(folder: Path) -> None:
    with pytest.raises(Outage, match="no room"):
        await FolderFiles(folder, [KEY], free_bytes=1 << 60).put(NAME, CONTENT)
    assert lying(folder) == []


@pytest.mark.parametrize("step", ["fsync", "open"])
async def test_a_disk_that_fails_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files = FolderFiles(folder, [KEY])
    with monkeypatch.context() as broken:
        broken.setattr(os, step, full)
        with pytest.raises(Outage, match="No space left"):
            await files.put(NAME, CONTENT)
    assert lying(folder) == []
    await files.put(NAME, CONTENT)
    assert await files.get(NAME) == CONTENT


async def test_half_a_file_of_one_that_died_is_never_read_and_goes_with_its_name(folder: Path) -> None:
    files = FolderFiles(folder, [KEY])
    part = folder / NAME[:2] / f"{NAME}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"half")
    assert await files.get(NAME) is None
    await files.delete([NAME])
    assert lying(folder) == []


async def test_what_was_put_or_deleted_is_so_after_a_power_cut_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(disk, "_sync", synced.append)
    files = FolderFiles(folder, [KEY])
    inner = folder / NAME[:2]
    await files.put(NAME, CONTENT)
    assert synced == [folder, inner]
    await files.put(NAME, CONTENT)
    assert synced == [folder, inner, inner]
    synced.clear()
    await files.delete([NAME, OTHER])
    assert synced == [inner]
