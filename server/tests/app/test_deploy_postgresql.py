"""deploy/ for PostgreSQL, which reads its own part: who may connect, its archive, its nightly copies."""

import gzip
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.app.embedded.postgres import Cluster, RunningCluster, programs
from kalos.app.settings import PROJECT
from support import clusters
from support.deployment import DEPLOY, OPERATIONS, SERVICES, SOCKET, read_unit_lines, units


def test_postgresql_has_connections_for_all_processes() -> None:
    found = dict(re.findall(r"^(\w+) = (.+)$", (DEPLOY / "postgresql" / "primary.conf").read_text(), re.MULTILINE))
    needed = 2 * 15 + 2 * 12 + 10 + 2 * 3 + 4
    assert int(found["max_connections"]) >= needed + int(found["max_wal_senders"])
    assert [found[name] for name in ("fsync", "full_page_writes", "synchronous_commit")] == ["on"] * 3


@pytest.fixture(scope="module")
def running() -> Iterator[RunningCluster]:
    folder = clusters.new_folder(in_memory=True)
    shutil.copy(DEPLOY / "postgresql" / "pg_hba.conf", folder)
    (folder / "own_hba.conf").write_text("host kalos kalos_app 192.0.2.0/24 scram-sha-256\n")
    extra = {"hba_file": str(folder / "pg_hba.conf")}
    server = RunningCluster(Cluster(folder, password=clusters.PASSWORD, durable=False, extra=extra))
    server.start()
    yield server
    server.kill()
    shutil.rmtree(folder, ignore_errors=True)  # what was killed may still be on its way


async def test_postgresql_reads_who_may_connect(running: RunningCluster) -> None:
    db = await asyncpg.connect(running.cluster.url("postgres"))
    rows = await db.fetch("SELECT address, user_name, auth_method, error FROM pg_hba_file_rules ORDER BY rule_number")
    await db.close()
    assert [row["error"] for row in rows if row["error"]] == []
    assert rows[0]["address"] == "192.0.2.0", "the operator's own come first: the first that fits counts"
    assert rows[-1]["auth_method"] == "reject"
    assert {row["auth_method"] for row in rows} == {"peer", "scram-sha-256", "reject"}
    named = {user for row in rows for user in row["user_name"]}
    assert named == {"all", "postgres", "kalos", "kalos_app", "kalos_writer", "kalos_signer", "kalos_standby"}


@pytest.mark.parametrize("name", ["primary.conf", "standby.conf"])
def test_postgresql_takes_the_configuration(running: RunningCluster, name: str) -> None:
    place = DEPLOY / "postgresql" / name
    command = [str(programs() / "postgres"), "-C", "max_wal_size", "-D", str(running.cluster.data)]
    done = subprocess.run([*command, "-c", f"config_file={place}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "1024"), done.stderr


@pytest.mark.parametrize("name", ["primary.conf", "standby.conf"])
def test_the_operators_own_settings_count_before_ours(running: RunningCluster, tmp_path: Path, name: str) -> None:
    for place in (DEPLOY / "postgresql").glob("*.conf"):
        shutil.copy(place, tmp_path)
    (tmp_path / "own.conf").write_text("shared_buffers = 3GB\nprimary_slot_name = 'mine'\n")
    for asked, wanted in (("shared_buffers", "393216"), ("primary_slot_name", "mine")):
        command = [str(programs() / "postgres"), "-C", asked, "-D", str(running.cluster.data)]
        command += ["-c", f"config_file={tmp_path / name}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, wanted), done.stderr


def test_an_upgrade_copies_over_no_file_of_the_operators_own() -> None:
    upgrade = OPERATIONS.split("**Upgrade**: ", 1)[1].split("\n## ", 1)[0]
    patterns = [word for line in re.findall(r"^cp (.+)$", upgrade, re.MULTILINE) for word in line.split()]
    copied = {found for word in patterns if word.startswith("deploy/") for found in PROJECT.glob(word)}
    assert {place.name for place in copied if place.parent.name == "postgresql"} == {
        place.name for place in (DEPLOY / "postgresql").iterdir() if not place.name.startswith("own")
    }
    assert {place.name for place in copied if place.suffix in (".service", ".timer", ".target")} == {
        place.name for place in (DEPLOY / "systemd").iterdir() if place.suffix in (".service", ".timer", ".target")
    }
    for name in ("own.conf", "own_hba.conf"):
        assert f"`{name}`" in upgrade
        assert not (DEPLOY / "postgresql" / name).exists()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """archive.sh with its folder below `tmp_path`."""
    (tmp_path / "wal").mkdir()
    script = tmp_path / "archive.sh"
    text = (DEPLOY / "postgresql" / "archive.sh").read_text()
    script.write_text(text.replace("/var/backups/kalos/wal", str(tmp_path / "wal")))
    return script


def run_as_postgresql(file: str, setting: str, archive: Path, segment: Path) -> int:
    """The exit code of a command as one of deploy's files gives it to PostgreSQL."""
    (command,) = re.findall(rf"^{setting} = '(.+)'$", (DEPLOY / "postgresql" / file).read_text(), re.MULTILINE)
    command = command.replace("/etc/kalos/postgresql/archive.sh", str(archive))
    words = command.replace("%p", str(segment)).replace("%f", "0001")
    return subprocess.run(["/bin/sh", "-c", words], check=False, stderr=subprocess.DEVNULL).returncode


def test_archive_command_keeps_a_segment_once_compressed_and_never_over_another(archive: Path, tmp_path: Path) -> None:
    source, content = tmp_path / "segment", b"log" + bytes(100_000)
    source.write_bytes(content)
    for _ in range(2):
        assert run_as_postgresql("primary.conf", "archive_command", archive, source) == 0
    source.write_bytes(b"another")
    assert run_as_postgresql("primary.conf", "archive_command", archive, source) != 0
    (kept,) = (tmp_path / "wal").iterdir()
    assert (kept.name, gzip.decompress(kept.read_bytes())) == ("0001.gz", content)
    assert kept.stat().st_size < 1_000


def test_a_segment_comes_back_out_of_the_archive_as_it_was(archive: Path, tmp_path: Path) -> None:
    source, back = tmp_path / "segment", tmp_path / "back"
    source.write_bytes(b"log" * 1_000)
    assert run_as_postgresql("primary.conf", "archive_command", archive, source) == 0
    assert run_as_postgresql("standby.conf", "restore_command", archive, back) == 0
    assert back.read_bytes() == source.read_bytes()
    (tmp_path / "wal" / "0001.gz").unlink()
    (tmp_path / "wal" / "0001").write_bytes(b"of before they were compressed")
    assert run_as_postgresql("standby.conf", "restore_command", archive, back) == 0
    assert back.read_bytes() == b"of before they were compressed"


def test_a_damaged_segment_ends_a_restore_and_leaves_a_standby_to_ask_its_primary(
    archive: Path, tmp_path: Path
) -> None:
    (command,) = re.findall(r"^restore_command = '(.+)'$", OPERATIONS, re.MULTILINE)
    words = command.replace("/etc/kalos/postgresql/archive.sh", str(archive)).replace("%p", str(tmp_path / "back"))
    fetch = ["/bin/sh", "-c", words.replace("%f", "0001")]
    assert subprocess.run(fetch, check=False).returncode == 1, "the end of the archive"
    (tmp_path / "wal" / "0001.gz").write_bytes(gzip.compress(os.urandom(2_000))[:-500])
    assert subprocess.run(fetch, check=False, stderr=subprocess.DEVNULL).returncode > 125
    assert run_as_postgresql("standby.conf", "restore_command", archive, tmp_path / "back") == 1


_HISTORY: Final = {
    "00000002.history": "1\t1/1000100\ta restore\n",
    "00000003.history": "1\t1/1000100\ta restore\n\n2\t1/3000000\tanother\n",
}
"""The first timeline was left in segment 257, the second one where 259 begins."""


def look_through(archive: Path, *segments: str, first: str, timeline: str = "") -> tuple[int, str]:
    """What archive.sh finds of a copy whose log begins with `first`, where the archive has these files."""
    shutil.rmtree(archive.parent / "wal")
    (archive.parent / "wal").mkdir()
    for name in segments:
        (archive.parent / "wal" / f"{name}.gz").write_bytes(gzip.compress(_HISTORY.get(name, "log").encode()))
    copy = archive.parent / "copy"
    copy.mkdir(exist_ok=True)
    (copy / "backup_label").write_text(f"START WAL LOCATION: 0/2000028 (file {first})\nSTART TIMELINE: 1\n")
    command = ["/bin/sh", str(archive), "check", str(copy), *([timeline] if timeline else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def of(timeline: int, *numbers: int) -> list[str]:
    return [f"{timeline:08X}{number // 256:08X}{number % 256:08X}" for number in numbers]


def test_a_whole_archive_passes_and_what_else_lies_there_is_no_hole(archive: Path) -> None:
    first, last = of(1, 254)[0], of(1, 258)[0]
    others = [f"{first}.00000028.backup", f"{of(1, 300)[0]}.partial", *of(1, 200)]
    found = look_through(archive, *of(1, *range(254, 259)), *others, first=first)
    assert found == (0, f"whole from {first} on to {last}\n")
    assert look_through(archive, first=first) == (0, f"whole from {first} on\n"), "nothing is archived since"


def test_each_segment_that_the_archive_lacks_is_named(archive: Path) -> None:
    first = of(1, 254)[0]
    code, said = look_through(archive, *of(1, 254, 257, 258, 260), first=first)
    assert (code, said.splitlines()) == (1, [f"{name} is missing" for name in of(1, 255, 256, 259)])


def test_a_hole_is_looked_for_along_the_newest_timeline_or_the_one_that_is_named(archive: Path) -> None:
    """What was archived on a timeline after it was left belongs to no other one."""
    first = of(1, 254)[0]
    past = [*of(1, *range(254, 257)), *of(2, 257, 258), *of(3, 259, 260), *_HISTORY]
    assert look_through(archive, *past, first=first) == (0, f"whole from {first} on to {of(3, 260)[0]}\n")
    left = of(1, 257, 258, 259)
    without = [name for name in past if name not in of(2, 258)]
    assert look_through(archive, *without, *left, first=first) == (1, f"{of(2, 258)[0]} is missing\n")
    found = look_through(archive, *without, *left, first=first, timeline="1")
    assert found == (0, f"whole from {first} on to {left[-1]}\n")
    without = [name for name in past if name not in of(1, 255)]
    assert look_through(archive, *without, first=first) == (1, f"{of(1, 255)[0]} is missing\n")
    found = look_through(archive, *past, *left, first=left[1])
    assert found[0] == 1, "this copy was made on a past that was given up"
    assert "timeline 3 comes from before this copy" in found[1]


def test_compose_makes_the_nightly_backup_that_systemd_makes() -> None:
    nightly = units()["kalos-basebackup"]["Service"]
    one = SERVICES["basebackup"]
    script, *words = nightly["ExecStart"].removeprefix("/bin/sh ").split()
    assert one["command"] == ["/etc/kalos/postgresql/nightly.sh", *words]
    assert Path(script).relative_to("/opt/kalos") == Path("deploy/postgresql/basebackup.sh")
    assert (one["image"], one["user"]) == (SERVICES["postgres"]["image"], nightly["User"])
    tries = (DEPLOY / "postgresql" / "nightly.sh").read_text()
    (pause,) = re.findall(r"basebackup\.sh.* \|\| sleep (\d+)$", tries, re.MULTILINE)
    assert (nightly.get("Restart"), nightly["RestartSec"]) == ("on-failure", f"{int(pause) // 60}min")
    behind = read_unit_lines(DEPLOY / "systemd" / "kalos-basebackup.service")["After"]
    assert {"kalos-postgresql.service", "kalos-postgresql-standby.service"} <= {*behind}
    assert one["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    # Over the primary's own socket, where pg_hba.conf lets this user in without a password.
    assert {*one["volumes"]} == {SOCKET, "archive:/var/backups/kalos", "./postgresql:/etc/kalos/postgresql:ro"}
    assert {*one["volumes"]} < {*SERVICES["postgres"]["volumes"]}
    access = (DEPLOY / "postgresql" / "pg_hba.conf").read_text()
    assert re.search(r"^local +replication +postgres +peer$", access, re.MULTILINE)
    assert os.access(DEPLOY / "postgresql" / "nightly.sh", os.X_OK)
    made = SERVICES["archive-folder"]["command"]
    assert {place for place in made if place.startswith("/")} == {"/var/backups/kalos/wal", "/var/backups/kalos/base"}


_OWN_CLOCK: Final = """#!/bin/sh
# The clock stands in a file; who sleeps moves it on, and at the end the sleeper is ended.
now=$(cat {folder}/now)
case ${{0##*/}} in
  date) exec {date} "$1" "$2" "$(TZ=UTC {date} -d @$now '+%Y-%m-%d %H:%M:%SZ') $3" "$4" ;;
  sleep) now=$((now + $1)); echo $now >{folder}/now; [ $now -lt {end} ] || kill $PPID ;;
esac
"""


@pytest.mark.parametrize(
    ("begin", "minutes", "copy", "tries"),
    [
        ("2026-11-24 12:00", 3, None, ["20261124T120000Z"]),
        ("2026-11-24 03:10", 20, "20261123T031509Z", ["20261124T031500Z", "20261124T032500Z"]),
        ("2026-11-24 03:10", 20, "20261124T020000Z", ["20261124T031500Z", "20261124T032500Z"]),
        ("2026-11-24 12:00", 3, "20261123T120000Z", ["20261124T120000Z"]),
        ("2026-11-24 12:00", 3, "20261124T031509Z", []),
    ],
    ids=["the first", "a night's", "a night's after one by hand", "one that was missed", "one that is there"],
)
def test_nightly_backups_are_made_each_night_made_up_for_and_tried_again(
    tmp_path: Path, begin: str, minutes: int, copy: str | None, tries: list[str]
) -> None:
    """The copy that is tried at 03:15 itself fails."""
    start = int(datetime.fromisoformat(f"{begin}Z").timestamp())
    date = shutil.which("date")
    for name in ("base/20261124T115900Z.new", *([f"base/{copy}"] if copy else []), "bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "now").write_text(str(start))
    shutil.copy(DEPLOY / "postgresql" / "nightly.sh", tmp_path)
    (tmp_path / "basebackup.sh").write_text(
        f"name=$({date} -u -d @$(cat {tmp_path}/now) +%Y%m%dT%H%M%SZ)\n"
        f'echo "$* $name" >>{tmp_path}/tries\n'
        'case $name in *T0315*) exit 1 ;; esac\nmkdir "$1/base/$name"\n'
    )
    clock = _OWN_CLOCK.format(folder=tmp_path, date=date, end=start + minutes * 60)
    for name in ("date", "sleep"):
        (tmp_path / "bin" / name).write_text(clock)
        (tmp_path / "bin" / name).chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", str(tmp_path / "nightly.sh"), str(tmp_path), "7"],
        env={"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"},
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGTERM
    (tmp_path / "tries").touch()
    assert (tmp_path / "tries").read_text().splitlines() == [f"{tmp_path} 7 {name}" for name in tries]


def test_who_asks_whether_the_newest_copy_is_old_is_told_so(tmp_path: Path) -> None:
    (asked,) = re.findall(r"`(find /var/backups/kalos/base [^`]+)`", OPERATIONS)
    question = ["/bin/sh", "-c", asked.replace("/var/backups/kalos/base", str(tmp_path))]
    assert subprocess.run(question, check=False).returncode == 1, "there is none"
    for name, hours, code in (("20261123T031500Z", 27, 1), ("20261124T031500Z.new", 0, 1), ("20261124T031500Z", 25, 0)):
        (tmp_path / name).mkdir()
        made = time.time() - hours * 3600
        os.utime(tmp_path / name, (made, made))
        assert subprocess.run(question, check=False).returncode == code, name


def test_a_promoted_copy_is_told_what_it_lacks_before_anything_starts() -> None:
    steps = OPERATIONS.split("**Promote the replica**", 1)[1].split("\n\n**", 1)[0]
    order = ["Cut the old primary off", "Stop all processes", "pg_promote()", "`restore conclude TIME`", "4. Start."]
    assert sorted(order, key=steps.index) == order
