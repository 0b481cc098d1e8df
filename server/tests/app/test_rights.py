"""As whom the parts run where root starts them: without its rights, with what is theirs in DATA_DIR."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from kalos.app.rights import USER, PartsUser, give_up
from kalos.app.settings import Settings
from support import clusters

OTHER: Final = 65531
root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process as somebody else")


def is_open_to_others() -> bool:
    """Whether somebody else can read the code that is tested."""
    other: dict[str, Any] = {"user": OTHER, "group": OTHER, "extra_groups": []}
    reading = [sys.executable, "-c", "import kalos.app"]
    return subprocess.run(reading, check=False, cwd="/", capture_output=True, **other).returncode == 0


@pytest.fixture
def settings() -> Iterator[Settings]:
    """Of a folder that others may pass."""
    if os.geteuid() == 0 and not is_open_to_others():
        pytest.skip("the checkout lies in a folder that is closed to others")
    folder = clusters.new_folder(in_memory=True)
    (folder / "data").mkdir(mode=0o755)
    made = Settings(data_dir=folder / "data", port=8123)
    assert made.secret
    yield made
    shutil.rmtree(folder)


def shown(user: PartsUser) -> dict[str, list[str]]:
    """What the kernel says of a command of theirs."""
    done = subprocess.run(user.command("cat", "/proc/self/status"), capture_output=True, text=True, check=True, cwd="/")
    return {name: rest.split() for name, _, rest in (line.partition(":") for line in done.stdout.splitlines())}


def assert_without_rights(user: PartsUser, *, kept: int = 0) -> None:
    status = shown(user)
    assert status["Uid"] == status["Gid"] == [str(user.uid)] * 4
    assert (status["Groups"], status["NoNewPrivs"]) == ([], ["1"])
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name][0], 16) in {0, kept}, name
    assert int(status["CapEff"][0], 16) == kept


@root
def test_the_parts_that_root_starts_are_one_user_without_rights(settings: Settings) -> None:
    user = give_up(settings)
    assert user.uid == USER
    assert_without_rights(user)
    made = settings.data_dir / "made"
    subprocess.run(user.command("touch", str(made)), check=True, cwd="/")
    subprocess.run(
        user.command("cat", str(settings.data_dir / "secrets.json")), check=True, cwd="/", capture_output=True
    )
    assert made.stat().st_uid == USER


@root
def test_where_the_way_is_closed_they_stay_roots_without_its_rights(settings: Settings) -> None:
    assert give_up(settings).uid == USER
    settings.data_dir.parent.chmod(0o700)
    user = give_up(settings)
    assert user.uid == 0
    assert_without_rights(user)
    subprocess.run(user.command("touch", str(settings.data_dir / "secrets.json")), check=True, cwd="/")


@root
def test_a_port_below_1024_leaves_them_the_right_to_it_alone(settings: Settings) -> None:
    assert_without_rights(give_up(Settings(data_dir=settings.data_dir, port=80)), kept=1 << 10)


@root
def test_what_an_earlier_start_left_is_theirs_and_nothing_else(settings: Settings) -> None:
    folder = settings.data_dir
    for name in (
        "files/ab/one",
        "chain/chain.json",
        "builds/b/page.js",
        "contracts.lock",
        "logs/api.log",
        "signer/seed",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(0o600)
    strange = folder.parent / "strange"
    strange.mkdir()
    (folder / "builds" / "link").symlink_to(strange)
    settings.sockets.mkdir()
    settings.writer_socket.touch()
    give_up(settings)
    owners = {str(place.relative_to(folder)): place.lstat().st_uid for place in sorted(folder.rglob("*"))}
    theirs = {name for name, owner in owners.items() if owner == USER}
    assert theirs == {
        *("files", "files/ab", "files/ab/one", "chain", "chain/chain.json", "secrets.json"),
        *("builds", "builds/b", "builds/b/page.js", "builds/link", "sockets", "sockets/writer.sock"),
    }
    assert set(owners) - theirs == {"contracts.lock", "logs", "logs/api.log", "signer", "signer/seed"}
    assert strange.stat().st_uid == 0
    user = PartsUser(USER, give_up(settings).change)
    for word in ("signer", "logs"):
        moved = subprocess.run(
            user.command("mv", str(folder / word), str(folder / "mine")), check=False, cwd="/", capture_output=True
        )
        assert moved.returncode != 0, word


@root
def test_only_a_link_that_root_made_is_followed(settings: Settings) -> None:
    disk = settings.data_dir.parent / "disk"
    disk.mkdir()
    (settings.data_dir / "files").symlink_to(disk)
    os.lchown(settings.data_dir / "files", OTHER, OTHER)
    give_up(settings)
    assert disk.stat().st_uid == 0
    os.lchown(settings.data_dir / "files", 0, 0)
    give_up(settings)
    assert disk.stat().st_uid == USER


def test_who_is_not_root_starts_them_as_what_it_is(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: OTHER)
    user = give_up(settings)
    assert user.command("true", "this") == ["true", "this"]
    assert (user.uid, settings.data_dir.stat().st_mode & 0o7777) == (OTHER, 0o755)
