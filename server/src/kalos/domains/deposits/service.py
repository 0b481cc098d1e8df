"""Use cases of deposits: a member's address, a named transaction, and what the watcher does with each sighting."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kalos.core.assets import BY_CODE, USDT
from kalos.core.database import Connection
from kalos.core.errors import Busy, InvalidInput, NotFound, StateChanged, WrongState
from kalos.core.money import Amount, parse_amount
from kalos.core.pages import Page, PageQuery
from kalos.core.ports import TokenTransfer
from kalos.domains.context import Context, House
from kalos.domains.deposits import queries, rules
from kalos.domains.deposits.errors import HashMismatch, HashUsed, SubmitFailed
from kalos.domains.deposits.rules import Status, Verdict
from kalos.domains.deposits.tables import DECISIONS, DEPOSITS, TOPIC, Deposit, Stray
from kalos.domains.identity.queries import is_closed
from kalos.ledger import purse
from kalos.ledger.postings import Fact, Insert, Move, Posting, Set, Stamp, key_of
from kalos.ledger.purse import Purpose


async def deposit_address(house: House, owner: int) -> str:
    """An owner's own address; from the first call on the watcher knows it."""
    known = await queries.find_address(house.db, owner)
    if known is not None:
        return known
    address = house.chain.deposit_address(owner)
    await queries.add_address(house.db, owner, address, house.clock.now())
    return address


async def submit_hash(ctx: Context, *, transaction: str, amount: str | int | None) -> Deposit:
    """Look a transaction up that the member names. It is recorded if it is a deposit, never credited by this.

    Raises: InvalidInput, InvalidAmount, SubmitFailed, HashMismatch, HashUsed.
    Source: treasury.md, "Top-up".
    """
    transaction = rules.read_hash(transaction)
    stated = None if amount is None else parse_amount(amount, USDT)
    network = ctx.house.chain.network
    # Who never saw an address has one all the same; it is written down with the first deposit, not with a refusal.
    address = await queries.find_address(ctx.db, ctx.caller.id) or ctx.house.chain.deposit_address(ctx.caller.id)
    mine, reverted = await _find_topups(ctx.house, transaction, address)
    if not mine:
        known = await queries.list_transaction(ctx.db, network.chain_id, [transaction])
        raise HashUsed if known else HashMismatch
    if stated is not None and stated.units not in (mine[0].units, sum(one.units for one in mine)):
        raise HashMismatch
    block = await ctx.house.chain.block(mine[0].block)
    if block is None or block.hash != mine[0].block_hash:
        raise SubmitFailed
    await deposit_address(ctx.house, ctx.caller.id)
    await record(ctx.house, mine, {address: ctx.caller.id}, reverted=reverted)
    recorded = await queries.list_transaction(ctx.db, network.chain_id, [transaction])
    return next(deposit for deposit in recorded if deposit.owner == ctx.caller.id)


async def _find_topups(house: House, transaction: str, address: str) -> tuple[list[TokenTransfer], bool]:
    """What a transaction brought to an address, or would have brought had it not been reverted (then True).

    Raises: SubmitFailed.
    """
    chain = house.chain
    found = await chain.transaction_transfers(transaction)
    if found is None:
        raise SubmitFailed
    attempt = None if found else await chain.reverted_transfer(transaction)
    if attempt is not None:
        return rules.topups([attempt], chain.network, address), True
    return rules.topups(found, chain.network, address), False


async def list_deposits(ctx: Context, page: PageQuery, status: Status | None) -> tuple[Page[Deposit], int]:
    """The caller's deposits, and the number of the last block that was read."""
    return await queries.list_deposits(ctx.db, ctx.caller.id, page, status), await height(ctx.house)


async def height(house: House) -> int:
    """The last block that was read; 0 before the first."""
    cursor = await queries.find_cursor(house.db, house.chain.network.chain_id)
    return 0 if cursor is None else cursor.number


async def record(
    house: House, transfers: Sequence[TokenTransfer], owners: Mapping[str, int], *, reverted: bool = False
) -> None:
    """Write sightings down, each log once; one that is seen in another block than before is brought up to date.

    A reverted one is written as failed, and stays so unless the chain is reorganised and it succeeds then.

    Raises: StateChanged where another watcher was faster, Outage.
    """
    network = house.chain.network
    known = await queries.list_transaction(house.db, network.chain_id, [one.transaction for one in transfers])
    by_log = {(deposit.transaction, deposit.log_index): deposit for deposit in known}
    postings = []
    for transfer in transfers:
        deposit = by_log.get((transfer.transaction, transfer.log_index))
        if deposit is None:
            postings.append(_sighting(house, transfer, owners[transfer.recipient], reverted))
        elif not reverted and rules.is_news(deposit, transfer):
            postings.append(_seen_again(house, deposit, transfer, owners[transfer.recipient]))
    for outcome in await house.ledger.post_many(postings) if postings else ():
        if isinstance(outcome, Exception):
            raise outcome


def _sighting(house: House, transfer: TokenTransfer, owner: int, reverted: bool) -> Posting:
    network = house.chain.network
    row = _content(house, transfer, owner) | {
        "id": Stamp.ID,
        "revision": 1,
        "chain_id": network.chain_id,
        "transaction": transfer.transaction,
        "log_index": transfer.log_index,
        "required": network.confirmations,
        "status": rules.FAILED if reverted else rules.PROCESSING,
        "reason": rules.REVERTED if reverted else None,
        "seen_at": Stamp.AT,
        "changed_at": Stamp.AT,
        "credited_at": None,
    }
    place = (network.chain_id, transfer.transaction, transfer.log_index, transfer.block_hash)
    return Posting(key=key_of("deposit", *place, row["status"]), riders=[Insert(DEPOSITS, row)])


def _seen_again(house: House, deposit: Deposit, transfer: TokenTransfer, owner: int) -> Posting:
    """A log's number counts in its block: in another block the same number may be another transfer."""
    values = _content(house, transfer, owner) | {"status": rules.PROCESSING, "reason": None}
    return Posting(key=_next_key(deposit, rules.PROCESSING, transfer.block_hash), riders=[_change(deposit, values)])


def _content(house: House, transfer: TokenTransfer, owner: int) -> dict[str, object]:
    """What a log says, and where it stands now."""
    asset = rules.asset_at(house.chain.network, transfer.contract)
    assert asset is not None
    return {
        "block": transfer.block,
        "block_hash": transfer.block_hash,
        "asset": asset.code,
        "sender": transfer.sender,
        "recipient": transfer.recipient,
        "owner": owner,
        "units": transfer.units,
    }


async def resolve(house: House, deposit: Deposit) -> None:
    """Decide on a deposit whose block is final, or in whose block's place another one stands; any other one waits.

    Moves: a credit, outside chain -> member available and what waits, suspense -> member available; below the
      minimum, of a closed account or a listed sender, outside chain -> suspense; anything else moves nothing.
    Raises: StateChanged or WrongState where another watcher was faster or the account is being closed, Outage.
    """
    block = await house.chain.block(deposit.block)
    if block is None:
        return  # a node that has no block now may lag: only another block in its place says that it is gone
    if block.hash != deposit.block_hash:
        await _follow(house, deposit)
        return
    if min(await house.chain.head(), await height(house)) - deposit.block < deposit.required:
        return
    asset = BY_CODE[deposit.asset]
    decided = rules.fate(
        deposit,
        minimum=house.terms.topup_min.get(asset),
        by_house=deposit.owner == purse.HOUSE,
        closed=await is_closed(house.db, deposit.owner),
        listed=await house.screening.is_listed(deposit.sender),
        repeated=await queries.was_decided_elsewhere(house.db, deposit),
    )
    if decided == "credit":
        await _credit(house, deposit)
    elif decided in rules.SUSPENDED:
        source, target = purse.outside(Purpose.CHAIN, asset), purse.house(Purpose.SUSPENSE, asset)
        move = Move("chain.suspense", source, target, deposit.units, reference=deposit.id)
        await _end(house, deposit, rules.WAITING, decided, moves=[move])
    else:
        await _end(house, deposit, rules.WAITING, decided)


async def _follow(house: House, deposit: Deposit) -> None:
    """Its block is gone: a deposit goes on where its transaction stands now, even in one read long ago, or ends."""
    found = await house.chain.transaction_transfers(deposit.transaction) or ()
    here = [one for one in rules.worth_recording(found, house.chain.network) if one.recipient == deposit.recipient]
    await record(house, here, {deposit.recipient: deposit.owner})
    if deposit.log_index not in {transfer.log_index for transfer in here}:
        await _end(house, deposit, rules.FAILED, rules.ORPHANED)


async def release(house: House, owner: int, minimum: Amount) -> None:
    """Credit an owner's waiting deposits where together they reach the minimum, the largest first.

    Those of a closed account, whatever they are together, and of senders that were listed meanwhile stay where they
    are, and wait for the operator from now on.

    Moves: suspense -> member available.
    Raises: StateChanged or WrongState where another watcher or a person was faster, Outage.
    """
    closed = await is_closed(house.db, owner)
    waiting = await _list_clean(house, owner, minimum.asset.code)
    # A full page is the part of a sum that was found to be ripe, however small its deposits are.
    is_ripe = closed or len(waiting) == queries.LARGEST_RELEASE or sum(one.units for one in waiting) >= minimum.units
    if not waiting or not is_ripe:
        return
    parts = [f"{deposit.id}.{deposit.revision}" for deposit in waiting]
    values = {"reason": rules.CLOSED_ACCOUNT} if closed else _approved()
    moves = [] if closed else _released(waiting)
    riders = [_change(deposit, values) for deposit in waiting]
    await house.ledger.post(Posting(key=key_of("deposit.release", *parts), moves=moves, riders=riders))


async def place_house_topup(house: House, deposit: Deposit, shares: Mapping[Purpose, Amount]) -> None:
    """Book a final top-up of the house itself into its accounts; together they are exactly what arrived.

    Moves: outside chain -> house accounts.
    """
    assert deposit.owner == purse.HOUSE, deposit
    assert deposit.reason == rules.HOUSE, deposit
    assert sum(share.units for share in shares.values()) == deposit.units, shares
    asset = BY_CODE[deposit.asset]
    moves = [
        Move(
            "chain.house_topup",
            purse.outside(Purpose.CHAIN, asset),
            purse.house(purpose, asset),
            share.units,
            reference=deposit.id,
        )
        for purpose, share in shares.items()
    ]
    await _end(house, deposit, rules.APPROVED, None, moves=moves)


async def decide(
    house: House,
    number: int,
    *,
    revision: int,
    verdict: Verdict,
    staff: int,
    reason: str,
    key: bytes,
    fingerprint: bytes = b"",
    log: Callable[[Mapping[str, object]], Sequence[Fact]] = lambda _: (),
) -> Deposit:
    """Carry out what one of the house's people decided on a deposit that waits; what `log` makes of the state after it
    comes with the posting.

    Moves: credited, house suspense or outside chain -> member available, or house revenue for the house's own; refused,
      house suspense -> outside chain (a treasurer sends the coins back by hand), or nothing.
    Raises: NotFound, WrongState (it was decided, has changed, or its reason doesn't allow this), MoneyOutStopped,
      RequestConflict (the key was used for something else), Busy, Outage.
    """
    deposit = await queries.find_deposit(house.db, number)
    if deposit is None:
        raise NotFound()
    if verdict not in rules.verdicts(deposit) or deposit.revision != revision:
        raise WrongState()
    assert deposit.reason is not None
    decision = {"deposit": number, "staff": staff, "verdict": verdict, "reason": reason, "at": Stamp.AT}
    values = _approved() if verdict == "credit" else {"status": rules.REFUSED}
    posting = Posting(
        key=key,
        fingerprint=fingerprint,
        moves=moves_of(deposit, rules.POSSIBLE[deposit.reason, verdict]),
        riders=[_change(deposit, values), Insert(DECISIONS, decision)],
        facts=log({"status": values["status"]}),
    )
    try:
        await house.ledger.post(posting)
    except StateChanged as problem:
        same = await queries.find_deposit(house.db, number) == deposit
        if same and not await is_closed(house.db, deposit.owner):
            raise Busy(retry_after=1) from problem  # the member's row was locked for a moment
        raise WrongState() from problem
    decided = await queries.find_deposit(house.db, number)
    assert decided is not None, number
    return decided


def moves_of(deposit: Deposit, way: str) -> list[Move]:
    """What moves on this way from one account to another; nothing on one that moves nothing."""
    asset = BY_CODE[deposit.asset]
    chain, suspense = purse.outside(Purpose.CHAIN, asset), purse.house(Purpose.SUSPENSE, asset)
    credit = ("chain.deposit", purse.available(deposit.owner, asset))
    if deposit.owner == purse.HOUSE:
        credit = ("chain.house_topup", purse.house(Purpose.REVENUE, asset))
    kind, owner = credit
    moves = {
        "suspense to owner": (kind, suspense, owner),
        "chain to owner": (kind, chain, owner),
        "suspense to chain": ("chain.sent_back", suspense, chain),
    }
    return [Move(*moves[way], deposit.units, reference=deposit.id, short=_taken)] if way in moves else []


def _taken(**_: Any) -> WrongState:
    """Suspense holds all that waits: where it is short, somebody was faster. Coins are counted before rows compared."""
    return WrongState()


def _released(waiting: Sequence[Deposit]) -> list[Move]:
    return [move for one in waiting for move in moves_of(one, "suspense to owner")]


async def _credit(house: House, deposit: Deposit) -> None:
    waiting = await _list_clean(house, deposit.owner, deposit.asset)
    moves = moves_of(deposit, "chain to owner") + _released(waiting)
    riders = [_change(one, _approved()) for one in (deposit, *waiting)]
    await house.ledger.post(Posting(key=_next_key(deposit, rules.APPROVED), moves=moves, riders=riders))


async def _end(house: House, deposit: Deposit, status: str, reason: str | None, *, moves: Sequence[Move] = ()) -> None:
    values = _approved() if status == rules.APPROVED else {"status": status, "reason": reason}
    facts = [Fact(TOPIC, {"deposit": deposit.id})] if reason == rules.LISTED_SENDER else []
    key = _next_key(deposit, status, reason or "")
    await house.ledger.post(Posting(key=key, moves=moves, riders=[_change(deposit, values)], facts=facts))


async def _list_clean(house: House, owner: int, asset: str) -> list[Deposit]:
    """What waits for an owner below the minimum; a sender's that was listed meanwhile waits for a person instead."""
    clean = []
    for deposit in await queries.list_waiting(house.db, owner, asset):
        if await house.screening.is_listed(deposit.sender):
            await _end(house, deposit, rules.WAITING, rules.LISTED_SENDER)
        else:
            clean.append(deposit)
    return clean


def _approved() -> dict[str, object]:
    return {"status": rules.APPROVED, "reason": None, "credited_at": Stamp.AT}


def _change(deposit: Deposit, values: Mapping[str, object]) -> Set:
    """A change of one deposit where it is still as it was read."""
    return Set(
        DEPOSITS,
        key={"id": deposit.id},
        expect={"revision": deposit.revision},
        values={"revision": deposit.revision + 1, "changed_at": Stamp.AT, **values},
    )


def _next_key(deposit: Deposit, *change: str) -> bytes:
    """Two watchers that see the same post it once; of two that see other things the revision refuses the slower one."""
    place = (deposit.chain_id, deposit.transaction, deposit.log_index, deposit.block_hash)
    return key_of("deposit", *place, deposit.revision + 1, *change)


async def sent_back(house: House, stray: Stray, payment: str) -> int:
    """How much of a stray's token a transaction took from where it lay after it had come; 0 unless it is final.

    Raises: Outage.
    """
    network = house.chain.network
    if stray.chain_id != network.chain_id:
        return 0
    blocks = range(stray.block + 1, await height(house) - network.confirmations + 1)
    found = await house.chain.transaction_transfers(payment) or ()
    here = (stray.contract, stray.recipient)
    return sum(
        one.units
        for one in found
        if (one.contract, one.sender) == here and one.recipient != stray.recipient and one.block in blocks
    )


async def decide_stray(db: Connection, decided: Stray, sent_units: int) -> Stray:
    """Write down what became of a stray. One payment may have sent several back, each unit once; one that was left may
    have been sent back later. Returns it as it was until then.

    Raises: WrongState (it was decided before), InvalidInput (the payment sent less).
    """
    same = {one.id: one for one in await queries.lock_strays(db, decided)}
    if decided.id not in same or same[decided.id].state in ("returned", decided.state):
        raise WrongState()
    if decided.payment is not None:
        others = sum(one.units for one in same.values() if one.payment == decided.payment)
        if sent_units < others + decided.units:
            raise InvalidInput(errors=[{"field": "payment", "reason": "sent_less"}])
    await queries.update_stray(db, decided)
    return same[decided.id]
