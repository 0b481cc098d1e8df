"""The row types and the tables agree; what the tables themselves refuse."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import asyncpg
import pytest

from conftest import MakeMember
from kalos.core.database import Database
from kalos.domains.wallets.tables import ROWS

OWN: Final = "0x52908400098527886E0F7030069857D2E4169EE7"
GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "wallet_nonces": {"nonce": "ab" * 16, "address": OWN, "text": "t", "until_at": 1},
    "login_wallets": {"address": OWN, "bound_block": 0, "bound_at": 1, "removed_at": 1},
    "withdrawal_addresses": {
        "chain": 1, "address": OWN, "label": "l", "is_listed": False, "created_at": 1, "usable_at": 1,
        "request_id": "r" * 16, "request_hash": b"h" * 32,
        "removed_at": 1, "removal_id": "r" * 16, "removal_hash": b"h" * 32,
    },
}  # fmt: skip
LIVING: Final = {"removed_at": None, "removal_id": None, "removal_hash": None}


@pytest.mark.parametrize("table", ROWS)
async def test_fields_are_the_columns(db: Database, table: str) -> None:
    found = await db.rows("SELECT column_name FROM information_schema.columns WHERE table_name = $1", table)
    assert {row["column_name"] for row in found} == {field.name for field in fields(ROWS[table])}


async def insert(owner: asyncpg.Connection, table: str, member: int, *changes: Mapping[str, Any]) -> None:
    """One row for each change, in one transaction that leaves nothing."""
    transaction = owner.transaction()
    await transaction.start()
    try:
        for changed in changes:
            row = {"member": member, **GOOD[table], **changed}
            places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
            await owner.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())
    finally:
        await transaction.rollback()


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("wallet_nonces", {"nonce": "AB" * 16}),
        ("wallet_nonces", {"nonce": "ab" * 15}),
        ("wallet_nonces", {"address": "0x1"}),
        ("wallet_nonces", {"text": "t" * 1001}),
        ("login_wallets", {"address": OWN[2:]}),
        ("login_wallets", {"bound_block": -1}),
        ("login_wallets", {"removed_at": 0}),
        ("withdrawal_addresses", {"chain": 0}),
        ("withdrawal_addresses", {"address": OWN + "0"}),
        ("withdrawal_addresses", {"label": ""}),
        ("withdrawal_addresses", {"label": "l" * 33}),
        ("withdrawal_addresses", {"usable_at": 0}),
        ("withdrawal_addresses", {"request_id": "short"}),
        ("withdrawal_addresses", {"request_id": "r" * 65}),
        ("withdrawal_addresses", {"request_hash": b"short"}),
        ("withdrawal_addresses", {"request_hash": None}),
        ("withdrawal_addresses", {"request_id": None}),
        ("withdrawal_addresses", {"removed_at": 0}),
        ("withdrawal_addresses", {"removed_at": None}),
        ("withdrawal_addresses", {"removal_id": None}),
        ("withdrawal_addresses", {"removal_id": "short"}),
        ("withdrawal_addresses", {"removal_hash": b"short"}),
        ("withdrawal_addresses", {"removal_hash": None}),
    ],
)
async def test_a_row_out_of_form_is_refused(
    database_url: str, member: MakeMember, table: str, changed: Mapping[str, Any]
) -> None:
    someone, owner = await member(), await asyncpg.connect(database_url)
    try:
        await insert(owner, table, someone.id, {})
        with pytest.raises(asyncpg.CheckViolationError):
            await insert(owner, table, someone.id, changed)
    finally:
        await owner.close()


OTHER: Final = {"address": "0x" + "1" * 40}
MORE: Final = {"request_id": "s" * 16, "removal_id": "s" * 16}


@pytest.mark.parametrize(
    ("table", "one", "other"),
    [
        ("wallet_nonces", {}, {}),
        ("login_wallets", {"removed_at": None}, {"removed_at": None}),
        ("withdrawal_addresses", LIVING, LIVING | {"request_id": "s" * 16}),
        ("withdrawal_addresses", {}, OTHER | {"removal_id": "s" * 16}),
        ("withdrawal_addresses", {}, OTHER | {"request_id": "s" * 16}),
    ],
)
async def test_what_must_stand_once_stands_once(
    database_url: str, member: MakeMember, table: str, one: Mapping[str, Any], other: Mapping[str, Any]
) -> None:
    someone, owner = await member(), await asyncpg.connect(database_url)
    try:
        with pytest.raises(asyncpg.UniqueViolationError):
            await insert(owner, table, someone.id, one, other)
        if table != "wallet_nonces":
            await insert(owner, table, someone.id, one, {**MORE, "removed_at": 5} if table != "login_wallets" else {})
    finally:
        await owner.close()
