"""Fixtures of these tests: the schema's owner, and a chain of its own for each test."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from conftest import MakeMember
from deposits.scene import SandboxScene, sandbox_scene
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.database import Database
from kalos.domains.context import House
from kalos.ledger import purse
from kalos.ledger.flags import clear_money_out
from kalos.ledger.statements import balances
from reserves.scene import COLD, FINAL


@pytest.fixture(scope="module")
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


@pytest.fixture
async def scene(house: House, member: MakeMember, db: Database) -> SandboxScene:
    """A new chain that has what the ledger owes already, and a house that never looked."""
    made = await sandbox_scene(house, await member())
    await member(usdt="100", kls="100")
    for asset in (USDT, KLS):
        made.chain.transfer(asset, COLD, await owed(db, asset))
    await made.grow(FINAL + 1)
    async with db.transaction() as step:
        await step.execute("UPDATE reserve_state SET begun_at = 0, at = NULL, block = -1")
        await step.execute("DELETE FROM reserve_addresses; DELETE FROM reserves; DELETE FROM reserve_checks")
        await clear_money_out(step, reason="a new chain", by="test", wall=1)
    return made


async def owed(db: Database, asset: Asset) -> int:
    found = await balances(db, [purse.OUTSIDE])
    return -sum(units for account, units in found.items() if purse.asset_of(account) is asset)
