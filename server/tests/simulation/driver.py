"""Carries intents out over the domains' own use cases; what got no answer is asked again, under the same key."""

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from functools import singledispatchmethod
from typing import Final

from deposits.scene import Crash, Effects, MortalDatabase, MortalLedger
from games.stage import turn_well
from kalos.adapters.chain.sandbox import TREASURY
from kalos.app import midnight
from kalos.core.assets import BY_CODE, KLS, USDT
from kalos.core.clock import business_day, day_start_ms
from kalos.core.errors import InsufficientBalance, LimitReached, Refusal, RequestConflict, WrongState
from kalos.core.money import text_of
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House, Member
from kalos.domains.deposits import jobs as deposits
from kalos.domains.deposits import queries, rules, tables
from kalos.domains.deposits.service import place_house_topup
from kalos.domains.games.service import PlacedBet, place_bet, show_scene
from kalos.domains.withdrawals.tables import TOPIC as WITHDRAWALS
from kalos.ledger import purse
from kalos.ledger.grants import Plan, open_grant
from kalos.ledger.outbox import StoredFact, deliver, keep_outbox
from kalos.ledger.postings import Move, Posting, key_of
from kalos.ledger.purse import Purpose
from kalos.ledger.statements import balances
from kalos.operator.issuing import take_of
from kalos.operator.reviews import TOPIC as CONSOLE
from simulation import intents
from simulation.asking import UNKNOWN, Asking, patiently
from simulation.intents import ALL, HOSTILE, OVER, OVER_ROOM, ROOM, Intent, Moment
from simulation.leaving import Leaving
from simulation.tally import POOL, Tally
from simulation.world import LISTED_SENDER, SET_ASIDE, World, shares_of
from support.force import insist

_ASKED_AGAIN: Final = 5
_AN_HOUR: Final = 200
"""Rounds of asking, some seconds: then the hour is over for which a try counts that its process has died with."""
_BETON: Final = "/api/game/beton"
_TOPICS: Final = ("rounds", tables.TOPIC, WITHDRAWALS, CONSOLE)
_SOURCES: Final = {
    "pool": ("test.prize", POOL),
    "set aside": ("test.release", SET_ASIDE),
    "outside": ("test.release", purse.outside(Purpose.ISSUANCE, USDT)),
}


@dataclass(frozen=True, slots=True)
class Request:
    """A bet as its member asks for it, however often."""

    member: Member
    scene: str
    round_id: str
    option: str
    asset: str
    amount: str
    id: str


class Driver:
    """`unknown` are requests whose fate nobody was told, `facts` the ids of those that a reader of the outbox got."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.house, self.tally = world, world.house, Tally()
        self.unknown: dict[str, Request] = {}
        self.facts: set[int] = set()
        self.outcomes: dict[str, int] = {}
        self._seed = seed
        self._placed: list[tuple[Request, int]] = []
        self.asking = Asking(world, seed, self._count)
        self.leaving = Leaving(self.asking, self.tally.out)
        steps = (deposits.watch, turn_well, self._place_topups, midnight.turn)
        self._steps: Sequence[Callable[[House], Awaitable[object]]] = (*steps, *self.leaving.steps, self._read_facts)

    async def live(self, moment: Moment) -> None:
        """Everything of a moment at once."""
        await asyncio.gather(*(self.do(intent) for intent in moment))

    @singledispatchmethod
    async def do(self, intent: Intent) -> None:
        await self.leaving.do(intent)

    @do.register
    async def _bet(self, intent: intents.Bet) -> None:
        request = await self._request(intent)
        if request is None:
            return
        patience = None if intent.patience_ms is None else intent.patience_ms / 1000
        tries = (asyncio.wait_for(self._place(request), patience) for _ in range(intent.times))
        self._learn(request, await asyncio.gather(*tries, return_exceptions=True))

    @do.register
    async def _arrive(self, intent: intents.Arrive) -> None:
        owner = purse.HOUSE if intent.member is None else self.world.members[intent.member].id
        address, sender = self.world.chain.deposit_address(owner), LISTED_SENDER if intent.is_listed else TREASURY
        self.world.chain.transfer(BY_CODE[intent.asset], address, intent.units, sender=sender)

    @do.register
    async def _give(self, intent: intents.Give) -> None:
        stock, member = purse.house(Purpose.KLS_STOCK, KLS), self.world.members[intent.member]
        moves = [
            Move("treasury.issue", purse.outside(Purpose.ISSUANCE, KLS), stock, intent.units),
            Move("treasury.transfer", stock, purse.available(member.id, KLS), intent.units),
        ]
        key, takes = key_of("give", self._seed, intent.number), [take_of(intent.units)]
        await insist(self.world.client, Posting(key=key, moves=moves, takes=takes))
        self.tally.give(member.id, intent.units)

    @do.register
    async def _pay(self, intent: intents.Pay) -> None:
        member, asset = self.world.members[intent.member], BY_CODE[intent.asset]
        kind, target = ("test.pool", POOL) if intent.pool else ("test.fee", purse.house(Purpose.FEES, asset))
        move = Move(kind, purse.available(member.id, asset), target, intent.units)
        asked = Posting(key=key_of("pay", self._seed, intent.number), moves=[move])
        with contextlib.suppress(InsufficientBalance):
            posted = await insist(self.world.client, asked)
            self.tally.pay(member.id, asset, intent.units, None if intent.pool else posted.at)

    @do.register
    async def _grant(self, intent: intents.Grant) -> None:
        """Opened for tomorrow, or not at all where tomorrow has come meanwhile."""
        kind, source = _SOURCES[intent.source]
        tomorrow = business_day(self.world.now) + timedelta(days=1)
        plan = Plan.by_amount(intent.units, -(-intent.units // intent.days), tomorrow)
        target = purse.available(self.world.members[intent.member].id, purse.asset_of(source))
        asked = Posting(
            key=key_of("grant", self._seed, intent.number),
            riders=[open_grant(plan, kind=kind, source=source, target=target)],
            not_after=day_start_ms(tomorrow) - 1,
            late=lambda **_: WrongState(),
        )
        with contextlib.suppress(WrongState):
            posted = await insist(self.world.client, asked)
            self.tally.grant(posted.id, source, target, plan)

    @do.register
    async def _work(self, intent: intents.Work) -> None:
        house = self.house
        if intent.crash_at is not None:
            effects = Effects(intent.crash_at)
            house = replace(house, db=MortalDatabase(house.db, effects), ledger=MortalLedger(house.ledger, effects))
        try:
            for step in self._steps:
                await patiently(step, house)
        except Crash:
            self._count("a worker's crash")

    @do.register
    async def _strike(self, intent: intents.Strike) -> None:
        await self.world.strike(intent.after_ms, intent.point)

    @do.register
    async def _reorganise(self, intent: intents.Reorganise) -> None:
        self.world.chain.reorganise(intent.depth, keep=intent.keep)

    @do.register
    async def _pass(self, intent: intents.Pass) -> None:
        self.world.advance(intent.seconds)
        await self.world.tell_time()
        await self._work(intents.Work(None))

    async def ask_again(self) -> None:
        """Who got no answer asks once more, until all have one; a bet is the same whoever asks, and whenever."""
        for request, number in self._placed[-_ASKED_AGAIN:]:
            with contextlib.suppress(*UNKNOWN):
                assert (await self._place(request)).bet.id == number, request
        await self.leaving.ask_again()
        asked = 0
        while self.unknown or self.asking.unanswered:
            self.world.check_writer()
            asked += 1
            if asked % _AN_HOUR == 0:
                await self.house.db.execute("DELETE FROM tries")
            await self.asking.again()
            for request in list(self.unknown.values()):
                self._learn(request, await asyncio.gather(self._place(request), return_exceptions=True))
            await asyncio.sleep(0.02)

    async def work_off(self) -> None:
        """Confirm what stands on the chain, and let the worker do all that can be done now."""
        for _ in range(self.world.chain.network.confirmations + 1):
            self.world.chain.mine(time=self.world.now // 1000)
        for _ in range(2_000):
            self.world.check_writer()
            before = await self._progress()
            answered = [await patiently(step, self.house) for step in self._steps]
            if all(answered) and before == await self._progress():
                return
        raise AssertionError("the worker comes to no end")

    async def end(self) -> None:
        """Let all that runs come to its end: betting is over, and every block that it waits for is there or overdue."""
        await self.leaving.end()
        for seconds in (400, 900):
            self.world.advance(seconds)
            await self.world.tell_time()
            await self.work_off()

    async def _progress(self) -> tuple[int, ...]:
        row = await self.house.db.row(
            "SELECT last_posting AS posting, (SELECT max(number) FROM deposit_cursors) AS block FROM ledger_tail"
        )
        assert row is not None
        return row["posting"], row["block"] or 0, len(self.facts)

    async def _read_facts(self, house: House) -> None:
        """As a product does that follows the rounds; what all have read and is old goes."""

        async def keep(facts: Sequence[StoredFact]) -> None:
            self.facts.update(fact.id for fact in facts)

        await deliver(house.db, "simulation", _TOPICS, keep, wall=house.clock.wall())
        await keep_outbox(house.db)

    async def _place_topups(self, house: House) -> None:
        """As the treasurer does: what arrived at the house goes to its accounts, the first top-up as it was meant."""
        for deposit in (await queries.list_deposits(house.db, purse.HOUSE, PageQuery(100), None)).rows:
            if deposit.reason == rules.HOUSE and deposit.asset == USDT.code:
                await place_house_topup(house, deposit, shares_of(deposit.units))

    async def _request(self, intent: intents.Bet) -> Request | None:
        """Read the scene as a page does, and take the words of the amount for what they mean now."""
        member, asset = self.world.members[intent.member], BY_CODE[intent.asset]
        view = await show_scene(self._context(member), intent.scene)
        if view.view is None:
            return None
        have = (await balances(self.house.db, [member.id])).get(purse.available(member.id, asset), 0)
        room = view.room[intent.option][asset]
        words = {ALL: have, OVER: have + 1, ROOM: room, OVER_ROOM: room + 1}
        amount = text_of(words[intent.amount], asset) if intent.amount in words else intent.amount
        return Request(
            member, intent.scene, view.view.id, intent.option, intent.asset, amount, f"{self._seed}-{intent.number}"
        )

    async def _place(self, request: Request) -> PlacedBet:
        return await place_bet(
            self._context(request.member, request),
            scene_id=request.scene,
            round_id=request.round_id,
            option=request.option,
            amount=request.amount,
            asset_code=request.asset,
            request_id=request.id,
        )

    def _learn(self, request: Request, answers: Sequence[PlacedBet | BaseException]) -> None:
        """Keep what a member was told: one bet at most; beside it only what was refused before it had room."""
        placed = [answer for answer in answers if isinstance(answer, PlacedBet)]
        silent = [answer for answer in answers if isinstance(answer, UNKNOWN)]
        refused = [answer for answer in answers if isinstance(answer, Refusal) and not isinstance(answer, UNKNOWN)]
        others = [answer for answer in answers if not isinstance(answer, (PlacedBet, Refusal, *UNKNOWN))]
        assert not others, others
        assert not any(isinstance(answer, RequestConflict) for answer in refused), request
        if placed:
            assert len({answer.bet.id for answer in placed}) == 1, (request, placed)
            assert all(isinstance(answer, (InsufficientBalance, LimitReached)) for answer in refused), (
                request,
                refused,
            )
            assert request.amount not in HOSTILE, request
            assert Decimal(request.amount).scaleb(BY_CODE[request.asset].scale) == placed[0].bet.units, request
            self.tally.bet(placed[0].bet)
            self._placed.append((request, placed[0].bet.id))
            self.unknown.pop(request.id, None)
            self._count("placed")
        elif silent:
            self.unknown[request.id] = request
            self._count("no answer")
        else:
            self.unknown.pop(request.id, None)
            self._count(type(refused[0]).__name__)

    def _context(self, member: Member, request: Request | None = None) -> Context:
        body = b"" if request is None else hashlib.sha256(repr(request).encode()).digest()
        return Context(house=self.house, member=member, path=_BETON, fingerprint=body)

    def _count(self, outcome: str) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
