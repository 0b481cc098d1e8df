"""All settings of a process: read from the environment once, typed, checked before anything starts."""

import hashlib
import hmac
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from kalos.app import kept, readers
from kalos.app.embedded.archive import archiving
from kalos.app.embedded.postgres import Cluster
from kalos.app.migrate import role_url
from kalos.core import failpoints

Mode = Literal["demo", "production"]
WireMode = Literal["plain", "signed", "sealed"]

PROJECT: Final = Path(__file__).parents[4]
DEVELOPMENT_CHAIN: Final = 31337
STATE_SECONDS: Final = 2
"""How often the local chain keeps its state: what is confirmed must be older than twice that."""
OF_KEYS: Final = ("deposit_xpub", "hot_wallets")
"""What `signer setup` tells, which has to run before it is known."""
_OF_THE_CHAIN: Final = ("chain_id", "chain_name", "block_seconds", "confirmations", "chain_first_block")
"""Their defaults fit the development chain alone, so that production sets them on purpose."""
_SOCKET_PATH_MAX: Final = 107 - len(".new")
"""What a Unix socket's path may be, less what it is called until it takes a dead one's place."""
_RELAYED_IN_DEMO: Final = 200
_HIDDEN: Final = ("secret", "password", "rpc_url", "xpub")
"""Whose texts may hold what is nobody's to read: a password, a provider's key, a private key in the wrong place."""


class BadSettings(Exception):
    """The settings can't be used: one line for each fault."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def _setting(read: Callable[[str], Any], default: Any, about: str, *, needed: bool = False) -> Any:
    """A field that the environment sets under its upper-case name; `needed`: production can't do without it."""
    return field(default=default, metadata={"read": read, "about": about, "needed": needed})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """An empty text means: demo mode brings its own (database, chain, mail, secret)."""

    mode: Mode = _setting(
        readers.one_of("demo", "production"),
        "demo",
        "demo: with its own database, chain and mail; or production",
    )
    data_dir: Path = _setting(readers.folder, PROJECT / ".data", "folder of everything that is kept")
    web_dist: Path = _setting(readers.folder, PROJECT / "web" / "dist", "folder of the built page")
    host: str = _setting(readers.text, "127.0.0.1", "address to listen on")
    port: int = _setting(readers.port, 8000, "port of the page and the API")
    public_url: str = _setting(readers.url, "", "address that members type; empty: http://localhost:PORT", needed=True)
    allowed_hosts: tuple[str, ...] = _setting(
        readers.words, (), "further host names that are answered, with commas between"
    )
    trusted_proxies: tuple[str, ...] = _setting(
        readers.networks, (), "addresses whose forwarded header is believed, with commas between"
    )
    calls_at_once: int = _setting(
        readers.positive,
        1_000,
        "calls that an API process answers at once; a quarter is kept for those that move money",
    )
    live_port: int = _setting(readers.port_or_none, 0, "port of the live socket; 0: run keeps a free one")
    live_url: str = _setting(
        readers.socket_url, "", "address of the live socket; empty: the host at LIVE_PORT", needed=True
    )
    live_sockets: int = _setting(readers.positive, 20_000, "live sockets of a process; further ones are refused")
    live_waiting: int = _setting(
        readers.positive, 1_000, "sockets of a process whose token isn't known yet; further ones come again"
    )
    live_waiting_network: int = _setting(readers.positive, 50, "of these those of one network")
    live_relayed: int = _setting(
        readers.count,
        0,
        "live sockets that an API process carries to the hub from its own /ws; 0: demo 200, else none",
    )
    live_metrics_port: int = _setting(
        readers.port_or_none, 0, "port of the live hub's /metrics on loopback; 0: run keeps a free one"
    )
    metrics_port: int = _setting(readers.port_or_none, 0, "port of /metrics on loopback; 0: run keeps a free one")
    wire_modes: tuple[WireMode, ...] = _setting(
        readers.some_of("plain", "signed", "sealed"),
        (),
        "forms of calls; empty: all, but plain in demo only",
    )
    log_level: str = _setting(readers.one_of("debug", "info", "warning", "error"), "info", "least level that is logged")
    installation_secret: str = _setting(
        readers.secret, "", "64 hex digits or more, from which keys and passwords follow", needed=True
    )
    former_secrets: tuple[str, ...] = _setting(
        readers.secrets, (), "secrets that it had before, with commas between: what was sealed under them is still read"
    )

    database_url: str = _setting(readers.database, "", "PostgreSQL 15 or newer, as the schema's owner", needed=True)

    backup_dir: Path | None = _setting(
        readers.folder, None, "folder of backups, best on another disk; empty: DATA_DIR/backup"
    )
    archive_seconds: int = _setting(
        readers.positive, 60, "after so long what was committed stands in the archive, from the first backup on"
    )

    chain_rpc_url: tuple[str, ...] = _setting(readers.urls, (), "EVM nodes, with commas between", needed=True)
    chain_id: int = _setting(
        readers.positive, DEVELOPMENT_CHAIN, "id of the chain that the nodes must have", needed=True
    )
    chain_name: str = _setting(readers.text, "Local development chain", "name of the chain on the pages", needed=True)
    chain_explorer: str = _setting(readers.url, "", "address of the chain's explorer, before /tx/ and /block/")
    block_seconds: int = _setting(readers.positive, 2, "time between two blocks", needed=True)
    confirmations: int = _setting(readers.positive, 3, "blocks until a transfer counts", needed=True)
    usdt_contract: str = _setting(readers.address, "", "token contract of USDT", needed=True)
    kls_contract: str = _setting(readers.address, "", "token contract of KLS", needed=True)
    usdt_code_hash: str = _setting(readers.digest, "", "keccak-256 of the code at USDT_CONTRACT", needed=True)
    kls_code_hash: str = _setting(readers.digest, "", "keccak-256 of the code at KLS_CONTRACT", needed=True)
    chain_first_block: int = _setting(readers.count, 0, "where reading the chain starts", needed=True)
    deposit_xpub: str = _setting(readers.extended_key, "", "extended public key of deposit addresses", needed=True)

    hot_wallets: tuple[str, ...] = _setting(
        readers.addresses, (), "addresses that pay withdrawals, with commas between", needed=True
    )
    cold_wallets: tuple[str, ...] = _setting(
        readers.addresses, (), "addresses that keep the other reserves, with commas between"
    )

    sanctions_file: Path | None = _setting(
        readers.file, None, "addresses that nobody may pay unseen: one a line, # before notes", needed=True
    )
    countries_file: Path | None = _setting(
        readers.file, None, "networks and their countries: one network and two capital letters a line, # before notes"
    )

    smtp_host: str = _setting(readers.text, "", "mail server", needed=True)
    smtp_port: int = _setting(readers.port, 587, "its port")
    smtp_security: Literal["none", "starttls", "tls"] = _setting(
        readers.one_of("none", "starttls", "tls"), "starttls", "how the mail server is spoken to"
    )
    smtp_user: str = _setting(readers.text, "", "its user; empty: no login")
    smtp_password: str = _setting(readers.text, "", "its password")
    mail_from: str = _setting(readers.mail_sender, "Kalos <no-reply@kalos.example>", "sender of mails")
    operator_mail: str = _setting(readers.mail_address, "", "who is told when money out is stopped", needed=True)

    @property
    def demo(self) -> bool:
        return self.mode == "demo"

    @property
    def terms_file(self) -> Path:
        return PROJECT / "server" / "terms.toml"

    @property
    def page_url(self) -> str:
        """Scheme, host and port that members type, without a slash at the end."""
        return self.public_url or f"http://localhost:{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """Host names that are answered, without ports."""
        own = ("localhost", "127.0.0.1") if self.demo else ()
        return (urlsplit(self.page_url).hostname or "", *own, *self.allowed_hosts)

    @property
    def origins(self) -> tuple[str, ...]:
        """The pages that may open a live socket."""
        own = tuple(f"http://{host}:{self.port}" for host in ("localhost", "127.0.0.1")) if self.demo else ()
        return (self.page_url, *own, *(f"https://{host}" for host in self.allowed_hosts))

    @property
    def modes(self) -> tuple[WireMode, ...]:
        if self.wire_modes:
            return self.wire_modes
        return ("plain", "signed", "sealed") if self.demo else ("signed", "sealed")

    @cached_property
    def secret(self) -> bytes:
        """The installation's secret; in demo mode made at the first start. Use `derived`, one purpose each."""
        return bytes.fromhex(self.installation_secret or kept.kept_secret(self.data_dir))

    def derived(self, purpose: str) -> bytes:
        """32 bytes that follow from the installation's secret for one purpose."""
        return hmac.digest(self.secret, purpose.encode(), "sha256")

    @property
    def file_keys(self) -> tuple[bytes, ...]:
        """What files are sealed with, and what those of before were."""
        return self._derived_always("files")

    @property
    def factor_keys(self) -> tuple[bytes, ...]:
        """What authenticators' secrets are sealed with, and what those of before were."""
        return self._derived_always("second factors")

    def _derived_always(self, purpose: str) -> tuple[bytes, ...]:
        """The present key of a purpose, then those that follow from former secrets."""
        former = (bytes.fromhex(secret) for secret in self.former_secrets)
        return tuple(hmac.digest(secret, purpose.encode(), "sha256") for secret in (self.secret, *former))

    @property
    def cluster(self) -> Cluster:
        """The embedded PostgreSQL, used where `database_url` is empty."""
        extra = archiving(self.archive, self.archive_mark)
        if self.archive.is_dir():
            extra["archive_timeout"] = f"{self.archive_seconds}s"
        return replace(self._reached, extra=extra)

    @property
    def _reached(self) -> Cluster:
        """As whoever only connects to it knows it: not everybody may look at the archive."""
        return Cluster(self.data_dir / "postgres", password=self.derived("database owner").hex())

    @property
    def backups(self) -> Path:
        """Where base backups lie, and the archive of the embedded PostgreSQL's log."""
        return self.backup_dir or self.data_dir / "backup"

    @property
    def contracts(self) -> Path:
        """What demo mode keeps of its own chain's contracts."""
        return self.data_dir / "chain" / "contracts.json"

    @property
    def archive(self) -> Path:
        return self.backups / "wal"

    @property
    def archive_mark(self) -> Path:
        """Says that a backup has begun the archive, also where the archive's disk isn't there."""
        return self.data_dir / "archive-begun"

    @property
    def owner_url(self) -> str:
        return self.database_url or self._reached.url()

    @property
    def app_url(self) -> str:
        """The database for the API, the worker and the live hub."""
        return role_url(self.owner_url, "kalos_app", self.secret)

    @property
    def writer_url(self) -> str:
        """The database for the ledger's writer alone."""
        return role_url(self.owner_url, "kalos_writer", self.secret)

    @property
    def writer_socket(self) -> Path:
        return self.socket("writer")

    @property
    def sockets(self) -> Path:
        return self.data_dir / "sockets"

    def socket(self, name: str) -> Path:
        """A Unix socket's path in `sockets`, or in the temporary folder where that is too long."""
        inside = self.sockets / f"{name}.sock"
        if len(str(inside).encode()) <= _SOCKET_PATH_MAX:
            return inside
        digest = hashlib.sha256(str(self.data_dir).encode()).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"kalos-{digest}-{name}.sock"

    @property
    def rpc_urls(self) -> tuple[str, ...]:
        """The nodes: those of the settings, else the embedded one."""
        return self.chain_rpc_url or (f"http://127.0.0.1:{kept.kept_port(self.data_dir, 'chain')}",)

    @property
    def smtp(self) -> tuple[str, int]:
        """Host and port of the mail server: those of the settings, else the demo inbox."""
        if self.smtp_host:
            return self.smtp_host, self.smtp_port
        return "127.0.0.1", kept.kept_port(self.data_dir, "inbox")

    @property
    def operator_address(self) -> str:
        """Whom mails to the operator go to: that of the settings, else one of the demo inbox."""
        return self.operator_mail or "operator@demo.kalos.example"

    @property
    def socket_port(self) -> int:
        """Where the live hub listens."""
        return self.live_port or kept.kept_port(self.data_dir, "live")

    @property
    def meter_port(self) -> int:
        """Where the API's /metrics listens, on loopback."""
        return self.metrics_port or kept.kept_port(self.data_dir, "metrics")

    @property
    def relayed(self) -> int:
        """Sockets that an API process carries to the hub; behind a proxy that reaches the hub there need be none."""
        return self.live_relayed or (_RELAYED_IN_DEMO if self.demo else 0)

    @property
    def hub_url(self) -> str:
        """Where the API itself reaches the live hub."""
        own = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"ws://{f'[{own}]' if ':' in own else own}:{self.socket_port}/ws"

    @property
    def live_meter_port(self) -> int:
        """Where the live hub's /metrics listens, on loopback."""
        return self.live_metrics_port or kept.kept_port(self.data_dir, "live-metrics")


def load_settings(environment: Mapping[str, str], *, before_keys: bool = False) -> Settings:
    """Read and check everything; `before_keys`: what only the signer's keys tell may be missing still.

    Raises: BadSettings with one line for each fault.
    """
    values: dict[str, Any] = {}
    faults = []
    for entry in fields(Settings):
        text = environment.get(entry.name.upper(), "").strip()
        if not text:
            continue
        try:
            values[entry.name] = entry.metadata["read"](text)
        except ValueError as problem:
            hidden = any(word in entry.name for word in _HIDDEN) or "@" in text
            faults.append(f"{entry.name.upper()} {problem}" + ("" if hidden else f" (it is {text[:60]!r})"))
    if faults:
        raise BadSettings(faults)
    settings = Settings(**values)
    if settings.demo:
        faults = _demo_faults(settings)
    else:
        faults = _production_faults(settings, given=values.keys(), spared=OF_KEYS if before_keys else ())
    if both := {one.lower() for one in settings.hot_wallets} & {one.lower() for one in settings.cold_wallets}:
        faults.append(f"HOT_WALLETS and COLD_WALLETS both have {', '.join(sorted(both))}: its coins would count twice")
    if not settings.demo and environment.get(failpoints.VARIABLE):
        faults.append(f"{failpoints.VARIABLE} makes a process kill itself in tests: production refuses it")
    if faults:
        raise BadSettings(faults)
    return settings


def _demo_faults(settings: Settings) -> list[str]:
    if settings.chain_rpc_url:
        return []
    faults = []
    if settings.chain_id != DEVELOPMENT_CHAIN:
        faults.append("CHAIN_ID is set but CHAIN_RPC_URL is not: the embedded chain is 31337")
    if settings.confirmations * settings.block_seconds <= 2 * STATE_SECONDS:
        faults.append(f"CONFIRMATIONS times BLOCK_SECONDS must be above {2 * STATE_SECONDS} s on the embedded chain")
    return faults


def _production_faults(settings: Settings, *, given: Collection[str], spared: Collection[str]) -> list[str]:
    """Demo parts, plain calls and weak secrets have no place in production. Source: principles.md, rule 8."""
    faults = [
        f"{entry.name.upper()} must be set in production: {entry.metadata['about']}"
        for entry in fields(Settings)
        if entry.metadata["needed"]
        and not getattr(settings, entry.name)
        and entry.name not in (*spared, *_OF_THE_CHAIN)
    ]
    if missing := [name.upper() for name in _OF_THE_CHAIN if name not in given]:
        faults.append(f"{', '.join(missing)} must be set in production: the defaults are the development chain's")
    if "plain" in settings.modes:
        faults.append("WIRE_MODES must not have plain in production: calls are signed or sealed there")
    if "chain_id" in given and settings.chain_id == DEVELOPMENT_CHAIN:
        faults.append("CHAIN_ID 31337 is the development chain, which production refuses")
    if settings.public_url and not settings.public_url.startswith("https://"):
        faults.append("PUBLIC_URL must start with https:// in production")
    if settings.smtp_host and settings.smtp_security == "none":
        faults.append("SMTP_SECURITY none is for demo mode: use starttls or tls")
    if settings.live_url and not settings.live_url.startswith("wss://"):
        faults.append("LIVE_URL must start with wss:// in production: a page over https opens nothing else")
    try:
        if settings.installation_secret and kept.is_generated(settings.data_dir, settings.installation_secret):
            faults.append("INSTALLATION_SECRET is the one that demo mode generated: make a new one")
    except OSError as problem:
        faults.append(f"DATA_DIR {problem.filename}: {problem.strerror}")
    return faults


def table_of_settings() -> list[tuple[str, str, str, str]]:
    """Name, default, what it is, and whether production needs it: for the papers."""
    rows = []
    for entry in fields(Settings):
        assert entry.default is not MISSING
        default = entry.default
        if isinstance(default, Path):
            shown = str(default.relative_to(PROJECT))
        else:
            shown = ",".join(default) if isinstance(default, tuple) else str("" if default is None else default)
        rows.append((entry.name.upper(), shown, entry.metadata["about"], "needed" if entry.metadata["needed"] else ""))
    return rows
