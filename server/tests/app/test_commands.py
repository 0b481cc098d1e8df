"""The command line: what is demo mode's alone, and what an operator is told of what went wrong outside of our code."""

import asyncio
import json
import os
import secrets
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import pytest

from app.test_settings import PRODUCTION
from kalos.app.house import open_house
from kalos.app.kept import NotKept, PortTaken, free_port, kept_port, refuse_taken
from kalos.app.problems import in_a_line
from kalos.app.readiness import DemoData
from kalos.app.settings import Settings
from support.clusters import SECRET

_AWAY = "postgresql://owner:word@127.0.0.1:9/kalos"


async def ended(environment: dict[str, str], *words: str) -> tuple[int | None, str, str]:
    """Exit code, and what it printed and told."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kalos.app.cli", *words),
        env=os.environ | environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


def production(folder: Path, **settings: str) -> dict[str, str]:
    listed = folder / "sanctions.txt"
    listed.write_text("")
    return {**PRODUCTION, "DATA_DIR": str(folder), "SANCTIONS_FILE": str(listed), "DATABASE_URL": _AWAY, **settings}


@pytest.mark.parametrize("name", ["inbox", "tick", "prepare"])
async def test_what_is_demo_modes_begins_nowhere_else(tmp_path: Path, name: str) -> None:
    """`prepare` makes members and staff whose passwords everybody knows."""
    code, out, err = await ended(production(tmp_path), name)
    assert (code, out, err) == (2, "", f"{name} is a part of demo mode: production has none of it\n")


async def test_production_does_not_open_what_demo_mode_made(tmp_path: Path, database_url: str) -> None:
    settings = Settings(
        mode="production", data_dir=tmp_path, database_url=database_url, installation_secret=SECRET.hex()
    )
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute("INSERT INTO installation VALUES ('demo', 'begun')")
        with pytest.raises(DemoData, match="production needs another"):
            async with open_house(settings):
                pass
    finally:
        await owner.execute("DELETE FROM installation WHERE name = 'demo'")
        await owner.close()


@pytest.mark.parametrize(
    "commands",
    [
        (["settings", "list"], ["staff", "list"], ["migrate"], ["money-out", "show"]),
        (["audit"], ["audit-log", "verify"], ["price", "show"], ["support", "list"]),
        (["bulletins", "list"], ["members", "begin", "a@kalos.example"], ["signer", "setup"]),
    ],
    ids=["settings", "audit", "people"],
)
async def test_a_command_whose_database_is_away_says_so_in_a_line(
    tmp_path: Path, commands: Sequence[Sequence[str]]
) -> None:
    environment = production(tmp_path, DEPOSIT_XPUB="")
    given = production(tmp_path)
    told = await asyncio.gather(
        *(ended(environment if words in (["migrate"], ["signer", "setup"]) else given, *words) for words in commands)
    )
    for words, (code, out, err) in zip(commands, told, strict=True):
        assert (code, out) == (1, ""), words
        (line,) = err.splitlines()
        assert line in ("the database does not answer", "Connection refused") or "Connect call failed" in line, words


async def test_a_process_that_can_not_begin_says_why_in_a_line_of_its_log(tmp_path: Path, database_url: str) -> None:
    reached = {"DATABASE_URL": database_url}
    other = production(tmp_path, **reached, INSTALLATION_SECRET=secrets.token_hex(32))
    without = production(tmp_path, **reached, INSTALLATION_SECRET=SECRET.hex(), CHAIN_RPC_URL="http://127.0.0.1:9")
    found = await asyncio.gather(*(ended(one, "api") for one in (other, without)))
    for (code, out, _), said in zip(
        found, ("set by migrate", "DEPOSIT_XPUB is not an extended public key"), strict=True
    ):
        last = json.loads(out.splitlines()[-1])
        assert (code, last["event"], "exception" in last) == (1, "ended", False)
        assert said in last["said"]


def test_a_port_that_nobody_chose_names_its_setting(tmp_path: Path) -> None:
    with pytest.raises(NotKept, match="METRICS_PORT must be set"):
        kept_port(tmp_path, "metrics")


def test_a_port_is_not_shared_with_another_program() -> None:
    """Ours asks to share it: without this look calls would go to either."""
    port = free_port()
    refuse_taken(port)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(PortTaken, match=f"port {port} is taken by another program"):
            refuse_taken(port)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (FileNotFoundError(2, "x", "/folder/file"), "/folder/file: No such file or directory"),
        (asyncpg.UndefinedTableError("relation"), "the database isn't there, or not of this version: run migrate"),
        (
            asyncpg.InvalidPasswordError('password authentication failed for user "kalos_signer"'),
            "the database refuses the signer's password, as one that was restored may: run signer setup",
        ),
        (asyncpg.CannotConnectNowError("x"), "the database does not answer (CannotConnectNowError)"),
        (asyncpg.UniqueViolationError("Key (email)=(a@b.example) already exists"), None),
        (ValueError("hunter2"), None),
        (OSError("hunter2"), "the database does not answer (OSError)"),
    ],
)
def test_what_is_no_bug_is_told_and_nothing_else(problem: Exception, said: str | None) -> None:
    assert in_a_line(problem) == said
