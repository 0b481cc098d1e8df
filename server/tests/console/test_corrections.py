"""Corrections: a posting between named accounts with two people and a reason in it, once or never."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import asyncpg
import pytest
from msgspec import structs

from conftest import MakeMember
from console.conftest import Hire
from console.scene import Worker, counts, desk_of, log_of, request_id, sign, submit
from kalos.core.assets import USDT
from kalos.core.errors import (
    Busy,
    InsufficientBalance,
    InvalidAmount,
    InvalidInput,
    NotFound,
    Refusal,
    StateChanged,
    WrongState,
)
from kalos.domains.context import House, Member
from kalos.ledger import purse
from kalos.ledger.payables import Debt, owe
from kalos.ledger.postings import Ledger, Move, Posted, Posting, key_of
from kalos.ledger.purse import Purpose
from kalos.operator import commands, jobs, queries, rules
from kalos.operator.errors import OwnAccount
from kalos.operator.people import set_own_account
from kalos.operator.tables import CommandRow
from support.members import fund

MARKETING = purse.house(Purpose.MARKETING, USDT)


async def balance(house: House, account: int) -> int:
    return await house.db.value("SELECT balance FROM accounts WHERE id = $1", account) or 0


async def free(house: House, member: Member) -> int:
    return await balance(house, purse.available(member.id, USDT))


@pytest.fixture
async def alice(house: House, member: MakeMember) -> Member:
    made = await member(usdt="100")
    move = Move("test.fund", purse.outside(Purpose.CHAIN, USDT), MARKETING, 50_000_000)
    await house.ledger.post(Posting(key_of("marketing", made.id), moves=[move]))
    return made


def body(alice: Member, amount: str = "12.5", **changed: Any) -> dict[str, Any]:
    parties = {"from": {"account": alice.account}, "to": {"house": "marketing"}}
    return {"asset": "USDT", "amount": amount, "note": "ticket 7"} | parties | changed


async def from_a_pool(house: House, alice: Member) -> tuple[int, dict[str, Any]]:
    """A house account with money that owes nobody, and a correction's parties from there to a member."""
    pool = purse.house(Purpose.LENDING_POOL, USDT)
    funds = Move("test.fund", purse.outside(Purpose.CHAIN, USDT), pool, 50_000_000)
    await house.ledger.post(Posting(key_of("pool", alice.id), moves=[funds]))
    return pool, {"from": {"house": "lending_pool"}, "to": {"account": alice.account}}


async def only_signed(house: House, row: CommandRow, checker: Worker) -> CommandRow:
    """As a process leaves it that ends right after the second signature's commit."""
    signed = "UPDATE commands SET state = 'signed', checker = $2, outcome = NULL, decided_at = 1 WHERE id = $1"
    await house.db.execute(signed, row.id, checker.staff.id)
    return await commands.find(desk_of(house), row.id)


async def test_a_signed_correction_moves_once_and_names_both_and_the_reason(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    marketing = await balance(house, MARKETING)
    row = await submit(desk_of(house, maker), "correction", reason="Paid twice", **body(alice))
    assert row.before == {alice.account: "100.000000", "house marketing": f"{marketing / 10**6:.6f}"}
    assert row.after[alice.account] == "87.500000"
    assert await free(house, alice) == 100_000_000
    signing = request_id()
    signed = await sign(desk_of(house, checker), row, request=signing)
    assert signed.state == "carried_out"
    assert (await sign(desk_of(house, checker), row, request=signing)).id == row.id
    assert (await free(house, alice), await balance(house, MARKETING)) == (87_500_000, marketing + 12_500_000)
    kept = await house.db.row("SELECT * FROM corrections WHERE command = $1", row.id)
    assert kept is not None
    assert (kept["maker"], kept["checker"], kept["reason"]) == (maker.name, checker.name, "Paid twice")
    assert (kept["outcome"], kept["units"], kept["target"]) == ("moved", 12_500_000, MARKETING)
    acts = await queries.list_audit(house.db, before=None, most=3)
    assert [one.act for one in acts] == ["command.carried_out", "command.sign", "command.submit"]


async def test_nobody_asks_for_signs_or_refuses_what_moves_their_own_money(
    house: House, alice: Member, maker: Worker, checker: Worker, hire: Hire, database_url: str
) -> None:
    own, parties = await hire("owner", "treasurer"), {"from": {"house": "marketing"}, "to": {"account": alice.account}}
    mine = await submit(desk_of(house, own), "correction", reason="Before anybody knew", **body(alice, "1"))
    owner = await asyncpg.connect(database_url)
    try:
        assert await set_own_account(owner, name=own.name, account=alice.account, by="tests")
    finally:
        await owner.close()
    with pytest.raises(OwnAccount):
        await sign(desk_of(house, checker), mine)
    await commands.refuse(desk_of(house, own), number=mine.id, reason="taken back", request_id=request_id())
    for wish in (body(alice), body(alice) | parties):
        with pytest.raises(OwnAccount):
            await submit(desk_of(house, own), "correction", reason="Mine", **wish)
        row = await submit(desk_of(house, maker), "correction", reason="Paid twice", **wish)
        with pytest.raises(OwnAccount):
            await sign(desk_of(house, own), row)
        theirs = structs.replace(desk_of(house, own), staff=replace(own.staff, account=alice.account))
        assert (commands.is_own(theirs, row), commands.can_sign(theirs, row)) == (True, False)
        others = desk_of(house, checker)
        assert (commands.is_own(others, row), commands.can_sign(others, row)) == (False, True)
        with pytest.raises(OwnAccount):
            await commands.refuse(desk_of(house, own), number=row.id, reason="no", request_id=request_id())
        assert await free(house, alice) == 100_000_000 - (12_500_000 if wish == body(alice) | parties else 0)
        assert (await sign(desk_of(house, checker), row)).state == "carried_out"


async def test_balances_may_move_between_the_signatures(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    row = await submit(desk_of(house, maker), "correction", **body(alice))
    await fund(house.ledger, alice, usdt="1")
    assert (await sign(desk_of(house, checker), row)).state == "carried_out"
    assert await free(house, alice) == 88_500_000


@pytest.mark.parametrize("when", ["before the posting", "after the posting"])
async def test_what_a_process_left_signed_is_finished_by_a_job_once(
    house: House, alice: Member, maker: Worker, checker: Worker, when: str
) -> None:
    row = await only_signed(house, await submit(desk_of(house, maker), "correction", **body(alice)), checker)
    if when == "after the posting":
        await commands.finish(desk_of(house), row)
        await house.db.execute("UPDATE commands SET state = 'signed', decided_at = 1 WHERE id = $1", row.id)
    for _ in range(2):
        await jobs.turn(house, desk_of(house).numbers)
    assert (await commands.find(desk_of(house), row.id)).state == "carried_out"
    assert await free(house, alice) == 87_500_000


class Broken:
    """Fails at the moves of one command."""

    def __init__(self, ledger: Ledger, command: int) -> None:
        self._ledger = ledger
        self._command = command

    async def post(self, posting: Posting) -> Posted:
        if any(move.reference == self._command for move in posting.moves):
            raise RuntimeError("a bug")
        return await self._ledger.post(posting)

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        return await self._ledger.post_many(postings)


async def test_a_command_that_cannot_be_finished_keeps_no_other(
    house: House, alice: Member, member: MakeMember, maker: Worker, checker: Worker
) -> None:
    bob = await member(usdt="100")
    first, second = [
        await only_signed(house, await submit(desk_of(house, maker), "correction", **body(one)), checker)
        for one in (alice, bob)
    ]
    waiting = await submit(desk_of(house, maker), "correction", **body(alice, "1", to={"house": "bankroll"}))
    desk = desk_of(house, ahead_ms=rules.COMMAND_MS)
    for _ in range(2):
        problem = await jobs.turn(replace(desk.house, ledger=Broken(house.ledger, first.id)), desk.numbers)
        assert isinstance(problem, RuntimeError)
    states = [(await commands.find(desk, row.id)).state for row in (first, second, waiting)]
    assert states == ["signed", "carried_out", "expired"]
    assert (await free(house, alice), await free(house, bob)) == (100_000_000, 87_500_000)
    assert await jobs.turn(desk.house, desk.numbers) is None
    assert (await commands.find(desk, first.id)).state == "carried_out"


async def test_several_that_finish_at_once_move_once_and_log_once(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    row = await only_signed(house, await submit(desk_of(house, maker), "correction", **body(alice)), checker)
    before = await counts(house)
    await asyncio.gather(*(commands.finish(desk_of(house), row) for _ in range(5)))
    after = await counts(house)
    assert await free(house, alice) == 87_500_000
    assert after["operator_audit"] == before["operator_audit"] + 1
    assert after["corrections"] == before["corrections"] + 1


async def test_what_the_ledger_refuses_is_refused_for_ever(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    row = await submit(desk_of(house, maker), "correction", **body(alice, "60"))
    spent = Move("test.spend", purse.available(alice.id, USDT), purse.outside(Purpose.CHAIN, USDT), 50_000_000)
    await house.ledger.post(Posting(key_of("spent", row.id), moves=[spent]))
    with pytest.raises(InsufficientBalance):
        await sign(desk_of(house, checker), row)  # seen before it is signed: it stays open
    assert (await commands.find(desk_of(house), row.id)).state == "open"
    with pytest.raises(InsufficientBalance):
        await commands.finish(desk_of(house), await only_signed(house, row, checker))
    refused = await commands.find(desk_of(house), row.id)
    assert (refused.state, refused.outcome) == ("refused", "insufficient_balance")
    last = (await log_of(house, row.object))[-1]
    assert (last.act, last.name) == ("command.refused", "kalos")
    assert (last.before, last.after) == ({"state": "signed"}, commands.told(refused))
    assert await free(house, alice) == 50_000_000
    await fund(house.ledger, alice, usdt="100")  # it would go through by now
    late = await only_signed(house, refused, checker)
    with pytest.raises(WrongState):
        await commands.finish(desk_of(house), late)
    assert await house.db.value("SELECT outcome FROM corrections WHERE command = $1", row.id) == "refused"
    assert await free(house, alice) == 150_000_000
    assert (await commands.find(desk_of(house), row.id)).state == "refused"


async def test_a_payment_of_the_house_waits_behind_what_it_owes(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    """Whoever is owed by the account comes before whoever is corrected."""
    target = {"from": {"house": "marketing"}, "to": {"account": alice.account}}
    row = await submit(desk_of(house, maker), "correction", **body(alice, "1", **target))
    debt = Debt("test.owed", purse.available(alice.id, USDT), 10**12, 1)
    takes, riders = owe(MARKETING, [debt], date(2026, 1, 1))
    await house.ledger.post(Posting(key_of("owe", row.id), takes=takes, riders=riders))
    before = await free(house, alice)
    with pytest.raises(Refusal):
        await sign(desk_of(house, checker), row)
    assert await free(house, alice) == before


@pytest.mark.parametrize("source", [Purpose.REVENUE, Purpose.FEES], ids=lambda source: source.name.lower())
async def test_what_arrived_as_the_houses_income_is_placed_where_it_works_by_two(
    house: House, alice: Member, maker: Worker, checker: Worker, source: Purpose
) -> None:
    """Its own top-ups, and fees that no midnight moves: nothing else leads to the bankroll."""
    bankroll, income = purse.house(Purpose.BANKROLL, USDT), purse.house(source, USDT)
    arrived = Move("test.fund", purse.outside(Purpose.CHAIN, USDT), income, 7_000_000)
    await house.ledger.post(Posting(key_of("income", source, alice.id), moves=[arrived]))
    before, had = await balance(house, bankroll), await balance(house, income)
    parties = {"from": {"house": source.name.lower()}, "to": {"house": "bankroll"}}
    row = await submit(desk_of(house, maker), "correction", **body(alice, "7", **parties))
    assert (await balance(house, bankroll), await balance(house, income)) == (before, had)
    assert (await sign(desk_of(house, checker), row)).state == "carried_out"
    assert (await balance(house, bankroll), await balance(house, income)) == (before + 7_000_000, had - 7_000_000)


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"amount": "100.000001"}, InsufficientBalance),
        ({"amount": "0"}, InvalidInput),
        ({"amount": "-1"}, InvalidAmount),
        ({"amount": "1.0000001"}, InvalidAmount),
        ({"asset": "BTC"}, InvalidInput),
        ({"to": {}}, InvalidInput),
        ({"to": {"account": "99999999", "house": "marketing"}}, InvalidInput),
        ({"to": {"account": "99999999"}}, NotFound),
        ({"to": {"house": "suspense"}}, InvalidInput),
        ({"to": {"house": "bankroll_reserved"}}, InvalidInput),
        ({"to": {"house": "revenue"}}, InvalidInput),
        ({"to": {"house": "fees"}}, InvalidInput),
        ({"from": {"house": "suspense"}, "to": {"house": "marketing"}}, InvalidInput),
        ({"to": {"house": "chain"}}, InvalidInput),
        ({"from": {"house": "marketing"}}, InvalidInput),
    ],
)
async def test_a_correction_that_cannot_be_moves_nothing(
    house: House, alice: Member, maker: Worker, changed: dict[str, Any], refusal: type[Refusal]
) -> None:
    before = await counts(house)
    with pytest.raises(refusal):
        await submit(desk_of(house, maker), "correction", **body(alice) | changed)
    assert await counts(house) == before


async def test_what_moved_was_carried_out_though_its_account_was_closed_before_that_was_written_down(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    _, gets = await from_a_pool(house, alice)
    row = await only_signed(house, await submit(desk_of(house, maker), "correction", **body(alice) | gets), checker)
    await commands.finish(desk_of(house), row)
    await house.db.execute("UPDATE commands SET state = 'signed', decided_at = 1 WHERE id = $1", row.id)
    await house.db.execute("UPDATE members SET closed_at = 1 WHERE id = $1", alice.id)
    await jobs.turn(house, desk_of(house).numbers)
    assert (await commands.find(desk_of(house), row.id)).state == "carried_out"
    assert await free(house, alice) == 112_500_000


async def test_nothing_goes_to_a_closed_account_and_what_lies_there_can_be_taken_back(
    house: House, alice: Member, maker: Worker
) -> None:
    await house.db.execute("UPDATE members SET closed_at = 1 WHERE id = $1", alice.id)
    to_closed = {"from": {"house": "marketing"}, "to": {"account": alice.account}}
    with pytest.raises(InvalidInput):
        await submit(desk_of(house, maker), "correction", **body(alice) | to_closed)
    await submit(desk_of(house, maker), "correction", **body(alice))


async def test_a_correction_comes_to_no_account_that_is_being_closed(
    house: House, alice: Member, maker: Worker, checker: Worker, database_url: str
) -> None:
    """The closing has seen what the account holds, and isn't committed yet."""
    pool, gets = await from_a_pool(house, alice)
    row = await submit(desk_of(house, maker), "correction", **body(alice) | gets)
    before = await free(house, alice), await balance(house, pool)
    closing = await asyncpg.connect(database_url)
    try:
        async with closing.transaction():
            await closing.execute("UPDATE members SET closed_at = 1 WHERE id = $1", alice.id)
            with pytest.raises(StateChanged):
                await sign(desk_of(house, checker), row)
    finally:
        await closing.close()
    await house.db.execute("UPDATE commands SET decided_at = 1 WHERE id = $1", row.id)
    await jobs.turn(house, desk_of(house).numbers)
    refused = await commands.find(desk_of(house), row.id)
    assert (refused.state, refused.outcome) == ("refused", "invalid_input")
    assert (await free(house, alice), await balance(house, pool)) == before


async def test_a_closing_waits_for_a_correction_that_is_being_committed(alice: Member, database_url: str) -> None:
    row = {"id": 2**40, "command": 2**40, "outcome": "moved", "asset": "USDT", "units": 1, "source": MARKETING}
    row |= {"target": purse.available(alice.id, USDT), "maker": "a", "checker": "b", "reason": "c", "at": 1}
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    writing, closing = await asyncpg.connect(database_url), await asyncpg.connect(database_url)
    try:
        step = writing.transaction()
        await step.start()
        await writing.execute(f"INSERT INTO corrections ({', '.join(row)}) VALUES ({places})", *row.values())
        with pytest.raises(asyncpg.LockNotAvailableError):
            await closing.execute("SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE NOWAIT", alice.id)
        await step.rollback()
    finally:
        await writing.close()
        await closing.close()


class BusyOnce:
    """The real ledger, whose writer has no time for the first posting."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.is_busy = ledger, True

    async def post(self, posting: Posting) -> Posted:
        if self.is_busy:
            self.is_busy = False
            raise Busy(retry_after=1)
        return await self.ledger.post(posting)

    async def post_many(self, postings: Sequence[Posting]) -> list[Posted | Exception]:
        return await self.ledger.post_many(postings)


async def test_what_is_signed_while_the_ledger_is_busy_is_answered_as_signed_and_moves_soon(
    house: House, alice: Member, maker: Worker, checker: Worker
) -> None:
    row = await submit(desk_of(house, maker), "correction", reason="Paid twice", **body(alice))
    busy = replace(house, ledger=BusyOnce(house.ledger))
    assert (await sign(desk_of(busy, checker), row)).state == "signed"
    assert await free(house, alice) == 100_000_000
    desk = desk_of(house, ahead_ms=60_000)
    await jobs.turn(desk.house, desk.numbers)
    assert (await commands.find(desk, row.id)).state == "carried_out"
    assert await free(house, alice) == 87_500_000
