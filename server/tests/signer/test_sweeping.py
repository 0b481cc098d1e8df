"""Deposit addresses are emptied into the hot wallet: gas first, all of the coins once, and the ledger doesn't move."""

import itertools
from collections.abc import AsyncIterator

import asyncpg
import pytest

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.signer import sums, sweeping
from kalos.signer.steps import turn
from kalos.signer.sweeping import sweep
from signer.scene import COIN, Scene, with_limits
from signer.test_paying import cancel
from support.members import make_member

_numbers = itertools.count(1)
MANY = 3_000


@pytest.fixture(autouse=True)
async def nothing_is_left_behind(scene: Scene) -> AsyncIterator[None]:
    """What can be swept is at each moment what all deposits and sweeps together say."""
    yield
    db = Database(scene.url, size=1)  # the signer's own role doesn't read deposits
    assert await sums.list_unlike(db, scene.node.chain.network.chain_id) == []
    await db.close()


async def deposit(
    scene: Scene,
    amount: int,
    *,
    asset: Asset = USDT,
    status: str = "approved",
    owner: int | None = None,
    left: int | None = None,
) -> tuple[int, str]:
    """Coins at a member's own address, as the watcher wrote them down, of which so many are left; owner and address."""
    is_new = owner is None
    owner = owner or (await make_member(scene.url)).id
    address = scene.bench.keys.deposit(owner).address
    contract, coin = scene.node.chain.network.contract(asset).address, 10**asset.scale
    transaction = await scene.node.wallet.transfer(contract, address, (amount if left is None else left) * coin)
    await scene.node.mine()
    if is_new:
        await scene.owner("INSERT INTO deposit_addresses (owner, address, made_at) VALUES ($1, $2, 1)", owner, address)
    await scene.owner(
        """
        INSERT INTO deposits (id, revision, chain_id, transaction, log_index, block, block_hash, asset, sender,
            recipient, owner, units, required, status, reason, seen_at, changed_at, credited_at)
        VALUES ($1, 1, $2, $3, 0, 1, $3, $10, 'x', $4, $5, $6, 3, $7, $8, 1, 1, $9)
        """,
        10**9 + next(_numbers),
        scene.node.chain.network.chain_id,
        transaction,
        address,
        owner,
        amount * coin,
        status,
        {"pending_review": "house", "failed": "orphaned"}.get(status),
        1 if status == "approved" else None,
        asset.code,
    )
    return owner, address


async def coins(scene: Scene, address: str, asset: Asset = USDT) -> int:
    return await scene.node.wallet.balance(scene.node.chain.network.contract(asset).address, address)


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
    assert await scene.owner("SELECT units FROM sweep_sums WHERE owner = $1", owner) == 0


async def test_what_comes_later_is_swept_too_without_new_gas(scene: Scene) -> None:
    owner, address = await deposit(scene, 1_000)
    await turns(scene, 14)
    await deposit(scene, 1_500, owner=owner)
    await scene.node.node.call("anvil_setBalance", address, hex(10**18))
    await turns(scene, 8)
    assert await coins(scene, address) == 0
    assert [purpose for purpose, _ in await rows(scene, owner)] == ["gas", "sweep", "sweep"]


async def test_addresses_that_have_less_than_is_known_of_them_keep_no_other_waiting(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "_MOST", 2)
    short = [await deposit(scene, 9_000, left=1) for _ in range(3)]
    _, full = await deposit(scene, 2_000)
    await turns(scene, 18)
    assert await coins(scene, full) == 0
    assert [await coins(scene, address) for _, address in short] == [1 * COIN] * 3
    for owner, _ in short:
        await deposit(scene, 1_000, owner=owner)
    await turns(scene, 24)
    assert [await coins(scene, address) for _, address in short] == [0] * 3, "they are looked at again"
    change = "UPDATE deposits SET status = 'failed', reason = 'orphaned', credited_at = NULL WHERE units = $1"
    await scene.owner(change, 9_000 * COIN)  # for the tests after this one
    await turns(scene, 1)


async def test_each_coin_of_the_house_is_swept_from_its_own_worth_on(scene: Scene) -> None:
    """A thousand USDT is 2,500 KLS at the floor of its price; one address pays one at a time."""
    owner, address = await deposit(scene, 1_500)
    await deposit(scene, 5_000, asset=KLS, owner=owner, status="pending_review")
    _, little = await deposit(scene, 2_499, asset=KLS)
    before = await coins(scene, scene.bench.keys.hot.address, KLS)
    await turns(scene, 22)
    assert (await coins(scene, address), await coins(scene, address, KLS)) == (0, 0)
    assert await coins(scene, scene.bench.keys.hot.address, KLS) == before + 5_000 * 10**KLS.scale
    assert await coins(scene, little, KLS) == 2_499 * 10**KLS.scale
    swept = await scene.bench.db.rows("SELECT asset FROM signer_nonces WHERE owner = $1 AND purpose = 'sweep'", owner)
    assert sorted(row["asset"] for row in swept) == ["KLS", "USDT"]


async def test_little_and_unconfirmed_coins_stay(scene: Scene) -> None:
    _, little = await deposit(scene, 999)
    _, early = await deposit(scene, 5_000, status="on_chain_processing")
    await turns(scene, 5)
    assert await coins(scene, little) == 999 * COIN
    assert await coins(scene, early) == 5_000 * COIN


async def test_what_a_reorganisation_brings_back_is_swept_after_later_ones(scene: Scene) -> None:
    owner, address = await deposit(scene, 2_000, status="failed")
    _, later = await deposit(scene, 3_000)
    await turns(scene, 14)
    assert (await coins(scene, address), await coins(scene, later)) == (2_000 * COIN, 0)
    for status, at in (("on_chain_processing", None), ("approved", 1)):
        change = "UPDATE deposits SET status = $2, reason = NULL, credited_at = $3 WHERE owner = $1"
        await scene.owner(change, owner, status, at)
        await turns(scene, 1)
    await turns(scene, 13)
    assert await coins(scene, address) == 0


async def test_a_top_up_that_people_refuse_is_swept_once_like_any_other(scene: Scene) -> None:
    owner, address = await deposit(scene, 2_000, status="pending_review")
    await turns(scene, 14)
    await scene.owner("UPDATE deposits SET status = 'refused' WHERE owner = $1", owner)
    await deposit(scene, 1_000, owner=owner)
    await turns(scene, 14)
    assert await coins(scene, address) == 0
    assert [purpose for purpose, _ in await rows(scene, owner) if purpose == "sweep"] == ["sweep", "sweep"]


async def test_coins_of_a_sweep_that_failed_are_swept_again(scene: Scene) -> None:
    owner, address = await deposit(scene, 2_000)
    await scene.node.node.call("anvil_setBalance", address, hex(10**18))
    scene.bench.next_sweep = 0
    await turn(scene.bench, more=sweep)
    (sent,) = await scene.bench.db.rows(
        "SELECT b.hash, n.nonce FROM signer_nonces n JOIN broadcasts b USING (sender, nonce) WHERE n.owner = $1", owner
    )
    await cancel(scene, sent["hash"], sent["nonce"], key=scene.bench.keys.deposit(owner))
    await turns(scene, 20)
    assert await rows(scene, owner) == [("sweep", "failed"), ("sweep", "approved")]
    assert await coins(scene, address) == 0


async def test_a_look_reads_what_is_new_and_nothing_that_was_swept(scene: Scene) -> None:
    chain_id = scene.node.chain.network.chain_id
    await _swept_before(scene.url, chain_id)
    owner, address = await deposit(scene, 2_500)
    db = await asyncpg.connect(scene.url)
    try:
        async with db.transaction():
            await sums.add_up(db, chain_id, 10_000)
            (full,) = await sums.list_full(db, "USDT", 1_000 * COIN, 20, besides=())
            read = await db.fetch(
                """
                SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
                FROM pg_stat_xact_user_tables WHERE seq_tup_read + coalesce(idx_tup_fetch, 0) > 0
                """
            )
    finally:
        await db.close()
    assert (full.owner, full.address) == (owner, address)
    found = {row["name"]: row["rows"] for row in read}
    assert set(found) <= {"sweep_news", "sweep_sums", "deposit_addresses", "signer_nonces"}
    assert sum(found.values()) < 20, found
    await turns(scene, 14)
    assert await coins(scene, address) == 0


async def _swept_before(url: str, chain_id: int) -> None:
    """Many addresses to which something came, all of which was swept."""
    db = await asyncpg.connect(url)
    address = "'0x' || lpad(to_hex(n), 40, '0')"
    digest = "'0x' || lpad(to_hex(n), 64, '0')"
    await db.execute(
        f"""
        INSERT INTO deposit_addresses (owner, address, made_at)
        SELECT 50000000 + n, {address}, 1 FROM generate_series(1, {MANY}) AS n;
        INSERT INTO deposits (id, revision, chain_id, transaction, log_index, block, block_hash, asset, sender,
            recipient, owner, units, required, status, seen_at, changed_at, credited_at)
        SELECT 2000000000 + n, 1, {chain_id}, {digest}, 0, 1, {digest}, 'USDT', 'x', {address}, 50000000 + n,
            2000000000, 3, 'approved', 1, 1, 1 FROM generate_series(1, {MANY}) AS n;
        INSERT INTO signer_nonces (sender, nonce, purpose, owner, asset, recipient, units, value_units, gas, taken_at,
            taken_block, ended_at, outcome, transaction)
        SELECT {address}, 0, 'sweep', 50000000 + n, 'USDT', {address}, 2000000000, 0, 0, 1, 1, 1, 'approved', {digest}
        FROM generate_series(1, {MANY}) AS n;
        INSERT INTO sweep_sums (owner, asset, units)
        SELECT 50000000 + n, 'USDT', -2000000000 FROM generate_series(1, {MANY}) AS n
        """
    )
    await sums.add_up(db, chain_id, 2 * MANY)
    await db.execute("VACUUM ANALYZE sweep_sums, sweep_news, signer_nonces, deposit_addresses, deposits")
    await db.close()


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
    await scene.owner("UPDATE deposit_addresses SET address = $2 WHERE owner = $1", owner, address)
    await scene.owner("UPDATE deposits SET recipient = $2 WHERE owner = $1", owner, address)


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
