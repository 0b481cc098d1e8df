"""The chain's watcher reads new blocks once and resolves what became final; operators hear of listed senders.

Behind it another one looks through final blocks for tokens that the house doesn't know.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import structlog

from kalos.core.assets import BY_CODE
from kalos.core.database import Connection
from kalos.core.errors import ForOperator, NotTold, Outage, StateChanged, WrongState
from kalos.core.mails import queue_mail
from kalos.core.money import text_of
from kalos.core.ports import Block, ChainClient, TokenTransfer
from kalos.domains.context import House
from kalos.domains.deposits import queries, rules, service
from kalos.domains.deposits.tables import TOPIC, Cursor, StrayPass
from kalos.ledger.outbox import StoredFact, consume

_BLOCKS_A_STEP: Final = 50
# Two questions for each: a node that takes few a second still answers a whole lot, and that is kept.
_BLOCKS_AT_ONCE: Final = 5
# Of strays: the most that is asked for at once, and how often less must have been told before more is asked for again.
_MOST_BLOCKS: Final = 500
_MOST_ADDRESSES: Final = 200
_QUESTIONS_A_STEP: Final = 10
_TOLD_BEFORE_MORE: Final = 16
_LAGGING_BLOCKS: Final = 12  # so many a node may lack and answer all the same, as if nothing were in them
_READER: Final = "deposits.listed"
_MAIL: Final = "listed_sender"
_log = structlog.get_logger("deposits")

_Told = tuple[Block | None, list[TokenTransfer]]
"""What stands at a height, and what was transferred in it."""


class ChainReplaced(ForOperator):
    """None of the remembered blocks is on the chain: it isn't the one that this house knows. A person must decide."""


async def watch(house: House) -> None:
    """Do one bounded step; every effect may be the last one before a crash, and the next step goes on from there.

    First the sightings are posted, then the cursor moves over their blocks. Any number of watchers may run.
    Raises: Outage, ChainReplaced.
    """
    try:
        head = await house.chain.head()
        cursor = await _stand(house, head)
        if cursor is None:
            return
        cursor = await _read(house, cursor, head)
        for deposit in await queries.list_unresolved(house.db, cursor):
            await service.resolve(house, deposit)
        for asset, minimum in house.terms.topup_min.items():
            for owner in await queries.list_ripe(house.db, asset.code, minimum.units):
                await service.release(house, owner, minimum)
    except (StateChanged, WrongState):
        return  # another watcher was faster; the next step reads what it did


async def tell_operator(house: House, recipient: str) -> int:
    """Have a mail sent of each top-up from a listed sender, once; returns how many facts were read."""

    async def tell(db: Connection, facts: Sequence[StoredFact]) -> None:
        for fact in facts:
            found = await queries.find_deposit(db, fact.body["deposit"])
            assert found is not None, fact.body
            amount = f"{text_of(found.units, BY_CODE[found.asset])} {found.asset}"
            values = {"deposit": str(found.id), "amount": amount, "sender": found.sender}
            await queue_mail(db, name=_MAIL, lang="en", recipient=recipient, values=values, at=house.clock.wall())

    return await consume(house.db, _READER, [TOPIC], tell, wall=house.clock.wall())


async def _stand(house: House, head: int) -> Cursor | None:
    """The cursor, put back to the last block that is still on the chain. None: wait, the nodes are behind it.

    A chain that is only shorter is not yet a reorganised one: a node may lag, or have lost its last blocks.
    """
    chain, db = house.chain, house.db
    cursor = await queries.find_cursor(db, chain.network.chain_id)
    if cursor is None:
        first = await chain.block(max(0, chain.network.first_block - 1))
        if first is not None:
            await queries.start_cursor(db, chain.network.chain_id, first)
        return None
    comparable = [block for block in await queries.list_blocks(db, cursor.chain_id) if block[0] <= head]
    for number, known in comparable:
        block = await chain.block(number)
        if block is None:
            return None
        if block.hash == known:
            return await _settle_on(house, cursor, block, head)
    if comparable:
        raise ChainReplaced(f"chain {cursor.chain_id} has none of the blocks up to {cursor.number} that were read")
    return None


async def _settle_on(house: House, cursor: Cursor, block: Block, head: int) -> Cursor | None:
    """Take `block` as the last one in common."""
    if block.number == cursor.number:
        return cursor
    if block.number == head:
        return None
    back = Cursor(cursor.chain_id, block.number, block.hash)
    return back if await queries.move_cursor(house.db, cursor, back) else None


async def _read(house: House, cursor: Cursor, head: int) -> Cursor:
    """Post the sightings of the next blocks and move the cursor over them."""
    chain = house.chain
    last = min(head, cursor.number + _BLOCKS_A_STEP)
    told = await _ask(chain, range(cursor.number + 1, last + 1))
    blocks = rules.linked([block for block, _ in told], cursor.hash)
    if not blocks:
        return cursor
    found = [transfer for _, transfers in told[: len(blocks)] for transfer in transfers]
    worth = rules.worth_recording(found, chain.network)
    owners = await queries.find_owners(house.db, [transfer.recipient for transfer in worth])
    await service.record(house, [transfer for transfer in worth if transfer.recipient in owners], owners)
    moved = Cursor(cursor.chain_id, blocks[-1].number, blocks[-1].hash)
    if not await queries.move_cursor(house.db, cursor, moved, blocks):
        raise StateChanged
    return moved


async def _ask(chain: ChainClient, numbers: range) -> list[_Told]:
    """What the chain tells of these heights, a few at a time, up to the first of which it tells nothing now.

    What came before an outage is kept: asked for all of it again, nodes that answer a few questions a second would
    never answer enough.
    Raises: Outage where it is that of the first.
    """
    told: list[_Told] = []
    for place in range(0, len(numbers), _BLOCKS_AT_ONCE):
        some = numbers[place : place + _BLOCKS_AT_ONCE]
        for answer in await asyncio.gather(*(_ask_one(chain, number) for number in some), return_exceptions=True):
            if isinstance(answer, Outage) and told:
                _log.warning("blocks wait", first=numbers[len(told)], reason=str(answer))
                return told
            if isinstance(answer, BaseException):
                raise answer
            told.append(answer)
    return told


async def _ask_one(chain: ChainClient, number: int) -> _Told:
    block = await chain.block(number)
    if block is None:
        return None, []
    contracts = [contract.address for contract in chain.network.contracts]
    return block, await chain.transfers(contracts=contracts, blocks=[block])


class Strays:
    """Looks through final blocks, address after address: they hold any number of tokens that anybody made, and nodes
    tell of those to our addresses alone.

    Nothing that is found is an amount of anybody's. A worker remembers how much nodes tell at once; any number may run.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._blocks = _MOST_BLOCKS
        self._addresses = _MOST_ADDRESSES
        self._told = 0  # questions since the last that wasn't

    async def look(self) -> Exception | None:
        """Do one bounded step. Returns what nodes wouldn't tell: the next step asks for less. Raises: Outage."""
        house, network = self._house, self._house.chain.network
        read = await queries.find_cursor(house.db, network.chain_id)
        if read is None:
            return None
        final = read.number - max(network.confirmations, _LAGGING_BLOCKS)
        try:
            for _ in range(_QUESTIONS_A_STEP):
                was = await queries.find_pass(house.db, network.chain_id)
                if was is None:
                    first = max(0, network.first_block - 1)
                    await queries.start_passes(house.db, StrayPass(network.chain_id, first, first, 0))
                elif not await self._look_on(was, final):
                    return None
        except NotTold as problem:
            return problem
        return None

    async def _look_on(self, was: StrayPass, final: int) -> bool:
        """Ask of the next addresses. False: there is no more to ask now, or another worker has asked."""
        db = self._house.db
        upto, owner = (was.upto, was.owner) if was.upto > was.number else (final, 0)
        now = replace(was, upto=min(upto, was.number + self._blocks), owner=owner)
        if now.upto <= now.number:
            return False
        most = self._addresses
        some = await queries.list_addresses(db, now.owner, most)
        owners = {address: owner for owner, address in some}
        found = await self._ask(list(owners), now) if some else []
        after = replace(now, number=now.upto, owner=0) if len(some) < most else replace(now, owner=some[-1][0])
        kept = rules.largest(found, queries.MOST_STRAYS)
        return await queries.move_pass(db, was, after, kept, owners, self._house.clock.now())

    async def _ask(self, addresses: Sequence[str], now: StrayPass) -> list[TokenTransfer]:
        """Raises: NotTold, Outage."""
        try:
            found = await self._house.chain.transfers_to(addresses, first=now.number + 1, last=now.upto)
        except Outage as problem:
            if isinstance(problem, NotTold) and (self._blocks, self._addresses) == (1, 1):
                # Somebody has filled this block with logs to this address: nobody else's may wait for it for ever.
                _log.error("what came to an address in a block is not told", block=now.upto, address=addresses[0])
                return []
            self._told = 0
            if self._blocks > 1:
                self._blocks //= 2
            else:
                self._addresses = max(1, self._addresses // 2)
            raise
        self._told += 1
        if self._told % _TOLD_BEFORE_MORE == 0:
            if self._addresses < _MOST_ADDRESSES:
                self._addresses = min(2 * self._addresses, _MOST_ADDRESSES)
            else:
                self._blocks = min(2 * self._blocks, _MOST_BLOCKS)
        return found
