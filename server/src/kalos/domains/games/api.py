"""Calls of the games: path, use case, shape, what they may refuse."""

from fractions import Fraction
from typing import Any, Final

from kalos.core.assets import BY_CODE, Asset
from kalos.core.errors import (
    BelowMinimum,
    InsufficientBalance,
    InvalidAmount,
    LimitReached,
    NotFound,
    PriceUnavailable,
    TooMany,
)
from kalos.core.money import text_of
from kalos.core.ports import Block
from kalos.core.terms import assets_of
from kalos.domains.context import Context
from kalos.domains.games import rules, service
from kalos.domains.games.errors import BettingClosed, BlockProcessing, RoundClosed
from kalos.domains.games.rules import Game, Scene
from kalos.domains.games.service import BetView, PlacedBet, RoundView, SceneView
from kalos.domains.games.shapes import (
    BetAnswer,
    BetBody,
    BetRow,
    BlockLogBody,
    BlockShape,
    GameBody,
    GameplayAnswer,
    HallAnswer,
    HallGame,
    HallScene,
    NewestBlock,
    Option,
    OrdersBody,
    ResultRow,
    RoundBody,
    RoundProof,
    SceneAnswer,
    SceneBody,
    Side,
)
from kalos.domains.protection.errors import GATE
from kalos.ledger.postings import Posted
from kalos.wire.calls import Calls, Empty
from kalos.wire.languages import say
from kalos.wire.shapes import Rows, receipt_of, rows_of

calls: Final = Calls("games")

RULES: Final = ("height", "closing", "void", "exposure", "settling", "proof", "funding")
"""The sentences of every game's description after its own, in their order."""


@calls.add("/api/game/index")
async def index(ctx: Context, _: Empty) -> HallAnswer:
    hall = await service.show_hall(ctx)
    games = [
        HallGame(
            game=game.name,
            return_to_player=rules.rate_text(game.return_to_player(ctx.terms)),
            online=hall.online.get(game.name, 0),
            scenes=[_hall_scene(ctx, shown) for shown in hall.scenes if shown.scene.game is game],
        )
        for game in rules.GAMES.values()
    ]
    hot = rules.hottest(hall.online)
    return HallAnswer(list=games, hot=hot, server_time=ctx.now, head=_block(hall.head), betting_closed=hall.closed)


@calls.add("/api/game/scene", NotFound)
async def scene(ctx: Context, body: SceneBody) -> SceneAnswer:
    shown = await service.show_scene(ctx, body.scene_id)
    game = shown.scene.game
    return SceneAnswer(
        **_present(shown.scene, shown.view),
        game=game.name,
        server_time=ctx.now,
        options=_options(ctx, game),
        minimum={asset.code: str(amount) for asset, amount in ctx.terms.bet_min.items()},
        maximum=_amounts(shown.maximum),
        room={option: _amounts(units) for option, units in shown.room.items()},
        my_bets=[_bet(bet) for bet in shown.bets],
        results=[_result(past) for past in shown.results],
        return_to_player=rules.rate_text(game.return_to_player(ctx.terms)),
        betting_closed=shown.closed,
    )


_BET_REFUSALS: Final = (
    InvalidAmount, BelowMinimum, RoundClosed, BettingClosed, LimitReached, InsufficientBalance, PriceUnavailable, *GATE,
)  # fmt: skip


async def bet_again(ctx: Context, posted: Posted) -> BetAnswer:
    return _receipt(await service.show_placed(ctx, posted))


@calls.add("/api/game/beton", NotFound, *_BET_REFUSALS, load="money", again=bet_again)
async def beton(ctx: Context, body: BetBody) -> BetAnswer:
    asked = {"scene_id": body.scene_id, "round_id": body.round, "option": body.option, "request_id": body.request_id}
    return _receipt(await service.place_bet(ctx, **asked, amount=body.amount, asset_code=body.balance_type))


@calls.add("/api/game/getBlock", NotFound, BlockProcessing)
async def get_block(ctx: Context, body: RoundBody) -> NewestBlock | RoundProof:
    if body.round is None:
        return await _newest_block(ctx)
    return await _round_proof(ctx, body.round)


@calls.add("/api/game/blockLog", NotFound)
async def block_log(ctx: Context, body: BlockLogBody) -> Rows[ResultRow]:
    page = await service.list_past_rounds(ctx, body.scene_id, body.query(ctx.terms.page_size))
    return rows_of(page, _result)


@calls.add("/api/game/orderList", TooMany)
async def order_list(ctx: Context, body: OrdersBody) -> Rows[BetRow]:
    query = body.query(ctx.terms.page_size)
    return rows_of(await service.list_bets(ctx, game=body.game, status=body.status, query=query), _bet)


@calls.add("/api/basic/gameplayDesc", NotFound)
async def gameplay_desc(ctx: Context, body: GameBody) -> GameplayAnswer:
    game = service.known_game(body.game)
    facts = rules.facts(game, ctx.terms, ctx.house.chain_terms)
    own = say(ctx.lang, f"game.{game.name}", **facts)
    return GameplayAnswer(
        game=game.name,
        rules=[own, *(say(ctx.lang, f"game.{rule}", **facts) for rule in RULES)],
        return_to_player=rules.rate_text(game.return_to_player(ctx.terms)),
        options=_options(ctx, game),
    )


async def _newest_block(ctx: Context) -> NewestBlock:
    block = await service.show_newest_block(ctx)
    return NewestBlock(
        number=block.number,
        hash=block.hash,
        time=block.time * 1000,
        explorer=_explorer(ctx, block.number),
        **_deciding(block.hash),
    )


async def _round_proof(ctx: Context, round_id: str) -> RoundProof:
    view = await service.show_round(ctx, round_id)
    height, chain = view.height, ctx.house.chain_terms
    return RoundProof(
        round=view.id,
        scene_id=view.scene.id,
        game=view.scene.game.name,
        state=view.state,
        outcome=view.outcome,
        opens_at=view.round.opens_at,
        closes_at=height.closes_at,
        height=height.height,
        published_at=height.published_at,
        published_head=height.published_head,
        block_seconds=height.block_seconds,
        margin=height.margin,
        result_window=ctx.terms.result_window,
        block=_block(view.block),
        provisional=height.final_at is None,
        merkle_root=view.round.merkle_root,
        bet_count=view.round.bet_count,
        confirmations=await service.count_confirmations(ctx, view),
        required=chain.confirmations,
        explorer=_explorer(ctx, height.height),
        void_reason=view.void_reason,
    )


def _block(block: Block | None) -> BlockShape | None:
    if block is None:
        return None
    number, time = block.number, block.time * 1000
    return BlockShape(number=number, hash=block.hash, parent=block.parent, time=time, **_deciding(block.hash))


def _explorer(ctx: Context, number: int) -> str | None:
    explorer = ctx.house.chain_terms.explorer
    return explorer and f"{explorer.rstrip('/')}/block/{number}"


def _deciding(block_hash: str) -> dict[str, Any]:
    digit, place = rules.deciding_digit(block_hash) or (None, None)
    return {"digit": digit, "digit_index": place}


def _hall_scene(ctx: Context, shown: SceneView) -> HallScene:
    assets = assets_of(ctx.terms.bet_min)
    return HallScene(
        **_present(shown.scene, shown.view),
        seconds=shown.scene.seconds,
        balance_types=[asset.code for asset in assets],
        room=_amounts({asset: min(units[asset] for units in shown.room.values()) for asset in assets}),
    )


def _present(scene: Scene, view: RoundView | None) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(("round", "state", "opens_at", "closes_at", "height"))
    if view is not None:
        found = {"round": view.id, "state": view.state, "opens_at": view.round.opens_at}
        found |= {"closes_at": view.height.closes_at, "height": view.height.height}
    return {"scene_id": scene.id, **found}


def _options(ctx: Context, game: Game) -> list[Option]:
    multiple = game.multiple(ctx.terms)
    return [
        Option(
            option=option,
            multiple=rules.rate_text(multiple),
            profit=rules.rate_text(multiple - 1),
            chance=rules.rate_text(game.chance(option)),
        )
        for option in game.options
    ]


def _amounts(units: dict[Asset, int]) -> dict[str, str]:
    return {asset.code: text_of(count, asset) for asset, count in units.items()}


def _result(view: RoundView) -> ResultRow:
    return ResultRow(
        **_present(view.scene, view),
        hash=view.height.block_hash,
        digit=view.height.digit,
        outcome=view.outcome,
        merkle_root=view.round.merkle_root,
        bet_count=view.round.bet_count,
        void_reason=view.void_reason,
    )


def _bet(shown: BetView) -> BetRow:
    bet, view, asset = shown.bet, shown.view, BY_CODE[shown.bet.asset]
    return BetRow(
        bet_id=str(bet.id),
        game=bet.game,
        scene_id=view.scene.id,
        round=view.id,
        balance_type=bet.asset,
        amount=text_of(bet.units, asset),
        option=bet.option,
        multiple=bet.multiple,
        profit=rules.rate_text(Fraction(bet.multiple) - 1),
        prize=None if bet.prize_units is None else text_of(bet.prize_units, asset),
        tie=bet.tie,
        height=view.height.height,
        hash=view.height.block_hash,
        digit=view.height.digit,
        status=bet.status,
        time=bet.at,
        leaf=shown.leaf,
        proof=None if shown.proof is None else [Side(side=step.side, hash=step.hash.hex()) for step in shown.proof],
    )


def _receipt(placed: PlacedBet) -> BetAnswer:
    bet = placed.bet
    asset, balance = BY_CODE[bet.asset], placed.balance_units
    facts = receipt_of(bet.id, service.STAKE, "awaiting_draw", asset, units=bet.units, balance=balance, at=bet.at)
    return BetAnswer(**facts, bet_id=str(bet.id), round=placed.round_id, height=placed.height)
