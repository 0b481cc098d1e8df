"""The watcher: each deposit is recorded once, credited once when it is final, and never before."""

import asyncio
import re
from dataclasses import replace

import asyncpg
import pytest

from conftest import MakeMember
from deposits.scene import ONE, SandboxScene
from kalos.adapters.chain.sandbox import SandboxChain
from kalos.core.assets import KLS, USDT
from kalos.core.errors import Outage, StateChanged
from kalos.core.money import Amount
from kalos.domains.context import House
from kalos.domains.deposits import queries, rules, service
from kalos.domains.deposits.jobs import ChainReplaced
from kalos.domains.protection.queries import put_limit
from kalos.domains.protection.rules import Limit
from kalos.ledger import purse
from kalos.ledger.postings import Move, Posting
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from support.deployment import OPERATIONS


async def test_more_than_the_members_own_limit_is_credited_all_the_same(scene: SandboxScene) -> None:
    """Nobody can send coins back that have come; what is above the limit can't be staked that day."""
    async with scene.house.db.transaction() as db:
        await put_limit(db, scene.member.id, "topup", Limit(20 * ONE), at=1)
    scene.pay(50 * ONE)
    await scene.grow(4)
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE


async def confirmed(scene: SandboxScene) -> list[int]:
    height = await service.height(scene.house)
    return [rules.confirmations(row, height) for row in await scene.rows()]


async def test_deposit_is_credited_once_with_its_last_confirmation(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    await scene.grow()
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    for number in range(3):
        assert await confirmed(scene) == [number]
        assert await scene.available() == 0
        await scene.grow()
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE
    await scene.grow(5)
    await scene.watch(3)
    assert await scene.available() == 50 * ONE
    (row,) = await scene.rows()
    assert row.credited_at is not None
    assert row.revision == 2


async def test_same_log_read_again_changes_nothing(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    await scene.grow(4)
    block = await scene.chain.block(1)
    assert block is not None
    found = await scene.chain.transfers(contracts=[scene.chain.network.contract(USDT).address], blocks=[block])
    assert len(found) == 1
    await service.record(scene.house, found, {scene.address: scene.member.id})
    await service.record(scene.house, [*found, *found], {scene.address: scene.member.id})
    await scene.grow(4)
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE


async def test_many_watchers_at_once_credit_once(scene: SandboxScene) -> None:
    for units in (11, 12, 13, 4, 5, 6):
        scene.pay(units * ONE)
        scene.chain.mine()
        await asyncio.gather(*(scene.watch() for _ in range(4)))
    for _ in range(4):
        scene.chain.mine()
        await asyncio.gather(*(scene.watch(2) for _ in range(4)))
    assert {status for _, status, _ in await scene.states()} == {"approved"}
    assert await scene.available() == (11 + 12 + 13 + 4 + 5 + 6) * ONE


async def test_one_transaction_with_many_logs_is_as_many_deposits(scene: SandboxScene) -> None:
    first = scene.pay(20 * ONE)
    scene.pay(30 * ONE, transaction=first)
    scene.chain.transfer(USDT, "0x000000000000000000000000000000000000dEaD", 99, transaction=first)
    scene.pay(40 * ONE, transaction=first)
    await scene.grow(4)
    assert await scene.states() == [(units * ONE, "approved", None) for units in (20, 30, 40)]
    assert [row.log_index for row in await scene.rows()] == [0, 1, 3]
    assert await scene.available() == 90 * ONE


async def test_below_minimum_waits_until_the_sum_reaches_it(scene: SandboxScene) -> None:
    before = await scene.suspense()
    scene.pay(6 * ONE)
    await scene.grow(4)
    assert await scene.states() == [(6 * ONE, "pending_review", "below_minimum")]
    assert (await scene.available(), await scene.suspense() - before) == (0, 6 * ONE)
    scene.pay(4 * ONE - 1)
    await scene.grow(4)
    assert (await scene.available(), await scene.suspense() - before) == (0, 10 * ONE - 1)
    scene.pay(1)
    await scene.grow(4)
    assert {status for _, status, _ in await scene.states()} == {"approved"}
    assert (await scene.available(), await scene.suspense() - before) == (10 * ONE, 0)


async def test_exactly_the_minimum_is_credited(scene: SandboxScene) -> None:
    scene.pay(10 * ONE)
    await scene.grow(4)
    assert await scene.available() == 10 * ONE


async def test_large_deposit_brings_what_waits_along(scene: SandboxScene) -> None:
    before = await scene.suspense()
    scene.pay(1)
    scene.pay(9 * ONE)
    await scene.grow(4)
    scene.pay(10 * ONE)
    await scene.grow(4)
    assert {status for _, status, _ in await scene.states()} == {"approved"}
    assert (await scene.available(), await scene.suspense()) == (19 * ONE + 1, before)


async def test_others_waiting_money_is_not_added_up(house: House, member: MakeMember, scene: SandboxScene) -> None:
    other = await member()
    their = await service.deposit_address(scene.house, other.id)
    scene.pay(6 * ONE)
    scene.chain.transfer(USDT, their, 6 * ONE)
    await scene.grow(5)
    assert await scene.states() == [(6 * ONE, "pending_review", "below_minimum")]
    assert await scene.states(other.id) == [(6 * ONE, "pending_review", "below_minimum")]


async def test_more_dust_than_one_posting_takes_is_credited_in_parts(scene: SandboxScene) -> None:
    before = await scene.suspense()
    for _ in range(210):
        scene.pay(ONE // 20)
    await scene.grow(4)
    await scene.watch(6)
    assert {status for _, status, _ in await scene.states()} >= {"approved"}
    assert await scene.available() == queries.LARGEST_RELEASE * ONE // 20
    assert await scene.suspense() - before == 10 * ONE // 20


async def test_dust_whose_largest_part_is_below_the_minimum_is_credited_in_parts(scene: SandboxScene) -> None:
    for _ in range(260):
        scene.pay(ONE // 25)
    await scene.grow(4)
    await scene.watch(6)
    assert await scene.available() == queries.LARGEST_RELEASE * ONE // 25


async def test_transfer_of_nothing_and_of_too_much_is_not_recorded(scene: SandboxScene) -> None:
    scene.pay(0)
    scene.pay(2**63)
    scene.pay(2**256 - 1)
    await scene.grow(4)
    assert await scene.rows() == []


async def test_coin_that_cannot_be_topped_up_is_recorded_only(scene: SandboxScene) -> None:
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow(5)
    assert await scene.states() == [(5 * 10**8, "pending_review", "other_asset")]
    assert await scene.available(KLS) == 0


async def test_outage_of_a_thousand_blocks_is_caught_up_in_bounded_steps(scene: SandboxScene) -> None:
    for number in range(1_050):
        if number % 100 == 7:
            scene.pay((10 + number) * ONE)
        scene.chain.mine()
    steps = 0
    while await service.height(scene.house) < await scene.chain.head():
        await scene.watch()
        steps += 1
    assert steps == 21
    assert await scene.available() == sum((10 + number) * ONE for number in range(7, 1_050, 100))
    assert len(await queries.list_blocks(scene.house.db, scene.chain.network.chain_id)) <= 600


async def test_chain_that_is_away_delays_and_loses_nothing(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    await scene.grow(2)
    scene.chain.away = True
    with pytest.raises(Outage):
        await scene.watch()
    scene.chain.away = False
    await scene.grow(2)
    assert await scene.available() == 50 * ONE


async def test_another_chain_stops_the_watcher(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    await scene.grow(2)
    other = SandboxChain(scene.chain.network, seed="another chain")
    for _ in range(10):
        other.mine()
    scene.house = replace(scene.house, chain=other)
    with pytest.raises(ChainReplaced):
        await scene.watch()
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    assert await scene.available() == 0


async def test_a_person_sets_the_watcher_back_as_the_papers_say(scene: SandboxScene, database_url: str) -> None:
    await scene.grow(2)
    other = SandboxChain(scene.chain.network, seed="another chain")
    block = other.mine()
    other.transfer(USDT, scene.address, 50 * ONE)
    for _ in range(5):
        other.mine()
    scene.house = replace(scene.house, chain=other)
    with pytest.raises(ChainReplaced):
        await scene.watch()
    found = re.search(r"```sql\n(.*?)```", OPERATIONS.partition("- `ChainReplaced`: ")[2], re.DOTALL)
    assert found
    known = {"CHAIN_ID": str(other.network.chain_id), "NUMBER": str(block.number), "HASH": block.hash}
    owner = await asyncpg.connect(database_url)
    await owner.execute(re.sub("|".join(known), lambda word: known[word[0]], found[1]))
    await owner.close()
    await scene.watch()
    assert await scene.states() == [(50 * ONE, "approved", None)]


async def test_house_topup_is_placed_by_a_treasurer_only(scene: SandboxScene) -> None:
    address = await service.deposit_address(scene.house, purse.HOUSE)
    before = (await balances(scene.house.db, [purse.HOUSE])).get(purse.house(Purpose.MARKETING, USDT), 0)
    scene.chain.transfer(USDT, address, 30 * ONE)
    await scene.grow(5)
    assert await scene.states(purse.HOUSE) == [(30 * ONE, "pending_review", "house")]
    (row,) = await scene.rows(purse.HOUSE)
    shares = {Purpose.MARKETING: Amount(10 * ONE, USDT), Purpose.BANKROLL: Amount(20 * ONE, USDT)}
    await service.place_house_topup(scene.house, row, shares)
    await service.place_house_topup(scene.house, row, shares)
    assert await scene.states(purse.HOUSE) == [(30 * ONE, "approved", None)]
    now = (await balances(scene.house.db, [purse.HOUSE]))[purse.house(Purpose.MARKETING, USDT)]
    assert now - before == 10 * ONE


async def test_credit_is_a_move_from_the_chain_account(scene: SandboxScene) -> None:
    before = (await balances(scene.house.db, [purse.OUTSIDE])).get(purse.outside(Purpose.CHAIN, USDT), 0)
    scene.pay(50 * ONE)
    await scene.grow(4)
    after = (await balances(scene.house.db, [purse.OUTSIDE]))[purse.outside(Purpose.CHAIN, USDT)]
    assert before - after == 50 * ONE


async def test_stale_change_of_a_deposit_is_refused_whole(scene: SandboxScene) -> None:
    """A posting that changes a deposit which is no longer as it was read changes nothing at all."""
    scene.pay(50 * ONE)
    await scene.grow()
    (row,) = await scene.rows()
    await scene.grow(3)
    move = Move("chain.deposit", purse.outside(Purpose.CHAIN, USDT), purse.available(scene.member.id, USDT), 50 * ONE)
    with pytest.raises(StateChanged):
        await scene.house.ledger.post(
            Posting(key=b"k" * 32, moves=[move], riders=[service._change(row, {"status": "failed"})])
        )
    assert await scene.available() == 50 * ONE
