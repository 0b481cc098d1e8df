"""The life of rounds: opened, sealed, drawn, settled. Each step is one posting that can be made only once.

Any number of workers may turn at once and be killed between any two postings: every step is decided from committed
rows, has a key of its own and changes its row only where that is as it was read.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import structlog
from msgspec import Struct
from msgspec.structs import asdict, replace

from kalos.core.assets import ASSETS, BY_CODE, Asset
from kalos.core.errors import Outage, Refusal, StateChanged
from kalos.core.merkle import tree_root
from kalos.core.ports import Block
from kalos.core.terms import assets_of
from kalos.domains.context import House
from kalos.domains.games import proofs, queries, rules, tables
from kalos.domains.games.errors import BettingClosed
from kalos.domains.games.rules import DIGITS, GAMES, Scene
from kalos.domains.games.service import news_of
from kalos.domains.games.tables import Bet, Height, Limit, Round, quota_of_height, quotas_of
from kalos.ledger.postings import Close, Fact, Insert, Move, Posting, Resolve, Set, Stamp, Take, key_of
from kalos.ledger.purse import Purpose, available
from kalos.ledger.purse import house as house_account

SLICE: Final = 500
"""Bets settled by one hand-over to the writer."""

_HEIGHTS_A_LOOK: Final = 32
_STEPS_A_LOOK: Final = 40
_SLICES_A_LOOK: Final = 8
_LOOKS_A_TURN: Final = 5
_TRIED_CLOSES: Final = 3
_TRIED_SEALS: Final = 10
_NOTHING: Final = (0,) * DIGITS
_NO_BLOCK: Final = dict.fromkeys(("block_hash", "block_parent", "block_time", "digit", "void_reason"))
_log = structlog.get_logger("rounds")
_told: Final[list[int]] = []  # heights that wait: the log tells of each once, not four times a second


class _Turn(Struct, frozen=True):
    """What one turn saw of the world at its start. `tip`, None while the chain doesn't answer, was the newest `now`."""

    house: House
    now: int
    tip: Block | None
    head: int


_Step = Callable[[_Turn, Height], Awaitable[bool]]


async def turn_rounds(house: House) -> Exception | None:
    """Bring every round as far as clock and chain allow: one bounded step, repeated by the worker for ever.

    Returns the first height's problem: the others have been turned, and the next turn is due as ever.
    Raises: Outage where the chain's head isn't known; what doesn't need it has been done before.
    """
    problem = None
    for _ in range(_LOOKS_A_TURN):
        problem, has_more = await _look(house)
        if not has_more:
            break
    return problem


async def seal_up_to(house: House, head: int) -> None:
    """End betting where a chain of so many blocks ends it, for who makes them on command: nobody bets on what is seen.

    Raises: Outage where rounds are added to a height again and again.
    """
    turn = _Turn(house, house.clock.now(), None, head)
    for _ in range(_TRIED_SEALS):
        heights = await queries.list_unsettled(house.db, _HEIGHTS_A_LOOK)
        if not any(height.is_due(head=head, now=turn.now) for height in heights):
            return
        for height in heights:
            await _seal(turn, height)
    raise Outage("heights stay open")


async def _look(house: House) -> tuple[Exception | None, bool]:
    """Seal all that is due, then tell roots and results, then pay some bets: no height waits for another's many bets.

    Returns the first height's problem, and whether more bets can be paid at once.
    """
    tip, away, waiting, asked_at = None, None, dict[int, Exception](), house.clock.now()
    try:
        tip = await house.chain.block(await house.chain.head())
    except Outage as outage:
        away = outage
    now = rules.seen_at(None if tip is None else tip.time * 1000, asked_at=asked_at, told_at=house.clock.now())
    turn = _Turn(house, now, tip, -1 if tip is None else tip.number)
    await _open_due(turn)
    heights = await queries.list_unsettled(house.db, _HEIGHTS_A_LOOK)
    for step in (_seal, _tell):
        heights = [await _go(turn, height, step, _STEPS_A_LOOK, waiting) for height in heights]
    has_more = await _pay_around(turn, heights, waiting)
    for number in waiting.keys() - _told:
        _log.warning("a height waits", height=number, reason=type(waiting[number]).__name__, waiting=len(waiting))
    _told[:] = waiting
    if away is not None:
        raise away
    return next(iter(waiting.values()), None), has_more


async def _go(turn: _Turn, height: Height, step: _Step, times: int, waiting: dict[int, Exception]) -> Height:
    """Make a step of one height until it has to wait. Returns the height as it is then."""
    try:
        for _ in range(0 if height.height in waiting else times):
            if not await step(turn, height):
                break
            height = await queries.find_height(turn.house.db, height.closes_at) or height
    except Exception as problem:  # noqa: BLE001 - one height must not keep the others open
        waiting[height.height] = problem
    return height


async def _tell(turn: _Turn, height: Height) -> bool:
    """The roots of a sealed height, then its result until that is final. Returns whether a step was made."""
    if height.state == "open" or height.final_at is not None:
        return False
    return told if (told := await _publish_root(turn, height)) is not None else await _draw(turn, height)


async def _pay_around(turn: _Turn, heights: Sequence[Height], waiting: dict[int, Exception]) -> bool:
    """Pay one slice of each final height after the other, so many in all. Returns whether there are more."""
    due, made = deque(height for height in heights if height.final_at is not None), 0
    while due and made < _SLICES_A_LOOK:
        height = due.popleft()
        paid = await _go(turn, height, _settle, 1, waiting)
        made += paid is not height  # one that waits takes no other's place
        if paid is not height and paid.settled_at is None:
            due.append(paid)
    return bool(due)


async def _open_due(turn: _Turn) -> None:
    """Open the rounds whose time has come. A chain that is late opens none: their blocks would come too late."""
    if turn.tip is None or turn.now - turn.tip.time * 1000 > turn.house.terms.result_window * 1000:
        return
    for scene in rules.scenes(turn.house.terms):
        closes_at = rules.next_closes(scene, turn.now)
        for _ in range(_TRIED_CLOSES):
            if await _open(turn, scene, closes_at):
                break
            closes_at += scene.seconds * 1000


async def _open(turn: _Turn, scene: Scene, closes_at: int) -> bool:
    """Open a scene's round for T. False where T can't be played: sealed before its time, or its block is taken."""
    found = await queries.find_opening(turn.house.db, scene, closes_at)
    if found.height is None:
        return await _open_height(turn, scene, closes_at, found.last_serial + 1)
    if found.height.state != "open":
        return False
    if not found.has_round:
        await _add_round(turn, scene, found.height)
    return True


async def _open_height(turn: _Turn, scene: Scene, closes_at: int, serial: int) -> bool:
    """Fix the block that decides T, reserve what its bets may cost, and open T's first round.

    The key is the serial: heights open one after another, so the sum of reservations can't be passed by two at once.
    Moves: limit, house bankroll -> house bankroll_reserved.
    """
    house, head = turn.house, turn.head
    margin, block_seconds = house.terms.scene_margin, house.chain_terms.block_seconds
    told: dict[str, Any] = {"closes_at": closes_at, "block_seconds": block_seconds, "margin": margin}
    number = rules.deciding_height(head=head, now=turn.now, **told)
    if await queries.height_is_used(house.db, number):
        return False
    funds = {asset: await queries.find_funds(house.db, asset) for asset in assets_of(house.terms.bet_min)}
    limits = {asset: units for asset, both in funds.items() if (units := rules.height_limit(house.terms, *both))}
    if not limits:
        return True
    height = Height(serial=serial, height=number, published_at=turn.now, published_head=head, **told)
    first = _new_round(turn, scene, closes_at)
    await _post(
        house,
        Posting(
            key=key_of("game.open", serial),
            fingerprint=key_of(scene.id, closes_at, number),
            moves=[_reserve(asset, units) for asset, units in limits.items()],
            takes=[Take(quota_of_height(closes_at, one), _NOTHING, (units,) * DIGITS) for one, units in limits.items()],
            riders=[
                Insert(tables.HEIGHTS, asdict(height)),
                *(Insert(tables.LIMITS, asdict(Limit(closes_at, one.code, units))) for one, units in limits.items()),
                Insert(tables.ROUNDS, asdict(first)),
            ],
            facts=_facts(height, [first]),
            not_after=closes_at - 1,
        ),
    )
    return True


async def _add_round(turn: _Turn, scene: Scene, height: Height) -> None:
    """Open another scene's round on a height that is published already."""
    one = _new_round(turn, scene, height.closes_at)
    more = _change(height, expect={"state": "open", "rounds": height.rounds}, rounds=height.rounds + 1)
    await _post(
        turn.house,
        Posting(
            key=key_of("game.round", one.number),
            riders=[Insert(tables.ROUNDS, asdict(one)), more],
            facts=_facts(height, [one]),
            not_after=height.closes_at - 1,
        ),
    )


def _new_round(turn: _Turn, scene: Scene, closes_at: int) -> Round:
    return Round(scene.round_number(closes_at), closes_at, scene.game.name, scene.seconds, opens_at=turn.now)


def _reserve(asset: Asset, units: int) -> Move:
    bank, aside = house_account(Purpose.BANKROLL, asset), house_account(Purpose.BANKROLL_RESERVED, asset)
    return Move("game.reserve", bank, aside, units, short=lambda **_: BettingClosed())


async def _seal(turn: _Turn, height: Height) -> bool:
    """End betting on a height in the ledger's own order: what was posted before counts, nothing after it does."""
    if not height.is_due(head=turn.head, now=turn.house.clock.now()):  # it may be T meanwhile
        return False
    limits = await queries.list_limits(turn.house.db, [height.closes_at])
    sealed = _change(height, expect={"state": "open", "rounds": height.rounds}, state="sealed", sealed_at=Stamp.AT)
    return await _post(
        turn.house,
        Posting(
            key=key_of("game.seal", height.closes_at),
            closes=[Close(name) for name in quotas_of(height.closes_at, limits[height.closes_at])],
            riders=[sealed],
            facts=await _news(turn, replace(height, state="sealed")),
        ),
    )


async def _publish_root(turn: _Turn, height: Height) -> bool | None:
    """Tell the Merkle root of all accepted bets of a sealed round: none can be added or dropped. None: all are told."""
    for one in await queries.list_rounds(turn.house.db, height.closes_at):
        if one.merkle_root is None:
            pieces, count = await queries.list_pieces(turn.house.db, one, height.height, size=proofs.PIECE)
            told = {"bet_count": count, "merkle_root": tree_root([bytes.fromhex(piece) for _, piece in pieces]).hex()}
            rider = Set(tables.ROUNDS, {"number": one.number}, {"closes_at": one.closes_at}, told | {"pieces": pieces})
            facts = _facts(height, [replace(one, **told)])
            return await _post(turn.house, Posting(key=key_of("game.root", one.number), riders=[rider], facts=facts))
    return None


async def _draw(turn: _Turn, height: Height) -> bool:
    """Store what the deciding block says, again after a reorganisation, and fix it once it is confirmed."""
    if turn.tip is None:
        return False
    block = await turn.house.chain.block(height.height)
    if block is None:
        return await _miss(turn, height)
    if block.hash != height.block_hash:
        return await _store(turn, height, block)
    head = min(turn.head, await turn.house.chain.head())  # one node alone may tell of blocks that aren't there
    if head - height.height < turn.house.chain_terms.confirmations:
        return False
    again = await turn.house.chain.block(height.height)
    # From here on the result never changes; money moves only after it.
    return again == block and await _result(turn, height, state="drawn", final_at=Stamp.AT)


async def _store(turn: _Turn, height: Height, block: Block) -> bool:
    """The provisional result."""
    reason = rules.void_reason(
        block_hash=block.hash,
        block_time=block.time,
        closes_at=height.closes_at,
        window_seconds=turn.house.terms.result_window,
    )
    digit, _ = rules.deciding_digit(block.hash) or (None, None)
    told = {"block_hash": block.hash, "block_parent": block.parent, "block_time": block.time}
    return await _result(turn, height, state="drawn", digit=digit, void_reason=reason, **told)


async def _miss(turn: _Turn, height: Height) -> bool:
    """The block isn't there: a reorganisation took it, or it hasn't come; void when it is long overdue.

    What is overdue is told by a lower block's own time: a node of ours that lags voids nothing.
    """
    if height.block_hash is not None:
        return await _result(turn, height, state="sealed", **_NO_BLOCK)
    assert turn.tip is not None
    overdue = turn.tip.time * 1000 >= height.closes_at + turn.house.terms.void_after * 60_000
    if not overdue or turn.head >= height.height:
        return False
    return await _result(turn, height, state="drawn", void_reason="no_block", final_at=Stamp.AT)


async def _result(turn: _Turn, height: Height, **values: Any) -> bool:
    shown = {name: value for name, value in values.items() if not isinstance(value, Stamp)}
    drawn = _change(height, expect={"state": height.state, "draws": height.draws}, draws=height.draws + 1, **values)
    return await _post(
        turn.house,
        Posting(
            key=key_of("game.draw", height.closes_at, height.draws),
            riders=[drawn],
            facts=await _news(turn, replace(height, **shown)),
        ),
    )


async def _settle(turn: _Turn, height: Height) -> bool:
    """One slice of bets, losers first, so that what they lost is there to pay winners; in the end the rest."""
    find = queries.list_awaiting
    bets: Sequence[Bet] = []
    if height.void_reason is None and height.block_hash is not None and height.block_time is not None:
        losing = rules.losing_options(height.block_hash)
        bets = await find(turn.house.db, height.closes_at, SLICE, losing=losing, before=height.block_time * 1000)
    bets = bets or await find(turn.house.db, height.closes_at, SLICE)
    if not bets:
        return await _release(turn, height)
    results = await turn.house.ledger.post_many([_pay(bet, height) for bet in bets])
    failed = [result for result in results if isinstance(result, Exception)]
    for problem in failed:
        if not isinstance(problem, StateChanged | Refusal):
            raise problem
        _log.warning("a bet waits", height=height.height, reason=type(problem).__name__)
    return not failed


def _pay(bet: Bet, height: Height) -> Posting:
    """One bet's end.

    Moves: lost stake, member held -> bankroll_reserved; else stake, member held -> available, and the profit,
      bankroll_reserved -> available.
    """
    asset = BY_CODE[bet.asset]
    mine, reserved = available(bet.member, asset), house_account(Purpose.BANKROLL_RESERVED, asset)
    game, decider = GAMES[bet.game], None if height.void_reason is not None else height.block_hash
    at = {"bet_at": bet.at, "block_time": height.block_time or 0}
    end = rules.end_of(game, bet.option, bet.units, Fraction(bet.multiple), block_hash=decider, **at)
    lost, profit = end.prize_units == 0, end.prize_units - bet.units
    back = "game.stake_back" if end.status == "won" else "game.refund"
    resolve = Resolve("game.lost", bet.hold, reserved) if lost else Resolve(back, bet.hold, mine)
    values = {"status": end.status, "prize_units": end.prize_units, "tie": end.tie}
    return Posting(
        key=key_of("game.settle", bet.id),
        resolves=[resolve],
        moves=[Move("game.prize", reserved, mine, profit, reference=bet.id)] if profit > 0 else [],
        riders=[Set(tables.BETS, {"id": bet.id}, {"status": "awaiting_draw"}, values)],
    )


async def _release(turn: _Turn, height: Height) -> bool:
    """Give what is left of the reservation back, exactly: limit + lost stakes - profits paid.

    Moves: rest, house bankroll_reserved -> house bankroll.
    """
    limits = (await queries.list_limits(turn.house.db, [height.closes_at]))[height.closes_at]
    won = await queries.sum_result(turn.house.db, height.closes_at)
    moves = []
    for asset in (asset for asset in ASSETS if asset.code in limits):
        rest = limits[asset.code] + won.get(asset.code, 0)
        assert rest >= 0, f"height {height.height} paid more than its limit"
        source, target = house_account(Purpose.BANKROLL_RESERVED, asset), house_account(Purpose.BANKROLL, asset)
        moves += [Move("game.release", source, target, rest)] if rest else []
    state: rules.RoundState = "settled" if height.void_reason is None else "void"
    return await _post(
        turn.house,
        Posting(
            key=key_of("game.release", height.closes_at),
            moves=moves,
            riders=[_change(height, expect={"state": "drawn"}, state=state, settled_at=Stamp.AT)],
            facts=await _news(turn, replace(height, state=state)),
        ),
    )


async def _post(house: House, posting: Posting) -> bool:
    """Post a step. False where it isn't possible any more, mostly because another worker was first."""
    try:
        posted = await house.ledger.post(posting)
    except (StateChanged, Refusal) as problem:
        _log.info("step not made", reason=type(problem).__name__)
        return False
    return not posted.replayed


async def _news(turn: _Turn, height: Height) -> list[Fact]:
    return _facts(height, await queries.list_rounds(turn.house.db, height.closes_at))


def _facts(height: Height, rounds: Sequence[Round]) -> list[Fact]:
    return [Fact("rounds", news_of(one, height)) for one in rounds]


def _change(height: Height, *, expect: Mapping[str, Any], **values: Any) -> Set:
    return Set(tables.HEIGHTS, {"closes_at": height.closes_at}, expect, values)
