"""Whose addresses the reserves are, what an operator sees of them, and that money out stays stopped while some miss."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from kalos.app import auditing
from kalos.app.owning import own_wallets, wallets
from kalos.app.readiness import notes
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.domains.context import House
from kalos.domains.reserves.service import Wallets
from kalos.ledger import audit, watch
from kalos.ledger.flags import money_out_stopped, stop_money_out
from support.chains import LocalNode

OWN = ("0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D")


async def looked(db: Database, **found: object) -> None:
    """What a look leaves behind."""
    told = {"missing": 0, "hot_mark": None, "is_gas_low": False, "at": Clock.wall()} | found
    await db.execute(
        """
        INSERT INTO reserve_checks (asset, owed, expected, missing, hot_mark, block, at)
        VALUES ('USDT', 9000000, 9000000, $1, $2, 7, $3) ON CONFLICT (asset)
        DO UPDATE SET missing = excluded.missing, hot_mark = excluded.hot_mark, at = excluded.at
        """,
        told["missing"],
        told["hot_mark"],
        told["at"],
    )
    await db.execute(
        "UPDATE reserve_state SET at = $1, block = 7, gas_gwei = 1, is_gas_low = $2", told["at"], told["is_gas_low"]
    )


async def unwanted(*_: Any) -> Any:
    raise AssertionError("nobody waits for a whole audit to hear what is known already")


async def test_money_out_stays_stopped_while_reserves_miss(
    db: Database, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    await looked(db, missing=1_000_000)
    async with db.transaction() as step:
        await stop_money_out(step, reason="reserves", by="test", wall=1)
    sentence = "reserves under liabilities: after block 7 8.000000 USDT are there, 9.000000 must be"
    with monkeypatch.context() as quick:
        quick.setattr(watch, "look_whole", unwanted)
        code, text = await auditing.order(db, settings, ["resume", "--reason", "looked"])
    assert (code, text) == (1, f"money out stays stopped:\n{sentence}")
    assert await money_out_stopped(db) is not None
    assert await auditing.audit_all(db, settings) == [sentence]
    await looked(db)
    assert await auditing.audit_all(db, settings) == []
    assert (await auditing.order(db, settings, ["resume", "--reason", "looked"]))[0] == 0
    assert await money_out_stopped(db) is None


async def test_reserves_that_are_short_by_the_time_everything_was_audited_keep_money_out_stopped(
    db: Database, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, look = Settings(data_dir=tmp_path), audit.look_whole

    async def short_meanwhile(*asked: Any) -> Any:
        found = await look(*asked)
        await looked(db, missing=1_000_000)
        return found

    await looked(db)
    async with db.transaction() as step:
        await stop_money_out(step, reason="a thief", by="test", wall=1)
    monkeypatch.setattr(watch, "look_whole", short_meanwhile)
    code, text = await auditing.order(db, settings, ["resume", "--reason", "looked"])
    assert (code, text.partition(": ")[0]) == (1, "money out stays stopped:\nreserves under liabilities")
    assert await money_out_stopped(db) is not None
    monkeypatch.undo()
    await looked(db)
    assert (await auditing.order(db, settings, ["resume", "--reason", "looked"]))[0] == 0


async def test_money_out_is_resumed_only_behind_a_new_look_at_the_reserves(
    db: Database, house: House, tmp_path: Path
) -> None:
    settings, wall = Settings(data_dir=tmp_path), Clock.wall()
    resume = ["resume", "--reason", "looked"]
    await looked(db)
    await db.execute("UPDATE reserve_state SET at = NULL")
    async with db.transaction() as step:
        await stop_money_out(step, reason="a thief", by="test", wall=wall - 400_000)
    never = "money out stays stopped:\nthe reserves were never looked at"
    assert await auditing.order(db, settings, resume) == (1, never)
    await looked(db, at=wall - 400_001)
    code, text = await auditing.order(db, settings, resume)
    assert (code, "weren't looked at since it was stopped" in text) == (1, True)
    await looked(db, at=Clock.wall() - 301_000)
    code, text = await auditing.order(db, settings, resume)
    assert (code, "the reserves were last looked at 30" in text) == (1, True)
    assert await money_out_stopped(db) is not None
    await looked(db)
    assert (await auditing.order(db, settings, resume))[0] == 0
    assert await money_out_stopped(db) is None


async def test_audit_names_reserves_that_nobody_looked_at_unless_only_the_ledger_is_asked(
    db: Database, house: House, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path)
    await looked(db, at=Clock.wall() - 301_000)
    old = await auditing.audit_all(db, settings)
    assert [problem.partition(" 30")[0] for problem in old] == ["the reserves were last looked at"]
    await db.execute("UPDATE reserve_state SET at = NULL")
    assert await auditing.audit_all(db, settings) == ["the reserves were never looked at"]
    assert await auditing.audit_all(db, settings, has_looks=False) == []
    await looked(db, missing=1_000_000)
    assert await auditing.audit_all(db, settings, has_looks=False) == []
    await looked(db)
    assert await auditing.audit_all(db, settings) == []


async def test_audit_names_whose_deposits_the_signer_counts_wrongly(
    db: Database, house: House, database_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path)
    await looked(db)
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute("INSERT INTO sweep_sums (owner, asset, units) VALUES (77, 'USDT', 5)")
        sentence = "what came to the deposit address of owner 77 isn't what the signer sweeps"
        assert await auditing.audit_all(db, settings) == [sentence]
    finally:
        await owner.execute("DELETE FROM sweep_sums WHERE owner = 77")
        await owner.close()
    assert await auditing.audit_all(db, settings) == []


async def test_readyz_tells_what_an_operator_must_see(db: Database, house: House) -> None:
    note = notes(house)["reserves"]
    await looked(db)
    assert await note() is None
    await looked(db, missing=1, hot_mark="low", is_gas_low=True)
    assert await note() == "USDT under liabilities, hot USDT is low, gas is low"
    await looked(db, at=Clock.wall() - 301_000)
    assert (await note() or "").startswith("last looked at 30")
    await db.execute("UPDATE reserve_state SET at = NULL")
    assert await note() == "not looked at yet"


async def test_wallets_are_those_of_the_settings_with_their_checksums_each_once(house: House) -> None:
    settings = Settings(mode="production", hot_wallets=(OWN[0].lower(), OWN[0]), cold_wallets=(OWN[1].lower(),))
    assert await wallets(house.chain, settings) == dict.fromkeys((USDT, KLS), Wallets((OWN[0],), (OWN[1],)))
    assert await own_wallets(house.chain, settings) == {OWN[0], OWN[1]}


async def test_demo_mode_counts_the_signers_address_and_of_the_treasury_only_kls(
    house: House, anvil: LocalNode, tmp_path: Path
) -> None:
    """The treasury's USDT are the outside world's: everybody may ask for some."""
    house = replace(house, chain=anvil.chain)
    treasury = await anvil.wallet.treasury()
    settings = Settings(data_dir=tmp_path)
    assert await wallets(house.chain, settings) == {USDT: Wallets((), ()), KLS: Wallets((), (treasury,))}
    (tmp_path / "signer.pub.json").write_text(json.dumps({"xpub": "xpub", "hot": OWN[0]}))
    assert await wallets(house.chain, settings) == {USDT: Wallets((OWN[0],), ()), KLS: Wallets((OWN[0],), (treasury,))}
