"""Deciding, without a database: accepted whole or refused whole, nothing invented, nothing below zero."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kalos.core.assets import USDT
from kalos.ledger import purse
from kalos.ledger.batch import Batch
from kalos.ledger.decide import decide
from kalos.ledger.postings import Close, Move, Open, Posting, Resolve, Take
from kalos.ledger.purse import Purpose
from kalos.ledger.requests import request_of
from kalos.ledger.state import UNKNOWN_ACCOUNT, UNKNOWN_QUOTA, Hold, State
from kalos.ledger.verdicts import Element, Outcome, Verdict

MEMBERS = [purse.available(1000 + number, USDT) for number in range(3)]
HELD = [account + 1 for account in MEMBERS]
HOUSE = purse.house(Purpose.BANKROLL, USDT)
CHAIN = purse.outside(Purpose.CHAIN, USDT)
ACCOUNTS = [*MEMBERS, HOUSE, CHAIN]

moves = st.builds(
    lambda pair, units: Move("a.b", pair[0], pair[1], units),
    st.tuples(st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS)).filter(lambda pair: pair[0] != pair[1]),
    st.integers(1, 120),
)
opens = st.builds(lambda account, units: Open("a.open", account, units), st.sampled_from(MEMBERS), st.integers(1, 60))
resolves = st.builds(
    lambda hold, target, units: Resolve("a.end", hold, target, units),
    st.sampled_from([80, 81, 82]),
    st.sampled_from([*MEMBERS, HOUSE]),
    st.one_of(st.none(), st.integers(1, 40)),
)
takes = st.builds(
    lambda name, units, first: Take(name, units, first),
    st.sampled_from(["one", "two"]),
    st.tuples(st.integers(-3, 5), st.integers(-3, 5)),
    st.one_of(st.none(), st.just((10, 10))),
)
postings = st.builds(
    lambda moves, opens, resolves, takes, closes, late: Posting(
        bytes(32), moves, opens, resolves, takes, closes, not_after=late
    ),
    st.lists(moves, max_size=3),
    st.lists(opens, max_size=2),
    st.lists(resolves, max_size=2),
    st.lists(takes, max_size=2),
    st.lists(st.builds(Close, st.sampled_from(["one", "two"])), max_size=1),
    st.sampled_from([None, None, 999, 1_000]),
)


def fresh() -> State:
    state = State()
    state.kinds = {"a.b": 1, "a.open": 2, "a.end": 3}
    state.accounts = dict.fromkeys([*ACCOUNTS, *HELD], UNKNOWN_ACCOUNT)
    state.accounts |= {MEMBERS[0]: (100, 3), HELD[0]: (50, 2), CHAIN: (-150, 5)}
    state.holds = {80: Hold(HELD[0], 20, 9, 2), 81: Hold(HELD[0], 30, 9, 2), 82: None}
    state.quotas = {"one": UNKNOWN_QUOTA, "two": UNKNOWN_QUOTA}
    return state


def picture(state: State) -> Any:
    holds = {number: hold for number, hold in state.holds.items() if hold is not None}
    return (dict(state.accounts), holds, dict(state.quotas), state.posting, state.move, state.fact, state.at)


def sound(state: State) -> None:
    assert sum(balance for balance, _ in state.accounts.values()) == 0
    assert all(balance >= 0 for account, (balance, _) in state.accounts.items() if account >> 16 != purse.OUTSIDE)
    for account in HELD:
        held = sum(hold.left for hold in state.holds.values() if hold is not None and hold.account == account)
        assert state.accounts[account][0] == held
    assert all(min(quota.numbers, default=0) >= 0 for quota in state.quotas.values())


@given(st.lists(postings, max_size=12))
def test_whatever_is_asked_the_books_are_sound(asked: list[Posting]) -> None:
    state = fresh()
    batch = Batch(state, 1_000)
    for one in asked:
        before, journal = picture(state), len(batch.journal)
        verdict = decide(state, batch, request_of(one))
        if verdict.outcome != Outcome.POSTED:
            assert picture(state) == before
            assert len(batch.journal) == journal
        sound(state)


@given(st.lists(postings, max_size=6), st.lists(postings, max_size=6))
def test_batches_that_fail_leave_no_trace(first: list[Posting], second: list[Posting]) -> None:
    state = fresh()
    before = picture(state)
    one = Batch(state, 1_000)
    for asked in first:
        decide(state, one, request_of(asked))
    between = picture(state)
    two = Batch(state, 2_000)
    for asked in second:
        decide(state, two, request_of(asked))
    two.undo()
    assert picture(state) == between
    one.undo()
    assert picture(state) == before


@given(st.lists(postings, max_size=12))
def test_the_journal_tells_each_version_with_its_balance(asked: list[Posting]) -> None:
    state = fresh()
    start = dict(state.accounts)
    batch = Batch(state, 1_000)
    for one in asked:
        decide(state, batch, request_of(one))
    told = dict(start)
    for _, source, target, units, source_version, target_version, source_balance, target_balance, *_ in batch.journal:
        for account, change, version, balance in (
            (source, -units, source_version, source_balance),
            (target, units, target_version, target_balance),
        ):
            assert (balance, version) == (told[account][0] + change, told[account][1] + 1)
            told[account] = (balance, version)
    assert told == state.accounts


def decided(state: State, one: Posting) -> Verdict:
    return decide(state, Batch(state, 1_000), request_of(one))


def test_a_short_move_names_itself_and_what_there_is() -> None:
    verdict = decided(
        fresh(), Posting(bytes(32), [Move("a.b", MEMBERS[0], MEMBERS[1], 60), Move("a.b", MEMBERS[0], MEMBERS[1], 60)])
    )
    assert (verdict.outcome, verdict.element, verdict.index, verdict.left) == (Outcome.REFUSED, Element.MOVE, 1, 40)


def test_a_hold_is_resolved_in_parts_and_no_further() -> None:
    state = fresh()
    parts = [Resolve("a.end", 80, HOUSE, 15), Resolve("a.end", 80, HOUSE)]
    assert decided(state, Posting(bytes(32), resolves=parts)).outcome == Outcome.POSTED
    assert state.accounts[HOUSE] == (20, 2)
    verdict = decided(state, Posting(bytes(32), resolves=[Resolve("a.end", 80, HOUSE)]))
    assert (verdict.outcome, verdict.element, verdict.left) == (Outcome.REFUSED, Element.RESOLVE, 0)


def test_a_posting_may_use_what_its_resolve_frees() -> None:
    asked = Posting(bytes(32), [Move("a.b", HOUSE, MEMBERS[1], 20)], resolves=[Resolve("a.end", 80, HOUSE)])
    state = fresh()
    assert decided(state, asked).outcome == Outcome.POSTED
    assert state.accounts[MEMBERS[1]] == (20, 1)


def test_an_overflow_is_a_bug_and_changes_nothing() -> None:
    state = fresh()
    asked = Posting(bytes(32), [Move("a.b", CHAIN, MEMBERS[0], 2**63 - 1)])
    before = picture(state)
    assert decided(state, asked).outcome == Outcome.BUG
    assert picture(state)[:3] == before[:3]


def test_a_vector_gives_back_what_another_entry_takes() -> None:
    state = fresh()
    take = Posting(bytes(32), takes=[Take("one", (10, -5), first=(10, 10), returning=True)])
    assert decided(state, take).quotas == {"one": (0, 15)}
    verdict = decided(state, Posting(bytes(32), takes=[Take("one", (1, 0), first=(10, 10))]))
    assert (verdict.element, verdict.left) == (Element.TAKE_SHORT, (0, 15))


def test_a_closed_quota_stays_closed() -> None:
    state = fresh()
    assert decided(state, Posting(bytes(32), closes=[Close("one")])).outcome == Outcome.POSTED
    verdict = decided(state, Posting(bytes(32), takes=[Take("one", (-1,), first=(5,))]))
    assert (verdict.outcome, verdict.element) == (Outcome.REFUSED, Element.TAKE_CLOSED)


def test_the_last_millisecond_counts_and_the_next_does_not() -> None:
    on_time = Posting(bytes(32), [Move("a.b", MEMBERS[0], MEMBERS[1], 1)], not_after=1_000)
    late = Posting(bytes(32), [Move("a.b", MEMBERS[0], MEMBERS[1], 1)], not_after=999)
    assert decided(fresh(), on_time).outcome == Outcome.POSTED
    assert decided(fresh(), late).element == Element.LATE


def test_time_never_runs_backwards() -> None:
    state = fresh()
    assert Batch(state, 5_000).at == 5_000
    assert Batch(state, 4_000).at == 5_000
