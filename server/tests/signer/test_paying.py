"""What was reviewed is paid once, on a real node: stored before it is sent, followed until it is final."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal

import asyncpg
import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.core.payments import PaymentKey
from kalos.domains.withdrawals import queries as withdrawals
from kalos.domains.withdrawals.rules import confirmations
from kalos.signer import queries
from kalos.signer.steps import turn
from signer.scene import COIN, Scene, with_limits
from support.droppers import dropper
from support.ledger import until_money_goes_out


async def test_withdrawal_arrives_once_and_ends_approved(scene: Scene) -> None:
    one = await scene.ask("100")
    await scene.finish(one)
    assert await scene.ends(one) == ["approved"]
    assert await scene.has(one) == 100 * COIN
    assert len(await scene.attempts(one)) == 1
    for _ in range(3):
        await turn(scene.bench)
        await scene.node.mine()
    assert await scene.has(one) == 100 * COIN


async def test_kls_is_paid_from_its_own_contract(scene: Scene) -> None:
    one = await scene.ask("12.5", KLS)
    await scene.finish(one)
    assert await scene.has(one, KLS) == 1_250_000_000
    assert await scene.has(one, USDT) == 0


async def test_a_value_keeps_the_price_that_made_it(scene: Scene) -> None:
    """That of the row, or the signer's own floor where that is more; of USDT none."""
    usdt, kls = await scene.ask("100"), await scene.ask("12.5", KLS, row={"price_at": 7})
    cheap = await scene.ask("13", KLS, row={"value_units": 5_199_999})
    began = Clock.wall()
    await scene.finish(usdt, kls, cheap)
    assert await scene.made_with(usdt) == (None,) * 4
    assert await scene.made_with(kls) == (1, 2, 7, "test")
    *rate, at, source = await scene.made_with(cheap)
    assert (rate, source) == ([2, 5], "least_price")
    assert began <= at <= Clock.wall()


async def test_payment_is_not_final_before_its_confirmations(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    assert await queries.list_due(scene.bench.db, 10, wall=Clock.wall()) == []
    await scene.node.mine(scene.node.chain.network.confirmations)
    await turn(scene.bench)
    assert await scene.ends(one) == []
    await scene.node.mine()
    await turn(scene.bench)
    assert await scene.ends(one) == ["approved"]


async def test_the_database_gives_a_withdrawal_one_nonce_and_a_nonce_one_payment(scene: Scene) -> None:
    one = await scene.ask("100")
    await scene.finish(one)
    again = """
        INSERT INTO signer_nonces (sender, nonce, purpose, withdrawal, hold, owner, asset, recipient, units,
            value_units, gas, taken_at, taken_block)
        SELECT sender, nonce + $2, purpose, withdrawal, hold, owner, asset, recipient, units, value_units, gas,
            taken_at, taken_block
        FROM signer_nonces WHERE withdrawal = $1
    """
    for name, ahead in (("signer_nonces_withdrawal_key", 1), ("signer_nonces_pkey", 0)):
        with pytest.raises(asyncpg.UniqueViolationError) as problem:
            await scene.owner(again, one, ahead)
        assert problem.value.constraint_name == name


async def test_a_reorganised_payment_is_sent_again_as_it_was(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.node.mine()
    await scene.node.wallet.reorganise(1)
    assert await scene.has(one) == 0
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN
    assert len({row["nonce"] for row in await scene.attempts(one)}) == 1


async def shown(scene: Scene, withdrawal: int) -> tuple[str | None, int]:
    """What the house tells of a payment on its way: its transaction, and how many blocks stand on top of it."""
    row = await withdrawals.find(scene.bench.db, withdrawal)
    assert row is not None
    seen = (await withdrawals.list_seen(scene.bench.db, [row])).get(withdrawal)
    return None if seen is None else seen.transaction, confirmations(row, seen, scene.node.chain.network.confirmations)


async def test_confirmations_count_up_on_the_way_and_stop_at_their_number(scene: Scene) -> None:
    one = await scene.ask("100")
    required = scene.node.chain.network.confirmations
    found = [await shown(scene, one)]
    await turn(scene.bench)
    found.append(await shown(scene, one))
    for _ in range(required + 1):
        await scene.node.mine()
        await turn(scene.bench)
        found.append(await shown(scene, one))
    (sent,) = await scene.attempts(one)
    assert found == [(None, 0), (None, 0), *((sent["hash"], count) for count in range(required + 1))]
    assert await scene.ends(one) == ["approved"]
    await scene.node.mine(2)
    await turn(scene.bench)
    assert await shown(scene, one) == (sent["hash"], required)


async def test_a_reorganisation_takes_confirmations_back(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    (sent,) = await scene.attempts(one)
    await scene.node.mine(2)
    await turn(scene.bench)
    assert await shown(scene, one) == (sent["hash"], 1)
    await scene.node.wallet.reorganise(2)
    await turn(scene.bench)
    assert await shown(scene, one) == (None, 0)
    await scene.node.mine(2)
    await turn(scene.bench)
    assert await shown(scene, one) == (sent["hash"], 1)
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


async def test_bytes_are_stored_before_a_node_has_them(scene: Scene) -> None:
    one = await scene.ask("100")
    async with dropper(scene.node.url, deaf=1) as proxy:
        scene.bench.chain.nodes[0]._url = proxy.url  # type: ignore[attr-defined]
        with pytest.raises(Outage):
            await turn(scene.bench)
        (row,) = await scene.attempts(one)
        assert row["sent_at"] is None
        assert proxy.sent == []
        await scene.finish(one)
        assert set(proxy.sent) == {"0x" + row["raw"].hex()}
    assert len(await scene.attempts(one)) == 1
    assert await scene.has(one) == 100 * COIN


async def test_a_node_that_takes_it_and_drops_the_answer_gets_the_same_bytes(scene: Scene) -> None:
    one = await scene.ask("100")
    async with dropper(scene.node.url, drops=2) as proxy:
        scene.bench.chain.nodes[0]._url = proxy.url  # type: ignore[attr-defined]
        for _ in range(2):
            with pytest.raises(Outage):
                await turn(scene.bench)
        await scene.finish(one)
        assert len(proxy.sent) >= 3
        assert len(set(proxy.sent)) == 1
    assert await scene.has(one) == 100 * COIN
    assert await scene.ends(one) == ["approved"]


async def test_a_dearer_one_takes_the_nonce_of_the_one_that_waits(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    waiting = (await scene.attempts(one))[0]
    await scene.node.node.call("anvil_dropTransaction", waiting["hash"])
    await scene.node.mine(scene.bench.limits.raise_blocks)
    await turn(scene.bench)
    first, second = await scene.attempts(one)
    assert first["nonce"] == second["nonce"]
    assert second["max_fee"] >= first["max_fee"] * Decimal("1.1")
    assert second["tip"] >= first["tip"] * Decimal("1.1")
    assert first["raw"] != second["raw"]
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


async def test_a_fee_stops_rising_at_the_limit(scene: Scene) -> None:
    one = await scene.ask("100")
    bench = with_limits(scene, fee_most=1, raise_blocks=1)
    await turn(bench)
    await scene.node.node.call("anvil_dropTransaction", (await scene.attempts(one))[0]["hash"])
    for _ in range(4):
        attempts = await scene.attempts(one)
        await turn(bench)
        await scene.node.node.call("anvil_dropTransaction", attempts[-1]["hash"])
        await scene.node.mine()
    assert all(row["max_fee"] <= 10**9 for row in await scene.attempts(one))
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


async def test_after_a_hundred_attempts_the_last_stays_and_others_are_paid(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    await scene.owner("UPDATE broadcasts SET attempt = 100 WHERE withdrawal = $1", one)
    await scene.node.node.call("anvil_dropTransaction", (await scene.attempts(one))[0]["hash"])
    await scene.node.mine(scene.bench.limits.raise_blocks)
    other = await scene.ask("10")
    (ended,) = await asyncio.gather(turn(scene.bench), return_exceptions=True)
    assert not isinstance(ended, BaseException), ended
    assert [row["attempt"] for row in await scene.attempts(one)] == [100]
    assert len(await scene.attempts(other)) == 1
    await scene.finish(one, other)
    assert await scene.has(one) == 100 * COIN


@asynccontextmanager
async def reverting(scene: Scene) -> AsyncIterator[None]:
    """The hot wallet's USDT are gone, so what pays them reverts."""
    contract, hot = scene.node.chain.network.contract(USDT).address, scene.bench.keys.hot.address
    units = await scene.node.wallet.balance(contract, hot)
    slot = await _slot_of(scene, contract, hot, units)
    await scene.node.node.call("anvil_setStorageAt", contract, slot, "0x" + "0" * 64)
    try:
        yield
    finally:
        await scene.node.node.call("anvil_setStorageAt", contract, slot, "0x" + units.to_bytes(32, "big").hex())


async def test_a_reverted_payment_ends_failed(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    async with reverting(scene):
        await scene.finish(one)
    assert await scene.ends(one) == ["failed"]
    assert await scene.has(one) == 0


async def _slot_of(scene: Scene, contract: str, owner: str, units: int) -> str:
    """Where the token keeps an owner's balance."""
    from kalos.adapters.chain.hexes import word
    from kalos.adapters.chain.keccak import keccak

    for place in range(12):
        slot = "0x" + keccak(bytes.fromhex(word(owner) + word(place))).hex()
        if int(str(await scene.node.node.call("eth_getStorageAt", contract, slot, "latest")), 16) == units:
            return slot
    raise AssertionError("the token keeps its balances elsewhere")


async def test_a_time_out_is_never_a_failure(scene: Scene) -> None:
    one = await scene.ask("100")
    async with dropper(scene.node.url, deaf=1000) as proxy:
        scene.bench.chain.nodes[0]._url = proxy.url  # type: ignore[attr-defined]
        for _ in range(5):
            with pytest.raises(Outage):
                await turn(scene.bench)
            await scene.node.mine(3)
        assert await scene.ends(one) == []
        proxy.deaf = 0
        await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


async def test_a_nonce_that_another_payment_of_ours_used_ends_failed(scene: Scene) -> None:
    one = await scene.ask("100")
    await turn(scene.bench)
    (row,) = await scene.attempts(one)
    await cancel(scene, row["hash"], row["nonce"])
    await turn(scene.bench)
    assert await scene.ends(one) == []
    await scene.finish(one)
    assert await scene.ends(one) == ["failed"]
    assert await scene.has(one) == 0


async def cancel(scene: Scene, transaction: str, nonce: int, *, key: PaymentKey | None = None) -> None:
    """An operator's own payment with the same key and nonce."""
    from kalos.core.payments import Payment
    from signer.scene import new_address

    await scene.node.node.call("anvil_dropTransaction", transaction)
    fees = await scene.bench.chain.fees()
    other = Payment(
        chain_id=scene.node.chain.network.chain_id,
        nonce=nonce,
        contract=None,
        recipient=new_address(),
        units=1,
        gas=21_000,
    )
    await scene.bench.chain.send((key or scene.bench.keys.hot).sign(other, fees).raw)
    await scene.node.mine()


async def test_nothing_is_signed_or_sent_while_it_is_paused(scene: Scene) -> None:
    sent = await scene.ask("100")
    await turn(scene.bench)
    (row,) = await scene.attempts(sent)
    await scene.node.node.call("anvil_dropTransaction", row["hash"])
    await scene.owner("UPDATE signer_state SET paused = true, reason = 'restored'")
    later = await scene.ask("7")
    await scene.node.mine(10)
    await turn(scene.bench)
    await scene.node.mine()
    assert len(await scene.attempts(sent)) == 1
    assert await scene.attempts(later) == []
    assert await scene.has(sent) == 0
    await scene.go_on()
    await scene.finish(sent, later)
    assert (await scene.has(sent), await scene.has(later)) == (100 * COIN, 7 * COIN)


async def test_nothing_is_signed_sent_or_made_dearer_while_money_out_is_stopped(scene: Scene) -> None:
    sent = await scene.ask("100")
    await turn(scene.bench)
    (row,) = await scene.attempts(sent)
    await scene.node.node.call("anvil_dropTransaction", row["hash"])
    one = await scene.ask("7")
    await scene.owner("INSERT INTO ledger_flags (name, reason, since) VALUES ('money_out_stopped', 'a test', 1)")
    try:
        await scene.node.mine(scene.bench.limits.raise_blocks)
        await turn(scene.bench)
        await scene.node.mine()
        assert await scene.attempts(one) == []
        assert len(await scene.attempts(sent)) == 1
        assert await scene.has(sent) == 0
        assert await scene.bench.db.value("SELECT waiting FROM signer_state") == "money out is stopped"
    finally:
        await scene.owner("DELETE FROM ledger_flags")
    await until_money_goes_out(scene.ledger, scene.owner)
    await scene.finish(sent, one)
    assert (await scene.has(sent), await scene.has(one)) == (100 * COIN, 7 * COIN)


async def test_a_hot_wallet_that_is_short_waits_and_pays_when_it_is_filled(scene: Scene) -> None:
    hot, contract = scene.bench.keys.hot.address, scene.node.chain.network.contract(USDT).address
    units = await scene.node.wallet.balance(contract, hot)
    slot = await _slot_of(scene, contract, hot, units)
    await scene.node.node.call("anvil_setStorageAt", contract, slot, "0x" + (99 * COIN).to_bytes(32, "big").hex())
    one = await scene.ask("100")
    await turn(scene.bench)
    assert await scene.attempts(one) == []
    assert "too little USDT" in str(await scene.bench.db.value("SELECT waiting FROM signer_state"))
    assert await scene.reason() is None
    await scene.node.node.call("anvil_setStorageAt", contract, slot, "0x" + (100 * COIN).to_bytes(32, "big").hex())
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN


async def test_a_coin_that_is_short_keeps_only_its_own_waiting(scene: Scene) -> None:
    """However many of them are older, and what can be paid is."""
    hot, contract = scene.bench.keys.hot.address, scene.node.chain.network.contract(KLS).address
    units = await scene.node.wallet.balance(contract, hot)
    slot = await _slot_of(scene, contract, hot, units)
    await scene.node.node.call("anvil_setStorageAt", contract, slot, "0x" + bytes(32).hex())
    short = [await scene.ask("1", KLS) for _ in range(11)]
    one = await scene.ask("100")
    await scene.finish(one)
    assert await scene.has(one) == 100 * COIN
    assert [number for number in short if await scene.attempts(number)] == []
    assert "too little KLS" in str(await scene.bench.db.value("SELECT waiting FROM signer_state"))
    assert await scene.reason() is None
    await scene.node.node.call("anvil_setStorageAt", contract, slot, "0x" + units.to_bytes(32, "big").hex())
    await scene.finish(*short)


async def test_without_gas_nothing_is_signed(scene: Scene) -> None:
    await scene.node.node.call("anvil_setBalance", scene.bench.keys.hot.address, hex(1))
    one = await scene.ask("100")
    await turn(scene.bench)
    assert await scene.attempts(one) == []
    assert "gas" in str(await scene.bench.db.value("SELECT waiting FROM signer_state"))
    await scene.node.node.call("anvil_setBalance", scene.bench.keys.hot.address, hex(10**18))
    await scene.finish(one)
