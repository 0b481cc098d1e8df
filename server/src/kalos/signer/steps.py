"""One turn of the signer: look at what was sent, send what isn't, raise fees, sign what is due."""

from collections.abc import Awaitable, Callable, Collection
from typing import Final

import structlog

from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.core.failpoints import reach
from kalos.core.payments import Declined, Fees, Payment, Receipt
from kalos.signer import queries, reviewing, rules
from kalos.signer.bench import Bench, Place, check_goes_on, sign
from kalos.signer.rules import Halted, Stop, Wait
from kalos.signer.tables import Attempt, Due, Open, Outcome, Seen

_MOST_DUE: Final = 10
_MOST_ATTEMPTS: Final = 100
_AGAIN_BLOCKS: Final = 2
_MOST_SCANNED: Final = 200
_SIGNER: Final = "signer"
_log = structlog.get_logger(_SIGNER)


async def turn(bench: Bench, *, more: Callable[[Bench, int], Awaitable[None]] | None = None) -> None:
    """Take every payment one step on, then do `more`. While the signer is paused, or money out is stopped, payments are
    only looked at: nothing is signed, sent or sent again.

    Raises: Outage.
    """
    head = await known_head(bench)
    waiting: str | None = None
    try:
        mined = await look(bench, head)
        await check_goes_on(bench)
        await _send_open(bench, head, mined)
        waiting = await _pay_due(bench, head)
        if more is not None:
            await more(bench, head)
    except Halted as halted:
        waiting = str(halted) or None
    except Stop as stop:
        if await queries.pause(bench.db, reason=str(stop), by=_SIGNER, wall=Clock.wall()):
            _log.critical("the signer stops", reason=str(stop))
    await queries.beat(bench.db, waiting=waiting, head=head, wall=Clock.wall())


async def known_head(bench: Bench) -> int:
    """The newest block's number, from which is counted what is final: the word of one node alone isn't enough.

    Raises: Outage, also where most nodes have no such block.
    """
    head = await bench.chain.head()
    if await bench.chain.block(head) is None:
        raise Outage(f"most chain endpoints have no block {head}")
    return head


async def look(bench: Bench, head: int, *, accept_unmoved: bool = False) -> set[Place]:
    """End every payment that a block shows which is deep enough. Returns those that some block has.

    Raises: Stop where a transaction succeeded and moved no coins, unless a person has looked and says that it failed;
      Outage. All others are looked at first.
    """
    mined: set[Place] = set()
    stop: Stop | None = None
    for payment in await queries.list_open(bench.db):
        try:
            if await _follow(bench, payment, head, accept_unmoved=accept_unmoved):
                mined.add((payment.sender, payment.nonce))
        except Stop as found:
            stop = stop or found
    if stop is not None:
        raise stop
    return mined


async def _follow(bench: Bench, payment: Open, head: int, *, accept_unmoved: bool) -> bool:
    for attempt in reversed(payment.attempts):
        receipt = await bench.chain.receipt(attempt.hash)
        if receipt is not None:
            reach("payment_seen")
            await _note(bench, payment, Seen(attempt.hash, receipt.block))
            if await _is_final(bench, receipt.block, receipt.block_hash, head):
                reach("payment_final")
                await _judge(bench, payment, attempt.hash, receipt, accept_unmoved=accept_unmoved)
            return True
    await _note(bench, payment, None)
    if await bench.chain.next_nonce(payment.sender, waiting=False) > payment.nonce:
        await _look_for_another(bench, payment, head, accept_unmoved=accept_unmoved)
        return True
    return False


async def _note(bench: Bench, payment: Open, seen: Seen | None) -> None:
    """Nothing of ours follows from it: a reorganisation takes it back."""
    if payment.seen != seen:
        await queries.note_seen(bench.db, payment, seen)


async def _is_final(bench: Bench, number: int, block_hash: str, head: int) -> bool:
    if head - number < bench.chain.network.confirmations:
        return False
    block = await bench.chain.block(number)
    return block is not None and block.hash == block_hash


async def _judge(bench: Bench, payment: Open, transaction: str, receipt: Receipt, *, accept_unmoved: bool) -> None:
    """End a payment by its transaction in a final block, unless nobody knows now what that moved.

    Raises: Stop, Outage.
    """
    contract, moved = bench.contract(payment.asset), receipt.ok
    if receipt.ok and contract is not None:
        found = await has_moved(
            bench, transaction, contract=contract, sender=payment.sender, recipient=payment.recipient
        )
        if found is None:
            return
        if not found and not accept_unmoved:
            raise Stop("nothing_moved", f"transaction {transaction} succeeded and moved no coins")
        moved = found
    await end(bench, payment, "approved" if moved else "failed", transaction, receipt.block)


async def has_moved(bench: Bench, transaction: str, *, contract: str, sender: str, recipient: str) -> bool | None:
    """Whether a transaction that succeeded let coins go: a token may say yes and move nothing, and one that keeps a
    part for itself has let them go. None where no node knows its receipt now: that is no proof of anything.

    Raises: Outage.
    """
    moved = await bench.chain.transaction_transfers(transaction)
    wanted = (contract, sender, recipient)
    return None if moved is None else any((one.contract, one.sender, one.recipient) == wanted for one in moved)


async def end(bench: Bench, payment: Open, outcome: Outcome, transaction: str, block: int) -> None:
    """Store what became of a payment."""
    async with bench.db.transaction() as step:
        await queries.end_payment(
            step, payment, outcome=outcome, transaction=transaction, block=block, wall=Clock.wall()
        )
    reach("payment_ended")
    for attempt in payment.attempts:
        bench.sent.pop(attempt.hash, None)
    bench.scanned.pop((payment.sender, payment.nonce), None)
    _log.info("payment ended", withdrawal=payment.withdrawal, outcome=outcome, transaction=transaction)


async def _look_for_another(bench: Bench, payment: Open, head: int, *, accept_unmoved: bool) -> None:
    """The nonce is used and no receipt of ours is there: only a final block that shows another transaction with it
    ends the payment. A node that has lost a receipt is no proof.

    One that pays the same to the same is this payment: signed again, dearer, by records that a restored backup lacks.
    """
    key = (payment.sender, payment.nonce)
    first = bench.scanned.get(key, payment.taken_block)
    last = min(head - bench.chain.network.confirmations, first + _MOST_SCANNED - 1)
    own = {attempt.hash for attempt in payment.attempts}
    wanted = (bench.contract(payment.asset), payment.recipient, payment.units)
    for one in await bench.chain.outgoing(payment.sender, blocks=range(first, last + 1)):
        if one.nonce == payment.nonce and one.transaction not in own:
            if (one.contract, one.recipient, one.units) != wanted:
                await end(bench, payment, "failed", one.transaction, one.block)
            elif (receipt := await bench.chain.receipt(one.transaction)) is not None:
                await _judge(bench, payment, one.transaction, receipt, accept_unmoved=accept_unmoved)
            return
    bench.scanned[key] = max(first, last + 1)


async def _send_open(bench: Bench, head: int, mined: Collection[Place]) -> None:
    """Send again what no block has, in the order of nonces, and raise the fee of what waits for too long."""
    for payment in await queries.list_open(bench.db):
        if (payment.sender, payment.nonce) in mined:
            continue
        last = payment.attempts[-1]
        if head - last.made_block >= bench.limits.raise_blocks:  # also what no node took so far
            last = await _raise_fee(bench, payment, last, head)
        await send(bench, last, head)


async def _raise_fee(bench: Bench, payment: Open, last: Attempt, head: int) -> Attempt:
    """Sign the same payment again, dearer; where the limit forbids that, the last one stays."""
    if await bench.chain.next_nonce(payment.sender, waiting=False) != payment.nonce:
        return last  # one before it is what waits
    if last.number == _MOST_ATTEMPTS:
        return last  # the table takes no further one
    fees = rules.raised(last.fees, await bench.chain.fees(), bench.limits)
    if fees is None or await bench.chain.native(payment.sender) < payment.gas * fees.max_fee:
        return last
    signed = await sign(bench, bench.key_of(payment), unsigned(bench, payment), fees)
    attempt = Attempt(last.number + 1, signed.raw, signed.hash, fees, head, is_sent=False)
    await queries.put_broadcast(
        bench.db,
        sender=payment.sender,
        nonce=payment.nonce,
        attempt=attempt.number,
        withdrawal=payment.withdrawal,
        signed=signed,
        fees=fees,
        wall=Clock.wall(),
        head=head,
    )
    reach("payment_stored")
    return attempt


def unsigned(bench: Bench, payment: Open) -> Payment:
    return Payment(
        chain_id=bench.chain.network.chain_id,
        nonce=payment.nonce,
        contract=bench.contract(payment.asset),
        recipient=payment.recipient,
        units=payment.units,
        gas=payment.gas,
    )


async def send(bench: Bench, attempt: Attempt, head: int) -> None:
    """Hand stored bytes to the nodes, unless that was done at this height. Raises: Halted, Outage."""
    if attempt.is_sent and head - bench.sent.get(attempt.hash, -_AGAIN_BLOCKS) < _AGAIN_BLOCKS:
        return
    await check_goes_on(bench)
    try:
        await bench.chain.send(attempt.raw)
    except Declined as problem:
        # It is in a block already, or waits for gas: the next look tells. The bytes stay as they are.
        _log.warning("a transaction is not taken", transaction=attempt.hash, problem=str(problem)[:200])
        return
    reach("payment_answered")
    bench.sent[attempt.hash] = head
    if not attempt.is_sent:
        await queries.mark_sent(bench.db, attempt.hash, wall=Clock.wall())


async def _pay_due(bench: Bench, head: int) -> str | None:
    """Sign and send what is due, each coin's in its own order: one that is short keeps no other coin waiting.

    Returns why the next ones wait. Raises: Stop, Halted, Outage.
    """
    waits: dict[str, str] = {}
    for _ in range(len(bench.chain.network.contracts)):
        due = await queries.list_due(bench.db, _MOST_DUE, wall=Clock.wall(), besides=waits)
        try:
            for one in due:
                if not await _gave_back(bench, one):
                    await _pay(bench, one, head)
            break
        except Wait as wait:
            waits[one.asset] = str(wait)
    return "; ".join(dict.fromkeys(waits.values())) or None


async def _gave_back(bench: Bench, due: Due) -> bool:
    """Leave a withdrawal to people whose member was frozen or held, or that isn't ready; nobody else's waits.

    The one process that signs says so: what came back can't have been signed, and what was signed doesn't come back.
    """
    why = rules.returned(due, bench.own) or reviewing.unready(bench, due)
    if why is None:
        return False
    await queries.put_return(bench.db, due, why, wall=Clock.wall())
    reach("withdrawal_returned")
    _log.warning("a withdrawal goes back to people", withdrawal=due.id, reason=why.reason)
    return True


async def _pay(bench: Bench, due: Due, head: int) -> None:
    """Check one withdrawal, sign it, store it, send it. Raises: Stop, Wait, Halted, Outage."""
    reach("payment_chosen")
    limits, hot, network = bench.limits, bench.keys.hot, bench.chain.network
    wall = Clock.wall()
    value = rules.check(due, limits=limits, trusted=bench.trusted(), chain_id=network.chain_id, wall=wall)
    hour, day = rules.since(wall)
    spent_hour, spent_day = await queries.sum_spent(bench.db, hour), await queries.sum_spent(bench.db, day)
    rules.check_sums(value, spent_hour=spent_hour, spent_day=spent_day, limits=limits)
    nonce = await next_nonce(bench, hot.address)
    fees = rules.first_fees(await bench.chain.fees(), limits)
    contract = bench.contract(due.asset)
    assert contract is not None, due.id
    await _check_funds(bench, due, contract, fees)
    reach("payment_checked")
    payment = Payment(
        chain_id=network.chain_id,
        nonce=nonce,
        contract=contract,
        recipient=due.address,
        units=due.units,
        gas=rules.TOKEN_GAS,
    )
    signed = await sign(bench, hot, payment, fees)
    reach("payment_signed")
    async with bench.db.transaction() as step:
        taken = await queries.take_nonce(
            step, due, sender=hot.address, nonce=nonce, value=value, floor=limits.least_price, gas=payment.gas,
            wall=wall, head=head,
        )  # fmt: skip
        if not taken:
            await check_goes_on(bench)
            raise Wait(f"withdrawal {due.id} has changed meanwhile")
        await queries.put_broadcast(
            step,
            sender=hot.address,
            nonce=nonce,
            attempt=1,
            withdrawal=due.id,
            signed=signed,
            fees=fees,
            wall=wall,
            head=head,
        )
    reach("payment_stored")
    _log.info("payment signed", withdrawal=due.id, nonce=nonce, transaction=signed.hash)
    await send(bench, Attempt(1, signed.raw, signed.hash, fees, head, is_sent=False), head)


async def next_nonce(bench: Bench, sender: str) -> int:
    """The nonce that the next payment of `sender` takes. Raises: Stop, Outage."""
    nonce = await queries.next_nonce(bench.db, sender)
    mined = await bench.chain.next_nonce(sender, waiting=False)
    waiting = await bench.chain.next_nonce(sender, waiting=True)
    rules.check_nonce(nonce, mined=mined, waiting=waiting)
    return nonce


async def _check_funds(bench: Bench, due: Due, contract: str, fees: Fees) -> None:
    """What the hot wallet has, less what its open payments will take, must cover this one. Raises: Wait."""
    hot = bench.keys.hot.address
    own = [payment for payment in await queries.list_open(bench.db) if payment.sender == hot]
    coins = sum(payment.units for payment in own if payment.asset == due.asset)
    if await bench.chain.tokens(contract, hot) < coins + due.units:
        raise Wait(f"the hot wallet has too little {due.asset} for withdrawal {due.id}")
    gas = sum(payment.gas * payment.attempts[-1].fees.max_fee for payment in own) + rules.TOKEN_GAS * fees.max_fee
    gas += sum(payment.units for payment in own if payment.asset is None)
    if await bench.chain.native(hot) < gas:
        raise Wait("the hot wallet has too little native coin for gas")


async def watch_gas(bench: Bench) -> None:
    """Write down what the hot wallet has of the native coin. Raises: Outage."""
    hot = bench.keys.hot.address
    units = await bench.chain.native(hot)
    is_low = units < bench.limits.gas_low * 10**18
    await queries.put_gas(bench.db, hot=hot, units=units, is_low=is_low, wall=Clock.wall())
