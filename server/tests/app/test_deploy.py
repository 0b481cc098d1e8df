"""deploy/ against the code: settings, units, ports and users; and the proxy."""

import re
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Final

import pytest

from app.test_settings import PRODUCTION
from kalos.app.settings import PROJECT, load_settings, table_of_settings
from support.deployment import (
    ALL,
    COMMAND,
    COMPOSE,
    DEPLOY,
    NAMES,
    OPERATIONS,
    SERVICES,
    own_settings,
    read_unit_lines,
    units,
)

NEEDED: Final = {name for name, _, _, needed in table_of_settings() if needed}
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


def read_env(name: str) -> tuple[dict[str, str], set[str]]:
    """What a file sets, and what it names with a # before it."""
    text = (DEPLOY / name).read_text()
    return dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE)), set(
        re.findall(r"^#([A-Z_]+)=", text, re.MULTILINE)
    )


def words_of(place: Path, name: str) -> set[str]:
    return set(read_unit_lines(place).get(name, []))


def _headers(block: str) -> dict[str, str]:
    return dict(re.findall(r"^\s*proxy_set_header (\S+) (\S+);", block, re.MULTILINE))


def test_env_names_every_setting_and_sets_every_needed_one() -> None:
    filled, mentioned = read_env("kalos.env")
    ours = [unit for unit in units().values() if unit["Service"]["ExecStart"].startswith(COMMAND)]
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


def test_operators_are_told_that_they_copy_members_files_and_from_where() -> None:
    copied = re.findall(r"^rsync -a --exclude='\*\.part' (\S+)/files/ (\S+)$", OPERATIONS, re.MULTILINE)
    assert copied == [(read_env("kalos.env")[0]["DATA_DIR"], "BACKUP:/srv/kalos/files/")]
    assert "**Nothing in `deploy/` copies the files of members**" in OPERATIONS
    ours = [*(DEPLOY / "systemd").iterdir(), *(DEPLOY / "postgresql").iterdir(), DEPLOY / "compose.yaml"]
    named = [place.name for place in ours if "/files" in place.read_text()]
    assert named == ["kalos-signer.service"], "it is kept from them"
    assert f"docker volume inspect -f '{{{{.Mountpoint}}}}' {COMPOSE['name']}_data)/files/" in OPERATIONS
    assert "data:/var/lib/kalos" in SERVICES["api-1"]["volumes"]


def test_every_process_has_its_unit_and_the_target_starts_it() -> None:
    started = set(re.findall(r"kalos-(\w+)(?:@\d)?\.service", (DEPLOY / "systemd" / "kalos.target").read_text()))
    assert started == ALL | {"migrate"}
    for name in started:
        assert units()[f"kalos-{name}"]["Service"]["ExecStart"] == COMMAND + name


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
    if service["ExecStart"].startswith(COMMAND):
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
    reload = re.findall(r"^ExecReload=(.*)$", (DEPLOY / "systemd" / "kalos-proxy.service").read_text(), re.MULTILINE)
    assert reload == [proxy["Service"]["ExecStartPre"], "/bin/kill -HUP $MAINPID"]
    assert {one["Install"]["WantedBy"] for one in (primary, standby, proxy)} == {"multi-user.target"}


def test_who_writes_the_archive_waits_for_its_disk() -> None:
    """Beneath a mount that isn't there yet tmpfiles has made the same folders."""
    for name in ("kalos-postgresql", "kalos-basebackup"):
        assert units()[name]["Unit"]["RequiresMountsFor"] in units()[name]["Service"]["ReadWritePaths"].split(), name


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
        if not service["ExecStart"].startswith(COMMAND):
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
        if COMMAND in place.read_text():
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
    assert {name for name, one in SERVICES.items() if "secrets/owner.env" in one.get("env_file", [])} == {
        "migrate",
        "signer-setup",
    }


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
    address = SERVICES["proxy"]["networks"]["outside"]["ipv4_address"]
    for name in ("api-1", "api-2", "live"):
        assert SERVICES[name]["environment"]["TRUSTED_PROXIES"] == address
    assert read_env("kalos.env")[0]["TRUSTED_PROXIES"] == "127.0.0.1"
    for line in (
        "proxy_set_header Host $host;",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
        "proxy_next_upstream error timeout;",
        "    location /api/upload/ {\n        proxy_pass http://kalos_api;\n        proxy_next_upstream off;\n",
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
    assert len(proxied) == 5
    for headers in proxied:  # a place that has one of its own inherits none
        assert headers.keys() >= {"Host", "X-Forwarded-For", "Connection"}
        assert (headers["Host"], headers["X-Forwarded-For"]) == ("$host", "$proxy_add_x_forwarded_for")
    assert "keepalive_timeout 5s;" in (DEPLOY / "nginx" / "upstreams.conf").read_text()


def test_in_compose_the_proxys_address_is_nobody_elses() -> None:
    """Neither the gateway's, as which Docker's own relay calls, nor one that another service may be given."""
    (pool,) = COMPOSE["networks"]["outside"]["ipam"]["config"]
    address = IPv4Address(SERVICES["proxy"]["networks"]["outside"]["ipv4_address"])
    assert address in IPv4Network(pool["subnet"])
    assert address not in IPv4Network(pool["ip_range"])
    assert IPv4Network(pool["ip_range"]).subnet_of(IPv4Network(pool["subnet"]))
    assert IPv4Address(pool["gateway"]) not in (address, *IPv4Network(pool["ip_range"]))
    others = [one.get("networks", []) for name, one in SERVICES.items() if name != "proxy"]
    assert all(isinstance(networks, list) for networks in others), "one has an address of its own"
    assert SERVICES["proxy"]["ports"] == ["0.0.0.0:80:80", "0.0.0.0:443:443"]


def test_the_proxy_ends_tls_and_sends_everybody_there() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx" / "kalos.conf").read_text())
    plain, secure = (block for block in re.split(r"^server ", text, flags=re.MULTILINE) if block.startswith("{"))
    statements = [[" ".join(one.split()) for one in block.strip("{} \n").split(";")] for block in (plain, secure)]
    assert [one for one in statements[0] if one] == [
        "listen 80 default_server",
        "listen [::]:80 default_server",
        "access_log off",
        "error_log stderr crit",
        "return 301 https://$host$request_uri",
    ]
    for line in (
        "listen 443 ssl http2",
        "listen [::]:443 ssl http2",
        "access_log off",
        "error_log stderr crit",
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
    assert {*SERVICES["proxy"]["volumes"]} == {
        "./nginx/kalos.conf:/etc/nginx/conf.d/kalos.conf:ro",
        "./nginx/upstreams-compose.conf:/etc/nginx/conf.d/upstreams.conf:ro",
        "./tls:/etc/kalos/tls:ro",
    }


def test_the_proxy_keeps_to_the_machine_what_operations_says_and_lets_the_page_ask_whether_it_is_there() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx" / "kalos.conf").read_text())
    kept = set(re.findall(r"location = (\S+) \{ return 404; \}", text))
    (passed, told) = re.findall(r"passes `(\S+)` on,[^`]*keeps ((?:`\S+`(?: and )?)+)", OPERATIONS)[0]
    assert (passed, set(re.findall(r"`(\S+)`", told))) == ("/healthz", kept)
    assert f'fetch("{passed}"' in (PROJECT / "web" / "src" / "lib" / "network.ts").read_text()
