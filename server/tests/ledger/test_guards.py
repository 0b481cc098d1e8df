"""Guards that show only where something else is wrong already: a stale copy, a writer that hangs, a bad call."""

import asyncio
from bisect import bisect_left
from typing import Final

import asyncpg
import pytest

from kalos.core.assets import KLS, USDT
from kalos.core.clock import Clock
from kalos.core.errors import Busy, Outage, StateChanged
from kalos.ledger import commit, engine, purse
from kalos.ledger import writer as writer_module
from kalos.ledger.batch import Batch
from kalos.ledger.checks import BadPosting
from kalos.ledger.decide import decide
from kalos.ledger.figures import COMMIT_BOUNDS
from kalos.ledger.pace import Pace
from kalos.ledger.postings import Close, Fact, Insert, Move, Open, Posted, Posting, Resolve, Set, Stamp, Take
from kalos.ledger.purse import Purpose
from kalos.ledger.requests import request_of
from kalos.ledger.state import UNKNOWN_ACCOUNT, UNKNOWN_QUOTA, Hold, Quota, State
from kalos.ledger.vectors import joined
from kalos.ledger.verdicts import Element, Outcome, Verdict
from kalos.ledger.writer import Writer
from support.ledger import BANKROLL, FEES, funded, new_owner, posting, results

MEMBER: Final = purse.available(1000, USDT)
HELD: Final = purse.held(1000, USDT)
CHAIN: Final = purse.outside(Purpose.CHAIN, USDT)
KLS_BANKROLL: Final = purse.house(Purpose.BANKROLL, KLS)
ISSUANCE: Final = purse.outside(Purpose.ISSUANCE, USDT)
EMPTY: Final = purse.available(1001, USDT)
CLOSED: Final = purse.available(1002, USDT)
MOST: Final = 2**63 - 1


def small() -> State:
    """A member with 100 units and 20 more in the hold 80; all that can be is owed by the outside; one quota."""
    state = State()
    state.kinds = {"test.a": 1}
    state.accounts = {MEMBER: (100, 3), HELD: (20, 2), FEES: (MOST - 10, 9), BANKROLL: UNKNOWN_ACCOUNT}
    state.accounts |= {CHAIN: (110 - MOST, 9), ISSUANCE: (-220, 5), KLS_BANKROLL: UNKNOWN_ACCOUNT}
    state.accounts |= {EMPTY: (0, 2), CLOSED: (0, 2)}
    state.closed = {CLOSED}
    state.holds = {80: Hold(HELD, 20, 9, 1)}
    state.quotas = {"q": Quota(joined((10, 10)), 2, 1, True), "none": UNKNOWN_QUOTA}
    return state


def decided(asked: Posting) -> Verdict:
    state = small()
    return decide(state, Batch(state, 1_000), request_of(asked))


def test_a_hold_ends_in_its_own_asset() -> None:
    verdict = decided(posting(resolves=[Resolve("test.a", 80, KLS_BANKROLL)]))
    assert verdict.outcome == Outcome.BUG


def test_a_hold_never_ends_where_it_lies() -> None:
    with pytest.raises(BadPosting):
        request_of(posting(resolves=[Resolve("test.a", 80, HELD)]))


def test_a_hold_gives_no_more_than_it_has() -> None:
    verdict = decided(posting(resolves=[Resolve("test.a", 80, BANKROLL, 21)]))
    assert (verdict.outcome, verdict.element, verdict.left) == (Outcome.REFUSED, Element.RESOLVE, 20)


def test_a_vector_of_another_length_takes_nothing() -> None:
    assert decided(posting(takes=[Take("q", (1,))])).outcome == Outcome.BUG
    assert decided(posting(takes=[Take("q", (1, 1, 1))])).outcome == Outcome.BUG


def test_a_quota_holds_no_more_than_an_integer_can() -> None:
    assert decided(posting(takes=[Take("q", (0, 9 - MOST))])).outcome == Outcome.BUG
    assert decided(posting(takes=[Take("q", (0, 10 - MOST), returning=True)])).quotas == {"q": (10, MOST)}


def test_a_quota_that_never_was_is_refused_where_nothing_is_said_of_its_start() -> None:
    verdict = decided(posting(takes=[Take("none", (-1,))]))
    assert (verdict.outcome, verdict.element) == (Outcome.REFUSED, Element.TAKE_CLOSED)


def test_money_is_never_shut_in() -> None:
    for close, left in ((Close(account=MEMBER), 100), (Close(account=BANKROLL), 0), (Close(hold=80), 20)):
        verdict = decided(posting(closes=[close]))
        assert (verdict.outcome, verdict.element, verdict.left) == (Outcome.REFUSED, Element.CLOSE, left)


def test_nobody_holds_and_the_outside_owes_no_more_than_an_integer_can() -> None:
    assert decided(posting(Move("test.a", ISSUANCE, FEES, 10))).outcome == Outcome.POSTED
    assert decided(posting(Move("test.a", ISSUANCE, FEES, 11))).outcome == Outcome.BUG
    assert decided(posting(Move("test.a", CHAIN, BANKROLL, 110))).outcome == Outcome.POSTED
    assert decided(posting(Move("test.a", CHAIN, BANKROLL, 111))).outcome == Outcome.BUG


def test_a_batch_that_is_not_written_leaves_no_trace() -> None:
    state, before = small(), small()
    batch = Batch(state, 1_000)
    asked = posting(
        Move("test.a", MEMBER, BANKROLL, 5),
        opens=[Open("test.a", MEMBER, 5)],
        resolves=[Resolve("test.a", 80, BANKROLL, 5)],
        takes=[Take("q", (1, 1))],
        closes=[Close(account=EMPTY), Close(account=CLOSED)],
        facts=[Fact("rounds", {})],
    )
    assert decide(state, batch, request_of(asked)).outcome == Outcome.POSTED
    batch.undo()
    for name in ("accounts", "closed", "quotas", "posting", "move", "fact", "at"):
        assert getattr(state, name) == getattr(before, name)
    assert {number: hold for number, hold in state.holds.items() if hold} == before.holds


# --- the fence: what a commit knows must be what the tables hold

STALE: Final = {
    "account": ("UPDATE accounts SET version = version {} 1 WHERE id = $1", "source"),
    "hold": ("UPDATE holds SET left_units = left_units {} 1 WHERE id = $1", "hold"),
    "quota": ("UPDATE quotas SET version = version {} 1 WHERE id = $1", "quota"),
    "posting": ("UPDATE ledger_tail SET last_posting = last_posting {} 1 WHERE $1", "one"),
    "move": ("UPDATE ledger_tail SET last_move = last_move {} 1 WHERE $1", "one"),
    "fact": ("UPDATE ledger_tail SET last_fact = last_fact {} 1 WHERE $1", "one"),
    "epoch": ("UPDATE ledger_tail SET epoch = epoch {} 1 WHERE $1", "one"),
}


@pytest.mark.parametrize("copy", STALE)
async def test_a_stale_copy_never_reaches_the_tables(writer: Writer, owner: asyncpg.Connection, copy: str) -> None:
    """Somebody else's change aborts the batch; when the copies are read anew, the same posting is written."""
    source, quota = await funded(writer, 100), f"stale {new_owner()}"
    opened = await writer.post(posting(opens=[Open("test.a", source, 50)], takes=[Take(quota, (1,), first=(9,))]))
    names = {"source": source, "hold": opened.id * 8, "quota": quota, "one": True}
    statement, name = STALE[copy]
    asked = posting(
        Move("test.a", source, FEES, 1),
        resolves=[Resolve("test.a", opened.id * 8, BANKROLL, 20)],
        takes=[Take(quota, (1,), returning=True)],
    )
    await owner.execute(statement.format("+"), names[name])
    with pytest.raises(Outage):
        await writer.post(asked)
    await owner.execute(statement.format("-"), names[name])
    assert await owner.fetchval("SELECT count(*) FROM journal WHERE posting_id > $1", opened.id) == 0
    assert (await insisted(writer, asked)).left == {quota: (7,)}


async def test_a_quota_that_was_looked_for_and_stands_all_the_same_is_a_stale_copy(writer: Writer) -> None:
    quota = f"stale {new_owner()}"
    asked = posting(takes=[Take(quota, (1,), first=(9,), returning=True)])
    await writer.post(asked)
    assert writer._engine is not None
    writer._engine.state.quotas[quota] = UNKNOWN_QUOTA
    with pytest.raises(Outage):
        await writer.post(posting(takes=asked.takes))
    assert (await insisted(writer, posting(takes=asked.takes))).left == {quota: (7,)}


async def test_an_account_that_stands_already_is_a_stale_copy(writer: Writer, owner: asyncpg.Connection) -> None:
    target = purse.available(new_owner(), USDT)
    asked = posting(Move("test.a", CHAIN, target, 1))
    await writer.post(posting())  # it knows no such account
    assert writer._engine is not None
    writer._engine.state.accounts[target] = UNKNOWN_ACCOUNT
    await owner.execute("INSERT INTO accounts (id, balance, version) VALUES ($1, 0, 1)", target)
    with pytest.raises(Outage):
        await writer.post(asked)
    await owner.execute("DELETE FROM accounts WHERE id = $1", target)
    assert (await insisted(writer, asked)).balances[target] == 1


def test_a_copy_that_is_ahead_of_the_tables_is_kept() -> None:
    state = State()
    state.accounts = {number: (number, 1) for number in range(20)}
    state.shrink(10, {0, 5}, (), ())
    assert len(state.accounts) == 9
    assert {0, 5} <= state.accounts.keys()


async def insisted(writer: Writer, asked: Posting) -> Posted:
    for _ in range(400):
        try:
            return await writer.post(asked)
        except Outage:
            await asyncio.sleep(0.05)
    raise AssertionError("no writer for 20 s")


# --- batches that overlap: the next is decided while the last is being committed


@pytest.fixture
def overlapping(monkeypatch: pytest.MonkeyPatch) -> None:
    """One posting in each batch; the next is decided while it is being committed."""
    monkeypatch.setattr(Pace, "size", lambda *_: 1)


async def test_what_was_decided_on_a_failing_batch_is_taken_back(writer: Writer, rows: str, overlapping: None) -> None:
    source, other = await funded(writer, 2), await funded(writer, 1)
    taken = (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID})]))).id
    failing = posting(Move("test.a", source, FEES, 1), riders=[Insert(rows, {"id": taken})])
    following = posting(Move("test.a", other, FEES, 1))
    ended = await results(*(writer.post(one) for one in (failing, following, posting())))
    assert [type(one) for one in ended] == [StateChanged, Posted, Posted]


async def test_a_balance_that_is_being_committed_is_not_read_again(
    lone_url: str, lone_db: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hold that the writer doesn't know comes with its account, which it does know and has changed since."""
    for bound in ("lock_timeout", "statement_timeout"):  # a machine may stand still while the lock is held
        monkeypatch.setitem(writer_module._SESSION, bound, "60s")
    first, second = Writer(lone_url, Clock()), Writer(lone_url, Clock())
    await first.start()
    source = await funded(first, 100)
    opened = await first.post(posting(opens=[Open("test.a", source, 10)]))
    await first.stop()
    await second.start()
    monkeypatch.setattr(engine, "MOST_IN_BATCH", 1)
    more = posting(opens=[Open("test.a", source, 10)])
    back = posting(resolves=[Resolve("test.a", opened.id * 8, source)])
    async with lone_db.transaction():
        await lone_db.execute("SELECT FROM ledger_tail FOR UPDATE")  # the first commit waits while the second is read
        both = asyncio.gather(second.post(more), second.post(back))
        await asyncio.sleep(0.1)
    ended = await both
    await second.stop()
    assert [one.balances for one in ended] == [
        {source: 80, source + 1: 20},
        {source: 90, source + 1: 10},
    ]


@pytest.mark.parametrize(("ends", "told"), [("by the database", Busy), ("by the writer", Outage)])
async def test_a_commit_that_ends_by_its_limit_is_counted_as_slow(
    ends: str, told: type[Exception], lone_url: str, lone_db: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_database, by_writer = ("300ms", 60.0) if ends == "by the database" else ("60s", 0.3)
    one = Writer(lone_url, Clock())
    monkeypatch.setitem(writer_module._SESSION, "lock_timeout", "60s")
    monkeypatch.setitem(writer_module._SESSION, "statement_timeout", by_database)
    monkeypatch.setattr(commit, "_LONGEST_SECONDS", by_writer)
    await one.start()
    async with lone_db.transaction():
        await lone_db.execute("SELECT FROM ledger_tail FOR UPDATE")
        with pytest.raises(told):
            await one.post(posting())
    assert sum(one.figures.commits[bisect_left(COMMIT_BOUNDS, 0.25) :]) == 1
    await one.stop()


async def test_keys_that_are_known_cost_no_failed_commit(writer: Writer) -> None:
    asked = [posting(), posting()]
    first = await results(*map(writer.post, asked))
    halvings = writer.figures.halvings
    again = await results(*map(writer.post, [*asked, posting()]))
    assert [one.id for one in again[:2] if isinstance(one, Posted)] == [
        one.id for one in first if isinstance(one, Posted)
    ]
    assert writer.figures.halvings == halvings


async def test_a_lone_key_that_is_known_is_answered_from_the_store(writer: Writer, rows: str) -> None:
    """Its row isn't as it expected any more, and that shows before its key does."""
    row = (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID, "state": "open"})]))).id
    asked = posting(riders=[Set(rows, {"id": row}, {"state": "open"}, {"state": "sealed"})])
    first = await writer.post(asked)
    assert writer._engine is not None
    writer._engine.state.keys.clear()
    writer._engine._wary_until = 0.0
    again = await writer.post(asked)
    assert (again.id, again.replayed) == (first.id, True)
