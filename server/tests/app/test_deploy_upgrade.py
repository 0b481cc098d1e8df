"""The upgrade as docs/operations.md has operators type it."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from support.deployment import OPERATIONS

_STUB: Final = """#!/bin/sh
# Writes down what it was called for; the call of that number fails.
echo "${0##*/} $*" >>"$CALLS"
[ "$(wc -l <"$CALLS")" -ne "$FAILING" ]
"""
_COMMANDS: Final = ("cp", "docker", "git", "make", "systemctl", "systemd-sysusers", "systemd-tmpfiles")


def blocks() -> list[str]:
    """That of systemd, and that of compose."""
    upgrade = OPERATIONS.split("**Upgrade**: ", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```sh\n(.+?)^```$", upgrade, re.MULTILINE | re.DOTALL)


def typed(block: str, folder: Path, failing: int) -> tuple[int, list[str], str]:
    """Exit code, what was called, and what was said to whoever types it, where one of the calls fails."""
    calls = folder / "calls"
    calls.write_text("")
    done = subprocess.run(
        ["/bin/sh", "-c", block],
        cwd=folder,
        env={"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(calls), "FAILING": str(failing)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, calls.read_text().splitlines(), done.stderr


@pytest.mark.parametrize(
    ("place", "last"),
    [(0, "systemctl reload kalos-proxy"), (1, "docker compose -f deploy/compose.yaml up -d")],
    ids=["systemd", "compose"],
)
def test_an_upgrade_ends_at_the_first_part_that_fails_and_says_so(place: int, last: str, tmp_path: Path) -> None:
    block = blocks()[place]
    for name in _COMMANDS:
        (tmp_path / name).write_text(_STUB)
        (tmp_path / name).chmod(0o755)
    code, whole, said = typed(block, tmp_path, failing=0)
    assert (code, whole[-1], said) == (0, last, "")
    for number in range(1, len(whole) + 1):
        code, calls, said = typed(block, tmp_path, failing=number)
        assert (code, calls) == (1, whole[:number])
        assert said.startswith("STOPPED: ")


@pytest.mark.parametrize("place", [0, 1], ids=["systemd", "compose"])
def test_an_upgrade_keeps_the_hosts_name_in_the_proxys_settings_or_stops(place: int, tmp_path: Path) -> None:
    (pull,) = re.findall(r"^(git pull.*?) && (?:make|docker) ", blocks()[place], re.MULTILINE)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"

    def git(*words: str) -> None:
        who = ["-c", "user.name=tests", "-c", "user.email=tests@kalos.example", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *who, *words], check=True, capture_output=True)

    def published(text: str) -> None:
        (theirs / "kalos.conf").write_text(text)
        git("-C", str(theirs), "add", ".")
        git("-C", str(theirs), "commit", "-m", "a version")

    def pulled() -> tuple[int, str]:
        home = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        done = subprocess.run(["/bin/sh", "-c", pull], cwd=ours, env=home, capture_output=True, check=False, timeout=60)
        return done.returncode, (ours / "kalos.conf").read_text()

    git("init", str(theirs))
    published("server_name kalos.example;\n\n\n\nold;\n")
    git("clone", str(theirs), str(ours))
    assert pulled() == (0, "server_name kalos.example;\n\n\n\nold;\n")
    (ours / "kalos.conf").write_text("server_name house.example;\n\n\n\nold;\n")
    published("server_name kalos.example;\n\n\n\nnew;\n")
    assert pulled() == (0, "server_name house.example;\n\n\n\nnew;\n")
    published("server_name _;\n\n\n\nnew;\n")
    code, text = pulled()
    assert (code, "house.example" in text) == (1, True)
