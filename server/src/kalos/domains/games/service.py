"""Use cases of the hash games: the hall, a scene, a bet, blocks and histories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kalos.core.assets import BY_CODE, Asset
from kalos.core.errors import BelowMinimum, InvalidInput, LimitReached, NotFound, Outage
from kalos.core.merkle import Step
from kalos.core.money import Amount, parse_amount, text_of
from kalos.core.pages import Page, PageQuery
from kalos.core.ports import Block, Closed
from kalos.core.terms import assets_of
from kalos.core.tokens import new_nonce
from kalos.domains.context import Context, House
from kalos.domains.games import proofs, queries, rules
from kalos.domains.games.errors import BettingClosed, BlockProcessing, RoundClosed
from kalos.domains.games.queries import Betting
from kalos.domains.games.rules import GAMES, BetStatus, Game, RoundState, Scene, VoidReason
from kalos.domains.games.tables import BETS, Bet, Height, Round, quota_of_height, quota_of_member, quotas_of
from kalos.ledger import statements
from kalos.ledger.postings import Insert, Open, Posted, Posting, Set, Stamp, Take
from kalos.ledger.purse import available

STAKE: Final = "game.stake"
_RESULTS: Final = 50
_SHOWN_BETS: Final = 100
_ONLINE_MS: Final = 300_000
_COUNTED_MS: Final = 3_000

Room = dict[str, dict[Asset, int]]
"""By option, the units of each asset that may still be staked on it."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as anybody may see it: its state now, and what its digit means."""

    scene: Scene
    round: Round
    height: Height
    state: RoundState
    outcome: str | None

    @property
    def id(self) -> str:
        return self.scene.round_id(self.round.closes_at)

    @property
    def block(self) -> Block | None:
        """The deciding block as far as it is known."""
        height = self.height
        if height.block_hash is None or height.block_parent is None or height.block_time is None:
            return None
        return Block(height.height, height.block_hash, height.block_parent, height.block_time)

    @property
    def void_reason(self) -> VoidReason | None:
        """Why nothing is decided: the height's reason, or no digit that this game can read."""
        return "no_digit" if self.state == "void" and self.height.void_reason is None else self.height.void_reason


@dataclass(frozen=True, slots=True)
class SceneView:
    """A scene with its present round (None: none was opened yet) and the caller's room in it.

    `closed` says why no bets are taken, whatever the round's state is.
    """

    scene: Scene
    view: RoundView | None
    room: Room
    maximum: dict[Asset, int]
    bets: list["BetView"]
    results: list[RoundView]
    closed: Closed | None


@dataclass(frozen=True, slots=True)
class BetView:
    """A bet with its round; `proof` leads from its leaf to the round's root, None before that is published."""

    bet: Bet
    view: RoundView
    leaf: str
    proof: list[Step] | None


@dataclass(frozen=True, slots=True)
class PlacedBet:
    bet: Bet
    round_id: str
    height: int
    balance_units: int


@dataclass(frozen=True, slots=True)
class Hall:
    scenes: list[SceneView]
    online: dict[str, int]
    head: Block | None
    closed: Closed | None


async def show_hall(ctx: Context) -> Hall:
    """The scenes of all games with their present rounds and free room; the newest block where the chain answers."""
    shown = [await _scene(ctx, scene, results=0) for scene in rules.scenes(ctx.terms)]
    # One figure for all who ask within the same seconds: to count them reads every bet of five minutes.
    since = ctx.now // _COUNTED_MS * _COUNTED_MS - _ONLINE_MS
    online = await ctx.db.shared(queries.count_bettors, since, seconds=_COUNTED_MS / 1_000, most=1) or {}
    return Hall(shown, online, await _newest(ctx.house), ctx.house.pulse.closed())


async def show_scene(ctx: Context, scene_id: str) -> SceneView:
    """Raises: NotFound."""
    return await _scene(ctx, _known_scene(ctx, scene_id), results=_RESULTS)


async def place_bet(
    ctx: Context, *, scene_id: str, round_id: str, option: str, amount: str | int, asset_code: str, request_id: str
) -> PlacedBet:
    """Stake an amount on an option of an open round. The worst case of every digit stays covered, else it is refused.

    Moves: stake, member available -> member held.
    Raises: NotFound, InvalidInput, InvalidAmount, BelowMinimum, RoundClosed, BettingClosed, LimitReached,
      InsufficientBalance, what the gate refuses (`MayMember`).
    Source: games.md, "Rounds on the chain", "House rules".
    """
    asset = BY_CODE.get(asset_code)
    if asset is None or asset not in ctx.terms.bet_min:
        raise InvalidInput(errors=[{"field": "balance_type", "reason": "invalid"}])
    # What the document refuses is told first: it is the same for every scene.
    stake = parse_amount(amount, asset)
    scene = _known_scene(ctx, scene_id)
    if option not in scene.game.options:
        raise InvalidInput(errors=[{"field": "option", "reason": "invalid"}])
    if stake.units < ctx.terms.bet_min[asset].units:
        raise BelowMinimum(asset=asset.code, minimum=str(ctx.terms.bet_min[asset]))
    if ctx.house.pulse.closed() is not None:
        raise BettingClosed()
    brakes = await ctx.may("games", stake)
    betting = await ctx.db.kept(queries.find_betting, round_id)
    if betting is None or betting.scene != scene:
        raise NotFound()
    if asset.code not in betting.limits:
        raise BettingClosed()
    posted, row = await _post_stake(ctx, betting, brakes, option=option, stake=stake, request_id=request_id)
    if posted.replayed:
        return await show_placed(ctx, posted)
    bet = Bet(**row | {"id": posted.id, "hold": posted.id * 8, "at": posted.at})
    return PlacedBet(bet, betting.id, betting.height, posted.balances[available(ctx.caller.id, asset)])


async def show_placed(ctx: Context, posted: Posted) -> PlacedBet:
    """A bet that was placed before, as it was answered then."""
    bet = await queries.find_bet(ctx.db, posted.id)
    assert bet is not None, posted.id
    found = await queries.find_round(ctx.db, bet.round)
    assert found is not None, posted.id
    view = view_of(*found, now=ctx.now)
    return PlacedBet(bet, view.id, view.height.height, await _balance_then(ctx, BY_CODE[bet.asset], posted))


async def show_newest_block(ctx: Context) -> Block:
    """Raises: Outage."""
    block = await ctx.house.chain.newest()
    if block is None:
        raise Outage("the newest block is not there")
    return block


async def show_round(ctx: Context, round_id: str) -> RoundView:
    """All inputs of a round's result.

    Raises: NotFound, BlockProcessing (sealed, its block isn't known yet).
    """
    view = await _known_round(ctx, round_id)
    if view.state == "sealed":
        raise BlockProcessing()
    return view


async def count_confirmations(ctx: Context, view: RoundView) -> int | None:
    """How many blocks stand on the deciding one; None without such a block, or while the chain doesn't answer."""
    newest = await _newest(ctx.house) if view.block is not None else None
    return None if newest is None else max(newest.number - view.height.height, 0)


async def list_past_rounds(ctx: Context, scene_id: str | None, query: PageQuery) -> Page[RoundView]:
    """Raises: NotFound."""
    scene = None if scene_id is None else _known_scene(ctx, scene_id)
    page = await queries.list_past(ctx.db, scene, ctx.now, query)
    return Page([view_of(*both, now=ctx.now) for both in page.rows], page.total, page.next, page.more)


async def list_bets(ctx: Context, *, game: str | None, status: BetStatus | None, query: PageQuery) -> Page[BetView]:
    """The caller's bets, newest first, with their inclusion proofs. Raises: TooMany (`proofs.place`)."""
    page = await queries.list_orders(ctx.db, ctx.caller.id, game, status, query)
    rows = [(bet, view_of(one, height, now=ctx.now)) for bet, one, height in page.rows]
    with proofs.place(ctx.caller.id):
        return Page(await _bet_views(ctx, rows), page.total, page.next, page.more)


def known_game(name: str) -> Game:
    """Raises: NotFound."""
    if name not in GAMES:
        raise NotFound()
    return GAMES[name]


async def live_rounds(house: House) -> list[dict[str, Any]]:
    """The snapshot of the live channel `rounds`: what isn't settled, and the last minutes' results."""
    now = house.clock.now()
    since = now - 2_000 * max(house.terms.scene_seconds)
    return [news_of(one, height) for one, height in await queries.list_moving(house.db, since)]


def news_of(one: Round, height: Height) -> dict[str, Any]:
    """A round's message on the live channel."""
    view = view_of(one, height, now=0)
    return {
        "round": view.id,
        "scene_id": view.scene.id,
        "state": view.state,
        "height": height.height,
        "closes_at": height.closes_at,
        "hash": height.block_hash,
        "digit": height.digit,
        "outcome": view.outcome,
        "merkle_root": one.merkle_root,
        "bet_count": one.bet_count,
    }


def view_of(one: Round, height: Height, *, now: int) -> RoundView:
    """A round whose time has come is sealed, also while nobody has written that down yet."""
    scene = Scene(GAMES[one.game], one.seconds)
    outcome = None
    if height.block_hash is not None and height.void_reason is None:
        outcome = scene.game.outcome(rules.digits_of(height.block_hash))
    state = height.state
    if state == "open" and now >= height.closes_at:
        state = "sealed"
    elif state == "settled" and outcome is None:
        state = "void"
    return RoundView(scene, one, height, state, outcome)


async def _post_stake(
    ctx: Context,
    betting: Betting,
    brakes: Sequence[Insert | Set],
    *,
    option: str,
    stake: Amount,
    request_id: str,
) -> tuple[Posted, dict[str, Any]]:
    """Hold the stake, take the height's room and the member's share of it, and store the bet; all or nothing."""
    game, closes_at, member = betting.scene.game, betting.closes_at, ctx.caller.id
    multiple = game.multiple(ctx.terms)
    whole, mine = quota_of_height(closes_at, stake.asset), quota_of_member(closes_at, stake.asset, member)
    share = rules.member_share(ctx.terms, betting.limits[stake.asset.code])
    row = _row(ctx, betting, option=option, stake=stake)
    costs = rules.exposure(game, option, stake.units, multiple)
    posting = Posting(
        key=ctx.key(request_id),
        fingerprint=ctx.fingerprint,
        member=member,
        opens=[Open(STAKE, available(member, stake.asset), stake.units)],
        takes=[
            Take(whole, costs, short=LimitReached, closed=_closed),
            Take(mine, costs, first=share, short=LimitReached, closed=_closed),
        ],
        riders=[Insert(BETS, row | {"id": Stamp.ID, "hold": Stamp.HOLD, "at": Stamp.AT}), *brakes],
        not_after=closes_at - 1,
        late=_closed,
    )
    try:
        return await ctx.ledger.post(posting), row
    except LimitReached as full:
        left = await statements.quotas_left(ctx.db, [whole, mine])
        both = tuple(map(min, full.fields["left"], left.get(whole, share), left.get(mine, share)))
        free = {one: text_of(rules.room(game, one, both, multiple), stake.asset) for one in game.options}
        raise LimitReached(asset=stake.asset.code, room=free) from full


async def _balance_then(ctx: Context, asset: Asset, posted: Posted) -> int:
    """The caller's balance right after a stake."""
    move = await statements.find_last_move(ctx.db, available(ctx.caller.id, asset), posted.id)
    assert move is not None, posted.id
    return move.balance


def _row(ctx: Context, betting: Betting, *, option: str, stake: Amount) -> dict[str, Any]:
    game = betting.scene.game
    return {
        "member": ctx.caller.id,
        "round": betting.number,
        "closes_at": betting.closes_at,
        "game": game.name,
        "asset": stake.asset.code,
        "option": option,
        "units": stake.units,
        "multiple": rules.multiple_text(game, ctx.terms),
        "nonce": new_nonce(),
        "status": "awaiting_draw",
        "prize_units": None,
        "tie": False,
    }


def _closed(**_: Any) -> RoundClosed:
    return RoundClosed()


async def _scene(ctx: Context, scene: Scene, *, results: int) -> SceneView:
    found = await queries.find_current(ctx.db, scene, ctx.now)
    view = None if found is None else view_of(*found, now=ctx.now)
    room, maximum = await _room(ctx, scene, view)
    bets: list[BetView] = []
    past: list[RoundView] = []
    if view is not None and results:
        mine = await queries.list_member_bets(ctx.db, ctx.caller.id, view.round.number, _SHOWN_BETS)
        bets = await _bet_views(ctx, [(bet, view) for bet in mine])
        past = [view_of(*both, now=ctx.now) for both in await queries.list_results(ctx.db, scene, results)]
    return SceneView(scene, view, room, maximum, bets, past, ctx.house.pulse.closed())


async def _room(ctx: Context, scene: Scene, view: RoundView | None) -> tuple[Room, dict[Asset, int]]:
    """What the caller may still stake on each option, and what one member may stake in a fresh round.

    Of a coin that the house takes no bets in: nothing, not what a room of nothing would be rounded up to.
    """
    game, multiple, assets = scene.game, scene.game.multiple(ctx.terms), assets_of(ctx.terms.bet_min)
    room: Room = {option: dict.fromkeys(assets, 0) for option in game.options}
    maximum = dict.fromkeys(assets, 0)
    if view is None or view.state != "open":
        return room, maximum
    closes_at, member = view.round.closes_at, ctx.caller.id
    limits = (await queries.list_limits(ctx.db, [closes_at]))[closes_at]
    names = quotas_of(closes_at, limits) + [quota_of_member(closes_at, asset, member) for asset in assets]
    left = await statements.quotas_left(ctx.db, names)
    for asset in (one for one in assets if one.code in limits):
        share = rules.member_share(ctx.terms, limits[asset.code])
        whole = left.get(quota_of_height(closes_at, asset))
        mine = left.get(quota_of_member(closes_at, asset, member), share)
        maximum[asset] = max(rules.room(game, option, share, multiple) for option in game.options)
        if whole is not None:
            both = tuple(map(min, whole, mine))
            for option in game.options:
                room[option][asset] = rules.room(game, option, both, multiple)
    return room, maximum


async def _bet_views(ctx: Context, rows: Sequence[tuple[Bet, RoundView]]) -> list[BetView]:
    paths = await proofs.list_paths(ctx.db, [(bet, view.round, view.height) for bet, view in rows])
    return [
        BetView(bet, view, bet.leaf(view.round.leaf_version, view.height.height), path)
        for (bet, view), path in zip(rows, paths, strict=True)
    ]


async def _newest(house: House) -> Block | None:
    try:
        return await house.chain.newest()
    except Outage:
        return None


def _known_scene(ctx: Context, scene_id: str) -> Scene:
    scene = rules.find_scene(ctx.terms, scene_id)
    if scene is None:
        raise NotFound()
    return scene


async def _known_round(ctx: Context, round_id: str) -> RoundView:
    read = rules.read_round_id(round_id)
    found = None if read is None else await queries.find_round(ctx.db, read[0].round_number(read[1]))
    if found is None:
        raise NotFound()
    return view_of(*found, now=ctx.now)
