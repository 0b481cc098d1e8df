"""deploy/ against the code: settings, processes, ports, users; and against PostgreSQL, which reads its own part."""

import gzip
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
import yaml

from app.test_settings import PRODUCTION
from kalos.app.cli import _COMMANDS as CLI
from kalos.app.embedded.postgres import Cluster, RunningCluster, programs
from kalos.app.kept import free_port
from kalos.app.metrics import serve_metrics
from kalos.app.parts import PROCESSES
from kalos.app.settings import PROJECT, Settings, load_settings, table_of_settings
from support import clusters
from support.loopback import loopback_client
from support.promql import Scrape, fires

DEPLOY: Final = PROJECT / "deploy"
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
NAMES: Final = {name for name, _, _, _ in table_of_settings()}
NEEDED: Final = {name for name, _, _, needed in table_of_settings() if needed}
ALL: Final = {*PROCESSES, "signer"}
HARDENED: Final = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "CapabilityBoundingSet": "",
    "LimitCORE": "0",
    "UMask": "0077",
}
FOUNDATIONS: Final = ("postgresql", "postgresql-standby", "proxy")
ALARMS: Final = dict(re.findall(r"- alert: (\w+)\n +expr: (.+)", (DEPLOY / "alarms.yml").read_text()))
OPERATIONS: Final = (PROJECT / "docs" / "operations.md").read_text()
_COMMAND: Final = "/opt/kalos/.venv/bin/python -m kalos.app.cli "
_SOCKET: Final = "socket:/var/run/postgresql"


def read_env(name: str) -> tuple[dict[str, str], set[str]]:
    """What a file sets, and what it names with a # before it."""
    text = (DEPLOY / name).read_text()
    return dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE)), set(
        re.findall(r"^#([A-Z_]+)=", text, re.MULTILINE)
    )


def read_unit(place: Path) -> ConfigParser:
    """A unit; of a name that stands twice the last one counts here."""
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(place.read_text())
    return parser


def units() -> dict[str, ConfigParser]:
    return {place.stem.rstrip("@"): read_unit(place) for place in sorted((DEPLOY / "systemd").glob("*.service"))}


def read_unit_lines(place: Path) -> dict[str, list[str]]:
    """All words of each name, also of one that stands twice."""
    found: dict[str, list[str]] = {}
    for name, words in re.findall(r"^(\w+)=(.+)$", place.read_text(), re.MULTILINE):
        found.setdefault(name, []).extend(words.split())
    return found


def words_of(place: Path, name: str) -> set[str]:
    return set(read_unit_lines(place).get(name, []))


def own_settings(unit: ConfigParser) -> dict[str, str]:
    """What a unit sets itself, for its first process."""
    words = unit["Service"].get("Environment", "").replace("%i", "1").split()
    return dict(word.split("=", 1) for word in words)


def _headers(block: str) -> dict[str, str]:
    return dict(re.findall(r"^\s*proxy_set_header (\S+) (\S+);", block, re.MULTILINE))


def test_env_names_every_setting_and_sets_every_needed_one() -> None:
    filled, mentioned = read_env("kalos.env")
    ours = [unit for unit in units().values() if unit["Service"]["ExecStart"].startswith(_COMMAND)]
    by_unit = {name for unit in ours for name in own_settings(unit)}
    assert filled.keys() | mentioned | by_unit == NAMES
    assert not filled.keys() & mentioned
    assert filled.keys() >= NEEDED
    assert read_env("owner.env")[0].keys() == {"DATABASE_URL"}


def test_env_starts_in_production_once_it_is_filled_in(tmp_path: Path) -> None:
    filled, _ = read_env("kalos.env")
    blanks = {name: PRODUCTION[name] for name, value in filled.items() if not value}
    sanctions = tmp_path / "sanctions.txt"
    sanctions.touch()
    settings = load_settings(filled | blanks | {"SANCTIONS_FILE": str(sanctions)})
    assert settings.modes == ("signed", "sealed")
    assert settings.live_url == f"wss://{settings.hosts[0]}/ws"
    assert ":" not in settings.database_url.partition("@")[0].removeprefix("postgresql:"), "the owner's password"
    assert "kalos_app:" in settings.app_url


def test_every_process_has_its_unit_and_the_target_starts_it() -> None:
    started = set(re.findall(r"kalos-(\w+)(?:@\d)?\.service", (DEPLOY / "systemd" / "kalos.target").read_text()))
    assert started == ALL | {"migrate"}
    for name in started:
        assert units()[f"kalos-{name}"]["Service"]["ExecStart"] == _COMMAND + name


def test_the_target_starts_two_of_what_must_not_be_missed() -> None:
    target = read_unit_lines(DEPLOY / "systemd" / "kalos.target")
    twice = [f"kalos-{name}@{number}" for name in ("api", "worker", "writer") for number in (1, 2)]
    wanted = [*twice, "kalos-live@1", "kalos-migrate", "kalos-signer"]
    assert sorted(target["Wants"]) == sorted(f"{name}.service" for name in wanted)
    assert target["WantedBy"] == ["multi-user.target"]


@pytest.mark.parametrize("name", sorted(units()))
def test_unit_is_hardened_and_sets_nothing_unknown(name: str) -> None:
    service = units()[name]["Service"]
    port = {"CapabilityBoundingSet": "CAP_NET_BIND_SERVICE"} if name == "kalos-proxy" else {}
    assert {key: service[key] for key in HARDENED} == HARDENED | port
    assert service.get("AmbientCapabilities", "") == service["CapabilityBoundingSet"]
    assert service["User"] not in ("root", "")
    if service["ExecStart"].startswith(_COMMAND):
        assert own_settings(units()[name]).keys() <= NAMES


def test_database_its_standby_and_the_proxy_have_units_that_start_what_compose_does() -> None:
    primary, standby, proxy = (units()[f"kalos-{name}"] for name in FOUNDATIONS)
    words = primary["Service"]["ExecStart"].split()
    assert [Path(words[0]).name, *words[3:]] == SERVICES["postgres"]["command"]
    assert words[1:3] == ["-D", SERVICES["postgres"]["environment"]["PGDATA"]]
    assert standby["Service"]["ExecStart"].split()[1:] == SERVICES["postgres-standby"]["command"]
    place = DEPLOY / "systemd" / "kalos-postgresql-standby.service"
    assert f"PGDATA={SERVICES['postgres-standby']['environment']['PGDATA']}" in words_of(place, "Environment")
    for unit in (primary, standby):
        assert "AF_NETLINK" in unit["Service"]["RestrictAddressFamilies"].split()  # `samenet` of pg_hba.conf asks it
        service = unit["Service"]
        assert (service["User"], service["KillSignal"], service["Restart"]) == ("postgres", "SIGINT", "always")
        assert service["ReadWritePaths"] == "/var/lib/postgresql /var/backups/kalos"
    assert proxy["Service"]["ExecStart"].endswith("/opt/kalos/deploy/nginx/nginx.conf")
    assert proxy["Service"]["ExecStartPre"].split()[1:] == ["-t", "-q", *proxy["Service"]["ExecStart"].split()[1:]]
    assert {one["Install"]["WantedBy"] for one in (primary, standby, proxy)} == {"multi-user.target"}


def test_what_ends_beside_the_database_takes_none_of_its_memory() -> None:
    """systemd would remove what belongs to the user of a unit that ends: the shared memory of the cluster that runs."""
    as_postgres = [unit["Service"] for unit in units().values() if unit["Service"]["User"] == "postgres"]
    assert len(as_postgres) == 3
    assert {service["RemoveIPC"] for service in as_postgres} == {"no"}


def test_the_proxys_own_configuration_writes_nowhere_else_and_includes_both() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx" / "nginx.conf").read_text())
    assert re.findall(r"include (\S+);", text) == ["upstreams.conf", "kalos.conf"]
    assert all((DEPLOY / "nginx" / name).is_file() for name in ("upstreams.conf", "kalos.conf"))
    written = re.findall(r"(?:pid|\w+_temp_path) (\S+);", text)
    assert len(written) == 6
    assert all(place.startswith("/run/kalos-proxy/") for place in written)
    assert "access_log off;" in text  # calls, with addresses, are nobody's to keep


def test_users_and_folders_of_the_units_are_made() -> None:
    users = set(re.findall(r"^u (\S+)", (DEPLOY / "systemd" / "kalos.sysusers").read_text(), re.MULTILINE))
    assert {unit["Service"]["User"] for unit in units().values()} == users
    made = dict(re.findall(r"^d (\S+) \d+ (\S+)", (DEPLOY / "systemd" / "kalos.tmpfiles").read_text(), re.MULTILINE))
    (archive,) = re.findall(r"^wal=(\S+)$", (DEPLOY / "postgresql" / "archive.sh").read_text(), re.MULTILINE)
    assert (made[archive], made["/etc/kalos/tls"]) == ("postgres", "root")


def test_signer_is_alone_with_its_folder_and_opens_no_port() -> None:
    for name, unit in units().items():
        service = unit["Service"]
        if not service["ExecStart"].startswith(_COMMAND):
            continue
        is_signers = name.startswith("kalos-signer")
        assert (service["User"] == "kalos-signer") is is_signers, name
        if not is_signers:
            assert "/var/lib/kalos/signer" in service["InaccessiblePaths"], name
    signer = units()["kalos-signer"]["Service"]
    assert (signer["SocketBindDeny"], signer["ReadWritePaths"]) == ("any", "/var/lib/kalos/signer")
    folders = (DEPLOY / "systemd" / "kalos.tmpfiles").read_text()
    assert "d /var/lib/kalos/signer 0700 kalos-signer kalos-signer" in folders


def test_all_of_the_house_comes_up_behind_its_database() -> None:
    for place in sorted((DEPLOY / "systemd").glob("*.service")):
        if _COMMAND in place.read_text():
            assert words_of(place, "After") & {"kalos-postgresql.service", "kalos-migrate.service"}, place.name
    assert "kalos-postgresql.service" in words_of(DEPLOY / "systemd" / "kalos-migrate.service", "After")
    assert units()["kalos-migrate"]["Service"]["Restart"] == "on-failure"


def test_what_is_tried_again_is_so_for_as_long_as_a_database_or_a_node_is_away() -> None:
    for name, unit in units().items():
        if "Restart" in unit["Service"]:
            assert unit["Unit"]["StartLimitIntervalSec"] == "0", name


def test_only_who_needs_it_has_the_owners_password() -> None:
    text = {place.name: place.read_text() for place in (DEPLOY / "systemd").glob("*.service")}
    having = {name for name, unit in text.items() if "EnvironmentFile=/etc/kalos/owner.env" in unit}
    assert having == {"kalos-migrate.service", "kalos-signer-setup.service"}
    assert {name for name, one in SERVICES.items() if "owner.env" in one.get("env_file", [])} == {
        "migrate",
        "signer-setup",
    }


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
    assert {*primary["volumes"]} == common | {"primary:/var/lib/postgresql", _SOCKET, made_once}
    for name in ("standby.sh", "roles.sh"):
        script = DEPLOY / "postgresql" / name
        assert os.access(script, os.X_OK)
        assert "$(cat /run/secrets/standby_password)" in script.read_text()


def test_signer_shares_no_folder_in_compose() -> None:
    def kept(name: str) -> set[str]:
        return {place.split(":")[0] for place in SERVICES[name].get("volumes", []) if not place.startswith(".")}

    assert kept("signer") == kept("signer-setup") == {"signer"}
    assert all("signer" not in kept(name) for name in SERVICES if not name.startswith("signer"))


def test_ports_of_proxy_units_and_compose_are_the_same() -> None:
    named = [units()["kalos-api"], units()["kalos-live"]]
    first = [own_settings(unit) for unit in named]
    api, live = first[0]["PORT"], first[1]["LIVE_PORT"]
    wanted = {"kalos_api": [api, str(int(api) + 1)], "kalos_live": [live]}
    for name in ("upstreams.conf", "upstreams-compose.conf"):
        blocks = re.findall(r"upstream (\w+) \{(.*?)\n\}", (DEPLOY / "nginx" / name).read_text(), re.DOTALL)
        assert {block: re.findall(r"server [\w.-]+:(\d+)", inside) for block, inside in blocks} == wanted
    own = [SERVICES[name]["environment"] for name in ("api-1", "api-2", "live")]
    assert {one.get("PORT") or one["LIVE_PORT"] for one in own} == {*wanted["kalos_api"], *wanted["kalos_live"]}
    every = [value for values in first for name, value in values.items() if name.endswith("PORT")]
    assert len(set(every)) == len(every)
    hosts = set(re.findall(r"server ([\w-]+):\d", (DEPLOY / "nginx" / "upstreams-compose.conf").read_text()))
    assert hosts == {"api-1", "api-2", "live"}


def test_proxy_is_the_one_that_is_trusted_and_does_what_operations_asks() -> None:
    proxy = (DEPLOY / "nginx" / "kalos.conf").read_text()
    subnet = COMPOSE["networks"]["outside"]["ipam"]["config"][0]["subnet"]
    for name in ("api-1", "api-2", "live"):
        assert SERVICES[name]["environment"]["TRUSTED_PROXIES"] == subnet
    assert read_env("kalos.env")[0]["TRUSTED_PROXIES"] == "127.0.0.1"
    for line in (
        "proxy_set_header Host $host;",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
        "proxy_next_upstream error timeout;",
        "limit_conn callers 100;",
        "proxy_read_timeout 30s;",
        "ssl_protocols TLSv1.2 TLSv1.3;",
    ):
        assert line in proxy
    assert "non_idempotent;" not in proxy
    server = proxy[proxy.rindex("\nserver {") :]
    places = re.findall(r"\n    location [^{]*\{(.*?)\n    \}", server, re.DOTALL)
    common = _headers(re.sub(r"\n    location [^{]*\{.*?\n    \}", "", server, flags=re.DOTALL))
    proxied = [_headers(place) or common for place in places if "proxy_pass" in place]
    assert len(proxied) == 4
    for headers in proxied:  # a place that has one of its own inherits none
        assert headers.keys() >= {"Host", "X-Forwarded-For", "Connection"}
        assert (headers["Host"], headers["X-Forwarded-For"]) == ("$host", "$proxy_add_x_forwarded_for")
    assert "keepalive_timeout 5s;" in (DEPLOY / "nginx" / "upstreams.conf").read_text()


def test_the_proxy_ends_tls_and_sends_everybody_there() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx" / "kalos.conf").read_text())
    plain, secure = (block for block in re.split(r"^server ", text, flags=re.MULTILINE) if block.startswith("{"))
    statements = [[" ".join(one.split()) for one in block.strip("{} \n").split(";")] for block in (plain, secure)]
    assert [one for one in statements[0] if one] == [
        "listen 80 default_server",
        "listen [::]:80 default_server",
        "return 301 https://$host$request_uri",
    ]
    for line in (
        "listen 443 ssl http2",
        "listen [::]:443 ssl http2",
        "ssl_certificate /etc/kalos/tls/fullchain.pem",
        "ssl_certificate_key /etc/kalos/tls/privkey.pem",
        "ssl_protocols TLSv1.2 TLSv1.3",
        'add_header Strict-Transport-Security "max-age=63072000" always',
    ):
        assert statements[1].count(line) == 1, line
    assert [one for one in statements[1] if one.startswith("listen")] == [
        "listen 443 ssl http2",
        "listen [::]:443 ssl http2",
    ]
    assert SERVICES["proxy"]["ports"] == ["80:80", "443:443"]
    assert {*SERVICES["proxy"]["volumes"]} == {
        "./nginx/kalos.conf:/etc/nginx/conf.d/kalos.conf:ro",
        "./nginx/upstreams-compose.conf:/etc/nginx/conf.d/upstreams.conf:ro",
        "./tls:/etc/kalos/tls:ro",
    }


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


def test_compose_makes_the_nightly_backup_that_systemd_makes() -> None:
    nightly = units()["kalos-basebackup"]["Service"]
    one = SERVICES["basebackup"]
    script, *words = nightly["ExecStart"].removeprefix("/bin/sh ").split()
    assert one["command"] == ["/etc/kalos/postgresql/nightly.sh", *words]
    assert Path(script).relative_to("/opt/kalos") == Path("deploy/postgresql/basebackup.sh")
    assert (one["image"], one["user"]) == (SERVICES["postgres"]["image"], nightly["User"])
    assert one["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    # Over the primary's own socket, where pg_hba.conf lets this user in without a password.
    assert {*one["volumes"]} == {_SOCKET, "archive:/var/backups/kalos", "./postgresql:/etc/kalos/postgresql:ro"}
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


def test_what_an_operator_fills_in_is_not_even_handed_to_the_build() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    ignored = [line for line in lines if line and not line.startswith("#")]
    assert not [line for line in ignored if line.startswith("!")]
    mounted = {place.split(":")[0] for one in SERVICES.values() for place in one.get("volumes", [])}
    filled = {
        *(file for one in SERVICES.values() for file in one.get("env_file", [])),
        *(secret["file"] for secret in COMPOSE["secrets"].values()),
        *(place for place in mounted if place.startswith(".")),
    }
    assert filled >= {"kalos.env", "owner.env", "secrets/owner_password", "./tls", "./sanctions.txt"}
    for place in filled:
        assert any((Path("deploy") / place).is_relative_to(line) for line in ignored), place


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
                assert one["env_file"] == ["kalos.env", "owner.env"], words
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


def test_the_proxy_keeps_to_the_machine_what_operations_says_and_lets_the_page_ask_whether_it_is_there() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx" / "kalos.conf").read_text())
    kept = set(re.findall(r"location = (\S+) \{ return 404; \}", text))
    (passed, told) = re.findall(r"passes `(\S+)` on,[^`]*keeps ((?:`\S+`(?: and )?)+)", OPERATIONS)[0]
    assert (passed, set(re.findall(r"`(\S+)`", told))) == ("/healthz", kept)
    assert f'fetch("{passed}"' in (PROJECT / "web" / "src" / "lib" / "network.ts").read_text()


def test_a_promoted_copy_is_told_what_it_lacks_before_anything_starts() -> None:
    steps = OPERATIONS.split("**Promote the replica**", 1)[1].split("\n\n**", 1)[0]
    order = ["Cut the old primary off", "Stop all processes", "pg_promote()", "`restore conclude TIME`", "4. Start."]
    assert sorted(order, key=steps.index) == order


def expect(name: str) -> Callable[[str], bool]:
    """Whether the alarm fires over what was scraped."""
    absent = re.fullmatch(r"absent\((\w+)\)", ALARMS[name])

    def fired(text: str) -> bool:
        scrape = Scrape.of(text, 0.0)
        return absent[1] not in scrape.series if absent else fires(ALARMS[name], scrape, scrape)

    return fired


def test_a_process_that_answers_no_scrape() -> None:
    assert "job is\ncalled `kalos`" in OPERATIONS
    others = 'up{job="kalos",instance="1"} 1\nup{job="node",instance="2"} 0\n'
    fired = expect("ProcessSilent")
    assert not fired(others)
    assert fired(others + 'up{job="kalos",instance="3"} 0\n')


async def test_a_house_of_which_nothing_answers(tmp_path: Path) -> None:
    """The figure is there as long as one API process answers, also without a writer and a database."""
    lost = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    settings = Settings(data_dir=tmp_path, database_url=lost, installation_secret="5" * 64, metrics_port=free_port())
    async with serve_metrics(settings), loopback_client() as http:
        answer = await http.get(f"http://127.0.0.1:{settings.metrics_port}/metrics")
    fired = expect("HouseSilent")
    assert not fired(answer.text)
    assert fired('up{job="kalos"} 0\n')
