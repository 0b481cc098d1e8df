"""Reserves on a real chain: coins that somebody takes from the hot wallet are found, honest traffic alarms nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from conftest import MakeMember
from deposits.scene import ONE, Scene, node_scene
from kalos.adapters.chain.hexes import address_of, selector, word
from kalos.app.auditing import alarm
from kalos.app.reserving import TOLD
from kalos.app.settings import Settings
from kalos.core.assets import KLS, USDT, Asset
from kalos.core.errors import Outage
from kalos.domains.context import House
from kalos.domains.deposits.service import deposit_address
from kalos.domains.reserves import jobs, service
from kalos.domains.reserves.service import Look, Wallets
from kalos.ledger.flags import money_out_stopped
from support.chains import LocalNode

ROUNDS = 12


@pytest.fixture(scope="module")
async def scene(house: House, member: MakeMember, anvil: LocalNode, owner: asyncpg.Connection) -> AsyncIterator[Scene]:
    # The chain knows the addresses of other files' members, who have the same numbers.
    await owner.execute("SELECT setval(pg_get_serial_sequence('members', 'id'), 9000000)")
    made = await node_scene(house, await member(), anvil)
    yield made
    await made.close()


@pytest.fixture(scope="module")
async def own(anvil: LocalNode) -> str:
    """The hot wallet: an account whose key the node has."""
    return address_of((await anvil.node.call("eth_accounts"))[3])


def wallets(own: str) -> dict[Asset, Wallets]:
    return {asset: Wallets((own,), ()) for asset in (USDT, KLS)}


async def grow(scene: Scene, anvil: LocalNode, blocks: int) -> None:
    for _ in range(blocks):
        await anvil.mine()
        await scene.watch()


async def transfer(anvil: LocalNode, sender: str, recipient: str, units: int) -> None:
    """Out of a wallet whose key somebody has."""
    data = selector("transfer(address,uint256)") + word(recipient) + word(units)
    call = {"from": sender, "to": anvil.chain.network.contract(USDT).address, "data": data, "gas": hex(200_000)}
    await anvil.node.call("eth_sendTransaction", call)


async def look(scene: Scene, own: str) -> Look:
    found = await service.look(scene.house, wallets(own), TOLD, wall=1)
    assert found is not None
    return found


async def test_coins_taken_from_the_hot_wallet_by_hand_stop_money_out(
    scene: Scene, anvil: LocalNode, own: str, tmp_path: Path
) -> None:
    db, contract = scene.house.db, anvil.chain.network.contract(USDT).address
    await anvil.wallet.transfer(contract, scene.address, 70 * ONE)
    await grow(scene, anvil, 5)
    # The signer sweeps: here the node is told to take the address' word for it.
    await anvil.node.call("anvil_impersonateAccount", scene.address)
    await anvil.node.call("anvil_setBalance", scene.address, hex(10**18))
    await transfer(anvil, scene.address, own, 69 * ONE)
    await grow(scene, anvil, 5)
    found = (await look(scene, own)).standings[0]
    assert found.units == {"hot": 69 * ONE, "cold": 0, "deposits": ONE}
    assert (found.reserves, found.books.owed, found.missing) == (70 * ONE, 70 * ONE, 0)
    assert await money_out_stopped(db) is None

    await transfer(anvil, own, await anvil.wallet.treasury(), 1)
    await grow(scene, anvil, 5)
    settings = Settings(data_dir=tmp_path, operator_mail="operator@kalos.example")
    await jobs.watch(scene.house, wallets(own), TOLD, alarm(settings, 1))
    flag = await money_out_stopped(db)
    assert flag is not None
    assert "69.999999 USDT are there, 70.000000 must be" in flag.reason
    (mail,) = [json.loads(row["body"]) for row in await db.rows("SELECT body FROM domain_outbox WHERE topic = 'mail'")]
    assert (mail["recipient"], mail["values"]["reason"]) == ("operator@kalos.example", flag.reason)
    await anvil.wallet.transfer(contract, own, 1)
    await grow(scene, anvil, 5)
    assert (await look(scene, own)).problems == ()


async def test_top_ups_that_arrive_while_it_is_looked_alarm_nobody(
    scene: Scene, anvil: LocalNode, own: str, member: MakeMember
) -> None:
    """Blocks, watchers and looks run beside each other, each at its own pace."""
    contract = anvil.chain.network.contract(USDT).address
    addresses = [await deposit_address(scene.house, (await member()).id) for _ in range(5)]
    over = asyncio.Event()
    looks: list[Look] = []

    async def traffic() -> None:
        for place in range(ROUNDS * 5):
            await anvil.wallet.transfer(contract, addresses[place % 5], 20 * ONE + place)
            if place % 3 == 0:
                await anvil.mine()
        await anvil.mine(5)
        over.set()

    def is_over() -> bool:
        return over.is_set() and len(looks) >= ROUNDS

    async def watching() -> None:
        while not is_over():
            await scene.watch()

    async def looking() -> None:
        while not is_over():
            with suppress(Outage):  # the watcher was so far behind that the node has forgotten that block's balances
                found = await service.look(scene.house, wallets(own), TOLD, wall=1)
                looks.extend([found] if found else [])

    async with asyncio.TaskGroup() as parts:
        for part in (traffic, watching, looking):
            parts.create_task(part())
    assert [one.problems for one in looks if one.problems] == []
    await grow(scene, anvil, 5)
    found = (await look(scene, own)).standings[0]
    assert found.reserves == found.books.owed
    assert found.books.owed == 70 * ONE + sum(20 * ONE + place for place in range(ROUNDS * 5))
    assert found.books == replace(found.books, credited_later=0, settled_later=0, paid=0)
