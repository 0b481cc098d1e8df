"""The group of `make run` under faults: it heals or says clearly why not, and leaves nothing behind."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from kalos.adapters.chain.rpc import Node
from kalos.app.kept import kept_port
from kalos.app.landlock import is_known
from kalos.app.settings import load_settings
from kalos.core.database import Database
from kalos.core.ports import Block
from kalos.operator.desk_queries import list_runs
from support import clusters
from support.budget import SOAK, count
from support.group import FirstStart, RunningGroup
from support.papers import first_words

pytestmark = pytest.mark.group
PARTS: Final = ("postgres", "chain", "inbox", "tick", "writer", "worker", "live", "signer", "api")
_RESTART_SECONDS: Final = 10 if SOAK else 40
"""Ten are promised; a machine that is busy with other things may take longer."""
_OPEN: Final = """
import sys
for place in sys.argv[1:]:
    try:
        print(len(open(place, "rb").read(1)))
    except OSError as problem:
        print(type(problem).__name__)
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = clusters.new_folder(in_memory=True)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def kept_group(folder: Path, first_start: FirstStart) -> Iterator[RunningGroup]:
    running = first_start.group(folder / "kept")
    try:
        yield running
    finally:
        running.end()


@pytest.fixture
def group(kept_group: RunningGroup) -> RunningGroup:
    """The one group of these tests, running."""
    if not kept_group.is_running():
        kept_group.start()
    return kept_group


@pytest.fixture
async def node(group: RunningGroup) -> AsyncIterator[Node]:
    connected = Node(f"http://127.0.0.1:{kept_port(group.folder, 'chain')}", timeout_seconds=60)
    yield connected
    await connected.close()


async def block(node: Node, number: int | str) -> Block:
    found = await node.call("eth_getBlockByNumber", hex(number) if isinstance(number, int) else number, False)
    return Block(int(found["number"], 16), found["hash"], found["parentHash"], int(found["timestamp"], 16))


def eventually(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def replaced(group: RunningGroup, name: str, old: int) -> bool:
    try:
        return group.process(name) != old
    except ValueError:
        return False


def test_further_start_prints_the_address_and_the_accounts(group: RunningGroup) -> None:
    assert f"Kalos runs on http://localhost:{group.port} " in group.output
    assert "10000001   demo1234   KALOS1" in group.output
    assert group.is_ready()


def test_second_run_on_the_same_folder_is_refused(group: RunningGroup) -> None:
    second = group.command("run")
    assert second.returncode == 2
    assert f"already running on {group.folder}: process {group.pid}, port {group.port}" in second.stderr


def test_signed_call_from_the_command_line(group: RunningGroup) -> None:
    answer = group.command("call", "/api/lp/chain")
    assert answer.returncode == 1, answer.stdout
    assert '"code": 406' in answer.stdout
    assert group.command("call", "nowhere").returncode == 1


def same_as(pid: int) -> list[str]:
    """What starts a command as root with user and rights of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = {name: rest.split() for name, _, rest in (line.partition(":") for line in lines)}
    mask = int(status["CapEff"][0], 16)
    sets = ",".join(("-all", *(f"+cap_{number}" for number in range(64) if mask >> number & 1)))
    rights = [f"--{name}={sets}" for name in ("inh-caps", "ambient-caps", "bounding-set")]
    return ["setpriv", f"--reuid={status['Uid'][1]}", f"--regid={status['Gid'][1]}", "--clear-groups", *rights]


@pytest.mark.skipif(os.geteuid() != 0, reason="whoever isn't root starts all parts as itself")
@pytest.mark.parametrize("name", [name for name in PARTS if name != "signer"])
def test_no_other_part_looks_at_the_signers_folder_or_process(group: RunningGroup, name: str) -> None:
    process = Path(f"/proc/{group.process('signer')}")
    files = sorted((group.folder / "signer").iterdir())
    assert {file.name for file in files} >= {"seed", "role-password", "reviewers.toml", "limits.toml"}
    places = [str(process / "environ"), str(process / "mem")]
    other = same_as(group.process(name))
    # Without user namespaces PostgreSQL keeps the right to pass folders (docs/not-built.md), and looks into no process.
    if name != "postgres" or "+cap_" not in other[-1]:
        places += map(str, files)
    done = subprocess.run(
        [*other, "/usr/bin/python3", "-c", _OPEN, *places], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["PermissionError"] * len(places)
    if name != "postgres":
        assert f"--reuid={(group.folder / 'files').stat().st_uid}" in other


@pytest.mark.skipif(not is_known(), reason="this kernel has no Landlock")
async def test_the_database_reads_what_its_user_may_and_not_the_signers_folder(group: RunningGroup) -> None:
    db = await asyncpg.connect(load_settings(group.environment).owner_url)
    try:
        assert await db.fetchval("SELECT length(pg_read_file('postgresql.conf'))") > 0
        for file in sorted((group.folder / "signer").iterdir()):
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match="Permission denied"):
                await db.fetchval("SELECT pg_read_binary_file($1)", str(file))
    finally:
        await db.close()


@pytest.mark.skipif(not is_known(), reason="this kernel has no Landlock")
@pytest.mark.parametrize("name", [name for name in PARTS if name != "signer"])
def test_every_other_part_is_closed_in(group: RunningGroup, name: str) -> None:
    """What is closed in gains no rights either; the rest is shown by test_landlock.py."""
    assert "NoNewPrivs:\t1" in Path(f"/proc/{group.process(name)}/status").read_text()


@pytest.mark.parametrize("name", ["api", "writer"])
def test_what_answers_members_preempts_nobody(group: RunningGroup, name: str) -> None:
    """Each of its threads: a tenth of the bets over HTTP hangs on it (bench/RESULTS.md, E1)."""
    threads = [int(thread.name) for thread in Path(f"/proc/{group.process(name)}/task").iterdir()]
    assert {os.sched_getscheduler(thread) for thread in threads} == {os.SCHED_BATCH}


async def test_every_job_of_the_papers_runs(group: RunningGroup) -> None:
    db = Database(load_settings(group.environment).app_url, size=1)
    told = first_words("operations.md", "What the worker does") - {"job runs"}
    try:
        async with asyncio.timeout(20):
            while not told <= {run.name for run in await list_runs(db) if run.ended_at is not None}:
                await asyncio.sleep(0.2)
    finally:
        await db.close()


@pytest.mark.parametrize("name", PARTS)
def test_killed_process_comes_back(group: RunningGroup, name: str) -> None:
    old = group.process(name)
    os.kill(old, signal.SIGKILL)
    eventually(lambda: replaced(group, name, old))
    group.wait_until_ready()


async def test_node_killed_again_and_again_keeps_its_old_blocks(group: RunningGroup, node: Node) -> None:
    for _ in range(count("faults.node.kills")):
        time.sleep(1.1)
        head = await block(node, "latest")
        old = await block(node, max(1, head.number - 3))  # a confirmed one: the state is written every 2 s
        pid = group.process("chain")
        os.kill(pid, signal.SIGKILL)
        eventually(lambda pid=pid: replaced(group, "chain", pid))  # type: ignore[misc]
        group.wait_until_ready()
        assert (await block(node, old.number)).hash == old.hash


async def test_killed_supervisor_leaves_nothing_and_a_restart_finds_everything(group: RunningGroup, node: Node) -> None:
    secret = (group.folder / "secrets.json").read_text()
    first = await block(node, 1)
    os.kill(group.pid, signal.SIGKILL)
    group.wait(5)
    group.wait_until_gone()
    assert group.start() < _RESTART_SECONDS
    assert (await block(node, 1)).hash == first.hash
    assert (group.folder / "secrets.json").read_text() == secret
    assert group.command("audit", "ledger").stdout == "the ledger is sound\n"


def test_everything_killed_at_once_starts_again(group: RunningGroup) -> None:
    for pid in [group.pid, *group.processes()]:
        with suppress(ProcessLookupError):  # it heard of its parent's death already
            os.kill(pid, signal.SIGKILL)
    group.wait(5)
    group.wait_until_gone()
    group.start()
    assert group.is_ready()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_every_process(group: RunningGroup, number: signal.Signals) -> None:
    assert group.stop(number) == (-signal.SIGINT if number == signal.SIGINT else 0)
    assert group.processes() == {}


def test_stop_ends_every_process(group: RunningGroup) -> None:
    pid = group.pid
    assert group.command("stop").stdout == f"stopped process {pid} on {group.folder}\n"
    group.wait(5)
    assert group.processes() == {}
    assert group.command("stop").stdout == f"nothing runs on {group.folder}\n"


def test_taken_port_is_named_with_the_way_out(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = RunningGroup(folder / "port", PORT=str(port))
        refused.begin()
        assert refused.wait(20) == 2
    assert refused.output == f"port {port} is taken by another program. Use another one: make run PORT={port + 1}\n"
    refused.end()


def test_part_that_dies_again_and_again_ends_the_group_with_its_last_words(
    folder: Path, first_start: FirstStart
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        failing = first_start.group(folder / "dying", LIVE_PORT=str(taken.getsockname()[1]))
        try:
            failing.begin()
            assert failing.wait(100) == 1
            assert "live ended 5 times in a row" in failing.output
            assert "address already in use" in failing.output.lower()
            assert failing.processes() == {}
        finally:
            failing.end()
