"""Brings a database to the present schema: makes it and its roles, then runs the migrations. Repeatable."""

import hashlib
import hmac
import io
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

ROLES: Final = ("kalos_app", "kalos_writer")
SIGNER_ROLE: Final = "kalos_signer"
"""Made by a migration; its password is known to the signer alone, so it isn't among `ROLES`."""
_FOLDER: Final = Path(__file__).parents[3] / "migrations"
_LOCK: Final = 7_401_001  # of a whole server: two starts at once migrate one after the other
_NO_DATABASE: Final = (asyncpg.InvalidCatalogNameError,)


async def migrate(url: str, secret: bytes) -> None:
    """Make the database of `url` where it is missing, set the roles' passwords and run what is not yet run.

    `url` is the owner's. `secret` is the installation's: from it follow the passwords of `ROLES`.
    """
    try:
        db = await connect_owner(url)
    except _NO_DATABASE:
        await _create(url)
        db = await connect_owner(url)
    try:
        await db.execute("SELECT pg_advisory_lock($1)", _LOCK)
        await _make_roles(db, secret)
        script = _script(await _version(db))
        if script:
            async with db.transaction():
                await db.execute(script)
                await db.execute(f"GRANT SELECT ON alembic_version TO {', '.join((*ROLES, SIGNER_ROLE))}")
    finally:
        await db.close()


async def connect_owner(url: str) -> asyncpg.Connection:
    """For what comes before the house starts: its commits wait for no synchronous standby, which may not be there yet.

    Whatever the house commits comes behind them in the log, so a standby that has any of that has these, too.
    """
    return await asyncpg.connect(url, server_settings={"synchronous_commit": "local"})


async def pending(url: str) -> bool:
    """Whether the schema of this database is older than the code."""
    db = await asyncpg.connect(url)
    try:
        return await _version(db) != newest()
    finally:
        await db.close()


def newest() -> str:
    """The name of the last migration, from the file names (they are linear and numbered)."""
    return max(path.stem for path in (_FOLDER / "versions").glob("[0-9]*.py"))


def role_url(url: str, role: str, secret: bytes) -> str:
    """The address of the same database for one of `ROLES`."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{quote(_password(role, secret))}@{place}"))


def _password(role: str, secret: bytes) -> str:
    return hmac.new(secret, b"database role " + role.encode(), hashlib.sha256).hexdigest()


async def _create(url: str) -> None:
    parts = urlsplit(url)
    db = await connect_owner(urlunsplit(parts._replace(path="/postgres")))
    try:
        await db.execute(f'CREATE DATABASE "{parts.path.lstrip("/")}"')
    except asyncpg.DuplicateDatabaseError:
        pass  # another start made it meanwhile
    finally:
        await db.close()


async def _make_roles(db: asyncpg.Connection, secret: bytes) -> None:
    present = {row["rolname"] for row in await db.fetch("SELECT rolname FROM pg_roles WHERE rolname = ANY($1)", ROLES)}
    name = await db.fetchval("SELECT quote_ident(current_database())")
    for role in ROLES:
        verb = "ALTER" if role in present else "CREATE"
        await db.execute(f"{verb} ROLE {role} LOGIN PASSWORD '{_password(role, secret)}'")
        await db.execute(f"GRANT CONNECT ON DATABASE {name} TO {role}; GRANT USAGE ON SCHEMA public TO {role}")


async def _version(db: asyncpg.Connection) -> str | None:
    if await db.fetchval("SELECT to_regclass('public.alembic_version')") is None:
        return None
    version: str | None = await db.fetchval("SELECT version_num FROM alembic_version")
    return version


def _script(start: str | None) -> str:
    """The SQL from `start` to the newest migration; Alembic writes it, one transaction runs it."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    output = io.StringIO()
    config = Config(output_buffer=output)
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    head = ScriptDirectory.from_config(config).get_current_head()
    if head is not None and head != start:
        command.upgrade(config, f"{start or 'base'}:head", sql=True)
    return output.getvalue()
