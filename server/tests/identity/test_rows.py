"""The row types and the database agree; what the tables themselves refuse."""

from dataclasses import fields

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.domains.identity.tables import ROWS


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


@pytest.mark.parametrize(
    ("account", "email", "password_hash", "invite_code"),
    [
        ("01234567", "a@b.example", "$argon2id$x", "AAAAAA"),
        ("1234567", "a@b.example", "$argon2id$x", "AAAAAA"),
        ("12345678", "a@B.example", "$argon2id$x", "AAAAAA"),
        ("12345678", "a b@b.example", "$argon2id$x", "AAAAAA"),
        ("12345678", "a@b.example", "secret1", "AAAAAA"),
        ("12345678", "a@b.example", "$argon2id$x", "aaaaaa"),
    ],
)
async def test_member_out_of_form_is_refused_by_the_table(
    db: Database, account: str, email: str, password_hash: str, invite_code: str
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        await db.execute(
            """
            INSERT INTO members (account, email, password_hash, invite_code, registered_at)
            VALUES ($1, $2, $3, $4, 1)
            """,
            account, email, password_hash, invite_code,
        )  # fmt: skip


async def test_nobody_is_invited_by_someone_younger(db: Database, root: int) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        await db.execute("UPDATE members SET inviter = id WHERE id = $1", root)


async def test_member_is_never_deleted_by_the_app(db: Database, root: int) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("DELETE FROM members WHERE id = $1", root)
