"""The simulation's own books: kept from what members were told and from the chain, compared with the ledger's."""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from kalos.core.assets import BY_CODE, KLS, USDT, Asset
from kalos.core.clock import business_day
from kalos.core.database import Database
from kalos.domains.deposits import rules
from kalos.domains.games.tables import Bet
from kalos.ledger import purse
from kalos.ledger.grants import Plan
from kalos.ledger.purse import Purpose
from simulation.outgoing import STOCK, Outgoing
from simulation.world import BANKROLL_KLS, SET_ASIDE, SET_ASIDE_KLS, STOCK_KLS, World

_PROFIT_PERCENT: Final = 95
POOL: Final = purse.house(Purpose.PRIZE_POOL, USDT)
_HEIGHTS: Final = """
    SELECT h.closes_at, h.height, h.block_hash, h.block_time, h.void_reason, h.settled_at IS NOT NULL AS settled,
        l.asset, l.units FROM heights h LEFT JOIN height_limits l USING (closes_at)
"""
_KINDS: Final = """
    SELECT k.name, j.from_id >> 8 & 255 AS asset, sum(j.amount)::bigint AS units
    FROM journal j JOIN kinds k ON k.id = j.kind GROUP BY 1, 2
"""


class Tally:
    """`bets` are those that somebody was told of, by their id; `given` is what the treasury handed out.

    `paid` are fees with their day, and payments into the pool without; `grants` are by the id of their posting, with
    what they are paid from; `out` is what leaves, and what the house's people move.
    """

    def __init__(self) -> None:
        self.bets: dict[int, Bet] = {}
        self.given: Counter[int] = Counter()
        self.paid: list[tuple[int, Asset, int, date | None]] = []
        self.grants: dict[int, tuple[int, int, Plan]] = {}
        self.out = Outgoing()

    def bet(self, bet: Bet) -> None:
        known = self.bets.setdefault(bet.id, bet)
        assert (known.member, known.units, known.option) == (bet.member, bet.units, bet.option), (known, bet)

    def pay(self, member: int, asset: Asset, units: int, fee_at: int | None) -> None:
        """A member paid a fee, at that time, or into the pool."""
        self.paid.append((member, asset, units, None if fee_at is None else business_day(fee_at)))

    def grant(self, number: int, source: int, target: int, plan: Plan) -> None:
        self.grants[number] = (source, target, plan)

    def give(self, member: int, units: int) -> None:
        self.given[member] += units

    async def check(self, world: World) -> None:
        """Every account of members and house, and every kind of move, is what the tally says; nothing else moved."""
        expected: Counter[int] = Counter()
        kinds: Counter[tuple[str, Asset]] = Counter()
        self._treasury(expected, kinds)
        await self._deposits(world, expected, kinds)
        await self._games(world, expected, kinds)
        await self._fees(world, expected, kinds)
        await self._grants(world, expected, kinds)
        await self.out.check(world.db, await _last_day(world.db), expected, kinds)
        rows = await world.db.rows("SELECT id, balance FROM accounts WHERE id >> 16 > 1 AND balance <> 0")
        unlike = _unlike({row["id"]: row["balance"] for row in rows}, expected)
        assert not unlike, unlike
        moved = {(row["name"], row["asset"]): row["units"] for row in await world.db.rows(_KINDS)}
        # What waits in suspense comes and goes as the watcher finds it: its balance was compared above.
        for asset in (USDT, KLS):
            moved.pop(("chain.suspense", asset.number), None)
        unlike = _unlike(moved, {(kind, asset.number): units for (kind, asset), units in kinds.items()})
        assert not unlike, unlike

    def _treasury(self, expected: Counter[int], kinds: Counter[tuple[str, Asset]]) -> None:
        expected.update({purse.house(Purpose.BANKROLL, KLS): BANKROLL_KLS, SET_ASIDE: SET_ASIDE_KLS, STOCK: STOCK_KLS})
        for member, units in self.given.items():
            expected[purse.available(member, KLS)] += units
        handed_out = BANKROLL_KLS + SET_ASIDE_KLS + self.given.total()
        kinds["treasury.issue", KLS] += handed_out + STOCK_KLS
        kinds["treasury.transfer", KLS] += handed_out

    async def _deposits(self, world: World, expected: Counter[int], kinds: Counter[tuple[str, Asset]]) -> None:
        """What stands on the chain was recorded once; what was credited or waits is exactly that."""
        rows = await world.db.rows("SELECT * FROM deposits WHERE status <> 'failed'")
        arrived = {
            (one.transaction, one.log_index, one.block_hash, world.addresses[one.recipient], one.units)
            for transfers in world.chain._transfers.values()
            for one in transfers
            if one.recipient in world.addresses and one.units <= rules.LARGEST_UNITS
        }
        recorded = [
            (row["transaction"], row["log_index"], row["block_hash"], row["owner"], row["units"]) for row in rows
        ]
        assert len(recorded) == len(arrived)
        assert set(recorded) == arrived
        for row in rows:
            self.out.book_deposit(row, expected, kinds)
        minimum = world.house.terms.topup_min[USDT].units
        for owner in world.addresses.values():
            waiting = [row["units"] for row in rows if row["owner"] == owner and row["reason"] == rules.BELOW_MINIMUM]
            assert sum(waiting) < minimum, (owner, waiting)

    async def _games(self, world: World, expected: Counter[int], kinds: Counter[tuple[str, Asset]]) -> None:
        """Each bet that was told of is stored, and nothing else; it ended as the block that the chain has says."""
        stored = {row["id"]: dict(row) for row in await world.db.rows("SELECT * FROM bets")}
        assert stored.keys() == self.bets.keys()
        heights: dict[int, dict[str, Any]] = {}
        for row in await world.db.rows(_HEIGHTS):
            height = heights.setdefault(row["closes_at"], dict(row))
            asset, side = BY_CODE[row["asset"]], Purpose.BANKROLL if height["settled"] else Purpose.BANKROLL_RESERVED
            kinds["game.reserve", asset] += row["units"]
            kinds["game.release", asset] += row["units"] if height["settled"] else 0
            expected[purse.house(Purpose.BANKROLL, asset)] -= row["units"]
            expected[purse.house(side, asset)] += row["units"]
        for bet in self.bets.values():
            ended = stored[bet.id]["status"] != "awaiting_draw"
            height = heights[bet.closes_at]
            assert ended or not height["settled"], bet
            self._book_bet(bet, self._back(bet, height, world) if ended else None, height, expected, kinds)

    @staticmethod
    def _back(bet: Bet, height: dict[str, Any], world: World) -> int:
        """What a bet brings back, by the rules as they are published: the digit is that of the chain's own block."""
        if height["block_hash"] is not None:
            block = world.chain._blocks[height["height"]]
            assert (block.hash, block.time) == (height["block_hash"], height["block_time"]), height
            window = world.house.terms.result_window
            assert (height["void_reason"] is None) == (block.time <= height["closes_at"] // 1000 + window), height
        if height["void_reason"] is not None or bet.at >= height["block_time"] * 1000:
            return bet.units
        digit = int([letter for letter in height["block_hash"][2:] if letter in "0123456789"][-1])
        won = bet.option == ("odd" if digit % 2 else "even")
        return bet.units + bet.units * _PROFIT_PERCENT // 100 if won else 0

    @staticmethod
    def _book_bet(
        bet: Bet,
        back: int | None,
        height: dict[str, Any],
        expected: Counter[int],
        kinds: Counter[tuple[str, Asset]],
    ) -> None:
        asset = BY_CODE[bet.asset]
        kinds["game.stake", asset] += bet.units
        expected[purse.available(bet.member, asset)] -= bet.units
        if back is None:
            expected[purse.held(bet.member, asset)] += bet.units
            return
        side = Purpose.BANKROLL if height["settled"] else Purpose.BANKROLL_RESERVED
        expected[purse.available(bet.member, asset)] += back
        expected[purse.house(side, asset)] += bet.units - back
        if height["settled"]:
            kinds["game.release", asset] += bet.units - back
        if back == 0:
            kinds["game.lost", asset] += bet.units
        elif back == bet.units:
            kinds["game.refund", asset] += bet.units
        else:
            kinds["game.stake_back", asset] += bet.units
            kinds["game.prize", asset] += back - bet.units

    async def _fees(self, world: World, expected: Counter[int], kinds: Counter[tuple[str, Asset]]) -> None:
        """Fees of the days whose midnight is over have gone where they belong; later ones wait."""
        over = await _last_day(world.db)
        for member, asset, units, day in self.paid:
            expected[purse.available(member, asset)] -= units
            if day is None:
                kinds["test.pool", asset] += units
                expected[POOL] += units
                continue
            kinds["test.fee", asset] += units
            kinds["house.fees", asset] += units if day <= over else 0
            after = Purpose.BANKROLL if asset == USDT else Purpose.KLS_STOCK
            expected[purse.house(after if day <= over else Purpose.FEES, asset)] += units

    async def _grants(self, world: World, expected: Counter[int], kinds: Counter[tuple[str, Asset]]) -> None:
        """Every grant has released each day that is over; what the pool couldn't pay is owed, and paid in order."""
        over = await _last_day(world.db)
        stored = {row["id"]: row["released"] for row in await world.db.rows("SELECT id, released FROM grants")}
        assert stored == {number: plan.released_by(over) for number, (*_, plan) in self.grants.items()}
        owed: Counter[int] = Counter()
        rows = await world.db.rows(
            "SELECT reference, units, left_units FROM payables WHERE account = $1 ORDER BY id", POOL
        )
        for row in rows:
            owed[row["reference"]] += row["left_units"]
        for number, (source, target, plan) in self.grants.items():
            units = plan.released_by(over) - owed[number]
            kinds["test.prize" if source == POOL else "test.release", purse.asset_of(target)] += units
            expected[target] += units
            expected[source] -= units if purse.owner_of(source) == purse.HOUSE else 0
        left = [row["left_units"] for row in rows]
        first = next((place for place, units in enumerate(left) if units), len(left))
        assert all(row["left_units"] == row["units"] for row in rows[first + 1 :]), "a younger one was paid before"
        assert first == len(left) or expected[POOL] < left[first], "the pool could have paid"


def _unlike(found: Mapping[Any, int], expected: Mapping[Any, int]) -> dict[Any, tuple[int, int]]:
    """What differs: as it is, and as it should be."""
    both = {name: (found.get(name, 0), expected.get(name, 0)) for name in found.keys() | expected.keys()}
    return {name: units for name, units in both.items() if units[0] != units[1]}


async def _last_day(db: Database) -> date:
    """The last day whose midnight is over."""
    day: date | None = await db.value("SELECT max(day) FROM day_runs WHERE job = 'midnight'")
    return day or date.min


async def none_is_stuck(db: Database, now: int) -> None:
    """Time has passed: every round is settled, every hold is ended."""
    assert await db.value("SELECT count(*) FROM heights WHERE settled_at IS NULL AND closes_at < $1", now) == 0
    assert await db.value("SELECT count(*) FROM bets WHERE status = 'awaiting_draw'") == 0
    assert await db.value("SELECT count(*) FROM holds WHERE state = 'open'") == 0
    assert await db.value("SELECT count(*) FROM deposits WHERE status = 'on_chain_processing'") == 0
    assert (
        await db.value("SELECT count(*) FROM withdrawals WHERE status IN ('pending_review', 'on_chain_processing')")
        == 0
    )
