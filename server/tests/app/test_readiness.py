"""What `/readyz` says of each thing that isn't well: each one is made so, and well again."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from kalos.adapters.chain.sandbox import SandboxChain
from kalos.adapters.screening.list import ListedAddresses
from kalos.app.readiness import checks, notes
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import Clock
from kalos.core.errors import PriceUnavailable
from kalos.core.ports import Price
from kalos.domains.context import House
from kalos.domains.deposits.queries import find_cursor, start_cursor
from kalos.ledger import purse
from kalos.ledger.flags import clear_money_out, stop_money_out
from kalos.ledger.postings import Move
from kalos.ledger.purse import Purpose
from support.ledger import posting


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(database_url)
    yield db
    await db.close()


async def test_migrations_that_wait(house: House, owner: asyncpg.Connection) -> None:
    schema = checks(house, Settings())["database"]
    assert await schema() is None
    newest = await owner.fetchval("SELECT version_num FROM alembic_version")
    await owner.execute("UPDATE alembic_version SET version_num = '0001_house'")
    assert await schema() == "migrations wait"
    await owner.execute("UPDATE alembic_version SET version_num = $1", newest)
    assert await schema() is None


async def test_a_watcher_that_is_behind(house: House) -> None:
    chain = SandboxChain(replace(house.chain.network, chain_id=900_001))
    behind = replace(house, chain=chain)
    check = checks(behind, Settings())["chain"]
    assert await check() == "the watcher has not begun"
    first = chain.mine()
    await start_cursor(house.db, 900_001, first)
    assert await find_cursor(house.db, 900_001) is not None
    for _ in range(30):
        chain.mine()
    assert await check() is None
    chain.mine()
    assert await check() == "the watcher is 31 blocks behind"


async def test_a_list_of_sanctions_that_can_not_be_read(house: House, tmp_path: Path) -> None:
    listed = tmp_path / "sanctions.txt"
    listed.write_text(f"0x{'ab' * 20}\n")
    screened = replace(house, screening=ListedAddresses(listed))
    assert await notes(screened)["sanctions"]() is None
    listed.write_text(f"0x{'ab' * 20}\n0x{'cd' * 20} and more\n")
    said = await notes(screened)["sanctions"]()
    assert said == "not read anew: sanctions.txt, line 2: not an address of 0x and 40 hex digits"
    assert await screened.screening.is_listed(f"0x{'ab' * 20}")
    listed.unlink()
    assert await notes(screened)["sanctions"]() == "not read anew: sanctions.txt can't be read: FileNotFoundError"
    assert await notes(house)["sanctions"]() is None


async def test_money_out_that_is_stopped(house: House) -> None:
    note = notes(house)["money_out"]
    async with house.db.transaction() as step:
        await stop_money_out(step, reason="negative: account 7 has -1", by="test", wall=1)
    assert await note() == "money_out_stopped: negative"
    async with house.db.transaction() as step:
        await clear_money_out(step, reason="over", by="test", wall=2)
    assert await note() is None
    async with house.db.transaction() as step:
        await stop_money_out(step, reason="restored to 2026-11-23 12:00:00+00: what was paid", by="test", wall=3)
    assert await note() == "money_out_stopped: restored to 2026-11-23 12:00:00+00"
    async with house.db.transaction() as step:
        await clear_money_out(step, reason="over", by="test", wall=4)


async def test_a_signer_that_is_down_or_paused(house: House, owner: asyncpg.Connection) -> None:
    note = notes(house)["signer"]
    for age_ms, paused, said in (
        (None, False, "has not looked yet"),
        (0, False, "None"),
        (61_000, False, r"last looked 6\d s ago"),
        (0, True, "paused: wrong_hold"),
    ):
        beat = None if age_ms is None else Clock.wall() - age_ms
        reason = "wrong_hold: withdrawal 7" if paused else None
        await owner.execute(
            "UPDATE signer_state SET beat_at = $1, paused = $2, reason = $3, at = 1", beat, paused, reason
        )
        assert re.fullmatch(said, str(await note()))


async def fund(house: House, purpose: Purpose, asset: Asset) -> None:
    outside = purse.outside(Purpose.CHAIN if asset is USDT else Purpose.ISSUANCE, asset)
    await house.ledger.post(posting(Move("test.fund", outside, purse.house(purpose, asset), 1)))


async def test_a_house_without_money(house: House) -> None:
    note = notes(house)["funds"]
    stock = "the stock has no KLS: nobody can buy the fee of a withdrawal"
    assert await note() == f"the bankroll has no USDT: no bet can be taken; {stock}"
    await fund(house, Purpose.BANKROLL, USDT)
    assert await note() == stock
    await fund(house, Purpose.KLS_STOCK, KLS)
    assert await note() is None


async def test_a_price_that_is_stale(house: House) -> None:
    class Stale:
        """A `PriceSource` whose price is too old to be traded at."""

        async def price(self, asset: Asset) -> Price:
            raise PriceUnavailable(asset=asset.code)

        async def last(self, asset: Asset) -> Price:
            return await house.prices.last(asset)

    assert await notes(house)["price"]() is None
    said = await notes(replace(house, prices=Stale()))["price"]()
    assert said == "KLS has none, or a stale one: nothing trades at it, withdrawals go on"


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (None, None),
        ("nodes", "closed: the chain's nodes don't answer or don't agree"),
        ("late", "closed: the chain's newest block is old"),
        ("block_time", "closed: the chain's blocks are off business time"),
        ("clock", "closed: the worker's clock is off the database's"),
    ],
)
async def test_games_that_are_closed(house: House, owner: asyncpg.Connection, reason: str | None, said: Any) -> None:
    await owner.execute(
        "UPDATE chain_pulse SET beat_at = now(), reason = $1, since = CASE WHEN $1 <> '' THEN now() END", reason
    )
    assert await notes(house)["betting"]() == said


async def test_games_that_no_worker_watches(house: House, owner: asyncpg.Connection) -> None:
    await owner.execute("UPDATE chain_pulse SET reason = NULL, since = NULL, beat_at = now() - interval '90 s'")
    assert (await notes(house)["betting"]() or "").startswith("closed: no worker looked at the chain for 9")
    await owner.execute("UPDATE chain_pulse SET beat_at = now()")
    assert await notes(house)["betting"]() is None


async def test_nodes_that_are_left_out(house: House, owner: asyncpg.Connection) -> None:
    await owner.execute("UPDATE chain_pulse SET left_out = 2, faults = E'node 1: behind\nnode 3: lies'")
    assert await notes(house)["chain_nodes"]() == "node 1: behind; node 3: lies"
    await owner.execute("UPDATE chain_pulse SET left_out = 0, faults = ''")
    assert await notes(house)["chain_nodes"]() is None


async def test_a_clock_that_is_off(house: House) -> None:
    class Fast(Clock):
        """The clock of a machine that is half a minute ahead: no database answers so slowly that it doesn't show."""

        @staticmethod
        def wall() -> int:
            return Clock.wall() + 30_000

    assert await notes(house)["clock"]() is None
    said = await notes(replace(house, clock=Fast()))["clock"]()
    assert said is not None
    assert said.endswith(" ms off the database's")
    assert 20_000 < int(said.split()[0]) <= 30_000


async def test_stamps_that_are_ahead(house: House, owner: asyncpg.Connection) -> None:
    note = notes(house)["stamps"]
    assert await note() is None
    was = await owner.fetchval("SELECT last_at FROM ledger_tail")
    await owner.execute("UPDATE ledger_tail SET last_at = $1", Clock.wall() + 7_209_000)
    assert re.fullmatch(r"the ledger's are 720\d s ahead of business time", await note() or "")
    await owner.execute("UPDATE ledger_tail SET last_at = $1", was)
    assert await note() is None
