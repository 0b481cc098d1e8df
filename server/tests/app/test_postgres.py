"""The embedded PostgreSQL: made, crashed, started again, in awkward places."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from kalos.app.embedded.postgres import Cluster, ClusterProblem, RunningCluster, is_ready
from kalos.app.kept import free_port
from support import clusters


@pytest.fixture
def folder() -> Iterator[Path]:
    import shutil

    made = clusters.new_folder(in_memory=True)
    yield made
    shutil.rmtree(made, ignore_errors=True)  # what was killed may still be on its way


async def answer(url: str, query: str = "SELECT 42") -> object:
    db = await asyncpg.connect(url)
    try:
        return await db.fetchval(query)
    finally:
        await db.close()


async def test_answers_on_socket_and_loopback_and_refuses_a_wrong_password(folder: Path) -> None:
    running = RunningCluster(Cluster(folder, "right", port=free_port()))
    running.start()
    try:
        assert await answer(running.cluster.url("postgres")) == 42
        address = running.cluster.url("postgres", tcp=True)
        assert await answer(address) == 42
        with pytest.raises(asyncpg.InvalidPasswordError):
            await answer(address.replace("right", "wrong"))
    finally:
        running.stop()


async def test_killed_server_comes_back_with_committed_rows(folder: Path) -> None:
    running = RunningCluster(Cluster(folder, "p"))
    running.start()
    try:
        await answer(running.cluster.url("postgres"), "CREATE TABLE kept AS SELECT 7 AS n")
        running.kill()
        running.start()
        assert await answer(running.cluster.url("postgres"), "SELECT n FROM kept") == 7
    finally:
        running.stop()


async def test_interrupted_creation_is_made_again(folder: Path) -> None:
    (folder / "data.new").mkdir()
    (folder / "data.new" / "half").write_text("x")
    (folder / "password.new").write_text("x")
    running = RunningCluster(Cluster(folder, "p"))
    running.start()
    try:
        assert await answer(running.cluster.url("postgres")) == 42
        assert not (folder / "password.new").exists()
    finally:
        running.stop()


def test_pid_file_of_another_program_is_cleared(folder: Path) -> None:
    cluster = Cluster(folder, "p")
    cluster.prepare()
    files = (cluster.data / "postmaster.pid", cluster.socket_folder / ".s.PGSQL.5432.lock")
    for file in files:
        file.write_text(f"{os.getpid()}\n{cluster.data}\n")
    cluster.prepare()
    assert not any(file.exists() for file in files)


def test_pid_file_that_a_killed_server_left_is_not_taken_for_a_ready_one(folder: Path) -> None:
    running = RunningCluster(Cluster(folder, "p"))
    running.start()
    assert is_ready(running.cluster)
    running.kill()
    assert "ready" in (running.cluster.data / "postmaster.pid").read_text()
    assert not is_ready(running.cluster)


def test_running_server_is_never_started_twice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalos.app.embedded.postgres._ENDING_SECONDS", 0.2)
    running = RunningCluster(Cluster(folder, "p"))
    running.start()
    try:
        with pytest.raises(ClusterProblem, match="another PostgreSQL"):
            running.cluster.prepare()
    finally:
        running.stop()


async def test_long_folder_names_get_a_short_socket(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    running = RunningCluster(Cluster(deep, "p"))
    running.start()
    try:
        assert not running.cluster.socket_folder.is_relative_to(deep)
        assert await answer(running.cluster.url("postgres")) == 42
    finally:
        running.stop()
        running.cluster.socket_folder.rmdir()


async def test_root_without_user_namespaces_changes_the_user(folder: Path) -> None:
    if os.geteuid() != 0:
        return
    program = (
        "import sys; from pathlib import Path; import kalos.app.embedded.postgres as postgres\n"
        "postgres._UNSHARE = ('false',)\n"
        "running = postgres.RunningCluster(postgres.Cluster(Path(sys.argv[1]), 'p'))\n"
        "running.start(); print(running.cluster.data.stat().st_uid); running.stop()"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("65534\n", 0), done.stderr
    running = RunningCluster(Cluster(folder, "p"))
    running.start()
    try:
        assert await answer(running.cluster.url("postgres")) == 42
    finally:
        running.stop()


async def test_start_waits_for_the_last_process_of_a_killed_server(folder: Path) -> None:
    cluster = Cluster(folder, "p")
    cluster.prepare()
    note = cluster.data / "postmaster.pid"
    note.write_text(f"{os.getpid()}\n{cluster.data}\n")  # a number that another program has by now
    rest = subprocess.Popen(["sleep", "0.5"], cwd=cluster.data)
    cluster.prepare()
    assert rest.poll() == 0, "it was still there"
    assert not note.exists()
