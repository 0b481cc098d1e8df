"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import Any, Final

import asyncpg
import pytest

from kalos.core.database import Database
from kalos.operator.tables import ROWS

STAFF: Final = {"name": "anna", "password_hash": "h", "totp_secret": b"s" * 48, "roles": ["owner"], "made_at": 1}
COMMAND: Final = {
    "kind": "setting", "object": "o", "state": "open", "body": "{}", "before": "{}", "after": "{}", "version": "v",
    "reason": "r", "signers": 2, "made_at": 1, "expires_at": 2,
}  # fmt: skip
CORRECTION: Final = {
    "id": 1, "command": 1, "outcome": "moved", "asset": "USDT", "units": 1, "source": 1, "target": 2, "maker": "a",
    "checker": "b", "reason": "r", "at": 1,
}  # fmt: skip
LOGGED: Final = {
    "id": 10**9, "at": 1, "name": "n", "act": "login", "object": "o", "before": "{}", "after": "{}",
    "previous": b"p" * 32, "hash": b"h" * 32,
}  # fmt: skip
SESSION: Final = {
    "token_hash": b"t" * 32, "network": "", "device": "", "made_at": 1, "idle_until": 2, "until_at": 2
}  # fmt: skip
REQUEST: Final = {"key": b"k" * 32, "fingerprint": b"f" * 32, "answer": "1", "at": 1}
KEY: Final = {"public_key": b"q" * 32, "since": 1}
SECRET: Final = {"sealed_secret": b"s" * 48, "until_at": 1}
DEVICE: Final = {"token_hash": b"t" * 32, "last_at": 1, "until_at": 2}
REFUSED: Final = {
    "minute": 60_000, "act": "login.refused", "network": "", "wrong": 1, "turned_away": 0, "on_known": 0
}  # fmt: skip
RETURNED: Final = {
    "day": date(2020, 1, 1), "game": "g", "asset": "USDT", "bets": 1, "staked_units": 1, "paid_units": 0, "last_at": 1,
}  # fmt: skip
GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "staff": STAFF,
    "staff_sessions": SESSION,
    "operator_audit": LOGGED,
    "commands": COMMAND,
    "corrections": CORRECTION,
    "staff_requests": REQUEST,
    "staff_keys": KEY,
    "staff_secrets": SECRET,
    "game_returns": RETURNED,
    "staff_devices": DEVICE,
    "staff_refusals": REFUSED,
}


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """Whose changes go with the test."""
    db = await asyncpg.connect(database_url)
    change = db.transaction()
    await change.start()
    yield db
    await change.rollback()
    await db.close()


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(db: asyncpg.Connection, table: str, **changed: Any) -> None:
    row = {**GOOD[table], **changed}
    if table in ("commands", "staff_sessions", "staff_keys", "staff_secrets", "staff_devices"):
        number = await db.fetchval(
            "INSERT INTO staff (name, password_hash, totp_secret, roles, made_at)"
            " VALUES ($1, 'h', $2, '{owner}', 1) RETURNING id",
            f"other{len(changed)}",
            b"s" * 48,
        )
        row = {"maker" if table == "commands" else "staff": number} | row
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    await db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())


@pytest.mark.parametrize("table", GOOD)
async def test_a_good_row_is_taken(owner: asyncpg.Connection, table: str) -> None:
    await insert(owner, table)


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("staff", {"name": "Anna"}),
        ("staff", {"name": "a"}),
        ("staff", {"totp_secret": b"s" * 20}),
        ("staff", {"roles": []}),
        ("staff", {"roles": ["root"]}),
        ("staff", {"public_key": b"k" * 31}),
        ("staff_sessions", {"token_hash": b"t"}),
        ("staff_sessions", {"idle_until": 3}),
        ("operator_audit", {"id": 0}),
        ("operator_audit", {"name": ""}),
        ("operator_audit", {"act": "Act"}),
        ("operator_audit", {"object": ""}),
        ("operator_audit", {"previous": b""}),
        ("operator_audit", {"hash": b""}),
        ("commands", {"state": "done"}),
        ("commands", {"signers": 3}),
        ("commands", {"signers": 0}),
        ("commands", {"reason": ""}),
        ("commands", {"reason": "r" * 501}),
        ("commands", {"expires_at": 1}),
        ("commands", {"decided_at": 1}),
        ("commands", {"state": "expired"}),
        ("commands", {"state": "carried_out", "decided_at": 1}),
        ("commands", {"state": "signed", "decided_at": 1}),
        ("corrections", {"units": 0}),
        ("corrections", {"target": 1}),
        ("corrections", {"checker": "a"}),
        ("corrections", {"outcome": "maybe"}),
        ("staff_keys", {"public_key": b"k" * 31}),
        ("staff_secrets", {"sealed_secret": b"s" * 20}),
        ("game_returns", {"bets": 0}),
        ("game_returns", {"staked_units": 0}),
        ("game_returns", {"paid_units": -1}),
        ("game_returns", {"paid_units": Decimal("NaN")}),
        ("game_returns", {"last_at": 0}),
        ("staff_devices", {"token_hash": b"t"}),
        ("staff_sessions", {"device_hash": b"d"}),
        ("staff_refusals", {"minute": 60_001}),
        ("staff_refusals", {"act": "Act"}),
        ("staff_refusals", {"network": "n" * 101}),
        ("staff_refusals", {"wrong": -1, "turned_away": 2}),
        ("staff_refusals", {"wrong": 2, "turned_away": -1}),
        ("staff_refusals", {"wrong": 0}),
        ("staff_refusals", {"on_known": 2}),
        ("staff_requests", {"key": b"k"}),
        ("staff_requests", {"fingerprint": b"f"}),
    ],
)
async def test_rows_that_must_not_be_are_refused(
    owner: asyncpg.Connection, table: str, changed: dict[str, Any]
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        await insert(owner, table, **changed)


async def test_a_number_of_staff_is_never_a_members(owner: asyncpg.Connection) -> None:
    await owner.execute("ALTER TABLE staff ALTER id RESTART WITH 999")
    await insert(owner, "staff", name="last")
    with pytest.raises(asyncpg.SequenceGeneratorLimitExceededError):
        await insert(owner, "staff")


async def test_two_people_have_two_keys_and_a_correction_is_made_once(owner: asyncpg.Connection) -> None:
    await insert(owner, "staff", public_key=b"k" * 32)
    with pytest.raises(asyncpg.UniqueViolationError, match="staff_public_key"):
        async with owner.transaction():
            await insert(owner, "staff", name="berta", public_key=b"k" * 32)
    await insert(owner, "corrections")
    with pytest.raises(asyncpg.UniqueViolationError, match="corrections_once"):
        async with owner.transaction():
            await insert(owner, "corrections", id=2)
