"""The commands for a PostgreSQL of one's own, as deploy/ and docs/operations.md say them: backed up, and taken back."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from app.test_backup import XPUB
from kalos.app.embedded.manifest import verify
from kalos.app.embedded.postgres import Cluster, RunningCluster, programs
from kalos.app.migrate import migrate, role_url
from kalos.app.restore import obey
from kalos.app.settings import PROJECT, Settings
from kalos.core.clock import Clock
from kalos.ledger.writer import Writer
from support import clusters
from support.deployment import DEPLOY, read_unit
from support.ledger import funded

_PLACE: Final = "/var/backups/kalos"
_SCRIPTS: Final = "/etc/kalos/postgresql"
_NO_SYSTEMCTL: Final = "systemctl() { :; }\n"
# The wheel's own falls over on any backup; ours looks at what it would look at.
VERIFIED_BELOW: Final = 'pg_verifybackup() { test -e "$2/backup_manifest"; }\n'
_DAMAGED: Final = "pg_verifybackup() { false; }\n"


@dataclass(frozen=True)
class Own:
    """A server with deploy's settings, whose places stand below `folder`."""

    folder: Path
    running: RunningCluster

    @property
    def data(self) -> Path:
        return self.running.cluster.data

    @property
    def url(self) -> str:
        return self.running.cluster.url("kalos")

    @property
    def kept(self) -> Path:
        return self.folder / "backups"

    def here(self, text: str) -> str:
        return text.replace(_PLACE, str(self.kept)).replace(_SCRIPTS, str(self.folder))

    def shell(self, text: str) -> subprocess.CompletedProcess[str]:
        cluster = self.running.cluster
        place = {"PGHOST": str(cluster.socket_folder), "PGPORT": str(cluster.socket_port)}
        person = {"PGUSER": "kalos", "PGPASSWORD": cluster.password, "PATH": f"{programs()}:{os.environ['PATH']}"}
        return subprocess.run(
            ["/bin/sh", "-ec", text], env=place | person, capture_output=True, text=True, check=False, timeout=60
        )


@pytest.fixture
def own() -> Iterator[Own]:
    folder = clusters.new_folder(in_memory=True)
    cluster = Cluster(folder, clusters.PASSWORD, extra={"dynamic_shared_memory_type": "mmap", "shared_buffers": "32MB"})
    made = Own(folder, RunningCluster(cluster))
    for name in ("wal", "base"):
        (made.kept / name).mkdir(parents=True)
    (folder / "archive.sh").write_text(made.here((DEPLOY / "postgresql" / "archive.sh").read_text()))
    cluster.prepare()
    with (cluster.data / "postgresql.conf").open("a") as file:
        file.write(made.here((DEPLOY / "postgresql" / "primary.conf").read_text()))
    made.running.start()
    yield made
    made.running.kill()
    shutil.rmtree(folder, ignore_errors=True)  # what was killed may still be on its way


@asynccontextmanager
async def writing(own: Own) -> AsyncIterator[Writer]:
    writer = Writer(role_url(own.url, "kalos_writer", clusters.SECRET), Clock())
    await writer.start()
    yield writer
    await writer.stop()


async def ask(own: Own, question: str, *values: object) -> object:
    db = await asyncpg.connect(own.url)
    try:
        return await db.fetchval(question, *values)
    finally:
        await db.close()


async def balances(own: Own, accounts: Mapping[str, int]) -> dict[str, object]:
    found = "SELECT coalesce(sum(balance), 0)::bigint FROM accounts WHERE id = $1"
    return {name: await ask(own, found, account) for name, account in accounts.items()}


def nightly(keep: int | None = None) -> str:
    """What the timer runs, as systemd gives it to the shell; with another number of copies that stay."""
    service = read_unit(DEPLOY / "systemd" / "kalos-basebackup.service")["Service"]
    found = re.fullmatch(r"/bin/sh /opt/kalos/(\S+) (\S+) (\d+)", service["ExecStart"])
    assert found
    return f"set -- {found[2]} {keep or found[3]}; . {PROJECT / found[1]}"


def commands() -> str:
    """What docs/operations.md says to do until the server starts again."""
    text = (PROJECT / "docs" / "operations.md").read_text().partition("\n## Restore\n")[2]
    own = r"\*\*With your own PostgreSQL\*\*[^\n]*:\n\n```\n(.*?)systemctl start kalos-postgresql"
    block = re.search(own, text, re.DOTALL)
    assert block
    return block[1]


async def test_what_was_acknowledged_until_the_time_is_there_again_and_nothing_after_it(own: Own) -> None:
    await migrate(own.url, clusters.SECRET)
    accounts = {}
    async with writing(own) as ledger:
        accounts["before the backup"] = await funded(ledger, 1)
        done = own.shell(VERIFIED_BELOW + own.here(nightly()))
        assert done.returncode == 0, done.stderr
        accounts["after the backup"] = await funded(ledger, 2)
        time = await ask(own, "SELECT clock_timestamp()::text")
        await asyncio.sleep(0.05)
        accounts["after the time"] = await funded(ledger, 4)
    assert list((await balances(own, accounts)).values()) == [1, 2, 4]
    own.running.stop()

    (base,) = (own.kept / "base").iterdir()
    verify(base)
    text = own.here(commands()).replace("20261123T031500Z", base.name).replace("2026-11-23 12:00:00+00", str(time))
    text = _NO_SYSTEMCTL + re.sub(r"\bDATA\b", str(own.data), text)
    segments = sorted((own.kept / "wal").glob("0*[0-9A-F].gz"))
    hole = segments[-2].rename(own.folder / "lost")
    found = own.shell(text.splitlines()[-1].replace(str(own.data), str(base)))
    assert (found.returncode, found.stderr) == (1, f"{segments[-2].stem} is missing\n")
    hole.rename(segments[-2])
    done = own.shell(text)
    assert done.returncode == 0, done.stderr
    own.running.start()
    async with asyncio.timeout(30):
        while await ask(own, "SELECT pg_is_in_recovery()"):
            await asyncio.sleep(0.05)
    assert list((await balances(own, accounts)).values()) == [1, 2, 0]
    settings = Settings(
        data_dir=own.folder, installation_secret=clusters.SECRET.hex(), deposit_xpub=XPUB, database_url=own.url
    )
    code, said = await obey(settings, ["conclude", str(time)])
    assert (code, said.splitlines()[-1]) == (0, "the ledger is sound: start the house")
    (kept,) = own.folder.glob("data.before-*")
    assert (kept / "PG_VERSION").exists()


async def test_a_restored_database_is_told_before_the_standby_is_there_that_commits_wait_for(own: Own) -> None:
    own.running.stop()
    (own.data / "own.conf").write_text("synchronous_standby_names = 'ANY 1 (kalos_standby)'\n")
    own.running.start()
    settings = Settings(data_dir=own.folder, installation_secret=clusters.SECRET.hex(), database_url=own.url)
    with suppress(TimeoutError):
        async with asyncio.timeout(60) as patience:
            await migrate(own.url, clusters.SECRET)
            code, said = await obey(settings, ["conclude", "latest"])
    assert not patience.expired(), "a commit waits for it"
    assert (code, said.splitlines()[-1]) == (0, "the ledger is sound: start the house")
    assert await ask(own, "SHOW synchronous_standby_names") == "ANY 1 (kalos_standby)"


async def test_the_newest_copies_stay_with_the_log_that_they_need(own: Own) -> None:
    await migrate(own.url, clusters.SECRET)
    base, log = own.kept / "base", own.kept / "wal"
    (base / "20200101T000000Z.new").mkdir()
    made = []
    for _ in range(3):
        done = own.shell(VERIFIED_BELOW + own.here(nightly(keep=2)))
        assert done.returncode == 0, done.stderr
        made.append(max(place.name for place in base.iterdir()))
        await ask(own, "SELECT pg_switch_wal()")
        await asyncio.sleep(1)  # a copy's name has seconds
    assert sorted(place.name for place in base.iterdir()) == made[1:]
    label = (base / made[1] / "backup_label").read_text()
    first = re.search(r"\(file (\w{24})\)", label)
    assert first
    segments = sorted(place.name for place in log.iterdir() if place.name.startswith("0") and "." not in place.stem)
    assert segments[0] == f"{first[1]}.gz"
    failed = own.shell(_DAMAGED + own.here(nightly(keep=1)))
    assert failed.returncode != 0
    assert sorted(place.name for place in base.iterdir() if place.suffix != ".new") == made[1:], "nothing goes for it"
