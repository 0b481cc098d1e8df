"""What the house's people do: decide on top-ups, order and sign what moves, stop money out and let it go again."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import singledispatchmethod
from typing import Any, Final

from console.scene import Ahead, desk_of
from kalos.app.auditing import EXPLAINED
from kalos.core.assets import BY_CODE, KLS
from kalos.core.clock import Clock
from kalos.core.errors import Refusal, WrongState
from kalos.core.money import text_of
from kalos.core.pages import PageQuery
from kalos.domains.context import House
from kalos.domains.deposits import queries as deposits
from kalos.domains.deposits import rules as deposit_rules
from kalos.domains.deposits.tables import Deposit
from kalos.domains.reserves.queries import find_owed
from kalos.ledger import purse
from kalos.ledger.flags import money_out_stopped
from kalos.ledger.purse import Purpose
from kalos.ledger.watch import resume_money_out
from kalos.operator import commands, jobs, reviews
from simulation import intents
from simulation.asking import UNKNOWN, Asking
from simulation.outgoing import Ordered, Outgoing

_LATE_MS: Final = 11_000  # a job leaves what was signed to who signed it for less
_DEAR_KLS: Final = 10**13  # so much nobody credits by hand


class Office:
    """`flag` is odd while money out is stopped for certain: nothing that is asked for then may be accepted."""

    def __init__(self, asking: Asking, tally: Outgoing) -> None:
        self.asking, self.tally = asking, tally
        self.world, self.house = asking.world, asking.house
        self.flag = 0
        self._flagging, self._looking = asyncio.Lock(), asyncio.Lock()
        self.steps = (self._finish, jobs.follow)

    @singledispatchmethod
    async def do(self, intent: intents.Intent) -> None:
        raise NotImplementedError(intent)

    @do.register
    async def _decide(self, intent: intents.Decide) -> None:
        found = (await deposits.list_review(self.house.db, PageQuery(100))).rows
        waiting = [one for one, _ in found if deposit_rules.verdicts(one)]
        if not waiting:
            return
        one, who = waiting[intent.pick % len(waiting)], self.world.reviewers[0]
        verdict, request_id = _possible(one, intent.verdict), self.asking.id("decided", intent.number)

        async def ask(house: House) -> None:
            desk = desk_of(house, who.worker, "decide", fingerprint=hashlib.sha256(repr(intent).encode()).digest())
            fields: dict[str, Any] = {"revision": one.revision, "verdict": verdict, "reason": "looked at"}
            try:
                if await reviews.find_decided(desk, one.id, request_id) is None:
                    await reviews.decide_deposit(desk, one.id, request_id=request_id, **fields)
            except UNKNOWN:
                raise
            except Refusal as refusal:
                self.asking.count(f"decision {type(refusal).__name__}")
                return
            self.tally.decided[one.id] = verdict
            self.asking.count(f"decision {verdict}")

        await self.asking.once(request_id, ask, intent.crash_at)

    # What two must sign, and what stops money out

    @do.register
    async def _correct(self, intent: intents.Correct) -> None:
        asset = BY_CODE[intent.asset]
        body = {
            "asset": intent.asset,
            "from": self._party(intent.source),
            "to": self._party(intent.target),
            "amount": text_of(intent.units, asset),
        }
        parties = self._account(intent.source, intent.asset), self._account(intent.target, intent.asset)
        ordered = Ordered("treasury.correction", *parties, asset, intent.units)
        await self._order(intent.number, "correction", body, ordered, intent.crash_at)

    @do.register
    async def _issue(self, intent: intents.Issue) -> None:
        accounts = purse.outside(Purpose.ISSUANCE, KLS), purse.house(Purpose.KLS_STOCK, KLS)
        ordered = Ordered("treasury.issue", *accounts, KLS, intent.units)
        async with self._looking:
            await self._look()
            await self._order(intent.number, "issue", {"amount": text_of(intent.units, KLS)}, ordered, intent.crash_at)

    async def _order(
        self, number: int, kind: str, body: Mapping[str, Any], ordered: Ordered, crash_at: int | None
    ) -> None:
        """One makes the command, another one signs it; what can't be signed any more its maker takes back."""
        made_by, signed_by = self.world.maker, self.world.checker
        ids = [self.asking.id(word, number) for word in ("made", "signed", "taken back")]

        async def ask(house: House) -> None:
            maker, checker = desk_of(house, made_by), desk_of(house, signed_by)
            try:
                made = await commands.submit(maker, kind=kind, body=body, reason="a simulation", request_id=ids[0])
            except UNKNOWN:
                raise
            except Refusal as refusal:
                self.asking.count(f"{kind} {type(refusal).__name__}")
                return
            self.tally.ordered[made.id] = ordered
            try:
                signed = await commands.sign(checker, number=made.id, version=made.version, request_id=ids[1])
            except UNKNOWN:
                raise
            except Refusal:
                signed = await commands.find(maker, made.id)
                if signed.state == "open":
                    signed = await commands.refuse(maker, number=made.id, reason="not any more", request_id=ids[2])
            if signed.state != "signed":  # else a job goes on with it
                self.tally.told[made.id] = signed.state
            self.asking.count(f"{kind} {signed.state}")

        await self.asking.once(f"{kind} {number}", ask, crash_at)

    async def _look(self) -> None:
        """As the reserves are after a look at the chain just now: there is enough for all that is issued."""
        wall = Clock.wall()
        async with self.house.db.transaction() as db:
            units = await find_owed(db, KLS) + 10**15
            await db.execute("DELETE FROM reserves")
            await db.execute("DELETE FROM reserve_checks")
            await db.execute("INSERT INTO reserves (asset, place, units, block, at) VALUES ('KLS', 'hot', $1, 7, $2)",
                             units, wall)  # fmt: skip
            await db.execute(
                "INSERT INTO reserve_checks (asset, owed, expected, missing, block, at) VALUES ('KLS', 0, 0, 0, 7, $1)",
                wall,
            )

    def _party(self, party: int | str) -> dict[str, str]:
        return {"house": party} if isinstance(party, str) else {"account": self.world.members[party].account}

    def _account(self, party: int | str, code: str) -> int:
        asset = BY_CODE[code]
        if isinstance(party, str):
            return purse.house(Purpose[party.upper()], asset)
        return purse.available(self.world.members[party].id, asset)

    async def _finish(self, house: House) -> None:
        """The console's job, for which what was signed just now has waited long enough."""
        late = Ahead(_LATE_MS)
        late.offset_ms = house.clock.offset_ms - _LATE_MS
        desk = desk_of(house, self.world.maker)
        await jobs.turn(replace(house, clock=late), desk.numbers)

    @do.register
    async def _stop(self, intent: intents.Stop) -> None:
        async with self._flagging:
            desk = desk_of(self.house, self.world.maker)
            try:
                request_id = self.asking.id("stopped", intent.number)
                await commands.submit(desk, kind="money_out", body={}, reason="a simulation", request_id=request_id)
            except WrongState:
                return
            self.flag += 1
            self.asking.count("stopped")

    @do.register
    async def resume(self, _: intents.Resume) -> None:
        async with self._flagging:
            if await money_out_stopped(self.house.db) is None:
                return
            self.flag += 1
            wall = Clock.wall()
            told = {"reason": "it is sound", "by": "a simulation", "wall": wall}
            problems = await resume_money_out(self.house.db, explained=EXPLAINED, **told)  # type: ignore[arg-type]
            assert problems == []
            self.asking.count("resumed")


def _possible(one: Deposit, wanted: str) -> deposit_rules.Verdict:
    """The verdict that was drawn, where this top-up allows it; nobody credits by hand what is too dear."""
    verdicts = deposit_rules.verdicts(one)
    if "refuse" in verdicts and one.asset == KLS.code and one.units > _DEAR_KLS:
        return "refuse"
    return next((verdict for verdict in verdicts if verdict == wanted), verdicts[0])
