"""Looking at the reserves: one final block, one snapshot of the books, and what money out must know of both."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kalos.core.assets import BY_CODE, Asset
from kalos.core.database import Connection, Database
from kalos.core.errors import Outage
from kalos.core.ports import Block
from kalos.domains.context import House
from kalos.domains.reserves import queries, rules
from kalos.domains.reserves.queries import Sent, Snapshot, Told
from kalos.domains.reserves.rules import GWEI, LARGEST_UNITS, NATIVE_SCALE, Books, Standing
from kalos.ledger.watch import Alarm, stop_and_tell

_PAID_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class Wallets:
    """The house's own addresses of an asset: `hot` pay withdrawals, `cold` keep the rest."""

    hot: tuple[str, ...]
    cold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What was found after `block`; `stopped`: it was this look that stopped money out."""

    block: Block
    standings: tuple[Standing, ...]
    problems: tuple[str, ...]
    is_gas_low: bool
    stopped: bool


async def look(
    house: House, wallets: dict[Asset, Wallets], told: Told, *, wall: int, alarm: Alarm | None = None
) -> Look | None:
    """Hold the reserves against the books at one final block; money out stops in the commit that keeps a shortage.

    The block is chosen first: whatever was paid up to it had been written down before it was sent, and whatever came up
    to it is, so the snapshot that follows knows of it. The chain is asked last: what an address has after a final block
    doesn't change.

    None: no final block was read yet, or another worker looked meanwhile.
    Raises: Outage where no quorum of nodes tells what the block has, or what a payment moved that the signer saw in it.
    """
    chain = house.chain
    read = await queries.find_read(house.db, told, chain.network.chain_id)
    if read is None:
        return None
    block = await chain.block(min(await chain.head() - chain.network.confirmations, read))
    if block is None:
        return None
    seen = await queries.take_snapshot(
        house.db, told, chain_id=chain.network.chain_id, assets=list(wallets), block=block
    )
    if block.number < seen.state.block:  # the nodes went back: what is known of later blocks would be mixed in
        return None
    addresses = {asset: await _ask(house, asset, seen.addresses, block) for asset in wallets}
    standings = [
        Standing(
            asset,
            await _with_paid(house, asset, seen, block),
            {
                "hot": sum((await _ask(house, asset, own.hot, block)).values()),
                "cold": sum((await _ask(house, asset, own.cold, block)).values()),
                "deposits": _besides(addresses[asset], own),
            },
        )
        for asset, own in wallets.items()
    ]
    gas = await _gas(house, wallets, block)
    is_gas_low = gas < house.terms.gas_low * 10**NATIVE_SCALE
    found = [
        rules.problem(one.asset, expected=one.books.expected, missing=one.missing, block=block.number)
        for one in standings
        if one.missing
    ]
    async with house.db.transaction() as step:
        gas_gwei = min(gas // GWEI, LARGEST_UNITS)
        if not await queries.store(
            step, seen, block=block, gas_gwei=gas_gwei, is_gas_low=is_gas_low, addresses=addresses, at=wall
        ):
            return None
        for one in standings:
            mark = rules.hot_mark(one, low=house.terms.hot_low, high=house.terms.hot_high)
            await queries.store_standing(step, one, mark, block=block, at=wall)
        # Its words differ with each block: who resumes money out asks what was missing at the last look.
        stopped = await stop_and_tell(step, found, wall, alarm, follows=False)
    return Look(block, tuple(standings), tuple(found), is_gas_low, stopped)


def _besides(addresses: dict[str, int], own: Wallets) -> int:
    """What top-up addresses have; one that is also a wallet of the house has been counted as such."""
    return sum(units for address, units in addresses.items() if address not in (*own.hot, *own.cold))


async def _ask(house: House, asset: Asset, owners: Sequence[str], block: Block) -> dict[str, int]:
    contract = house.chain.network.contract(asset).address
    own = list(dict.fromkeys(owners))
    units = await house.chain.token_balances(contract=contract, owners=own, block=block)
    return dict(zip(own, units, strict=True))


async def _with_paid(house: House, asset: Asset, seen: Snapshot, block: Block) -> Books:
    """The books with what left up to that block while the ledger still holds it: the chain itself says which."""
    sent = [one for one in seen.sent if BY_CODE[one.asset] is asset]
    paid = 0
    for place in range(0, len(sent), _PAID_AT_ONCE):
        some = sent[place : place + _PAID_AT_ONCE]
        answers = await asyncio.gather(*(_was_paid(house, one, block) for one in some))
        paid += sum(one.units for one, was_paid in zip(some, answers, strict=True) if was_paid)
    return replace(seen.books[asset], paid=paid)


async def _was_paid(house: House, sent: Sent, block: Block) -> bool:
    contract = house.chain.network.contract(BY_CODE[sent.asset]).address
    for transaction in sent.hashes:
        transfers = await house.chain.transaction_transfers(transaction)
        if transfers is None and transaction in sent.seen:
            # Its coins have left: to count it as unpaid would tell of a theft that never was.
            raise Outage(f"no receipt of {transaction}, which the signer saw in a block")
        if rules.was_paid(transfers, contract=contract, units=sent.units, block=block.number):
            return True
    return False


async def _gas(house: House, wallets: dict[Asset, Wallets], block: Block) -> int:
    """What the address that the signer pays from has of the chain's own coin: that of others sends nothing.

    Before a signer has said which one that is, what all hot wallets have together.
    """
    payer = await queries.find_payer(house.db)
    hot = [payer] if payer else dict.fromkeys(address for own in wallets.values() for address in own.hot)
    return sum([await house.chain.native_balance(owner=address, block=block) for address in hot])


async def list_problems(db: Database | Connection) -> list[str]:
    """What was missing at the last look, a sentence each."""
    return [
        rules.problem(BY_CODE[row.asset], expected=row.expected, missing=row.missing, block=row.block)
        for row in await queries.list_checks(db)
        if row.missing
    ]
