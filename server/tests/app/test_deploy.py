"""deploy/ against the code: settings, processes, ports, users; and against PostgreSQL, which reads its own part."""

import os
import re
import subprocess
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
import yaml

from app.test_settings import PRODUCTION
from kalos.app.embedded.postgres import Cluster, RunningCluster, programs
from kalos.app.parts import PROCESSES
from kalos.app.settings import PROJECT, load_settings, table_of_settings
from support import clusters

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
_COMMAND: Final = "/opt/kalos/.venv/bin/python -m kalos.app.cli "


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
    (archive,) = re.findall(r"test -e (\S+)/%f", (DEPLOY / "postgresql" / "primary.conf").read_text())
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
    foundations = {"postgres", "postgres-standby", "archive-folder", "proxy"}
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
    assert {*primary["volumes"]} == common | {"primary:/var/lib/postgresql", made_once}
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
        "listen 80",
        "listen [::]:80",
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
    extra = {"hba_file": str(DEPLOY / "postgresql" / "pg_hba.conf")}
    server = RunningCluster(Cluster(folder, password=clusters.PASSWORD, durable=False, extra=extra))
    server.start()
    yield server
    server.kill()


async def test_postgresql_reads_who_may_connect(running: RunningCluster) -> None:
    db = await asyncpg.connect(running.cluster.url("postgres"))
    rows = await db.fetch("SELECT type, user_name, auth_method, error FROM pg_hba_file_rules")
    await db.close()
    assert [row["error"] for row in rows if row["error"]] == []
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


def test_archive_command_keeps_a_segment_once_and_never_over_another(tmp_path: Path) -> None:
    text = (DEPLOY / "postgresql" / "primary.conf").read_text()
    (command,) = re.findall(r"^archive_command = '(.+)'$", text, re.MULTILINE)
    kept, source = tmp_path / "wal", tmp_path / "segment"
    kept.mkdir()
    words = command.replace("/var/backups/kalos/wal", str(kept)).replace("%p", str(source)).replace("%f", "0001")
    source.write_bytes(b"log")
    for _ in range(2):
        assert subprocess.run(["/bin/sh", "-c", words], check=False).returncode == 0
    source.write_bytes(b"another")
    assert subprocess.run(["/bin/sh", "-c", words], check=False).returncode != 0
    assert [(place.name, place.read_bytes()) for place in kept.iterdir()] == [("0001", b"log")]
