"""deploy's standby on two clusters: its role, its first copy, what follows, its restart and its promotion."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from app.test_backup import XPUB
from app.test_own_restore import VERIFIED_BELOW
from kalos.app.embedded.postgres import OWNER, Cluster, RunningCluster, as_server, programs
from kalos.app.kept import free_port
from kalos.app.migrate import migrate, role_url
from kalos.app.restore import obey
from kalos.app.settings import Settings
from support import clusters
from support.deployment import DEPLOY

_SECONDS: Final = 60.0
_PASSWORD: Final = "a password's of the standby"
_SMALL: Final = {"dynamic_shared_memory_type": "mmap", "shared_buffers": "32MB", "fsync": "off"}


@dataclass
class Two:
    """A primary with deploy's files, and what compose.yaml starts beside it; all their places stand below `folder`."""

    folder: Path
    primary: RunningCluster
    port: int = field(default_factory=free_port)
    standby: "subprocess.Popen[bytes] | None" = None

    @property
    def data(self) -> Path:
        return self.folder / "standby" / "data"

    @property
    def url(self) -> str:
        """The owner's address at the standby."""
        return self.primary.cluster.url(tcp=True).replace(f":{self.primary.cluster.port}/", f":{self.port}/")

    def here(self, text: str) -> str:
        """What stands in deploy/, at the places of this test."""
        port = self.primary.cluster.port
        for there, here in (
            ("/run/secrets", self.folder / "secrets"),
            ("/etc/kalos/postgresql", self.folder / "postgresql"),
            ("/var/lib/postgresql", self.folder / "standby"),
            ("/var/backups/kalos", self.folder / "backups"),
            ("--host=postgres", f"--host=127.0.0.1 --port={port}"),
            ("'host=postgres", f"'host=127.0.0.1 port={port}"),
        ):
            text = text.replace(there, str(here))
        return text

    def write(self) -> None:
        """deploy's files; the standby's end with what a second server on this machine needs."""
        place = self.folder / "standby"
        own = {"port": self.port, "listen_addresses": "'127.0.0.1'", "unix_socket_directories": f"'{place}'"}
        own["wal_retrieve_retry_interval"] = "200ms"  # its slot may be taken for a moment when it comes back: 5 s else
        for name in ("postgresql", "secrets", "standby", "backups/wal", "backups/base"):
            (self.folder / name).mkdir(parents=True)
        for file in (DEPLOY / "postgresql").iterdir():
            (self.folder / "postgresql" / file.name).write_text(self.here(file.read_text()))
        with (self.folder / "postgresql" / "standby.conf").open("a") as conf:
            conf.writelines(f"{name} = {value}\n" for name, value in (own | _SMALL).items())
        (self.folder / "secrets" / "standby_password").write_text(_PASSWORD)

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "PATH": f"{programs()}:{os.environ['PATH']}", **more}

    def make_roles(self) -> subprocess.CompletedProcess[str]:
        """As the image's entry point does, once the cluster was made."""
        cluster = self.primary.cluster
        place = {"PGHOST": str(cluster.socket_folder), "PGPORT": str(cluster.socket_port)}
        return subprocess.run(
            ["/bin/sh", str(self.folder / "postgresql" / "roles.sh")],
            env=self.environment(POSTGRES_USER=OWNER, PGPASSWORD=cluster.password, **place),
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )

    def back_up_standby(self) -> subprocess.CompletedProcess[str]:
        """As the timer does where it runs on the standby's machine."""
        script = self.folder / "postgresql" / "basebackup.sh"
        place = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "kalos_standby", "PGPASSWORD": _PASSWORD}
        return subprocess.run(
            ["/bin/sh", "-c", f"{VERIFIED_BELOW}set -- {self.folder / 'backups'} 7; . {script}"],
            env=self.environment(**place),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def start_standby(self) -> None:
        script = self.folder / "postgresql" / "standby.sh"
        with (self.folder / "standby.log").open("ab") as log:
            self.standby = subprocess.Popen(
                [*as_server(), "setpriv", "--pdeathsig", "INT", "/bin/sh", str(script)],
                env=self.environment(PGDATA=str(self.data)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                process_group=0,
            )

    def stop_standby(self, number: signal.Signals = signal.SIGINT) -> None:
        if self.standby is None:
            return
        with suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(self.standby.pid, number)
            else:
                self.standby.send_signal(number)
        self.standby.wait(30)
        self.standby = None


@pytest.fixture
def two() -> Iterator[Two]:
    folder = clusters.new_folder(in_memory=True)
    extra = {"hba_file": str(folder / "postgresql" / "pg_hba.conf"), **_SMALL}
    # Without fsync alone: a standby gives no base backup of what has no full pages.
    cluster = Cluster(folder / "primary", clusters.PASSWORD, port=free_port(), extra=extra)
    made = Two(folder, RunningCluster(cluster))
    made.write()
    cluster.prepare()
    with (cluster.data / "postgresql.conf").open("a") as file:
        file.write((folder / "postgresql" / "primary.conf").read_text())
    made.primary.start()
    try:
        yield made
    finally:
        made.stop_standby(signal.SIGKILL)
        made.primary.kill()
        shutil.rmtree(folder, ignore_errors=True)  # what was killed may still be on its way


async def ask(url: str, question: str) -> object:
    db = await asyncpg.connect(url)
    try:
        return await db.fetchval(question)
    finally:
        await db.close()


async def until(url: str, question: str, wanted: object, log: Path) -> None:
    """Ask until the answer is this one, also while the server can't be asked yet."""
    found: object = None
    try:
        async with asyncio.timeout(_SECONDS):
            while found != wanted:
                await asyncio.sleep(0.05)
                try:
                    found = await ask(url, question)
                except (OSError, asyncpg.PostgresError) as problem:
                    found = problem
    except TimeoutError:
        pytest.fail(f"{question}: {found!r}\n{log.read_text()[-2000:]}")


async def test_the_standby_follows_catches_up_and_takes_the_primarys_place(two: Two) -> None:
    primary, log = two.primary.cluster.url(tcp=True), two.folder / "standby.log"
    await migrate(primary, clusters.SECRET)
    done = two.make_roles()
    assert done.returncode == 0, done.stderr
    rights = "rolcanlogin, rolreplication, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls"
    row = f"SELECT ({rights})::text FROM pg_roles WHERE rolname = 'kalos_standby'"
    assert await ask(primary, row) == "(t,t,f,f,f,f)"
    with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError):  # it copies, and asks nothing
        await ask(primary.replace(f"{OWNER}:", "kalos_standby:"), "SELECT 1")

    two.start_standby()
    await until(two.url, "SELECT pg_is_in_recovery()", True, log)
    await ask(primary, "CREATE TABLE kept AS SELECT 1 AS n")
    await until(two.url, "SELECT max(n) FROM kept", 1, log)
    assert await ask(role_url(two.url, "kalos_app", clusters.SECRET), "SELECT count(*) FROM journal") == 0
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await ask(two.url, "INSERT INTO kept VALUES (0)")
    slots = "SELECT string_agg(concat_ws(' ', slot_name, active), ',') FROM pg_replication_slots"
    await until(primary, slots, "kalos_standby t", log)

    two.stop_standby()
    await ask(primary, "INSERT INTO kept VALUES (2)")
    two.start_standby()  # from what it has: its folder is no longer empty
    await until(two.url, "SELECT max(n) FROM kept", 2, log)

    two.stop_standby()
    shutil.rmtree(two.data)
    cut_off = two.data.with_name("data.new")
    cut_off.mkdir()
    (cut_off / "PG_VERSION").write_text("18\n")
    await ask(primary, "DELETE FROM kept WHERE n = 2")
    two.start_standby()  # made anew, beside a copy that was cut off and with the slot of the first one
    await until(two.url, "SELECT count(*) FROM kept", 1, log)
    await until(primary, slots, "kalos_standby t", log)
    await ask(primary, "INSERT INTO kept VALUES (2)")
    await until(two.url, "SELECT max(n) FROM kept", 2, log)

    done = two.back_up_standby()
    assert done.returncode == 0, done.stderr
    (copy,) = (two.folder / "backups" / "base").iterdir()
    assert (two.data / "standby.signal").exists()
    assert not (copy / "standby.signal").exists(), "what is restored from it would follow for ever"

    two.primary.kill()
    assert await ask(two.url, "SELECT pg_promote()") is True
    await ask(two.url, "INSERT INTO kept VALUES (3)")
    assert await ask(two.url, "SELECT array_agg(n ORDER BY n) FROM kept") == [1, 2, 3]

    # What was committed last may be missing: it is told so as a restored one is.
    time = await ask(two.url, "SELECT pg_last_xact_replay_timestamp()::text")
    settings = Settings(
        data_dir=two.folder, installation_secret=clusters.SECRET.hex(), deposit_xpub=XPUB, database_url=two.url
    )
    code, said = await obey(settings, ["conclude", str(time)])
    assert (code, said.splitlines()[-1]) == (0, "the ledger is sound: start the house")
    assert await ask(two.url, "SELECT paused FROM signer_state") is True
