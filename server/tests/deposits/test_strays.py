"""Tokens that the house doesn't know: each is recorded once, whatever it is, and nothing of it is anybody's money."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from conftest import MakeMember
from deposits.scene import ONE, Crash, Effects, MortalDatabase, SandboxScene, sandbox_scene
from kalos.adapters.chain.sandbox import SandboxChain
from kalos.core.assets import KLS, USDT
from kalos.core.errors import NotTold, Outage
from kalos.core.pages import PageQuery
from kalos.core.ports import TokenTransfer
from kalos.domains.context import House
from kalos.domains.deposits import jobs, queries, rules
from kalos.domains.deposits.jobs import Strays
from kalos.domains.deposits.service import deposit_address
from kalos.domains.deposits.tables import Stray, StrayPass
from kalos.ledger.statements import balances

TOKEN: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
OTHER: Final = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
DEEP: Final = 13
"""Blocks until a transfer is looked for, its own included."""


class Picky(SandboxChain):
    """Tells of so many blocks, addresses and transfers at once and of no more; `asked` says what it was asked for."""

    def __init__(self, blocks: int = 500, addresses: int = 200, transfers: int = 1_000) -> None:
        super().__init__()
        self.most = (blocks, addresses, transfers)
        self.asked: list[tuple[int, int]] = []

    async def transfers_to(self, recipients: Sequence[str], *, first: int, last: int) -> list[TokenTransfer]:
        blocks, addresses, transfers = self.most
        self.asked.append((last - first + 1, len(recipients)))
        found = await super().transfers_to(recipients, first=first, last=last)
        if last - first >= blocks or len(recipients) > addresses or len(found) > transfers:
            raise NotTold("too much at once")
        return found


@pytest.fixture
async def scene(house: House, member: MakeMember) -> SandboxScene:
    return await sandbox_scene(house, await member())


async def found(scene: SandboxScene, owner: int | None = None) -> list[Stray]:
    """The member's strays of this chain, oldest first."""
    page = await queries.list_strays(scene.house.db, PageQuery(1_000), state="open")
    mine = (scene.chain.network.chain_id, owner or scene.member.id)
    return [one for one, _ in page.rows if (one.chain_id, one.owner) == mine]


async def grow(scene: SandboxScene, blocks: int = DEEP) -> None:
    """Mine, watch and look."""
    await scene.grow(blocks)
    await Strays(scene.house).look()


async def to_the_end(scene: SandboxScene, strays: Strays, steps: int = 200) -> None:
    """Look until all blocks that are deep enough were looked through."""
    last = (await scene.chain.head()) - 12
    for _ in range(steps):
        await strays.look()
        if (await position(scene)) == StrayPass(scene.chain.network.chain_id, last, last, 0):
            return
    raise AssertionError(f"it got to {await position(scene)}")


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
    assert rules.largest([one, replace(one, units=1)], 20) == [replace(one, units=1)]


async def test_too_much_of_a_known_coin_is_one_too(scene: SandboxScene) -> None:
    """No balance holds it, so it is no deposit."""
    scene.pay(2**63)
    await grow(scene)
    assert [(one.contract, one.units) for one in await found(scene)] == [
        (scene.chain.network.contract(USDT).address, 2**63)
    ]
    assert await scene.rows() == []


async def test_what_was_a_deposit_once_is_no_stray_under_other_settings(scene: SandboxScene) -> None:
    """It was credited: as a stray it could be sent back as well."""
    scene.pay(50 * ONE)
    await scene.grow(DEEP)
    network = scene.chain.network
    scene.chain._network = replace(network, contracts=(replace(network.contracts[0], address=OTHER),))
    await Strays(scene.house).look()
    assert await found(scene) == []


async def test_of_thousands_of_ones_own_tokens_the_largest_are_kept(scene: SandboxScene) -> None:
    """Who sends little ones first hides no large one that comes by mistake, in the same block or later."""
    for units in range(1, queries.MOST_STRAYS + 6):
        scene.chain.transfer(TOKEN, scene.address, units)
    scene.chain.transfer(OTHER, scene.address, 8)
    await grow(scene)
    kept = [one.units for one in await found(scene) if one.contract == TOKEN]
    assert sorted(kept) == list(range(6, queries.MOST_STRAYS + 6))
    scene.chain.transfer(TOKEN, scene.address, 10**9)
    await grow(scene)
    kept = [one.units for one in await found(scene) if one.contract == TOKEN]
    assert (len(kept), max(kept), min(kept)) == (queries.MOST_STRAYS, 10**9, 7)
    assert [one.units for one in await found(scene) if one.contract == OTHER] == [8]


async def many(scene: SandboxScene, member: MakeMember, count: int = 4) -> list[int]:
    """Further members, each of whom gets as many units as the number says."""
    owners = [(await member()).id for _ in range(count)]
    for owner in owners:
        scene.chain.transfer(TOKEN, await deposit_address(scene.house, owner), owner)
    return owners


async def picky_scene(scene: SandboxScene, chain: Picky) -> SandboxScene:
    """The member on that chain, from its first block on."""
    chain._network = replace(chain.network, chain_id=scene.chain.network.chain_id + 1_000_000)
    made = SandboxScene(scene.house, chain, scene.member)
    made.address = scene.address
    await made.watch()
    return made


async def test_many_addresses_are_asked_for_in_turn_and_none_is_left_out(
    scene: SandboxScene, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_MOST_ADDRESSES", 2)
    monkeypatch.setattr(jobs, "_QUESTIONS_A_STEP", 1)
    chain = Picky()
    there = await picky_scene(scene, chain)
    owners = await many(there, member)
    await there.grow(DEEP)
    await to_the_end(there, Strays(there.house))
    assert max(addresses for _, addresses in chain.asked) == 2
    for owner in owners:
        assert [one.units for one in await found(there, owner)] == [owner]


async def test_workers_at_once_record_each_once(scene: SandboxScene) -> None:
    scene.chain.transfer(TOKEN, scene.address, 3)
    await scene.grow(DEEP)
    await asyncio.gather(*(Strays(scene.house).look() for _ in range(8)))
    await to_the_end(scene, Strays(scene.house))
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


@pytest.mark.parametrize("place", range(4))
async def test_a_worker_that_ends_anywhere_leaves_what_another_finds(scene: SandboxScene, place: int) -> None:
    """Before and after each of its two commits."""
    scene.chain.transfer(TOKEN, scene.address, 3)
    await scene.grow(DEEP)
    mortal = replace(scene.house, db=MortalDatabase(scene.house.db, Effects(place)))
    with pytest.raises(Crash):
        await Strays(mortal).look()
    await to_the_end(scene, Strays(scene.house))
    assert [one.units for one in await found(scene)] == [3]


@pytest.mark.parametrize("most", [(4, 200, 1_000), (1, 3, 1_000), (1, 1, 1_000), (500, 200, 2)])
async def test_where_nodes_dont_tell_so_much_less_is_asked_for_and_later_more_again(
    scene: SandboxScene, member: MakeMember, most: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_QUESTIONS_A_STEP", 100)
    chain = Picky(*most)
    there = await picky_scene(scene, chain)
    owners = await many(there, member)
    await there.grow(DEEP + 20)
    strays = Strays(there.house)
    await to_the_end(there, strays)
    for owner in owners:
        assert [one.units for one in await found(there, owner)] == [owner]
    chain.most, before = (500, 200, 1_000), len(chain.asked)
    await there.grow(200)
    await to_the_end(there, strays)
    asked = chain.asked[before:]
    assert max(asked) > asked[0] or len(asked) == 1


async def test_a_block_that_nobody_tells_of_holds_up_no_other(
    scene: SandboxScene, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever fills it with logs to one address hides what came there in it, and nothing else."""
    monkeypatch.setattr(jobs, "_QUESTIONS_A_STEP", 100)
    chain = Picky(transfers=30)
    there = await picky_scene(scene, chain)
    for _ in range(31):
        there.chain.transfer(OTHER, there.address, 1)
    owners = await many(there, member)
    await there.grow(1)
    there.chain.transfer(TOKEN, there.address, 5)
    await there.grow(DEEP)
    await to_the_end(there, Strays(there.house))
    for owner in owners:
        assert [one.units for one in await found(there, owner)] == [owner]
    assert [one.units for one in await found(there)] == [5]


@pytest.mark.parametrize("first", [1, 3])
async def test_an_outage_is_told_skips_nothing_and_loses_nothing(
    scene: SandboxScene, member: MakeMember, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Also in the middle of a pass, and however long it lasts."""
    monkeypatch.setattr(jobs, "_MOST_ADDRESSES", 2)
    monkeypatch.setattr(jobs, "_QUESTIONS_A_STEP", first)
    owners = await many(scene, member)
    await scene.grow(DEEP)
    strays = Strays(scene.house)
    await strays.look()
    scene.chain.away = True
    for _ in range(20):
        with pytest.raises(Outage):
            await strays.look()
    scene.chain.away = False
    await to_the_end(scene, strays)
    for owner in owners:
        assert [one.units for one in await found(scene, owner)] == [owner]
