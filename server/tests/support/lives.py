"""Random lives of members and their house: postings of all elements, as they should be and as they shouldn't."""

import random
from collections.abc import Callable
from typing import Any, Final

from kalos.core.assets import KLS, USA, USDT, USO, Asset
from kalos.ledger import purse
from kalos.ledger.postings import (
    Close,
    Fact,
    Insert,
    Move,
    MoveMany,
    Open,
    Posting,
    Resolve,
    Set,
    SetMany,
    Stamp,
    Take,
)
from kalos.ledger.purse import Purpose
from support.ledger import new_owner
from support.model import Gone, Hold, HoldName, Model, Short

ASSETS: Final = (USDT, KLS, USA, USO)
RESERVES: Final = {USA: Purpose.USA_RESERVE, USO: Purpose.USO_RESERVE}
HOUSES: Final = (
    Purpose.BANKROLL, Purpose.BANKROLL_RESERVED, Purpose.KLS_STOCK, Purpose.FEES, Purpose.MARKETING, Purpose.SUSPENSE,
    Purpose.LENDING_POOL, Purpose.INSURANCE_POOL, Purpose.DIVVY_PENDING, Purpose.DIVIDEND_POOL, Purpose.NFT_POOL,
    Purpose.CONSUMER_POOL, Purpose.TICKET_TRUST, Purpose.RACER_POOL, Purpose.JACKPOT, Purpose.PRIZE_POOL,
)  # fmt: skip
"""One for each life that runs at a time: so each knows what its house has, whoever else is at work."""

MEMBERS: Final = 3
TABLES: Final = {
    "life_rows": "id bigint PRIMARY KEY, state text NOT NULL, turn int NOT NULL, word text UNIQUE, at bigint, day date",
    "life_takes": "posting bigint NOT NULL, quota text NOT NULL, units bigint[] NOT NULL",
    "life_opens": "posting bigint NOT NULL, place int NOT NULL, units bigint NOT NULL",
    "life_ends": "posting bigint NOT NULL, hold bigint NOT NULL, units bigint NOT NULL",
}
"""The rows that a domain would write with a posting; they explain each hold and each quota."""

FIRST_UNITS: Final = 100
"""What each number of a quota starts with."""

_SIZES: Final = (1, 2, 10, 16)
_STATES: Final = ("open", "half", "done")


class Life:
    """Some members of their own, one house account a coin, holds, quotas and rows; chance decides what they try."""

    def __init__(self, model: Model, chance: random.Random, house: Purpose) -> None:
        self.model, self.chance, self.house = model, chance, house
        self.members = [new_owner() for _ in range(MEMBERS)]
        self.quotas: dict[str, int] = {}
        self.holds: list[tuple[HoldName, int]] = []
        self.rows: list[int] = []
        self.sent: list[tuple[Posting, int]] = []
        self._made = 0

    def remember(self, posting: Posting, number: int) -> None:
        """It was posted under this number."""
        self.sent.append((posting, number))
        self.holds += [((posting.key, place), number * 8 + place) for place in range(len(posting.opens))]
        self.rows += [
            rider.row["id"] for rider in posting.riders if isinstance(rider, Insert) and rider.table == "life_rows"
        ]

    def account(self, asset: Asset) -> int:
        """An account of this life: mostly a member's, sometimes the house's."""
        way = self.chance.random()
        if way < 0.2:
            return purse.house(self.house, asset)
        if way < 0.35:
            return self._game(asset)
        return purse.available(self.chance.choice(self.members), asset)

    def first(self) -> Posting:
        """What all begin with: some of each coin, and a row."""
        elements: dict[str, list[Any]] = {"moves": [], "riders": []}
        for member in self.members:
            for asset, outside in ((USDT, Purpose.CHAIN), (KLS, Purpose.ISSUANCE)):
                elements["moves"].append(
                    Move("test.fund", purse.outside(outside, asset), purse.available(member, asset), 100_000)
                )
            for asset, reserve in RESERVES.items():
                elements["moves"] += [
                    Move("test.mint", purse.available(member, USDT), purse.house(reserve, USDT), 10_000),
                    Move("test.mint", purse.outside(Purpose.ISSUANCE, asset), purse.available(member, asset), 10_000),
                ]
        self._insert(elements)
        return self._of(**elements)

    def posting(self, now: int, *, calm: bool = False) -> Posting:
        """One posting of chance; `calm` ones can be sent beside others, in whatever batch they come."""
        chance = self.chance
        parts: list[Callable[[dict[str, list[Any]]], None]] = [
            self._fund, self._fund, self._mint, self._redeem, self._moves, self._moves, self._opens, self._opens,
            self._resolves, self._resolves, self._takes, self._takes, self._insert, self._many,
        ]  # fmt: skip
        if not calm:
            parts += [self._change, self._change_many, self._close]
        elements: dict[str, list[Any]] = {
            "moves": [], "many": [], "opens": [], "resolves": [], "takes": [], "closes": [], "riders": [], "facts": [],
        }  # fmt: skip
        for part in chance.sample(parts, chance.choice((1, 1, 1, 2, 3))):
            part(elements)
        elements["opens"] = elements["opens"][:8]
        if chance.random() < 0.3:
            elements["facts"].append(Fact("test.life", {"posting": Stamp.ID, "word": self._word()}))
        elements["riders"] += self._explain(elements)
        late = chance.choice((None,) * 8 + (now - 60_000, now + 3_600_000))
        return self._of(**elements, not_after=late, late=self._short(), member=chance.choice((0, *self.members)))

    def race(self) -> list[Posting]:
        """Several at once change one row as if it still were what it is."""
        row = self._row()
        return [self._of(riders=[self._set(row, right=True)]) for _ in range(self.chance.randint(2, 4))]

    def other_body(self, posting: Posting) -> Posting:
        """The same key over something else."""
        return self._of(key=posting.key, moves=[self._move(USDT, self.chance.randint(1, 9))])

    def _of(self, **elements: Any) -> Posting:
        chance = self.chance
        return Posting(**({"key": chance.randbytes(32), "fingerprint": chance.randbytes(32)} | elements))

    def _word(self) -> str:
        return self.chance.choice(("one", "zwei ☃", "'); --", "\\u0000 \\", "𝔉𝔬𝔲𝔯", ""))

    def _short(self) -> type[Short] | None:
        return self.chance.choice((Short, None))

    def _units(self, account: int) -> int:
        """Mostly less than there is, sometimes all, sometimes one too many."""
        left = self.model.accounts.get(account, 0)
        if left == 0 or self.chance.random() < 0.1:
            return left + self.chance.choice((1, 7, 10**12))
        return left if self.chance.random() < 0.1 else self.chance.randint(1, max(1, left // 2))

    def _move(self, asset: Asset, units: int | None = None) -> Move:
        source = self.account(asset)
        target = self.account(asset)
        while target == source:
            target = self.account(asset)
        reference = self.chance.choice((0, 0, 77))
        return Move("test.move", source, target, units or self._units(source), self._short(), reference)

    def _fund(self, elements: dict[str, list[Any]]) -> None:
        asset, outside = self.chance.choice(((USDT, Purpose.CHAIN), (KLS, Purpose.ISSUANCE)))
        units = self.chance.choice((1, 50, 10_000, 10**9))
        elements["moves"].append(Move("test.fund", purse.outside(outside, asset), self.account(asset), units))

    def _mint(self, elements: dict[str, list[Any]]) -> None:
        """A unit is made only where its dollar goes into the reserve, in the same posting."""
        asset = self.chance.choice((USA, USO))
        source = self.account(USDT)
        units = self._units(source)
        elements["moves"] += [
            Move("test.mint", source, purse.house(RESERVES[asset], USDT), units, self._short()),
            Move("test.mint", purse.outside(Purpose.ISSUANCE, asset), self.account(asset), units),
        ]

    def _redeem(self, elements: dict[str, list[Any]]) -> None:
        asset = self.chance.choice((USA, USO))
        source = self.account(asset)
        units = self._units(source)
        end = self.chance.choice((Purpose.ISSUANCE, Purpose.BURNED))
        elements["moves"] += [
            Move("test.redeem", source, purse.outside(end, asset), units, self._short()),
            Move("test.redeem", purse.house(RESERVES[asset], USDT), self.account(USDT), units),
        ]

    def _moves(self, elements: dict[str, list[Any]]) -> None:
        elements["moves"] += [self._move(self.chance.choice(ASSETS)) for _ in range(self.chance.randint(1, 6))]

    def _many(self, elements: dict[str, list[Any]]) -> None:
        """Columns of moves, as a midnight job sends them."""
        moves = [self._move(asset, self.chance.randint(1, 20)) for asset in self.chance.choices(ASSETS, k=12)]
        elements["many"].append(
            MoveMany(
                "test.many",
                [move.source for move in moves],
                [move.target for move in moves],
                [move.units for move in moves],
                [move.reference for move in moves],
                short=self._short(),
            )
        )

    def _opens(self, elements: dict[str, list[Any]]) -> None:
        for _ in range(self.chance.choice((1, 1, 2, 5))):
            source = purse.available(self.chance.choice(self.members), self.chance.choice(ASSETS))
            units = max(1, self._units(source) // 3)
            elements["opens"].append(Open("test.stake", source, units, self.chance.choice((0, 0, 5)), self._short()))

    def _resolves(self, elements: dict[str, list[Any]]) -> None:
        if not self.holds:
            return
        open_holds = [one for one in self.holds if self._hold(one).left] or self.holds
        for _ in range(self.chance.choice((1, 1, 2))):
            one = self.chance.choice(open_holds if self.chance.random() < 0.9 else self.holds)
            hold, number = self._hold(one), one[1]
            asset = purse.asset_of(hold.account)
            target = self.account(asset)
            units = self.chance.choice((None, hold.left + 1, *(self.chance.randint(1, max(1, hold.left)),) * 4))
            number = number if self.chance.random() < 0.97 else 2**60
            elements["resolves"].append(Resolve("test.end", number, target, units, self._short()))

    def _hold(self, one: tuple[HoldName, int]) -> Hold:
        return self.model.holds[one[0]]

    def _takes(self, elements: dict[str, list[Any]]) -> None:
        for _ in range(self.chance.choice((1, 1, 2, 3))):
            name = self._quota()
            size = self.quotas[name]
            few = self.chance.random() < 0.8
            units = tuple(self.chance.randint(-3, 9) if few else self.chance.randint(-10, 40) for _ in range(size))
            first = (FIRST_UNITS,) * size if self.chance.random() < 0.95 else None
            short, closed = self._short(), self.chance.choice((Gone, None))
            elements["takes"].append(Take(name, units, first=first, short=short, closed=closed, returning=True))

    def _quota(self) -> str:
        if len(self.quotas) < 4 or self.chance.random() < 0.1:
            name = quota_name(self.members[0], len(self.quotas))
            self.quotas[name] = self.chance.choice(_SIZES)
        return self.chance.choice(list(self.quotas)[-4:])

    def _insert(self, elements: dict[str, list[Any]]) -> None:
        """A new row, or one that there is."""
        if self.rows and self.chance.random() < 0.3:
            number = self.chance.choice(self.rows)
        else:
            self._made += 1
            number = row_number(self.members[0], self._made)
        row = {"id": number, "state": "open", "turn": 0, "at": Stamp.AT, "day": Stamp.DAY}
        if not any(isinstance(one, Insert) and one.row["id"] == number for one in elements["riders"]):
            elements["riders"].append(Insert("life_rows", row))

    def _change(self, elements: dict[str, list[Any]]) -> None:
        row = self._row()
        if not any(isinstance(one, SetMany) and row in one.key["id"] for one in elements["riders"]):
            elements["riders"].append(self._set(row, right=self.chance.random() < 0.7))

    def _change_many(self, elements: dict[str, list[Any]]) -> None:
        """Columns of changes; sometimes one of them is not as it expects."""
        used = {one.key["id"] for one in elements["riders"] if isinstance(one, Set)}
        rows = [row for row in self.rows[-6:] if row not in used]
        if not rows:
            return
        turns = [self.model.rows[row]["turn"] for row in rows]
        expected = [turn - (self.chance.random() < 0.05) for turn in turns]
        values = {"turn": [turn + 1 for turn in turns], "state": [self.chance.choice(_STATES) for _ in rows]}
        elements["riders"].append(SetMany("life_rows", {"id": rows}, {"turn": expected}, values))

    def _row(self) -> int:
        return self.chance.choice(self.rows) if self.rows else 1

    def _set(self, number: int, *, right: bool) -> Set:
        row = self.model.rows.get(number, {"state": "none", "turn": 0})
        expect = {"state": row["state"], "turn": row["turn"]} if right else {"state": row["state"], "turn": -1}
        values = {"state": self.chance.choice(_STATES), "turn": row["turn"] + 1, "word": None, "at": Stamp.AT}
        return Set("life_rows", {"id": number}, expect, values)

    def _close(self, elements: dict[str, list[Any]]) -> None:
        """A quota, an account (mostly an empty one), a hold (mostly one with nothing left)."""
        way = self.chance.random()
        if way < 0.4:
            elements["closes"].append(Close(self._quota()))
        elif way < 0.8 or not self.holds:
            self._close_account(elements)
        else:
            ended = [number for name, number in self.holds if not self.model.holds[name].left]
            numbers = ended or [number for _, number in self.holds]
            elements["closes"].append(Close(hold=self.chance.choice(numbers), short=self._short()))

    def _close_account(self, elements: dict[str, list[Any]]) -> None:
        """Mostly one that has something, or had: what is left in it goes out in the same posting."""
        games = [purse.account(member, asset, Purpose.GAME) for member in self.members for asset in ASSETS]
        touched = [account for account in games if account in self.model.accounts and account not in self.model.closed]
        account = self.chance.choice(touched or games)
        left = self.model.accounts.get(account, 0)
        if left and self.chance.random() < 0.9:
            target = purse.available(self.members[0], purse.asset_of(account))
            elements["moves"].append(Move("test.move", account, target, left))
        elements["closes"].append(Close(account=account, short=self._short()))

    def _game(self, asset: Asset) -> int:
        """Accounts that may be closed, so that the others stay."""
        return purse.account(self.chance.choice(self.members), asset, Purpose.GAME)

    def _explain(self, elements: dict[str, list[Any]]) -> list[Insert]:
        """The rows that a domain keeps about what it took."""
        rows = []
        for one in elements["takes"]:
            vector = f"{{{str(one.units).strip('(,)')}}}"  # as PostgreSQL reads an array
            rows.append(Insert("life_takes", {"posting": Stamp.ID, "quota": one.quota, "units": vector}))
        rows += [
            Insert("life_opens", {"posting": Stamp.ID, "place": place, "units": one.units})
            for place, one in enumerate(elements["opens"])
        ]
        left: dict[int, int] = {}
        for one in elements["resolves"]:
            name = self.model.names.get(one.hold)
            before = left.get(one.hold, self.model.holds[name].left if name else 0)
            units = before if one.units is None else one.units
            left[one.hold] = before - units
            rows.append(Insert("life_ends", {"posting": Stamp.ID, "hold": one.hold, "units": units}))
        return rows


def quota_name(owner: int, place: int) -> str:
    return f"life {owner} {place} ☃'"


def row_number(owner: int, place: int) -> int:
    return owner << 20 | place
