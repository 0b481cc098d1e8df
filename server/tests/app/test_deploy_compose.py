"""deploy/ for compose: what its services are given, what their image holds, and what operators type."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from kalos.app.cli import _COMMANDS as CLI
from kalos.app.settings import PROJECT
from support.deployment import ALL, COMPOSE, DEPLOY, NAMES, OPERATIONS, SERVICES, SOCKET


def test_compose_runs_every_process_with_known_settings() -> None:
    ours = {name: one for name, one in SERVICES.items() if one["image"] == "kalos"}
    commands = [tuple(one["command"]) for one in ours.values()]
    assert {words[0] for words in commands} == ALL | {"migrate"}
    assert {words: commands.count(words) for words in (("api",), ("writer",), ("worker",), ("signer",))} == {
        ("api",): 2,
        ("writer",): 2,
        ("worker",): 2,
        ("signer",): 1,
    }
    for name, one in ours.items():
        assert one.get("environment", {}).keys() <= NAMES, name
        assert (one["read_only"], one["cap_drop"]) == (True, ["ALL"])
    assert {name for name, one in SERVICES.items() if "ports" in one} == {"proxy"}
    assert SERVICES["postgres"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_compose_runs_two_of_what_must_not_be_missed_a_standby_and_a_proxy() -> None:
    twice = {f"{name}-{number}" for name in ("api", "worker", "writer") for number in (1, 2)}
    foundations = {"postgres", "postgres-standby", "archive-folder", "basebackup", "proxy"}
    assert SERVICES.keys() == twice | foundations | {"live", "migrate", "signer", "signer-setup"}
    always = {name for name, one in SERVICES.items() if one.get("restart") == "always"}
    assert SERVICES.keys() - always == {"archive-folder", "migrate", "signer-setup"}


def test_the_databases_standby_follows_from_data_of_its_own() -> None:
    primary, standby = SERVICES["postgres"], SERVICES["postgres-standby"]
    assert (standby["image"], standby["user"], standby["networks"]) == (primary["image"], "postgres", ["inside"])
    assert standby["command"] == ["/etc/kalos/postgresql/standby.sh"]
    assert standby["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert standby["secrets"] == ["standby_password"]
    assert set(primary["secrets"]) == {"owner_password", "standby_password"} == COMPOSE["secrets"].keys()
    common = {"archive:/var/backups/kalos", "./postgresql:/etc/kalos/postgresql:ro"}
    assert {*standby["volumes"]} == common | {"standby:/var/lib/postgresql"}
    made_once = "./postgresql/roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro"
    assert {*primary["volumes"]} == common | {"primary:/var/lib/postgresql", SOCKET, made_once}
    for name in ("standby.sh", "roles.sh"):
        script = DEPLOY / "postgresql" / name
        assert os.access(script, os.X_OK)
        assert "$(cat /run/secrets/standby_password)" in script.read_text()


def test_signer_shares_no_folder_in_compose() -> None:
    def kept(name: str) -> set[str]:
        return {place.split(":")[0] for place in SERVICES[name].get("volumes", []) if not place.startswith(".")}

    assert kept("signer") == kept("signer-setup") == {"signer"}
    assert all("signer" not in kept(name) for name in SERVICES if not name.startswith("signer"))


def test_the_image_has_what_a_process_reads_and_nothing_that_an_operator_fills_in(tmp_path: Path) -> None:
    last = (DEPLOY / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    copies = [line.split()[1:] for line in last.splitlines() if line.startswith(("COPY", "ADD"))]
    assert {words[0] for words in copies} == {"--from=built"}
    places = {Path(place).relative_to("/opt/kalos") for words in copies for place in words[1:-1]}
    for place in map(Path, (".", "deploy", "server", "web")):
        assert place not in places, "it would bring along whatever else lies there"
    assert not [place for place in places if place.is_relative_to("deploy")]
    assert {Path("LICENSE"), Path("THIRD-PARTY.md"), Path(".venv"), Path("web/dist")} <= places
    for place in places - {Path(".venv"), Path("web/dist")}:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).symlink_to(PROJECT / place)
    program = f"""
import importlib, kalos.app.migrate, kalos.app.settings, kalos.app.verify_round, kalos.wire.languages
from kalos.core.terms import load_changeable, load_terms
for name in {sorted(ALL)}:
    importlib.import_module(f"kalos.app.{{name}}")
terms = kalos.app.settings.Settings().terms_file
load_terms(terms), load_changeable(terms), kalos.app.verify_round._TERMS.read_text()
assert kalos.app.migrate.newest() in kalos.app.migrate._script(None)
print(kalos.app.settings.PROJECT)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(tmp_path / "server/src"), "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, str(tmp_path)), done.stderr


def filled_in() -> set[Path]:
    """What compose reads of deploy/, the operator's and ours."""
    mounted = {place.split(":")[0] for one in SERVICES.values() for place in one.get("volumes", [])}
    filled = {
        *(file for one in SERVICES.values() for file in one.get("env_file", [])),
        *(secret["file"] for secret in COMPOSE["secrets"].values()),
        *(place for place in mounted if place.startswith(".")),
    }
    assert filled >= {"secrets/kalos.env", "secrets/owner.env", "secrets/owner_password", "./tls", "./sanctions.txt"}
    return {Path("deploy") / place for place in filled}


def test_what_an_operator_fills_in_is_not_even_handed_to_the_build() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    ignored = [line for line in lines if line and not line.startswith("#")]
    assert not [line for line in ignored if line.startswith("!")]
    for place in filled_in():
        assert any(place.is_relative_to(line) for line in ignored), place


def test_what_an_operator_fills_in_is_no_change_that_git_sees(tmp_path: Path) -> None:
    """Else a pull would stop at it, or a commit would take secrets along."""
    own = {place for place in filled_in() if not (PROJECT / place).exists()}
    own |= {Path("deploy/postgresql") / name for name in ("own.conf", "own_hba.conf")}
    shutil.copy(PROJECT / ".gitignore", tmp_path)
    for place in own:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).mkdir() if place.name == "tls" else (tmp_path / place).touch()
    (tmp_path / "deploy" / "tls" / "privkey.pem").touch()
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    seen = ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"]
    done = subprocess.run(seen, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["?? .gitignore"]


def compose_commands() -> list[list[str]]:
    """What docs/operations.md has operators type, behind the name of compose's file."""
    found = re.findall(r"docker compose -f deploy/compose\.yaml ([^`\n#|&]+)", OPERATIONS)
    return [shlex.split(words) for words in found]


def service_of(words: list[str]) -> tuple[str, list[str]]:
    """Which service `run` or `exec` is for, and what it is given."""
    rest = words[1:]
    while rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in ("-v", "-e") else rest[1:]
    return rest[0], rest[1:]


def test_what_operators_type_for_compose_names_services_that_have_what_it_needs() -> None:
    cli = ["python", "-m", "kalos.app.cli"]
    assert f"ENTRYPOINT {json.dumps(cli)}" in (DEPLOY / "Dockerfile").read_text()
    told: set[tuple[str, ...]] = set()
    for words in compose_commands():
        if words[0] not in ("run", "exec"):
            assert {word for word in words[1:] if not word.startswith("-")} <= SERVICES.keys(), words
            continue
        name, given = service_of(words)
        one = SERVICES[name]
        if words[0] == "exec":
            assert one["restart"] == "always", f"{name} isn't there to be asked"
        if one["image"] == "kalos":
            assert words[0] == "run" or given[:3] == cli, words
            order = (given if words[0] == "run" else given[3:]) or one["command"]
            assert order[0] in CLI, words
            told.add((words[0], name, *order[:2]))
            if order[0] == "signer":
                assert "signer:/var/lib/kalos" in one["volumes"], words
            elif order[0] in ("staff", "restore", "migrate"):
                assert one["env_file"] == ["secrets/kalos.env", "secrets/owner.env"], words
        else:
            told.add((words[0], name, given[0]))
        assert all(secret in one.get("secrets", []) for secret in re.findall(r"/run/secrets/(\w+)", " ".join(given)))
    assert told >= {
        ("run", "migrate", "staff", "list"),
        ("run", "migrate", "restore", "conclude"),
        ("exec", "signer", "signer", "show"),
        ("run", "signer-setup", "signer", "setup"),
        ("exec", "postgres", "sh"),
        ("exec", "basebackup", "sh"),
        ("exec", "proxy", "curl"),
    }
