"""The tally of what leaves and of what the house's people move: to each unit, from what was told."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from kalos.core.assets import BY_CODE, KLS, USDT, Asset
from kalos.core.clock import business_day
from kalos.core.database import Database
from kalos.domains.deposits import rules
from kalos.ledger import purse
from kalos.ledger.purse import Purpose
from simulation.intents import LISTED, NEW
from simulation.world import shares_of

_ALONE: Final = 10_000 * 10**6
_TWO: Final = 50_000 * 10**6
_BOUGHT: Final = """
    SELECT j.posting_id, sum(j.amount) FILTER (WHERE j.from_id >> 8 & 255 = $1)::bigint AS usdt,
        sum(j.amount) FILTER (WHERE j.from_id >> 8 & 255 = $2)::bigint AS kls
    FROM journal j JOIN kinds k ON k.id = j.kind WHERE k.name = 'withdrawal.buy_fee' GROUP BY 1
"""
STOCK: Final = purse.house(Purpose.KLS_STOCK, KLS)

Units = Counter[int]
Kinds = Counter[tuple[str, Asset]]


@dataclass(slots=True)
class Asked:
    """A withdrawal that a member was told of, and what was said of it: `yes` by its round, `end` by the signer."""

    member: int
    asset: Asset
    units: int
    entry: str
    buys_fee: bool
    yes: dict[int, set[int]] = field(default_factory=dict)
    returned: int = 0
    refused: bool = False
    end: str = ""

    @property
    def fee(self) -> int:
        """0.5 % of its value, in KLS at half a USDT, rounded up."""
        return self.units if self.asset == USDT else -(-self.units // 200)

    @property
    def value(self) -> int:
        return self.units if self.asset == USDT else -(-self.units // 200)

    @property
    def needed(self) -> int:
        """How many must look at it, also once it came back."""
        risky = self.entry in (NEW, LISTED) or self.value > _ALONE or self.returned > 0
        return 2 if self.value >= _TWO else int(risky)

    @property
    def status(self) -> str:
        if self.end or self.refused:
            return self.end or "refused"
        is_let_go = len(self.yes.get(self.returned, ())) >= self.needed
        return "on_chain_processing" if is_let_go else "pending_review"


@dataclass(frozen=True, slots=True)
class Ordered:
    """What a command moves when it is carried out; an issue comes from outside."""

    kind: str
    source: int
    target: int
    asset: Asset
    units: int


class Outgoing:
    """`decided` are verdicts by the top-up's id, `told` how commands ended as far as somebody heard of it."""

    def __init__(self) -> None:
        self.withdrawals: dict[int, Asked] = {}
        self.ordered: dict[int, Ordered] = {}
        self.told: dict[int, str] = {}
        self.decided: dict[int, str] = {}

    def ask(self, number: int, asked: Asked) -> None:
        known = self.withdrawals.setdefault(number, asked)
        assert (known.member, known.asset, known.units) == (asked.member, asked.asset, asked.units), (known, asked)

    def say(self, number: int, staff: int, round_: int, *, is_yes: bool) -> None:
        one = self.withdrawals[number]
        if is_yes:
            one.yes.setdefault(round_, set()).add(staff)
        else:
            one.refused = True

    def end(self, number: int, outcome: str) -> None:
        one = self.withdrawals[number]
        if outcome == "returned":
            one.returned += 1
        else:
            assert not one.end, (number, outcome)
            one.end = outcome

    async def check(self, db: Database, over: date, expected: Units, kinds: Kinds) -> None:
        """Add what all of it has moved; the days up to `over` have had their midnight."""
        await self._withdrawals(db, over, expected, kinds)
        await self._commands(db, expected, kinds)
        rows = await db.rows("SELECT deposit, verdict FROM deposit_decisions")
        assert {row["deposit"]: row["verdict"] for row in rows} == self.decided

    async def _withdrawals(self, db: Database, over: date, expected: Units, kinds: Kinds) -> None:
        rows = {row["id"]: row for row in await db.rows("SELECT * FROM withdrawals")}
        assert rows.keys() == self.withdrawals.keys()
        bought = {
            row["posting_id"]: (row["usdt"], row["kls"]) for row in await db.rows(_BOUGHT, USDT.number, KLS.number)
        }
        assert bought.keys() <= rows.keys()
        for number, one in self.withdrawals.items():
            row = rows[number]
            said = (row["member"], row["asset"], row["units"], row["fee_units"], row["value_units"], row["returned"])
            assert said == (one.member, one.asset.code, one.units, one.fee, one.value, one.returned), (one, row)
            assert (row["status"], row["needed"]) == (one.status, one.needed), (one, row)
            self._hold(one, bought.get(number, (0, 0)), expected, kinds)
            self._settle(one, business_day(row["changed_at"]) <= over, expected, kinds)

    @staticmethod
    def _hold(one: Asked, bought: tuple[int, int], expected: Units, kinds: Kinds) -> None:
        """Amount and fee are held; what of the fee was bought cost half a USDT and a hundredth of that more."""
        usdt, kls = bought
        assert 0 <= kls <= (one.fee if one.buys_fee else 0), (one, bought)
        assert usdt == -(-kls * 101 // 20_000), (one, bought)
        for asset, units in ((USDT, usdt), (KLS, -kls)):
            expected[purse.available(one.member, asset)] -= units
            expected[purse.house(Purpose.KLS_STOCK, asset)] += units
            kinds["withdrawal.buy_fee", asset] += abs(units)
        for kind, asset, units in (("withdrawal.open", one.asset, one.units), ("withdrawal.fee_open", KLS, one.fee)):
            expected[purse.available(one.member, asset)] -= units
            expected[purse.held(one.member, asset)] += units
            kinds[kind, asset] += units

    @staticmethod
    def _settle(one: Asked, is_over: bool, expected: Units, kinds: Kinds) -> None:
        """The amount leaves and the fee is the house's, after its midnight in the stock; or both come back."""
        parts = ((one.asset, one.units), (KLS, one.fee))
        if one.status in ("pending_review", "on_chain_processing"):
            return
        for asset, units in parts:
            expected[purse.held(one.member, asset)] -= units
        if one.status == "approved":
            kinds["withdrawal.paid", one.asset] += one.units
            kinds["withdrawal.fee", KLS] += one.fee
            kinds["house.fees", KLS] += one.fee if is_over else 0
            expected[STOCK if is_over else purse.house(Purpose.FEES, KLS)] += one.fee
            return
        for asset, units in parts:
            expected[purse.available(one.member, asset)] += units
            kinds["withdrawal.returned", asset] += units

    async def _commands(self, db: Database, expected: Units, kinds: Kinds) -> None:
        """Each was carried out whole or refused; nobody was told anything else."""
        rows = await db.rows("SELECT id, state FROM commands WHERE kind IN ('correction', 'issue')")
        states = {row["id"]: row["state"] for row in rows}
        assert states.keys() == self.ordered.keys()
        assert set(states.values()) <= {"carried_out", "refused"}, states
        assert {number: states[number] for number in self.told} == self.told
        for number, one in self.ordered.items():
            if states[number] == "carried_out":
                expected[one.source] -= one.units if purse.owner_of(one.source) != purse.OUTSIDE else 0
                expected[one.target] += one.units
                kinds[one.kind, one.asset] += one.units

    def book_deposit(self, row: Any, expected: Units, kinds: Kinds) -> None:
        """A top-up as it stands: credited, by itself or by a person, in suspense, sent back, or nowhere."""
        asset, units, owner = BY_CODE[row["asset"]], row["units"], row["owner"]
        verdict, told = self.decided.get(row["id"]), (row["status"], row["reason"])
        suspense = purse.house(Purpose.SUSPENSE, asset)
        if told[0] == rules.APPROVED:
            assert asset == USDT or verdict == "credit", row
            kinds["chain.house_topup" if owner == purse.HOUSE else "chain.deposit", asset] += units
            expected.update(_placed(owner, asset, units, by_hand=verdict == "credit"))
        elif told[0] == rules.REFUSED:
            assert verdict == "refuse", row
            kinds["chain.sent_back", asset] += units if told[1] == rules.LISTED_SENDER else 0
        else:
            assert verdict is None, row
            assert told[0] == rules.WAITING, row
            assert told[1] in _WAITS[asset](owner), row
            expected[suspense] += units if told[1] in rules.SUSPENDED else 0


def _placed(owner: int, asset: Asset, units: int, *, by_hand: bool) -> dict[int, int]:
    if owner != purse.HOUSE:
        return {purse.available(owner, asset): units}
    if by_hand:
        return {purse.house(Purpose.REVENUE, asset): units}
    return {purse.house(purpose, asset): share.units for purpose, share in shares_of(units).items()}


_WAITS: Final[dict[Asset, Callable[[int], set[str]]]] = {
    USDT: lambda owner: {rules.LISTED_SENDER} | ({rules.BELOW_MINIMUM} if owner != purse.HOUSE else set()),
    KLS: lambda owner: {rules.LISTED_SENDER, rules.HOUSE if owner == purse.HOUSE else rules.OTHER_ASSET},
}
