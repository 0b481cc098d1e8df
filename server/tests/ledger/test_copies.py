"""The writer's copies are bounded; those in use, and those that are ahead of the tables, stay."""

import asyncio

import pytest

from kalos.core.assets import USDT
from kalos.ledger import engine, purse
from kalos.ledger.pace import Pace
from kalos.ledger.postings import Move, MoveMany, Posted
from kalos.ledger.state import State
from kalos.ledger.writer import Writer
from support.ledger import FEES, funded, new_owner, posting

MOST = 100


def filled(count: int) -> State:
    state = State()
    state.accounts = {number: (number, 1) for number in range(count)}
    return state


def test_copies_stay_bounded_and_those_in_use_stay() -> None:
    state = filled(60)
    state.shrink(MOST, [1, 2], [], [])
    state.accounts |= {number: (number, 1) for number in range(60, 101)}
    state.shrink(MOST, [100], [], [])
    assert len(state.accounts) == 90
    assert {1, 2, 100} <= state.accounts.keys()
    assert 0 not in state.accounts


def test_what_is_not_committed_yet_is_never_dropped() -> None:
    state = filled(101)
    flying = list(range(95))
    state.shrink(MOST, flying, [], [])
    assert set(flying) <= state.accounts.keys()


def test_where_all_are_in_use_the_bound_holds_at_the_next_turn() -> None:
    state = filled(120)
    state.shrink(MOST, list(range(120)), [], [])
    state.shrink(MOST, [119], [], [])
    assert len(state.accounts) == 90
    assert 119 in state.accounts


def test_one_turn_takes_a_step_only_and_the_next_ones_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalos.ledger.state._STEP", 20)
    state = filled(200)
    for left in (180, 160, 140, 120, 100, 100):
        state.shrink(MOST, [], [], [])
        assert len(state.accounts) == left
    for start in range(200, 1_200, 30):  # each batch brings more than a step, and all of it was touched
        new = range(start, start + 30)
        state.accounts |= {number: (number, 1) for number in new}
        state.shrink(MOST, new, [], [])
        assert len(state.accounts) <= MOST + 60
        assert set(new) <= state.accounts.keys()


def test_those_touched_lately_stay_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalos.ledger.state._STEP", 20)
    state = filled(120)
    state.shrink(MOST, range(20), [], [])
    state.accounts |= {number: (number, 1) for number in range(200, 220)}
    state.shrink(MOST, [], [], [])
    assert [*state.accounts] == [*range(70, 120), *range(20), *range(200, 220)]


def test_what_only_bulk_has_named_is_forgotten_where_copies_are_many() -> None:
    state = filled(MOST // 2)
    state.forget(MOST, [1, 2], ())
    assert len(state.accounts) == MOST // 2
    state = filled(MOST // 2 + 1)
    state.shrink(MOST, [1, 2, 3], [], [])
    state.forget(MOST, [1, 2, 1_000], {2})
    assert set(range(MOST // 2 + 1)) - state.accounts.keys() == {1}
    assert state.used[0] == {2, 3}


async def test_a_slice_leaves_no_copies_behind_but_those_that_live_postings_name(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, mine = await funded(writer, 1_000), await funded(writer, 10)
    others = [purse.available(new_owner(), USDT) for _ in range(30)]
    assert writer._engine is not None
    accounts = writer._engine.state.accounts
    del accounts[mine]
    monkeypatch.setattr(engine, "MOST_COPIES", 2 * len(accounts) + 40)  # they are many as soon as the slice is there
    many = MoveMany("test.release", [source] * 31, [mine, *others], [1] * 31, [0] * 31)
    paid, _ = await asyncio.gather(
        writer.post_many([posting(many=[many])]), writer.post(posting(Move("test.a", mine, FEES, 2)))
    )
    assert isinstance(paid[0], Posted)
    assert accounts.keys().isdisjoint(others)
    assert mine in accounts
    spent = await writer.post(posting(Move("test.a", others[0], FEES, 1)))
    assert spent.balances[others[0]] == 0


def test_the_latest_keys_are_known_with_what_was_posted_under_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalos.ledger.state.MOST_KEYS", 200)
    state = State()
    for start in range(0, 201, 3):
        keys = [number.to_bytes(16, "big") for number in range(start, start + 3)]
        state.remember(keys, [-start, 7, start], start + 1, 1_000 + start)
    assert state.used_key((199).to_bytes(16, "big")) == (7, 200, 1_198)
    assert state.used_key((200).to_bytes(16, "big")) == (198, 201, 1_198)
    assert state.used_key((201).to_bytes(16, "big")) is None
    assert state.used_key(bytes(16)) is None, "the oldest were dropped"
    assert len(state.keys) == 199


def test_a_quick_flush_takes_half_and_a_slow_one_takes_all() -> None:
    quick, slow = Pace(), Pace()
    for _ in range(100):
        for pace, flush in ((quick, 0.0003), (slow, 0.005)):
            pace.worked(32 * 20e-6, 32)
            pace.committed(flush + 32 * 24e-6, 32)
    assert (quick.size(64), slow.size(64)) == (32, 64)
    assert (quick.size(1), slow.size(1)) == (1, 1)
    assert slow.size(1_000) == 500
    assert quick.patience(64) == 0
    assert slow.patience(64) == pytest.approx(0.005 / 4, rel=0.05)
