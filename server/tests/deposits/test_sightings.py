"""What is seen in another block, by another watcher or at another node: each transfer stays one deposit."""

from typing import Any

import pytest

from conftest import MakeMember
from deposits.scene import ONE, SandboxScene
from kalos.adapters.chain.sandbox import SANDBOX_NETWORK
from kalos.core.assets import BY_CODE, KLS, USDT
from kalos.core.errors import Outage, StateChanged
from kalos.core.ports import Block, TokenTransfer
from kalos.domains.context import House
from kalos.domains.deposits import queries, rules, service
from kalos.domains.deposits.tables import Cursor, Deposit
from kalos.ledger import purse
from kalos.ledger.statements import balances


async def test_transfers_that_a_reorganisation_moved_to_other_numbers_are_each_credited_once(
    house: House, member: MakeMember, scene: SandboxScene
) -> None:
    other = await member()
    their = await service.deposit_address(scene.house, other.id)

    async def pay_both(transaction: str | None = None) -> str:
        first = scene.pay(20 * ONE, transaction=transaction)
        scene.chain.transfer(USDT, their, 30 * ONE, transaction=first)
        await scene.grow()
        return first

    first = await pay_both()
    scene.chain.reorganise(1, regrow=False)
    scene.chain.transfer(USDT, "0x000000000000000000000000000000000000dEaD", 99)
    await pay_both(first)
    await scene.grow(4)
    assert await scene.available() == 20 * ONE
    assert (await balances(house.db, [other.id]))[purse.available(other.id, USDT)] == 30 * ONE
    assert (20 * ONE, "approved", None) in await scene.states()
    assert await scene.states(other.id) == [(30 * ONE, "approved", None)]


async def test_deposit_in_a_block_that_took_the_place_of_one_just_read_waits(scene: SandboxScene) -> None:
    """The chain is reorganised, and the member names the hash, within one step of the watcher."""
    await scene.grow(3)
    cursor = await queries.find_cursor(scene.house.db, scene.chain.network.chain_id)
    assert cursor is not None
    scene.chain.reorganise(1, regrow=False)
    transaction = scene.pay(50 * ONE)
    scene.chain.mine()
    found = await scene.chain.transaction_transfers(transaction)
    assert found is not None
    await service.record(scene.house, found, {scene.address: scene.member.id})
    for row in await queries.list_unresolved(scene.house.db, cursor):
        await service.resolve(scene.house, row)
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    assert await scene.available() == 0
    await scene.grow(3)
    assert await scene.available() == 50 * ONE


async def test_one_node_that_tells_of_later_blocks_makes_no_deposit_final(
    scene: SandboxScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A head is told by whoever answers: only blocks that were read stand on a deposit."""
    scene.pay(50 * ONE)
    await scene.grow(2)
    (row,) = await scene.rows()

    async def ahead() -> int:
        return row.block + 50

    with monkeypatch.context() as patch:
        patch.setattr(scene.chain, "head", ahead)
        await service.resolve(scene.house, row)
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    await scene.grow(2)
    assert await scene.states() == [(50 * ONE, "approved", None)]


async def test_what_was_booked_in_a_final_block_is_not_booked_in_another(scene: SandboxScene) -> None:
    """A reorganisation deeper than finality moves a transfer that waits in suspense to another number."""
    before = await scene.suspense()
    transaction = scene.pay(6 * ONE)
    await scene.grow(4)
    scene.chain.reorganise(4, regrow=False)
    scene.chain.transfer(USDT, "0x000000000000000000000000000000000000dEaD", 99)
    scene.pay(6 * ONE, transaction=transaction)
    await scene.grow(8)
    assert await scene.states() == [
        (6 * ONE, "pending_review", "below_minimum"),
        (6 * ONE, "pending_review", "repeated"),
    ]
    assert (await scene.available(), await scene.suspense() - before) == (0, 6 * ONE)


async def test_of_two_watchers_that_see_different_things_the_slower_one_is_refused(scene: SandboxScene) -> None:
    """One finds the block gone, the other one the new block: neither takes the other's change for its own."""
    scene.pay(50 * ONE)
    await scene.grow()
    (row,) = await scene.rows()
    moved = service._seen_again(scene.house, row, transfer_of(row, "0x" + "7" * 64), scene.member.id)
    await service._end(scene.house, row, rules.FAILED, rules.ORPHANED)
    with pytest.raises(StateChanged):
        await scene.house.ledger.post(moved)


async def test_a_block_that_was_only_heard_of_does_not_orphan_what_stands_in_the_one_read_before(
    scene: SandboxScene,
) -> None:
    """The member names the transaction to a node on a fork, which ends; the watcher reads the first block once only."""
    scene.pay(50 * ONE)
    await scene.grow()
    (row,) = await scene.rows()
    await service.record(scene.house, [transfer_of(row, "0x" + "7" * 64)], {row.recipient: row.owner})
    await scene.grow(4)
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE


async def test_another_coin_stays_where_its_transaction_stands_too(scene: SandboxScene) -> None:
    """KLS isn't credited by itself, but people must find it."""
    scene.pay(5 * 10**8, asset=KLS)
    await scene.grow()
    (row,) = await scene.rows()
    await service.record(scene.house, [transfer_of(row, "0x" + "7" * 64)], {row.recipient: row.owner})
    await scene.grow(4)
    assert await scene.states() == [(5 * 10**8, "pending_review", "other_asset")]


def transfer_of(row: Deposit, block_hash: str) -> TokenTransfer:
    contract = SANDBOX_NETWORK.contract(BY_CODE[row.asset]).address
    return TokenTransfer(
        transaction=row.transaction,
        log_index=row.log_index,
        block=row.block,
        block_hash=block_hash,
        contract=contract,
        sender=row.sender,
        recipient=row.recipient,
        units=row.units,
    )


async def test_stale_watcher_does_not_move_the_cursor(scene: SandboxScene) -> None:
    chain_id = scene.chain.network.chain_id
    stale = await queries.find_cursor(scene.house.db, chain_id)
    await scene.grow(3)
    now = await queries.find_cursor(scene.house.db, chain_id)
    blocks = await queries.list_blocks(scene.house.db, chain_id)
    assert stale is not None
    assert not await queries.move_cursor(scene.house.db, stale, Cursor(chain_id, 1, "0x" + "ab" * 32))
    assert await queries.find_cursor(scene.house.db, chain_id) == now
    assert await queries.list_blocks(scene.house.db, chain_id) == blocks


async def test_block_replaced_between_two_reads_is_read_again(
    scene: SandboxScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chain is another one for the moment in which the logs are asked for."""
    scene.pay(50 * ONE)
    scene.chain.mine()
    honest = scene.chain.transfers

    async def between(**question: Any) -> list[TokenTransfer]:
        kept = (list(scene.chain._blocks), dict(scene.chain._transfers))
        scene.chain.reorganise(1)
        try:
            return await honest(**question)
        finally:
            scene.chain._blocks, scene.chain._transfers = kept

    with monkeypatch.context() as patch:
        patch.setattr(scene.chain, "transfers", between)
        with pytest.raises(Outage):
            await scene.watch()
    await scene.grow(4)
    assert await scene.available() == 50 * ONE


async def test_nodes_that_lag_behind_change_nothing(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    await scene.grow(3)
    chain, before = scene.chain, await scene.rows()
    kept = (list(chain._blocks), dict(chain._transfers))
    chain.reorganise(2, regrow=False)
    await scene.watch(3)
    assert await service.height(scene.house) == 3
    assert await scene.rows() == before
    chain._blocks, chain._transfers = kept
    await scene.grow()
    assert await scene.available() == 50 * ONE


async def test_block_that_a_node_does_not_know_for_a_moment_orphans_nothing(scene: SandboxScene) -> None:
    scene.pay(50 * ONE)
    await scene.grow(3)
    (row,) = await scene.rows()
    scene.chain.mine()
    honest, asked = scene.chain.block, []

    async def forgetful(number: int) -> Block | None:
        asked.append(number)
        return None if number == row.block else await honest(number)

    scene.chain.block = forgetful  # type: ignore[method-assign]
    await scene.watch(2)
    assert asked.count(row.block) == 2
    assert await scene.states() == [(50 * ONE, "on_chain_processing", None)]
    scene.chain.block = honest  # type: ignore[method-assign]
    await scene.watch()
    assert await scene.states() == [(50 * ONE, "approved", None)]
    assert await scene.available() == 50 * ONE
