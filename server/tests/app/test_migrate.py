"""The migrations' runner: makes what is missing, repeats without harm."""

import asyncpg
import pytest

from kalos.app.migrate import ROLES, migrate, pending, role_url
from support.clusters import SECRET, at


async def test_roles_log_in_and_cannot_change_the_schema(database_url: str) -> None:
    for role in ROLES:
        db = await asyncpg.connect(role_url(database_url, role, SECRET))
        try:
            assert await db.fetchval("SELECT current_user") == role
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await db.execute("CREATE TABLE mine (n int)")
        finally:
            await db.close()


async def test_missing_database_is_made_and_a_second_run_changes_nothing(template: str) -> None:
    url = at(template, "made_by_migrate")
    await migrate(url, SECRET)
    assert await pending(url) is False
    await migrate(url, SECRET)
    assert await pending(url) is False
