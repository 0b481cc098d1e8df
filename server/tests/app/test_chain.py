"""Demo mode's chain: contracts made once, made again after a chain that forgot everything, and the tick."""

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from kalos.adapters.chain.checks import WrongChain
from kalos.app import tick
from kalos.app.chain import ChainLost, deployed, open_chain
from kalos.app.settings import Settings
from kalos.app.tick import mine_for_ever
from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from support.chains import LocalNode


def settings_of(folder: Path, node: LocalNode, **fields: str) -> Settings:
    return Settings(data_dir=folder, chain_rpc_url=(node.url,), **fields)  # type: ignore[arg-type]


@pytest.fixture
async def node() -> AsyncIterator[LocalNode]:
    made = LocalNode()
    await made.start()
    yield made
    await made.close()


async def test_contracts_are_made_by_the_first_and_found_by_all_others(tmp_path: Path, node: LocalNode) -> None:
    settings = settings_of(tmp_path, node)
    made = await asyncio.gather(*(deployed(settings) for _ in range(5)))
    assert made == [made[0]] * 5
    chain = await open_chain(settings)
    assert await chain.head() == 1
    assert chain.network.contract(USDT).decimals == 6
    assert await node.wallet.balance(chain.network.contract(KLS).address, await node.wallet.treasury()) == 10**17
    await chain.close()


async def test_only_the_public_key_stands_beside_the_contracts(tmp_path: Path, node: LocalNode) -> None:
    await deployed(settings_of(tmp_path, node))
    assert "xpub" in (tmp_path / "chain" / "contracts.json").read_text()
    assert "seed" not in (tmp_path / "chain" / "contracts.json").read_text()
    assert stat.S_IMODE((tmp_path / "signer" / "seed").stat().st_mode) == 0o600


async def test_node_that_forgot_everything_gets_the_same_contracts_again(tmp_path: Path, node: LocalNode) -> None:
    settings = settings_of(tmp_path, node)
    made = await deployed(settings)
    await node.forget()
    assert await node.chain_head() == 0
    assert await deployed(settings) == made
    chain = await open_chain(settings)
    await chain.close()


async def test_other_chain_than_the_one_of_the_records_stops_the_start(tmp_path: Path, node: LocalNode) -> None:
    settings = settings_of(tmp_path, node)
    await deployed(settings)
    await node.forget()
    await node.wallet.transfer("0x" + "11" * 20, "0x" + "22" * 20, 1)
    await node.mine()
    with pytest.raises(ChainLost, match=r"remove .* to begin anew"):
        await open_chain(settings)


async def test_changed_code_stops_the_start(tmp_path: Path, node: LocalNode) -> None:
    settings = settings_of(tmp_path, node)
    made = await deployed(settings)
    await node.node.call("anvil_setCode", made.addresses["USDT"], "0x60016000")
    with pytest.raises(WrongChain, match="the code's hash is"):
        await open_chain(settings)


async def test_contracts_of_the_settings_are_taken_as_they_are(tmp_path: Path, node: LocalNode) -> None:
    made = await deployed(settings_of(tmp_path, node))
    stated = settings_of(
        tmp_path / "other",
        node,
        usdt_contract=made.addresses["USDT"].lower(),
        kls_contract=made.addresses["KLS"].lower(),
        usdt_code_hash=made.code_hashes["USDT"],
        kls_code_hash=made.code_hashes["KLS"],
        deposit_xpub=made.xpub,
    )
    chain = await open_chain(stated)
    assert chain.network.contract(USDT).address == made.addresses["USDT"]
    assert not (tmp_path / "other").exists()
    await chain.close()


async def test_tick_stamps_business_time_and_outlives_the_node(node: LocalNode) -> None:
    clock = Clock(offset_ms=5_000_000)
    ticking = asyncio.create_task(mine_for_ever(node.wallet, clock, 1))
    try:
        await node.wait_for_head(1)
        first = await node.node.call("eth_getBlockByNumber", "latest", False)
        assert abs(int(first["timestamp"], 16) - clock.now() // 1000) <= 10
        await node.kill()
        await asyncio.sleep(0.1)
        await node.start()
        clock.offset_ms += 1_000_000
        await node.wait_for_head(await node.chain_head() + 2)  # the next one's time may have been asked for already
        second = await node.node.call("eth_getBlockByNumber", "latest", False)
        assert abs(int(second["timestamp"], 16) - clock.now() // 1000) <= 10
    finally:
        ticking.cancel()
        await asyncio.wait({ticking})


async def test_a_tick_that_begins_before_its_database_waits_for_it(tmp_path: Path, node: LocalNode) -> None:
    away = settings_of(tmp_path, node, database_url=f"postgresql://nobody@/kalos?host={tmp_path}")
    with capture_logs() as logs:
        ticking = asyncio.create_task(tick.main(away))
        async with asyncio.timeout(20):
            while "the database is waited for" not in [log["event"] for log in logs]:
                assert not ticking.done()
                await asyncio.sleep(0.01)
    ticking.cancel()
    await asyncio.wait({ticking})
