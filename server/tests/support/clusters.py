"""Databases of a test run: a fast cluster in memory, a durable one for crash tests, a copy for each module."""

import shutil
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

from kalos.app.embedded.postgres import OWNER, Cluster
from kalos.app.migrate import migrate

SECRET: Final = b"the secret of a test installation"
PASSWORD: Final = "a password of tests"
TEMPLATE: Final = "template_of_tests"
SHARED: Final = "KALOS_TEST_CLUSTER"
"""Names the folder of a fast cluster that runs and has the template: a run of few tests needs none of its own."""
_MEMORY: Final = Path("/dev/shm")
_ENOUGH: Final = 2 << 30


def new_folder(*, in_memory: bool) -> Path:
    """An empty folder for a cluster, in memory where there is enough of it."""
    roomy = in_memory and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH
    made = Path(tempfile.mkdtemp(prefix="kalos-test-", dir=_MEMORY if roomy else None))
    made.chmod(0o711)  # the parts of a group that root starts are somebody else
    return made


def cluster_in(folder: Path, *, durable: bool) -> Cluster:
    # Shared memory lies in the cluster's folder and goes with it, however the server ends.
    extra = {"dynamic_shared_memory_type": "mmap"}
    return Cluster(folder, password=PASSWORD, durable=durable, extra=extra)


def at(url: str, database: str) -> str:
    """The same server's address of another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def owner_url(url: str) -> str:
    """The owner's address of the database that a role's address names."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{OWNER}:{quote(PASSWORD)}@{parts.netloc.rpartition('@')[2]}"))


async def make_template(url: str) -> None:
    """Migrate the database that every module's database is a copy of."""
    await migrate(at(url, TEMPLATE), SECRET)


async def copy_template(url: str, name: str) -> str:
    """Copy the migrated template to a new database. Returns its owner's address."""
    db = await asyncpg.connect(at(url, "postgres"))
    try:
        await db.execute(f'CREATE DATABASE "{name}" TEMPLATE {TEMPLATE} STRATEGY FILE_COPY')
    finally:
        await db.close()
    return at(url, name)


async def drop(url: str, name: str) -> None:
    db = await asyncpg.connect(at(url, "postgres"))
    try:
        await db.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    finally:
        await db.close()
