"""Carries out what leads out of the platform, and what the house's people do: asked again until there is an answer."""

import asyncio
import contextlib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import Any, Final

import asyncpg

from console.scene import Reviewer, desk_of
from deposits.scene import Crash
from factors.scene import OUT
from kalos.core.assets import BY_CODE, USDT
from kalos.core.clock import DAY_MS
from kalos.core.errors import (
    BelowMinimum,
    InsufficientBalance,
    LimitReached,
    MoneyOutStopped,
    NotFound,
    Outage,
    Refusal,
)
from kalos.core.money import Amount
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House
from kalos.domains.wallets.queries import insert_address
from kalos.domains.withdrawals import jobs, queries, service
from kalos.domains.withdrawals.errors import AddressWaiting
from kalos.domains.withdrawals.rules import OPEN, Wish
from kalos.domains.withdrawals.service import Placed
from kalos.domains.withdrawals.tables import Proof, Withdrawal
from kalos.operator import reviews
from simulation import intents
from simulation.asking import UNKNOWN, Asking, patiently
from simulation.intents import ALL, ANOTHERS, DAY, LISTED, NEW, OVER, OVER_DAY, TOO_LITTLE, WAITING
from simulation.office import Office
from simulation.outgoing import Asked, Outgoing
from wallets.people import new_wallet
from withdrawals.scene import PATH, end

_ASKED_AGAIN: Final = 3
_MOST_TURNS: Final = 200
_FAR_MS: Final = 60 * DAY_MS  # no clock jumps so far in a moment
_HOPELESS: Final = {TOO_LITTLE: BelowMinimum, WAITING: AddressWaiting, ANOTHERS: NotFound}
_RETURN: Final = """
    INSERT INTO broadcast_returns (withdrawal, revision, reason, until_at, at)
    VALUES ($1, $2, 'account_frozen', NULL, 9)
"""
_ON_THE_WAY: Final = """
    SELECT id, revision FROM withdrawals w WHERE status = 'on_chain_processing'
        AND NOT EXISTS (SELECT FROM broadcast_ends e WHERE e.withdrawal = w.id) ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class Request:
    """A withdrawal as its member asks for it, however often. `words` are those of its intent that decide its fate."""

    ctx: Context
    wish: Wish
    entry: str
    words: frozenset[str]


class Leaving:
    """Members' withdrawals, and what becomes of them."""

    def __init__(self, asking: Asking, tally: Outgoing) -> None:
        self.asking, self.tally, self.office = asking, tally, Office(asking, tally)
        self.world, self.house = asking.world, asking.house
        self._ended: set[tuple[int, int]] = set()
        self._placed: list[tuple[Request, int]] = []
        self.steps = (jobs.settle_ended, jobs.take_back, *self.office.steps)

    @singledispatchmethod
    async def do(self, intent: intents.Intent) -> None:
        await self.office.do(intent)

    async def ask_again(self) -> None:
        """Who was told of a withdrawal is told of the same; who was told nothing asks once more."""
        for request, number in self._placed[-_ASKED_AGAIN:]:
            with contextlib.suppress(*UNKNOWN):
                assert (await self._place(self.house, request)).withdrawal.id == number, request
        await self.asking.again()

    async def end(self) -> None:
        """Let money out again; people decide on all that waits, and the signer ends all that is on its way."""
        await self.office.resume(intents.Resume())
        for _ in range(_MOST_TURNS):
            self.world.check_writer()
            await self.ask_again()
            waiting = await self._open()
            if not waiting:
                return
            for one in waiting:
                for who in self.world.reviewers if one.status == "pending_review" else ():
                    await self._say(one, who, is_yes=one.id % 4 > 0, crash_at=None)
                await self._end(intents.End(0, "approved"))
            for step in self.steps:
                await patiently(step, self.house)
        raise AssertionError("withdrawals come to no end")

    async def _open(self) -> list[Withdrawal]:
        pages = [await queries.list_queue(self.house.db, PageQuery(100), state) for state in OPEN]
        return [one for page in pages for one in page.rows if one.id in self.tally.withdrawals]

    # A member's withdrawal

    @do.register
    async def _withdraw(self, intent: intents.Withdraw) -> None:
        request, flag = await self._request(intent), self.office.flag
        patience = None if intent.patience_ms is None else intent.patience_ms / 1000
        tries = [(intent.times, patience)]

        async def ask(house: House) -> None:
            """At first as the intent says; who asks again asks once, and waits."""
            times, seconds = tries.pop() if tries else (1, None)
            asked = (asyncio.wait_for(self._place(house, request), seconds) for _ in range(times))
            answers = await asyncio.gather(*asked, return_exceptions=True)
            self._learn(intent, request, answers)

        await self.asking.once(f"withdrawal {intent.number}", ask, intent.crash_at)
        if flag % 2 and flag == self.office.flag:
            assert not any(placed is request for placed, _ in self._placed), "accepted while money out was stopped"

    async def _request(self, intent: intents.Withdraw) -> Request:
        """As the form makes it of what it shows now; the second factor was shown."""
        member, asset = self.world.members[intent.member], BY_CODE[intent.asset]
        body = hashlib.sha256(repr(intent).encode()).digest()
        ctx = Context(house=self.house, member=member, path=PATH, fingerprint=body)
        shown = await service.show_terms(ctx)
        have, room = shown.available[asset], shown.daily_left * (1 if asset == USDT else 200)
        minimum = self.house.terms.withdraw_min[asset].units
        words = {ALL: have, OVER: have + 1, DAY: room, OVER_DAY: room + 1, TOO_LITTLE: minimum - 1}
        units = intent.amount if isinstance(intent.amount, int) else words[intent.amount]
        request_id = self.asking.id("withdrawal", intent.number)
        wish = Wish(
            amount=Amount(units, asset),
            wallet=await self._entry(ctx, intent),
            out_password=OUT,
            google_code=None,
            email_code=None,
            buys_fee=intent.buys_fee,
            request_id=request_id,
        )
        async with ctx.db.transaction() as db:
            await queries.insert_proof(db, Proof(member.id, request_id, body, ctx.wall + DAY_MS), ctx.wall)
        return Request(ctx, wish, intent.entry, frozenset({intent.entry, str(intent.amount)}))

    async def _entry(self, ctx: Context, intent: intents.Withdraw) -> int:
        """A new entry of the member's book, or another member's."""
        owner = ctx.caller.id
        if intent.entry == ANOTHERS:
            owner = next(member.id for member in self.world.members if member.id != owner)
        ages = {NEW: (-2 * _FAR_MS, -1), WAITING: (0, _FAR_MS)}
        created, usable = ages.get(intent.entry, (-7 * _FAR_MS, -6 * _FAR_MS))
        async with ctx.db.transaction() as db:
            row = await insert_address(
                db,
                member=owner,
                chain=self.world.chain.network.chain_id,
                address=new_wallet().address,
                label="a wallet",
                is_listed=intent.entry == LISTED,
                created_at=ctx.now + created,
                usable_at=ctx.now + usable,
            )
        assert row is not None
        return row.id

    async def _place(self, house: House, request: Request) -> Placed:
        ctx = Context(
            house=house, member=request.ctx.member, path=request.ctx.path, fingerprint=request.ctx.fingerprint
        )
        return await service.withdraw(ctx, request.wish)

    def _learn(self, intent: intents.Withdraw, request: Request, answers: Sequence[Placed | BaseException]) -> None:
        """Keep what the member was told: one withdrawal at most. Raises: Outage, where nobody was told anything."""
        placed = [answer for answer in answers if isinstance(answer, Placed)]
        silent = [answer for answer in answers if isinstance(answer, (*UNKNOWN, Crash))]
        refused = [answer for answer in answers if isinstance(answer, Refusal) and not isinstance(answer, UNKNOWN)]
        others = [answer for answer in answers if not isinstance(answer, (Placed, Refusal, Crash, *UNKNOWN))]
        assert not others, others
        hopeless = {_HOPELESS[word] for word in request.words & _HOPELESS.keys()}
        if placed:
            (number,) = {answer.withdrawal.id for answer in placed}
            assert not hopeless, (request, placed)
            overtaken = (InsufficientBalance, LimitReached, MoneyOutStopped)
            assert all(isinstance(answer, overtaken) for answer in refused), (request, refused)
            asked = Asked(request.ctx.caller.id, request.wish.amount.asset, request.wish.amount.units, intent.entry,
                          intent.buys_fee)  # fmt: skip
            self.tally.ask(number, asked)
            self._placed.append((request, number))
            self.asking.count("withdrawal placed")
        elif silent:
            raise Outage("no answer")
        else:
            assert not hopeless or {type(answer) for answer in refused} <= {*hopeless, BelowMinimum}, (request, refused)
            self.asking.count(f"withdrawal {type(refused[0]).__name__}")

    # What becomes of it

    @do.register
    async def _review(self, intent: intents.Review) -> None:
        waiting = [one for one in await self._open() if one.status == "pending_review"]
        if waiting:
            one, who = waiting[intent.pick % len(waiting)], self.world.reviewers[intent.reviewer]
            await self._say(one, who, is_yes=intent.is_yes, crash_at=intent.crash_at)

    async def _say(self, one: Withdrawal, who: Reviewer, *, is_yes: bool, crash_at: int | None) -> None:
        signature = who.sign(one) if is_yes else None
        said: dict[str, Any] = {"verdict": "yes" if is_yes else "no", "reason": "looked at", "signature": signature}
        staff = who.worker.staff.id
        request = f"review-{one.id}-{one.revision}-{said['verdict']}"

        async def ask(house: House) -> None:
            desk = desk_of(house, who.worker)
            try:
                if await reviews.find_review(desk, one.id, request) is None:
                    await reviews.review_withdrawal(desk, one.id, revision=one.revision, request_id=request, **said)
            except UNKNOWN:
                raise
            except Refusal as refusal:
                self.asking.count(f"review {type(refusal).__name__}")
                return
            self.tally.say(one.id, staff, one.returned, is_yes=is_yes)
            self.asking.count(f"review {said['verdict']}")

        await self.asking.once(f"review {one.id} {one.revision} {staff} {is_yes}", ask, crash_at)

    @do.register
    async def _end(self, intent: intents.End) -> None:
        """The signer takes each that is on its way once, whatever becomes of it."""
        rows = [(row["id"], row["revision"]) for row in await self.house.db.rows(_ON_THE_WAY)]
        rows = [row for row in rows if row not in self._ended and row[0] in self.tally.withdrawals]
        if not rows:
            return
        number, revision = one = rows[intent.pick % len(rows)]
        self._ended.add(one)
        if intent.outcome == "returned":
            signer = await asyncpg.connect(self.world.owner_url)
            await signer.execute("SET ROLE kalos_signer")
            await signer.execute(_RETURN, number, revision)
            await signer.close()
        else:
            await end(self.world.owner_url, number, intent.outcome)
        self.tally.end(number, intent.outcome)
        self.asking.count(intent.outcome)
