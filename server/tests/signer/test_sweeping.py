"""Deposit addresses are emptied into the hot wallet: gas first, all of the coins once, and the ledger doesn't move."""

import itertools

from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.signer.steps import turn
from kalos.signer.sweeping import sweep
from signer.scene import COIN, Scene, with_limits
from support.members import make_member

_numbers = itertools.count(1)


async def deposit(scene: Scene, usdt: int, *, status: str = "approved") -> tuple[int, str]:
    """Coins at a member's own address, as the watcher wrote them down; the owner and the address."""
    owner = (await make_member(scene.url)).id
    address = scene.bench.keys.deposit(owner).address
    contract = scene.node.chain.network.contract(USDT).address
    transaction = await scene.node.wallet.transfer(contract, address, usdt * COIN)
    await scene.node.mine()
    await scene.owner("INSERT INTO deposit_addresses (owner, address, made_at) VALUES ($1, $2, 1)", owner, address)
    await scene.owner(
        """
        INSERT INTO deposits (id, revision, chain_id, transaction, log_index, block, block_hash, asset, sender,
            recipient, owner, units, required, status, reason, seen_at, changed_at, credited_at)
        VALUES ($1, 1, $2, $3, 0, 1, $3, 'USDT', 'x', $4, $5, $6, 3, $7, $8, 1, 1, $9)
        """,
        10**9 + next(_numbers),
        scene.node.chain.network.chain_id,
        transaction,
        address,
        owner,
        usdt * COIN,
        status,
        "house" if status == "pending_review" else None,
        1 if status == "approved" else None,
    )
    return owner, address


async def coins(scene: Scene, address: str) -> int:
    return await scene.node.wallet.balance(scene.node.chain.network.contract(USDT).address, address)


async def turns(scene: Scene, count: int) -> None:
    for _ in range(count):
        scene.bench.next_sweep = 0
        await turn(scene.bench, more=sweep)
        await scene.node.mine()


async def rows(scene: Scene, owner: int) -> list[tuple[str, str | None]]:
    found = await scene.bench.db.rows(
        "SELECT purpose, outcome FROM signer_nonces WHERE owner = $1 ORDER BY taken_block, purpose", owner
    )
    return [(row["purpose"], row["outcome"]) for row in found]


async def test_a_full_address_gets_gas_and_is_emptied_once(scene: Scene) -> None:
    owner, address = await deposit(scene, 2_000)
    hot = scene.bench.keys.hot.address
    before, moves = await coins(scene, hot), await scene.owner("SELECT count(*) FROM journal")
    await turns(scene, 14)
    assert await coins(scene, address) == 0
    assert await coins(scene, hot) == before + 2_000 * COIN
    assert await rows(scene, owner) == [("gas", "approved"), ("sweep", "approved")]
    assert await scene.owner("SELECT count(*) FROM journal") == moves
    await turns(scene, 6)
    assert len(await rows(scene, owner)) == 2


async def test_what_comes_later_is_swept_too_without_new_gas(scene: Scene) -> None:
    owner, address = await deposit(scene, 1_000)
    await turns(scene, 14)
    contract = scene.node.chain.network.contract(USDT).address
    await scene.node.wallet.transfer(contract, address, 1_500 * COIN)
    await scene.node.mine()
    await scene.owner("UPDATE deposits SET units = units + $2 WHERE owner = $1", owner, 1_500 * COIN)
    await scene.node.node.call("anvil_setBalance", address, hex(10**18))
    await turns(scene, 8)
    assert await coins(scene, address) == 0
    assert [purpose for purpose, _ in await rows(scene, owner)] == ["gas", "sweep", "sweep"]


async def test_little_and_unconfirmed_coins_stay(scene: Scene) -> None:
    _, little = await deposit(scene, 999)
    _, early = await deposit(scene, 5_000, status="on_chain_processing")
    await turns(scene, 5)
    assert await coins(scene, little) == 999 * COIN
    assert await coins(scene, early) == 5_000 * COIN


async def test_nothing_is_swept_while_the_signer_is_paused_or_gas_is_short(scene: Scene) -> None:
    owner, address = await deposit(scene, 3_000)
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'a test'")
    await turns(scene, 2)
    await scene.go_on()
    await scene.node.node.call("anvil_setBalance", scene.bench.keys.hot.address, hex(10**12))
    await turns(scene, 2)
    assert await rows(scene, owner) == []
    assert await coins(scene, address) == 3_000 * COIN
    await scene.node.node.call("anvil_setBalance", scene.bench.keys.hot.address, hex(10**18))
    await turns(scene, 14)
    assert await coins(scene, address) == 0


async def test_an_address_that_is_not_of_our_seed_stops_the_signer(scene: Scene) -> None:
    owner, address = await deposit(scene, 4_000)
    await scene.owner("ALTER TABLE deposits DROP CONSTRAINT deposits_recipient_fkey")
    other = scene.bench.keys.deposit(owner + 10_000_000).address
    await scene.owner("UPDATE deposit_addresses SET address = $2 WHERE owner = $1", owner, other)
    await scene.owner("UPDATE deposits SET recipient = $2 WHERE owner = $1", owner, other)
    await turns(scene, 1)
    assert await scene.reason() == "wrong_deposit_address"
    assert await coins(scene, address) == 4_000 * COIN
    await scene.owner("DELETE FROM deposits WHERE owner = $1", owner)


async def test_gas_is_watched(scene: Scene) -> None:
    from kalos.signer.steps import watch_gas

    await watch_gas(scene.bench)
    assert not await scene.owner("SELECT gas_low FROM signer_state")
    bench = with_limits(scene, gas_low=11)
    await watch_gas(bench)
    assert await scene.owner("SELECT gas_low FROM signer_state")
    assert int(await scene.owner("SELECT native_units FROM signer_state")) == 10 * 10**18
    assert await scene.owner("SELECT hot FROM signer_state") == scene.bench.keys.hot.address
    assert Clock.wall() - await scene.owner("SELECT looked_at FROM signer_state") < 60_000
