"""A table of a domain, as riders write it, and the audit of databases that other fixtures don't know."""

import gc
import uuid
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from kalos.app.migrate import role_url
from support import clusters

ROWS = "test_rows"


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """The schema's owner, for looking and for breaking things."""
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


@pytest.fixture(scope="module")
async def rows(owner: asyncpg.Connection) -> str:
    """A table that only the writer may write."""
    await owner.execute(
        f"""
        CREATE TABLE {ROWS} (
            id bigint PRIMARY KEY, member bigint, state text CHECK (state <> 'forbidden'), at bigint, day date,
            hold bigint, note jsonb, secret bytea, unique_word text UNIQUE
        );
        GRANT SELECT ON {ROWS} TO kalos_app;
        GRANT SELECT, INSERT, UPDATE ON {ROWS} TO kalos_writer;
        """
    )
    return ROWS


@pytest.fixture
async def lone_schema(template: str) -> AsyncIterator[str]:
    """The owner's address of a database that has no writer yet."""
    name = f"lone_{uuid.uuid4().hex[:12]}"
    yield await clusters.copy_template(template, name)
    await clusters.drop(template, name)


@pytest.fixture
async def lone_db(lone_schema: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(lone_schema)
    yield db
    await db.close()


@pytest.fixture
def lone_url(lone_schema: str) -> str:
    return role_url(lone_schema, "kalos_writer", clusters.SECRET)


@pytest.fixture
def by_hand() -> Iterator[None]:
    """Garbage is collected as in the writer's own process: not by itself."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()
