"""Fixtures of these tests: the schema's owner."""

from collections.abc import AsyncIterator

import asyncpg
import pytest


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()
