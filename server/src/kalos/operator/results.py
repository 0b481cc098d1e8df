"""What was turned over and what games gave back: from sums that are kept, never from all bets at each look."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, Literal

from kalos.core.assets import KLS, USDT, Asset
from kalos.core.clock import business_day
from kalos.core.database import Connection
from kalos.core.terms import Terms
from kalos.domains.context import House
from kalos.domains.games.rules import GAMES, read_round_id
from kalos.domains.teams.rules import KINDS as TURNED_OVER
from kalos.ledger.outbox import StoredFact, consume, outbox_lag
from kalos.operator import result_queries as queries
from kalos.operator.context import Desk
from kalos.operator.result_queries import Counted

DAYS: Final = 30
"""Business days that are summed up, today included."""
CONSUMER: Final = "returns"
COINS: Final[Sequence[Asset]] = (USDT, KLS)
Product = Literal["games", "top_ups", "withdrawals", "withdrawal_fees", "fee_purchases"]
PRODUCTS: Final[dict[Product, Sequence[str]]] = {
    "games": TURNED_OVER,
    "top_ups": ("chain.deposit",),
    "withdrawals": ("withdrawal.paid",),
    "withdrawal_fees": ("withdrawal.fee",),
    "fee_purchases": ("withdrawal.buy_fee",),
}
"""What counts as turnover of a product: the kinds of moves. Of games the stakes that won or lost, as for teams."""

_TOPIC: Final = "rounds"
_ENDED: Final = ("settled", "void")
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Turned:
    """Units of an asset: of today's business day, and of it with the 29 before."""

    product: Product
    asset: Asset
    today: int
    month: int


@dataclass(frozen=True, slots=True)
class Returned:
    """What settled bets staked and were paid, the stake of a win included."""

    bets: int = 0
    staked: int = 0
    paid: int = 0

    @property
    def rate(self) -> Fraction | None:
        """Paid out of staked; None where nothing was."""
        return Fraction(self.paid, self.staked) if self.staked else None


@dataclass(frozen=True, slots=True)
class GameReturn:
    """`promised` is what the game gives back by its rules, of the least option."""

    game: str
    asset: Asset
    promised: Fraction
    today: Returned
    month: Returned


@dataclass(frozen=True, slots=True)
class Results:
    """`turnover_at` is when the ledger posted last; `counted_at` when the last counted round was settled.

    Rounds of `behind` facts aren't counted yet. Stakes of `open_stakes` wait for their draw; of the rounds whose time
    is over `open_rounds` aren't settled, the oldest since `open_since`.
    """

    day: date
    turnover: list[Turned]
    turnover_at: int
    returns: list[GameReturn]
    counted_at: int | None
    behind: int
    open_stakes: dict[Asset, int] = field(default_factory=dict)
    open_rounds: int = 0
    open_since: int | None = None


async def show(desk: Desk) -> Results:
    """Read all of it. Source: content.md, "Operator console"."""
    today = business_day(desk.now)
    first = today - timedelta(days=DAYS - 1)
    sums = await queries.sum_kinds(desk.db, first, today, [kind for kinds in PRODUCTS.values() for kind in kinds])
    counted = await queries.sum_returns(desk.db, first, today)
    waiting = await queries.sum_open_stakes(desk.db)
    open_rounds, open_since = await queries.count_open_rounds(desk.db, desk.now)
    behind, _ = (await outbox_lag(desk.db)).get(CONSUMER, (0, 0.0))
    return Results(
        day=today,
        turnover=[_turned(product, asset, sums) for product in PRODUCTS for asset in COINS],
        turnover_at=await queries.find_last_posting(desk.db),
        returns=[_game(name, asset, counted, desk.terms) for name in GAMES for asset in COINS],
        counted_at=await queries.find_counted_at(desk.db),
        behind=behind,
        open_stakes={asset: waiting.get(asset.number, 0) for asset in COINS},
        open_rounds=open_rounds,
        open_since=open_since,
    )


def _turned(product: Product, asset: Asset, sums: queries.Sums) -> Turned:
    found = [sums.get((asset.number, kind), (0, 0)) for kind in PRODUCTS[product]]
    return Turned(product, asset, sum(today for today, _ in found), sum(month for _, month in found))


def _game(name: str, asset: Asset, counted: dict[tuple[str, str], tuple[Counted, Counted]], terms: Terms) -> GameReturn:
    today, month = counted.get((name, asset.code), ((0, 0, 0), (0, 0, 0)))
    return GameReturn(name, asset, GAMES[name].return_to_player(terms), Returned(*today), Returned(*month))


async def count(house: House) -> int:
    """Add rounds that were settled since to their day, each exactly once; returns how many facts were passed."""
    return await consume(house.db, CONSUMER, [_TOPIC], _add, wall=house.clock.wall(), most=_AT_ONCE)


async def _add(db: Connection, facts: Sequence[StoredFact]) -> None:
    """In the transaction that moves the cursor. A round's last fact comes when its last coin is paid."""
    ended: dict[int, int] = {}
    for fact in facts:
        if fact.body["state"] in _ENDED:
            read = read_round_id(fact.body["round"])
            assert read is not None, fact.body
            ended[read[0].round_number(read[1])] = fact.at
    await queries.add_returns(db, {number: (business_day(at), at) for number, at in ended.items()})
