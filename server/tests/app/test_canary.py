"""The canary of the suite: what a test writes, by whatever way, fails it where it shows a secret."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
import structlog

from conftest import MakeContext, MakeMember
from factors.scene import bind
from kalos.core.tokens import new_token
from kalos.domains.factors.rules import base32_of
from kalos.domains.identity import service as identity
from support import canary, clusters, mutate
from support.people import PASSWORD, WRONG

HARMLESS: Final = """
{"code": 200, "path": "/api/auth/login", "event": "call", "request": "5xV6rKn0nDHxuYJe373YNA", "seconds": 0.123456}
password_hash "token" sign-in code 200, seed=5 https://user@example.org:8000/a "authorization": ""
"""


@pytest.mark.parametrize(
    "written",
    [
        f"a {PASSWORD} b",
        WRONG,
        clusters.SECRET.decode(),
        clusters.SECRET.hex(),
        "$argon2id$v=19$m=19456",
        "-----BEGIN EC PRIVATE KEY-----",
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK",
        "postgresql://kalos:word@/kalos",
        "Your code is: 123456",
        '"code": "123456"',
        "{'out_password': '123456'}",
        '{"email_code": "123456"}',
        'authorization="abc"',
    ],
)
def test_each_sort_of_secret_is_found(written: str) -> None:
    assert canary.found_in(f"before\n{written}\nafter")
    assert canary.found_in(HARMLESS) == []


def test_token_is_found_once_it_is_made(tmp_path: Path) -> None:
    token = new_token()
    assert canary.found_in(f"/ws?token={token}")
    (tmp_path / "logs").mkdir()
    canary.check_folder(tmp_path)
    (tmp_path / "logs" / "api.log").write_text(token)
    with pytest.raises(AssertionError, match=r"api\.log shows a secret"):
        canary.check_folder(tmp_path)


async def test_what_an_authenticator_a_recovery_code_and_a_freeze_link_say_is_found_once_it_is_made(
    ctx: MakeContext, member: MakeMember
) -> None:
    here = ctx(await member())
    phone = await bind(here)
    async with here.db.transaction() as db:
        link = await identity.freeze_link(here.house, db, here.caller.id, wall=here.wall)
    for secret in (base32_of(phone.secret), *phone.codes, link):
        assert canary.found_in(f"before {secret} after"), secret


def test_own_secret_of_an_installation_is_found(tmp_path: Path) -> None:
    secret = "0123456789abcdef" * 4
    (tmp_path / "secrets.json").write_text(f'{{"installation": "{secret}"}}')
    (tmp_path / "worker.log.1").write_text(f"began with {secret}")
    with pytest.raises(AssertionError, match="shows a secret"):
        canary.check_folder(tmp_path)


def test_what_a_part_of_the_suite_printed_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean, leaking = tmp_path / "vitest", tmp_path / "e2e"
    clean.write_text(HARMLESS)
    assert canary.main([str(clean)]) == 0
    leaking.write_text('✔ a test\n{ token: "abc" }\n')
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
    assert canary.main([str(clean), str(leaking)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("what e2e has printed shows a secret: ")
    assert "vitest" not in told


def _say_in_a_process() -> None:
    subprocess.run([sys.executable, "-c", f"print({PASSWORD!r})"], check=True)


WAYS: Final[dict[str, Callable[[], object]]] = {
    "print": lambda: sys.stdout.write(PASSWORD),
    "error": lambda: sys.stderr.write(new_token()),
    "log": lambda: structlog.get_logger("trial").debug("said", text=PASSWORD),
    "process": _say_in_a_process,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_leaks_where_it_is_told_to(way: str) -> None:
    if os.environ.get("KALOS_LEAK"):
        WAYS[way]()


def test_test_that_leaks_fails() -> None:
    name = f"{Path(__file__).relative_to(mutate.SERVER)}::{test_what_leaks_where_it_is_told_to.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", name]
    done = subprocess.run(
        command, cwd=mutate.SERVER, env={**os.environ, "KALOS_LEAK": "1"}, stdout=subprocess.PIPE, text=True, timeout=60
    )
    assert done.returncode == 1
    assert f"{len(WAYS)} failed" in done.stdout
    assert done.stdout.count("shows a secret") >= len(WAYS)
