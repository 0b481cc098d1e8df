"""What went wrong with other people's deposits, made for real: contracts, blocks and outages of a real node."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from eth_abi.abi import encode

from conftest import MakeMember
from deposits.scene import ONE, Scene, node_scene
from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.hexes import address_of, selector
from kalos.adapters.chain.sandbox import SANDBOX_XPUB
from kalos.adapters.chain.wallet import token_artefact
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Outage
from kalos.core.tokens import digest, new_token
from kalos.domains.context import Context, House
from kalos.domains.deposits import service
from kalos.domains.deposits.queries import EXPLAINED
from kalos.domains.entry import service as entry
from kalos.domains.identity import queries as identity
from kalos.ledger.audit import audit
from support.chains import LocalNode, patient
from support.liars import liar

EIGHTEEN: Final = 18
BATCH: Final = json.loads((Path(__file__).parents[1] / "chain" / "batch.json").read_text())["bytecode"]


@pytest.fixture
async def scene(house: House, member: MakeMember, anvil: LocalNode) -> AsyncIterator[Scene]:
    made = await node_scene(house, await member(), anvil)
    yield made
    await made.close()
    assert await audit(house.db, EXPLAINED) == []


async def pay(scene: Scene, anvil: LocalNode, units: int) -> str:
    return await anvil.wallet.transfer(anvil.chain.network.contract(USDT).address, scene.address, units)


async def grow(scene: Scene, anvil: LocalNode, blocks: int = 1) -> None:
    for _ in range(blocks):
        await anvil.mine()
        await scene.watch()


async def catch_up(scene: Scene) -> int:
    """Watch until everything is read, as the worker does; the number of steps that the node answered."""
    steps, head = 0, await scene.chain.head()
    async with asyncio.timeout(200):
        while await service.height(scene.house) < head:
            with suppress(Outage):
                await scene.watch()
                steps += 1
    return steps


async def token(anvil: LocalNode, *, decimals: int, supply: int) -> str:
    """A token that calls itself USDT; the address of its contract."""
    treasury = await anvil.wallet.treasury()
    arguments = encode(
        ["string", "string", "uint8", "uint256", "address"], ["USDT", "USDT", decimals, supply, treasury]
    )
    creation = await anvil.wallet.deploy(token_artefact()["bytecode"], arguments.hex())
    await anvil.mine()
    receipt = await anvil.node.call("eth_getTransactionReceipt", creation)
    return address_of(receipt["contractAddress"])


async def test_a_block_that_a_node_skips_is_waited_for_and_not_passed_over(scene: Scene, anvil: LocalNode) -> None:
    """The node knows later blocks than the one with the deposit, and says of that one that there is none."""
    await pay(scene, anvil, 50 * ONE)
    await anvil.mine()
    skipped = [await anvil.chain.head()]

    def skipping(method: str, result: Any) -> Any:
        is_it = method == "eth_getBlockByNumber" and result and int(result["number"], 16) in skipped
        if method == "eth_chainId":
            return hex(scene.chain.network.chain_id)
        return None if is_it else result

    async with liar(anvil.node, skipping) as url:
        leaving_out = patient(EvmChain(scene.chain.network, urls=[url], xpub=SANDBOX_XPUB))
        scene.house = replace(scene.house, chain=leaving_out)
        await grow(scene, anvil, 6)
        await scene.watch(3)
        assert await service.height(scene.house) == skipped[0] - 1
        assert (await scene.states(), await scene.available()) == ([], 0)
        skipped.clear()
        await scene.watch(2)
        assert await scene.states() == [(50 * ONE, "approved", None)]
        assert await scene.available() == 50 * ONE
        await leaving_out.close()


async def test_more_than_a_thousand_blocks_without_a_watcher_lose_no_deposit(scene: Scene, anvil: LocalNode) -> None:
    began = await anvil.chain.head()
    for units in (50, 60, 70, 80):
        await pay(scene, anvil, units * ONE)
        await anvil.node.call("anvil_mine", hex(255))
    blocks = await anvil.chain.head() - began
    assert blocks > 1_000
    assert await catch_up(scene) == -(-blocks // 50)
    assert [state[1] for state in await scene.states()] == ["approved"] * 4
    assert await scene.available() == 260 * ONE
    await scene.watch(3)
    assert await scene.available() == 260 * ONE


async def test_several_transfers_of_one_transaction_to_one_address_are_each_credited(
    scene: Scene, anvil: LocalNode
) -> None:
    usdt = anvil.chain.network.contract(USDT).address
    creation = await anvil.wallet.deploy(BATCH)
    await anvil.mine()
    receipt = await anvil.node.call("eth_getTransactionReceipt", creation)
    batch = address_of(receipt["contractAddress"])
    amounts = [20 * ONE, 0, 20 * ONE, 1, 30 * ONE]
    allow = encode(["address", "uint256"], [batch, sum(amounts)]).hex()
    paid = encode(["address", "address[]", "uint256[]"], [usdt, [scene.address] * 5, amounts]).hex()
    await anvil.wallet.call(usdt, selector("approve(address,uint256)") + allow)
    transaction = await anvil.wallet.call(batch, selector("pay(address,address[],uint256[])") + paid)
    await grow(scene, anvil, 5)
    rows = await scene.rows()
    assert {row.transaction for row in rows} == {transaction}
    assert len({row.log_index for row in rows}) == len(rows) == 4
    assert sorted(state[0] for state in await scene.states()) == [1, 20 * ONE, 20 * ONE, 30 * ONE]
    # The dust comes along with what reaches the minimum.
    assert await scene.available() == sum(amounts)


async def test_dust_waits_and_a_transfer_of_nothing_is_none(scene: Scene, anvil: LocalNode) -> None:
    before = await scene.suspense()
    for units in (0, 1, 0, 9 * ONE):
        await pay(scene, anvil, units)
    await grow(scene, anvil, 5)
    waiting = [(1, "pending_review", "below_minimum"), (9 * ONE, "pending_review", "below_minimum")]
    assert sorted(await scene.states()) == waiting
    assert (await scene.available(), await scene.suspense() - before) == (0, 9 * ONE + 1)
    await pay(scene, anvil, ONE - 1)
    await grow(scene, anvil, 5)
    assert (await scene.available(), await scene.suspense() - before) == (10 * ONE, 0)


@pytest.mark.parametrize("units", [50 * 10**6, 50 * 10**EIGHTEEN, 2**255])
async def test_a_token_of_the_same_name_with_eighteen_decimals_is_nothing(
    scene: Scene, anvil: LocalNode, units: int
) -> None:
    fake = await token(anvil, decimals=EIGHTEEN, supply=2**255)
    await anvil.wallet.transfer(fake, scene.address, units)
    await grow(scene, anvil, 5)
    assert await anvil.wallet.balance(fake, scene.address) == units
    assert (await scene.states(), await scene.available()) == ([], 0)


async def test_a_coin_counts_in_its_own_decimals(scene: Scene, anvil: LocalNode) -> None:
    """The same number of units is a hundred times as many whole USDT as KLS."""
    await pay(scene, anvil, 10 * 10**USDT.scale)
    await anvil.wallet.transfer(anvil.chain.network.contract(KLS).address, scene.address, 10 * 10**USDT.scale)
    await grow(scene, anvil, 5)
    assert sorted(await scene.states()) == [
        (10_000_000, "approved", None),
        (10_000_000, "pending_review", "other_asset"),
    ]
    assert (await scene.available(USDT), await scene.available(KLS)) == (10 * ONE, 0)


@pytest.mark.parametrize("when", ["before", "while it is confirmed"])
async def test_a_deposit_to_a_frozen_member_is_credited_and_the_account_stays_frozen(
    scene: Scene, anvil: LocalNode, when: str
) -> None:
    """Freezing stops what leaves; the coins are the member's, and stand there when the account opens again."""
    ctx = Context(house=scene.house, network="203.0.113.21")
    link = new_token()
    async with ctx.db.transaction() as db:
        await identity.insert_freeze_token(
            db, token_hash=digest(link), member=scene.member.id, until_at=ctx.wall + 60_000
        )
    if when == "before":
        await entry.freeze(ctx, link)
    await pay(scene, anvil, 50 * ONE)
    await grow(scene, anvil)
    if when != "before":
        await entry.freeze(ctx, link)
    await grow(scene, anvil, 4)
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE
    assert await ctx.db.value("SELECT frozen_at IS NOT NULL FROM members WHERE id = $1", scene.member.id)
