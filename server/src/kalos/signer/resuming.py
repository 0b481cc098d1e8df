"""Letting the signer go on: first every payment that the chain has is found in our records, or written into them."""

from collections.abc import Callable, Sequence
from typing import Final

from kalos.core.assets import USDT, Asset
from kalos.core.clock import SECOND_MS, Clock
from kalos.core.database import Connection
from kalos.core.money import Amount
from kalos.core.payments import Outgoing
from kalos.signer import lost, queries, rules
from kalos.signer.bench import Bench
from kalos.signer.steps import has_moved, known_head, look
from kalos.signer.tables import FLOOR, ON_CHAIN, RESTORE, MadeWith, Outcome, Unpaid

_CHUNK: Final = 200


class NotYet(Exception):
    """The signer stays paused; the text says why."""


async def resume(
    bench: Bench,
    *,
    tell: Callable[[str], None],
    reason: str,
    by: str,
    accept_unknown: str | None = None,
    accept_unmoved: bool = False,
) -> None:
    """Unpause the signer. What the chain has of the hot wallet and our records lack, as after a restored backup, is
    written down first, all of it or nothing: none of it is ever paid again. After a restore people look again at what
    was to be paid and wasn't. `tell` gets a line for each, and for each payment that ended,
    also where the signer stays paused afterwards.

    Raises: NotYet where a payment isn't final yet or can't be found, or where some are of no withdrawal: it names all
      of them, and `accept_unknown` must be the last one's transaction, so that nobody accepts what wasn't named; Stop,
      or NotYet for what our records lack, where one succeeded, moved no coins and `accept_unmoved` isn't said; Outage.
    """
    stood = await queries.find_state(bench.db)
    head = await known_head(bench)
    under_way = await queries.list_open(bench.db)
    try:
        await look(bench, head, accept_unmoved=accept_unmoved)
    finally:
        for ended in await lost.list_ended(bench.db, under_way):
            about = f"{ended['transaction']}: {ended['purpose']} {ended['withdrawal'] or ''}".rstrip()
            tell(f"{about}, {ended['outcome']}")
    found = [
        (one, await _outcome(bench, one, accept_unmoved=accept_unmoved), await _paid_at(bench, one))
        for one in await _lost_payments(bench, head)
    ]
    lines, unknown = list[str](), list[tuple[str, str]]()
    async with bench.db.transaction() as step:
        for one, outcome, at in found:
            line, is_known = await _write_down(bench, step, one, outcome, at)
            lines.append(line)
            unknown += [] if is_known else [(one.transaction, line)]
        if unknown and accept_unknown != unknown[-1][0]:
            raise NotYet(_unknown(unknown))
    for line in lines:
        tell(line)
    async with bench.db.transaction() as step:
        returned = await lost.return_unpaid(step, Clock.wall()) if stood.by == RESTORE else []
        if not await queries.unpause(step, reason=reason, by=by, wall=Clock.wall(), stood=stood.at):
            raise NotYet("it was paused once more while this was looked at: see signer show")
    for number in returned:
        tell(f"withdrawal {number} was on its way then and isn't on the chain: it goes before people")


async def _lost_payments(bench: Bench, head: int) -> list[Outgoing]:
    hot, network = bench.keys.hot.address, bench.chain.network
    ours = await queries.next_nonce(bench.db, hot)
    mined = await bench.chain.next_nonce(hot, waiting=False)
    waiting = await bench.chain.next_nonce(hot, waiting=True)
    if max(mined, waiting) <= ours:
        return []
    if waiting > mined:
        raise NotYet(f"{waiting - mined} payments that our records don't have wait for a block: try again")
    first = await lost.last_block(bench.db, hot)
    begin = network.first_block if first is None else first
    found = await _scan(bench, hot, begin, head, ours)
    if [one.nonce for one in found] != list(range(ours, mined)):
        raise NotYet(
            f"the chain counts {mined} payments, our records {ours}, and not all of them can be found from "
            f"block {begin} on: for this one command CHAIN_FIRST_BLOCK may be lower, such as 0"
        )
    if any(head - one.block < network.confirmations for one in found):
        raise NotYet("a payment that our records don't have isn't final yet: try again")
    return found


async def _scan(bench: Bench, hot: str, first: int, head: int, ours: int) -> list[Outgoing]:
    found: list[Outgoing] = []
    for begin in range(first, head + 1, _CHUNK):
        blocks = range(begin, min(begin + _CHUNK, head + 1))
        found += [one for one in await bench.chain.outgoing(hot, blocks=blocks) if one.nonce >= ours]
    return found


async def _outcome(bench: Bench, one: Outgoing, *, accept_unmoved: bool) -> Outcome:
    receipt = await bench.chain.receipt(one.transaction)
    if receipt is None:
        raise NotYet(f"transaction {one.transaction} has no receipt")
    if not receipt.ok:
        return "failed"
    if one.contract is None or _asset_of(bench, one.contract) is None:
        return "approved"
    moved = await has_moved(
        bench, one.transaction, contract=one.contract, sender=bench.keys.hot.address, recipient=one.recipient
    )
    if moved is None:
        raise NotYet(f"transaction {one.transaction} has no receipt")
    if not moved and not accept_unmoved:
        raise NotYet(f"transaction {one.transaction} succeeded and moved no coins: look, then say --accept-unmoved")
    return "approved" if moved else "failed"


async def _paid_at(bench: Bench, one: Outgoing) -> int:
    """When its block was mined: the sums of an hour and a day look at when it was paid, not at when it was found."""
    mined = await bench.chain.block(one.block)
    if mined is None:
        raise NotYet(f"block {one.block} can't be found")
    return min(Clock.wall(), mined.time * SECOND_MS)


async def _write_down(bench: Bench, step: Connection, one: Outgoing, outcome: Outcome, at: int) -> tuple[str, bool]:
    """Returns a line for the operator, and whether it is of something that we know."""
    asset = _asset_of(bench, one.contract)
    match = None
    if asset is not None:
        match = await lost.match_unpaid(step, asset=asset.code, address=one.recipient, units=one.units)
    value, price = _value_of(bench, asset, one.units, match)
    await lost.put_found(
        step,
        sender=bench.keys.hot.address,
        nonce=one.nonce,
        withdrawal=match,
        asset=None if asset is None else asset.code,
        recipient=one.recipient,
        units=one.units,
        value=0 if outcome == "failed" else value,  # what moved nothing may name any number
        price=price,
        outcome=outcome,
        transaction=one.transaction,
        block=one.block,
        at=at,
    )
    if match is None:
        if one.contract is None and await queries.is_deposit_address(step, one.recipient):
            return f"{one.transaction}: gas for a deposit address", True
        return _named(bench, one, outcome), False
    await queries.put_end(
        step, match.id, outcome=outcome, transaction=one.transaction, block=one.block, wall=Clock.wall()
    )
    note = "" if match.status == ON_CHAIN else "; it waits for a review: say yes, for it is paid"
    return f"{one.transaction}: withdrawal {match.id}, {outcome}{note}", True


def _unknown(payments: Sequence[tuple[str, str]]) -> str:
    what_to_do = (
        f"{len(payments)} of no withdrawal we know: what a member asked for in the lost time, and got, take from them "
        f"by a correction; then resume with --accept-unknown {payments[-1][0]}"
    )
    return "\n".join((*(line for _, line in payments), what_to_do))


def _named(bench: Bench, one: Outgoing, outcome: Outcome) -> str:
    asset = _asset_of(bench, one.contract)
    if asset is not None:
        paid = f"{Amount(one.units, asset)} {asset.code}"
    elif one.contract is not None:
        paid = f"{one.units} units of {one.contract}"
    else:
        paid = f"{one.units} units of the chain's own coin, as gas or stolen: no member asked for it,"
    note = ", which failed: nothing was paid" if outcome == "failed" else ""
    return f"{one.transaction}: {paid} to {one.recipient}{note}"


def _value_of(bench: Bench, asset: Asset | None, units: int, match: Unpaid | None) -> tuple[int, MadeWith | None]:
    """In units of USDT, as if it were signed now, and what made it. Native coins and others' tokens have no price."""
    least = 0 if asset is None else rules.least_value(units, asset, bench.limits)
    value = max(least, match.value_units if match else 0)
    if asset is None or asset is USDT:
        return value, None
    if match is not None and match.value_units >= least:
        return value, match.price
    floor = bench.limits.least_price
    return value, MadeWith(floor.numerator, floor.denominator, Clock.wall(), FLOOR)


def _asset_of(bench: Bench, contract: str | None) -> Asset | None:
    return next((one.asset for one in bench.chain.network.contracts if one.address == contract), None)
