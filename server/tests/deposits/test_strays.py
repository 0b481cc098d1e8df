"""Tokens that the house doesn't know: each is recorded once, whatever it is, and nothing of it is anybody's money."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from conftest import MakeMember
from deposits.scene import ONE, SandboxScene, sandbox_scene
from kalos.adapters.chain.sandbox import SANDBOX_NETWORK
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Outage
from kalos.core.pages import PageQuery
from kalos.core.ports import TokenTransfer
from kalos.domains.context import House
from kalos.domains.deposits import jobs, queries, rules
from kalos.domains.deposits.jobs import look_for_strays
from kalos.domains.deposits.service import deposit_address
from kalos.domains.deposits.tables import Stray, StrayPass
from kalos.ledger.statements import balances

TOKEN: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
OTHER: Final = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
DEEP: Final = 6
"""Blocks until a transfer is looked for, its own included."""


@pytest.fixture
async def scene(house: House, member: MakeMember) -> SandboxScene:
    return await sandbox_scene(house, await member())


async def found(scene: SandboxScene, owner: int | None = None) -> list[Stray]:
    """The member's strays of this chain, oldest first."""
    page = await queries.list_strays(scene.house.db, PageQuery(1_000), "open")
    mine = (scene.chain.network.chain_id, owner or scene.member.id)
    return [one for one, _ in page.rows if (one.chain_id, one.owner) == mine]


async def grow(scene: SandboxScene, blocks: int = DEEP) -> None:
    """Mine and watch; the second step of the look has a pass to go on with."""
    await scene.grow(blocks)
    await look_for_strays(scene.house)


async def position(scene: SandboxScene) -> StrayPass:
    at = await queries.find_pass(scene.house.db, scene.chain.network.chain_id)
    assert at is not None
    return at


async def test_a_token_that_nobody_knows_is_recorded_once_when_it_is_deep(scene: SandboxScene) -> None:
    transaction = scene.chain.transfer(TOKEN, scene.address, 2**256 - 1, sender=OTHER)
    await grow(scene, DEEP - 1)
    assert await found(scene) == []
    await grow(scene, 1)
    await grow(scene, 3)
    (one,) = await found(scene)
    assert (one.transaction, one.contract, one.sender, one.recipient, one.units, one.state) == (
        transaction, TOKEN, OTHER, scene.address, 2**256 - 1, "open",
    )  # fmt: skip
    assert (one.staff, one.reason, one.payment, one.decided_at) == (None, None, None, None)
    assert await scene.rows() == []
    assert await balances(scene.house.db, [scene.member.id]) == {}


async def test_of_a_transaction_with_coins_and_tokens_each_goes_its_way(scene: SandboxScene) -> None:
    transaction = scene.pay(50 * ONE)
    scene.chain.transfer(TOKEN, scene.address, 7, transaction=transaction)
    scene.pay(2 * 10**8, asset=KLS, transaction=transaction)
    scene.chain.transfer(TOKEN, "0x" + "00" * 19 + "01", 9)  # nobody's
    scene.chain.transfer(TOKEN, scene.address, 0)
    await grow(scene)
    assert [(one.transaction, one.units) for one in await found(scene)] == [(transaction, 7)]
    assert await scene.states() == [(50 * ONE, "approved", None), (2 * 10**8, "pending_review", "other_asset")]


def test_a_transfer_of_nothing_is_nothing() -> None:
    """Anybody can write such a log in the name of anybody: it is bait."""
    one = TokenTransfer(TOKEN, OTHER, OTHER, 0, "0x" + "cd" * 32, 0, 1, "0x" + "ab" * 32)
    assert rules.strays([one, replace(one, units=1)], SANDBOX_NETWORK) == [replace(one, units=1)]


async def test_too_much_of_a_known_coin_is_one_too(scene: SandboxScene) -> None:
    """No balance holds it, so it is no deposit."""
    scene.pay(2**63)
    await grow(scene)
    assert [(one.contract, one.units) for one in await found(scene)] == [
        (scene.chain.network.contract(USDT).address, 2**63)
    ]
    assert await scene.rows() == []


async def test_whoever_sends_thousands_of_his_own_tokens_fills_no_table(scene: SandboxScene) -> None:
    for _ in range(queries.MOST_STRAYS + 5):
        scene.chain.transfer(TOKEN, scene.address, 1)
    scene.chain.transfer(OTHER, scene.address, 8)
    await grow(scene)
    counted = [one.contract for one in await found(scene)]
    assert (counted.count(TOKEN), counted.count(OTHER)) == (queries.MOST_STRAYS, 1)


async def test_many_addresses_are_asked_for_in_turn_and_none_is_left_out(
    scene: SandboxScene, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_ADDRESSES_AT_ONCE", 2)
    monkeypatch.setattr(jobs, "_QUESTIONS_A_STEP", 1)
    others = [(await member()).id for _ in range(4)]
    for owner in others:
        scene.chain.transfer(TOKEN, await deposit_address(scene.house, owner), owner)
    await scene.grow(DEEP)
    asked: list[int] = []
    ask = scene.chain.transfers_to

    async def counting(recipients: Sequence[str], *, first: int, last: int) -> list[TokenTransfer]:
        asked.append(len(recipients))
        return await ask(recipients, first=first, last=last)

    monkeypatch.setattr(scene.chain, "transfers_to", counting)
    while not await _is_through(scene):
        await look_for_strays(scene.house)
    assert max(asked) == 2
    for owner in others:
        assert [one.units for one in await found(scene, owner)] == [owner]


async def _is_through(scene: SandboxScene) -> bool:
    at = await queries.find_pass(scene.house.db, scene.chain.network.chain_id)
    return at is not None and at.number == at.upto > 0


async def test_workers_at_once_record_each_once(scene: SandboxScene) -> None:
    scene.chain.transfer(TOKEN, scene.address, 3)
    await scene.grow(DEEP)
    await asyncio.gather(*(look_for_strays(scene.house) for _ in range(8)))
    await look_for_strays(scene.house)
    assert [one.units for one in await found(scene)] == [3]


async def test_a_worker_that_asked_longer_ago_writes_nothing(scene: SandboxScene) -> None:
    """Its blocks were looked through meanwhile: it may not put the place back."""
    await grow(scene)
    at = await position(scene)
    behind = replace(at, number=0, upto=0)
    late = TokenTransfer(TOKEN, OTHER, scene.address, 5, "0x" + "cd" * 32, 0, 1, "0x" + "ab" * 32)
    owners = {scene.address: scene.member.id}
    assert not await queries.move_pass(scene.house.db, behind, behind, [late], owners, 1)
    assert (await found(scene), await position(scene)) == ([], at)


async def test_where_nodes_dont_answer_of_so_many_blocks_fewer_are_asked_for(
    scene: SandboxScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.chain.transfer(TOKEN, scene.address, 3)
    await scene.grow(24)
    ask = scene.chain.transfers_to

    async def picky(recipients: Sequence[str], *, first: int, last: int) -> list[TokenTransfer]:
        if last - first >= 4:
            raise Outage("too many results")
        return await ask(recipients, first=first, last=last)

    monkeypatch.setattr(scene.chain, "transfers_to", picky)
    for _ in range(20):
        try:
            await look_for_strays(scene.house)
        except Outage:
            continue
    assert (await position(scene)).number == 24 - 5
    assert [one.units for one in await found(scene)] == [3]


async def test_an_outage_is_told_and_loses_nothing(scene: SandboxScene) -> None:
    scene.chain.transfer(TOKEN, scene.address, 3)
    await scene.grow(DEEP)
    scene.chain.away = True
    for _ in range(5):
        with pytest.raises(Outage):
            await look_for_strays(scene.house)
    scene.chain.away = False
    for _ in range(5):
        await look_for_strays(scene.house)
    assert [one.units for one in await found(scene)] == [3]
    assert (await position(scene)).number == 1
