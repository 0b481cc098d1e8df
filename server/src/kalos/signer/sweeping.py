"""Emptying deposit addresses into the hot wallet: gas goes first where it lacks, then all of the coins."""

from typing import Final

import structlog

from kalos.core.clock import Clock
from kalos.core.failpoints import reach
from kalos.core.payments import Fees, Payment, PaymentKey
from kalos.signer import queries, rules, sums
from kalos.signer.bench import Bench, sign
from kalos.signer.rules import Stop
from kalos.signer.steps import next_nonce, send
from kalos.signer.tables import Attempt, Full, Purpose

_EVERY_BLOCKS: Final = 5
_MOST: Final = 20
_MOST_NEWS: Final = 10_000
_HEADROOM: Final = 2  # times what a transfer costs now: a fee may rise between the gas and the transfer
_log = structlog.get_logger("signer")


async def sweep(bench: Bench, head: int) -> None:
    """Take one step for each address that holds enough: its gas, or its coins. The ledger doesn't move.

    Raises: Stop, Halted, Outage.
    """
    if head < bench.next_sweep:
        return
    bench.next_sweep = head + _EVERY_BLOCKS
    network = bench.chain.network
    least = {one.asset.code: rules.least_swept(one.asset, bench.limits) for one in network.contracts}
    async with bench.db.transaction() as step:
        await sums.add_up(step, network.chain_id, _MOST_NEWS)
        lists = [await sums.list_full(step, *one, _MOST, besides=_short(bench, one[0])) for one in least.items()]
    if all(len(found) < _MOST for found in lists):
        bench.short.clear()  # all the others had their turn
    # An address that has several coins gives them up one after the other.
    for full in {full.owner: full for found in lists for full in found}.values():
        if not await _empty(bench, full, least[full.asset], head):
            bench.short.add(full)


def _short(bench: Bench, asset: str) -> list[int]:
    return [full.owner for full in bench.short if full.asset == asset]


async def _empty(bench: Bench, full: Full, least: int, head: int) -> bool:
    """False where the address has less than is known of it, or its gas can't be paid now."""
    key = bench.keys.deposit(full.owner)
    if key.address != full.address:
        raise Stop("wrong_deposit_address", f"the address of owner {full.owner} isn't of our seed")
    contract = bench.contract(full.asset)
    assert contract is not None
    units = await bench.chain.tokens(contract, key.address)
    if units < least:
        return False
    fees = rules.first_fees(await bench.chain.fees(), bench.limits)
    has, needs = await bench.chain.native(key.address), rules.TOKEN_GAS * fees.max_fee
    if has >= needs:
        nonce = await _own_nonce(bench, key.address)
        payment = _payment(bench, nonce, contract, bench.keys.hot.address, units)
        await _pay(bench, key, "sweep", full, payment, fees, head)
        return True
    wanted = _HEADROOM * needs - has
    if await bench.chain.native(bench.keys.hot.address) < wanted + _HEADROOM * needs:
        return False  # what gas there is, withdrawals need
    nonce = await next_nonce(bench, bench.keys.hot.address)
    await _pay(bench, bench.keys.hot, "gas", full, _payment(bench, nonce, None, key.address, wanted), fees, head)
    return True


async def _own_nonce(bench: Bench, address: str) -> int:
    """Of a deposit address: whatever it paid before, by us or by hand, has emptied it into our own wallet."""
    ours = await queries.next_nonce(bench.db, address)
    return max(ours, await bench.chain.next_nonce(address, waiting=False))


def _payment(bench: Bench, nonce: int, contract: str | None, recipient: str, units: int) -> Payment:
    return Payment(
        chain_id=bench.chain.network.chain_id,
        nonce=nonce,
        contract=contract,
        recipient=recipient,
        units=units,
        gas=rules.NATIVE_GAS if contract is None else rules.TOKEN_GAS,
    )


async def _pay(
    bench: Bench, key: PaymentKey, purpose: Purpose, full: Full, payment: Payment, fees: Fees, head: int
) -> None:
    """Sign, store, send, like a withdrawal."""
    signed, wall = await sign(bench, key, payment, fees), Clock.wall()
    async with bench.db.transaction() as step:
        await queries.take_own_nonce(
            step,
            sender=key.address,
            nonce=payment.nonce,
            purpose=purpose,
            owner=full.owner,
            asset=None if payment.contract is None else full.asset,
            recipient=payment.recipient,
            units=payment.units,
            gas=payment.gas,
            wall=wall,
            head=head,
        )
        await queries.put_broadcast(
            step,
            sender=key.address,
            nonce=payment.nonce,
            attempt=1,
            withdrawal=None,
            signed=signed,
            fees=fees,
            wall=wall,
            head=head,
        )
    reach("payment_stored")
    _log.info("sweep", purpose=purpose, owner=full.owner, transaction=signed.hash)
    await send(bench, Attempt(1, signed.raw, signed.hash, fees, head, is_sent=False), head)
