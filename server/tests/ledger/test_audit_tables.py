"""The audits find what was changed by hand in facts, payables, grants and holds, and nothing where it wasn't."""

from dataclasses import replace
from typing import Final

import asyncpg
import pytest

from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger import grants_release, purse, watch_tables
from kalos.ledger.explained import Explained, Holds, NoOtherHolds
from kalos.ledger.grants import Plan
from kalos.ledger.payables import Debt, owe, quota_of
from kalos.ledger.payables_settle import settle
from kalos.ledger.postings import Fact, Move, Open
from kalos.ledger.purse import Purpose
from kalos.ledger.watch import PACE, Step, watch
from kalos.ledger.writer import Writer
from support.books import WALL, broken, look_here, step_here
from support.ledger import CHAIN, funded, new_owner, posting
from support.nights import DAY, KIND, opened, pass_days

MARKETING: Final = purse.house(Purpose.MARKETING, USDT)
EMPTY_POOL: Final = purse.house(Purpose.LENDING_POOL, USDT)
_OF_KIND: Final = "SELECT h.id FROM holds h JOIN kinds k ON k.id = h.kind WHERE k.name = 'test.stake'"
EXPLAINED: Final[tuple[Explained, ...]] = (
    Holds("test.stake", f"SELECT id, left_units, state = 'open' FROM holds WHERE id IN ({_OF_KIND})"),
    NoOtherHolds(),
)

BROKEN: Final = {
    "a fact is gone": ("DELETE FROM outbox WHERE id = (SELECT max(id) - 1 FROM outbox)", "lost fact"),
    "the last fact is gone": ("DELETE FROM outbox WHERE id = (SELECT max(id) FROM outbox)", "lost fact"),
    "a quota says that nothing is owed": (
        f"UPDATE quotas SET left_units = ARRAY[{2**40}] WHERE id = '{quota_of(MARKETING)}'",
        "payables and their quota differ",
    ),
    "a quota is gone": (f"DELETE FROM quotas WHERE id = '{quota_of(MARKETING)}'", "payables and their quota differ"),
    "a payable is settled": (
        f"UPDATE payables SET left_units = 0, settled_at = 1 WHERE account = {MARKETING} AND left_units = 30",
        "payables and their quota differ",
    ),
    "a settled payable is open again": (
        f"UPDATE payables SET left_units = 1, settled_at = NULL WHERE account = {MARKETING} AND units = 10",
        "payables and their quota differ",
    ),
    "a payable is paid before an older one": (
        f"UPDATE payables SET left_units = 29 WHERE account = {MARKETING} AND left_units = 30",
        "payable out of turn",
    ),
    "a grant's day is released without moves": (
        f"UPDATE grants SET released = released + daily, released_day = released_day + 1 WHERE source <> {EMPTY_POOL}",
        "grants and moves differ",
    ),
    "a grant's day is owed without a payable": (
        f"UPDATE grants SET released = released + daily, released_day = released_day + 1 WHERE source = {EMPTY_POOL}",
        "grants and moves differ",
    ),
    "less is owed of a grant": (
        f"UPDATE payables SET left_units = left_units - 1 WHERE account = {EMPTY_POOL}",
        "grants and moves differ",
    ),
    "an open hold of a kind that nobody explains": (
        "UPDATE holds SET kind = (SELECT id FROM kinds WHERE name = 'test.fund') WHERE state = 'open'",
        "hold of nobody",
    ),
}
"""What was done, and how the whole audit calls it. The running audit, too, but for what has a grant in it."""


@pytest.fixture(scope="module")
async def house_at_work(writer: Writer, db: Database, clock: Clock, owner: asyncpg.Connection) -> asyncpg.Connection:
    """Debts of 10 (paid), 20 (paid in part) and 30; a day of two grants, one of them owed; a hold; three facts."""
    today = pass_days(clock)
    targets = [purse.available(new_owner(), USDT) for _ in range(3)]
    debts = [Debt("test.debt", target, units, 0) for target, units in zip(targets, (10, 20, 30), strict=True)]
    takes, riders = owe(MARKETING, debts, today)
    await writer.post(posting(takes=takes, riders=riders))
    await writer.post(posting(Move("test.fund", CHAIN, MARKETING, 15)))
    await settle(db, writer, part_of=today - DAY)
    for source in (purse.outside(Purpose.ISSUANCE, USDT), EMPTY_POOL):
        await opened(writer, Plan.by_amount(100, 10, today + DAY), source=source, kind=KIND)
    pass_days(clock, 2)
    await grants_release.release(db, writer, today)
    await grants_release.release(db, writer, today + DAY)
    await writer.post(posting(opens=[Open("test.stake", await funded(writer, 50), 20)]))
    for number in range(3):
        await writer.post(posting(facts=[Fact("rounds", {"n": number})]))
    return owner


async def test_what_the_house_did_is_sound(house_at_work: asyncpg.Connection) -> None:
    left = await house_at_work.fetch("SELECT left_units FROM payables ORDER BY id")
    assert [row["left_units"] for row in left] == [0, 15, 30, 10]
    assert await look_here(house_at_work, EXPLAINED) == []


@pytest.mark.parametrize(("statement", "title"), BROKEN.values(), ids=BROKEN)
async def test_what_was_changed_by_hand_is_found(house_at_work: asyncpg.Connection, statement: str, title: str) -> None:
    async with broken(house_at_work, statement):
        problems = await look_here(house_at_work, EXPLAINED)
    assert title in {problem.partition(":")[0] for problem in problems}


@pytest.fixture(scope="module")
async def watched(house_at_work: asyncpg.Connection, db: Database) -> asyncpg.Connection:
    assert await watch(db, WALL, explained=EXPLAINED) == Step()
    return house_at_work


@pytest.mark.parametrize("name", [name for name in BROKEN if "grant" not in name])
async def test_the_running_audit_finds_it_in_its_next_step(watched: asyncpg.Connection, name: str) -> None:
    statement, title = BROKEN[name]
    async with broken(watched, "SELECT"):
        assert await step_here(watched, explained=EXPLAINED) == Step()
        await watched.execute(statement)
        problems = (await step_here(watched, explained=EXPLAINED)).problems
    assert title in {problem.partition(":")[0] for problem in problems}


async def test_an_account_that_owes_more_than_a_step_looks_at_is_left_to_the_whole_audit(
    watched: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_tables, "MOST_LOOKED", 2)
    statement, title = BROKEN["a quota is gone"]
    async with broken(watched, statement):
        assert await step_here(watched, explained=EXPLAINED) == Step()
    statement, title = BROKEN["a payable is paid before an older one"]
    async with broken(watched, statement):
        (problem,) = (await step_here(watched, explained=EXPLAINED)).problems
        assert problem.startswith(title)


async def test_the_running_audit_misses_no_facts_that_were_pruned(watched: asyncpg.Connection) -> None:
    for statement in ("DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox)", "DELETE FROM outbox"):
        async with broken(watched, statement):
            assert await step_here(watched, explained=EXPLAINED) == Step()
            assert await step_here(watched, explained=EXPLAINED) == Step()


async def test_the_running_audit_begins_where_facts_are_left(watched: asyncpg.Connection) -> None:
    """A year's pruned ones take no time from those that stand."""
    await watched.execute("UPDATE ledger_watch SET rolled_fact = 0")
    lost = "DELETE FROM outbox WHERE id < (SELECT max(id) - 2 FROM outbox); " + BROKEN["a fact is gone"][0]
    async with broken(watched, lost):
        (problem,) = (await step_here(watched, explained=EXPLAINED, pace=replace(PACE, facts=2))).problems
        assert problem.startswith("lost fact")


async def test_facts_that_were_pruned_are_not_missed(house_at_work: asyncpg.Connection) -> None:
    for statement in ("DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox)", "DELETE FROM outbox"):
        async with broken(house_at_work, statement):
            assert await look_here(house_at_work, EXPLAINED) == []


async def test_other_holds_are_looked_for_where_all_are_said_to_be_explained(
    house_at_work: asyncpg.Connection,
) -> None:
    assert await look_here(house_at_work, [NoOtherHolds()]) != []
    assert await look_here(house_at_work, []) == []
