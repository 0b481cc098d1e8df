"""Bodies and answers of the games' calls.

The examples are of one bet: it was placed in a round of odd/even, block 8204 decided it, and another bet lies beside it
in the round's tree. The scene is shown a few seconds later, when the next round is open.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from kalos.core.fields import AssetCode, BlockHash, Count, DecimalText, Height, Id, RateText, Seconds, Time
from kalos.core.ports import Closed
from kalos.domains.games.rules import MOST_HOT, BetStatus, RoundState, VoidReason
from kalos.wire.calls import Answer, Body
from kalos.wire.shapes import AmountText, Paged, Receipt, RequestId


def _word(example: str) -> Any:
    return Meta(min_length=1, max_length=40, examples=[example])


SceneId = Annotated[str, _word("odd_even-60")]
RoundId = Annotated[str, _word("odd_even-60-1795075260")]
GameName = Annotated[str, _word("odd_even")]
Hot = Annotated[list[GameName], Meta(max_length=MOST_HOT, examples=[["odd_even"]])]
OptionName = Annotated[str, _word("odd")]
Multiple = Annotated[RateText, Meta(description="what a win pays for each coin, the stake included", examples=["1.95"])]
Back = Annotated[RateText, Meta(examples=["0.975"])]
Digit = Annotated[int, Meta(ge=0, le=9, examples=[7])]
Outcome = Annotated[str, Meta(description="what the digit means in this game", examples=["odd"])]
ClosesAt = Annotated[Time, Meta(examples=[1795075260000])]
BettingClosedBy = Annotated[
    Closed | None, Meta(description="why no bets are taken: the chain's nodes or clocks disagree", examples=[None])
]
ServerTime = Annotated[Time, Meta(examples=[1795075268123])]
Root = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", examples=["f98457c65f8c1f3a73cd93471fef10199bd2616fdf5fd6c1a9ae9427deb3812e"]),
]

Explorer = Annotated[str, Meta(examples=["https://explorer.example/block/8204"])]

_OPTIONS: Final = [{"option": name, "multiple": "1.95", "profit": "0.95", "chance": "0.5"} for name in ("odd", "even")]
_RULE: Final = (
    "The result is the last digit of the block's hash: 1, 3, 5, 7, 9 are odd, 0, 2, 4, 6, 8 are even. "
    "A right answer pays 1.95 times the stake, the stake included."
)
_LEAF: Final = (
    "bet2|odd_even-60-1795075260|8204|1042|USDT|odd|10.000000|1.95|1795075231456|78377b525757b494427f89014f97d799"
)
_ROOM: Final = {"USDT": "2631.578948", "KLS": "2631.57894737"}
Room = Annotated[dict[AssetCode, DecimalText], Meta(examples=[_ROOM])]
Minimum = Annotated[dict[AssetCode, DecimalText], Meta(examples=[{"USDT": "1.000000", "KLS": "2.00000000"}])]
RoomByOption = Annotated[dict[str, dict[AssetCode, DecimalText]], Meta(examples=[{"odd": _ROOM, "even": _ROOM}])]


class SceneBody(Body, frozen=True):
    scene_id: SceneId


class BetBody(Body, frozen=True):
    scene_id: SceneId
    round: RoundId
    option: OptionName
    amount: AmountText
    balance_type: Annotated[str, _word("USDT")]
    request_id: RequestId


class RoundBody(Body, frozen=True):
    """Without a round: the newest block."""

    round: RoundId | None = None


class BlockLogBody(Paged, frozen=True):
    scene_id: SceneId | None = None


class OrdersBody(Paged, frozen=True):
    game: GameName | None = None
    status: Annotated[BetStatus | None, Meta(examples=["won"])] = None


class GameBody(Body, frozen=True):
    game: GameName


class BlockShape(Answer, frozen=True):
    """`digit` is what decides, `digit_index` its place in `hash`; both null where the hash has none."""

    number: Height
    hash: BlockHash
    parent: Annotated[BlockHash, Meta(examples=["0xe886cfb0a4990329387031cf6e1ad32079c14503cd241938190c58223cf4418e"])]
    time: Annotated[Time, Meta(examples=[1795075265000])]
    digit: Digit | None
    digit_index: Annotated[int | None, Meta(examples=[64])]


class Present(Answer, frozen=True):
    """A scene with a round of it: all null until its first one was opened."""

    scene_id: SceneId
    round: Annotated[RoundId | None, Meta(examples=["odd_even-60-1795075320"])]
    state: Annotated[RoundState | None, Meta(examples=["open"])]
    opens_at: Annotated[Time | None, Meta(examples=[1795075255000])]
    closes_at: Annotated[Time | None, Meta(examples=[1795075320000])]
    height: Annotated[Height | None, Meta(examples=[8234])]


class HallScene(Present, frozen=True):
    seconds: Seconds
    balance_types: Annotated[list[AssetCode], Meta(examples=[["USDT", "KLS"]])]
    room: Room


class HallGame(Answer, frozen=True):
    """`online` members bet in it in the last five minutes."""

    game: GameName
    return_to_player: Back
    online: Count
    scenes: list[HallScene]


class HallAnswer(Answer, frozen=True):
    """`hot` are the games that most members bet in, in that order; `head` is null while the chain doesn't answer."""

    list: list[HallGame]
    hot: Hot
    server_time: ServerTime
    head: BlockShape | None
    betting_closed: BettingClosedBy


class Option(Answer, frozen=True):
    option: OptionName
    multiple: Multiple
    profit: RateText
    chance: Annotated[RateText, Meta(examples=["0.5"])]


class Side(Answer, frozen=True):
    """A neighbour on the way from a bet's leaf to the root."""

    side: Annotated[Literal["left", "right"], Meta(examples=["right"])]
    hash: Annotated[Root, Meta(examples=["8f8c80d79addb826b8549a09e005ef7cc5d02d687419b6b99d88167311ae59a9"])]


class BetRow(Answer, frozen=True):
    """`prize` is what came back, the stake included, null while it waits; so is `proof` until the root is published."""

    bet_id: Id
    game: GameName
    scene_id: SceneId
    round: RoundId
    balance_type: AssetCode
    amount: DecimalText
    option: OptionName
    multiple: Multiple
    profit: RateText
    prize: Annotated[DecimalText | None, Meta(examples=["19.500000"])]
    tie: bool
    height: Height
    hash: BlockHash | None
    digit: Digit | None
    status: Annotated[BetStatus, Meta(examples=["won"])]
    time: Time
    leaf: Annotated[str, Meta(examples=[_LEAF])]
    proof: list[Side] | None


class ResultRow(Answer, frozen=True):
    """A round that takes no more bets; the root over its bets is null until it is published, before the block is."""

    scene_id: SceneId
    round: RoundId
    state: Annotated[RoundState, Meta(examples=["drawn"])]
    opens_at: Annotated[Time, Meta(examples=[1795075195000])]
    closes_at: ClosesAt
    height: Height
    hash: BlockHash | None
    digit: Digit | None
    outcome: Outcome | None
    merkle_root: Root | None
    bet_count: Count | None
    void_reason: Annotated[VoidReason | None, Meta(examples=[None])]


class SceneAnswer(Present, frozen=True):
    game: GameName
    server_time: ServerTime
    options: Annotated[list[Option], Meta(examples=[_OPTIONS])]
    minimum: Minimum
    maximum: Room
    room: RoomByOption
    my_bets: Annotated[list[BetRow], Meta(examples=[[]])]
    results: list[ResultRow]
    return_to_player: Back
    betting_closed: BettingClosedBy


class BetAnswer(Receipt, frozen=True):
    status: Annotated[BetStatus, Meta(examples=["awaiting_draw"])]
    bet_id: Id
    round: RoundId
    height: Height


class NewestBlock(Answer, frozen=True):
    """`explorer` is null where the chain has none."""

    number: Height
    hash: BlockHash
    time: Annotated[Time, Meta(examples=[1795075265000])]
    digit: Digit | None
    digit_index: Annotated[int | None, Meta(examples=[64])]
    explorer: Explorer | None


class RoundProof(Answer, frozen=True):
    """All inputs of a round's result; `result_window` are the seconds after the close in which its block must come."""

    round: RoundId
    scene_id: SceneId
    game: GameName
    state: Annotated[RoundState, Meta(examples=["settled"])]
    outcome: Outcome | None
    opens_at: Annotated[Time, Meta(examples=[1795075195000])]
    closes_at: ClosesAt
    height: Height
    published_at: Annotated[Time, Meta(examples=[1795075195000])]
    published_head: Annotated[Height, Meta(examples=[8169])]
    block_seconds: Annotated[Seconds, Meta(examples=[2])]
    margin: Annotated[int, Meta(description="blocks", examples=[2])]
    result_window: Annotated[Seconds, Meta(examples=[15])]
    block: BlockShape | None
    provisional: bool
    merkle_root: Root | None
    bet_count: Count | None
    confirmations: Annotated[int, Meta(ge=0, examples=[3])] | None
    required: Annotated[int, Meta(ge=1, examples=[3])]
    explorer: Explorer | None
    void_reason: Annotated[VoidReason | None, Meta(examples=[None])]


class GameplayAnswer(Answer, frozen=True):
    """`rules` are sentences in the caller's language."""

    game: GameName
    rules: Annotated[list[str], Meta(examples=[[_RULE]])]
    return_to_player: Back
    options: Annotated[list[Option], Meta(examples=[_OPTIONS])]
