"""A quota that a posting would start isn't looked for: where there is one, nothing may follow from the guess."""

import time

import pytest

from kalos.core.assets import USDT
from kalos.core.errors import InsufficientBalance, WrongState
from kalos.ledger import purse
from kalos.ledger.batch import Batch
from kalos.ledger.engine import Engine, Flight
from kalos.ledger.postings import Close, Insert, Move, Posted, Posting, Set, Stamp, Take
from kalos.ledger.state import Quota, State
from kalos.ledger.writer import Writer
from support.ledger import FEES, funded, new_owner, posting, results


def forgetful(writer: Writer) -> Engine:
    """The writer's engine, some time after a start: it knows no quotas, and no older one was met lately."""
    engine = writer._engine
    assert engine is not None
    engine.state.quotas.clear()
    engine._wary_until = engine._guessing_from = 0.0
    return engine


async def started(writer: Writer, left: int) -> str:
    """A quota of which so many are left, and which the writer has forgotten."""
    name = f"guessed {new_owner()}"
    await writer.post(posting(takes=[Take(name, (0,), first=(left,))]))
    forgetful(writer)
    return name


def taking(name: str, units: int, first: int | None = 10) -> Posting:
    return posting(takes=[Take(name, (units,), first=None if first is None else (first,), returning=True)])


async def test_a_quota_that_starts_is_not_looked_for(writer: Writer) -> None:
    forgetful(writer)
    missed = writer.figures.cache_misses
    name = f"guessed {new_owner()}"
    assert (await writer.post(taking(name, 4))).left == {name: (6,)}
    assert writer.figures.cache_misses == missed
    assert (await writer.post(taking(name, 4, None))).left == {name: (2,)}


async def test_one_that_stands_already_counts_as_it_stands(writer: Writer) -> None:
    """The commit finds it; from then on quotas are looked for, for a while."""
    names = [await started(writer, 7) for _ in range(3)]
    halvings = writer.figures.halvings
    ended = await results(*[writer.post(taking(name, 3)) for name in names])
    assert [one.left for one in ended if isinstance(one, Posted)] == [{name: (4,)} for name in names]
    assert writer.figures.halvings == halvings + 1
    engine = writer._engine
    assert engine is not None
    guessing_from = engine._guessing_from
    assert (guessing_from > time.monotonic(), engine._wary_until) == (True, 0.0), "keys need not be looked for"
    name = await started(writer, 7)
    engine._guessing_from = guessing_from
    assert (await writer.post(taking(name, 3))).left == {name: (4,)}
    assert writer.figures.halvings == halvings + 1


async def test_nobody_is_refused_by_a_guess(writer: Writer) -> None:
    name = await started(writer, 100)
    assert (await writer.post(taking(name, 60, 9))).left == {name: (40,)}
    name = await started(writer, 100)
    with pytest.raises(WrongState):
        await writer.post(taking(name, 101, 9))


async def test_a_quota_refuses_before_what_comes_after_it(writer: Writer, rows: str) -> None:
    """As it would if it had been looked for: a close and a row that isn't as expected come later in a posting."""
    full = Take(await started(writer, 0), (1,), first=(9,), short=lambda left: InsufficientBalance(asset="USDT"))
    source = await funded(writer, 1)
    row = (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID, "state": "open"})]))).id
    wrong = Set(rows, {"id": row}, {"state": "sealed"}, {"state": "drawn"})
    for later in (posting(takes=[full], closes=[Close(account=source)]), posting(takes=[full], riders=[wrong])):
        forgetful(writer)
        ended = await results(*map(writer.post, [later, posting(), posting()]))
        assert isinstance(ended[0], InsufficientBalance)
        forgetful(writer)
        with pytest.raises(InsufficientBalance):
            await writer.post(later)


async def test_a_quota_refuses_before_another_one_that_comes_after_it(writer: Writer) -> None:
    full = Take(await started(writer, 0), (1,), first=(9,), short=lambda left: InsufficientBalance(asset="USDT"))
    nowhere = Take(f"nowhere {new_owner()}", (1,))
    for later in (posting(takes=[full, nowhere]), posting(takes=[nowhere, full])):
        forgetful(writer)
        with pytest.raises(InsufficientBalance if later.takes[0] is full else WrongState):
            await writer.post(later)


async def test_a_refusal_that_rests_on_no_guess_costs_no_look(writer: Writer) -> None:
    full = f"full {new_owner()}"
    await writer.post(posting(takes=[Take(full, (9,), first=(9,))]))
    engine = forgetful(writer)
    engine.state.quotas[full] = Quota(0, 1, 1, True)
    missed = writer.figures.cache_misses
    with pytest.raises(WrongState):
        await writer.post(posting(takes=[Take(full, (1,)), Take(f"guessed {new_owner()}", (1,), first=(9,))]))
    assert writer.figures.cache_misses == missed


async def test_what_only_bulk_names_passes_after_a_second_decision_too(writer: Writer) -> None:
    engine = forgetful(writer)
    flight = Flight(Batch(engine.state, 0), asked=True)
    flight.passing = {1}
    assert (await engine._again(flight)).passing == {1}


async def test_what_was_guessed_for_a_refused_posting_is_not_known(writer: Writer) -> None:
    name, nobody = await started(writer, 7), purse.available(new_owner(), USDT)
    with pytest.raises(InsufficientBalance):
        await writer.post(posting(Move("test.a", nobody, FEES, 1), takes=[Take(name, (1,), first=(9,))]))
    assert (await writer.post(taking(name, 3, None))).left == {name: (4,)}


async def test_one_that_others_name_without_a_start_is_looked_for(writer: Writer) -> None:
    name, halvings = await started(writer, 7), writer.figures.halvings
    both = [taking(name, 3), taking(name, 3, None)]
    ended = await results(*map(writer.post, [*both, posting(), posting()]))  # a batch takes half of what waits
    assert [one.left for one in ended[:2] if isinstance(one, Posted)] == [{name: (4,)}, {name: (1,)}]
    assert writer.figures.halvings == halvings
    name = await started(writer, 7)
    await results(writer.post(taking(name, 3)), writer.post(posting(closes=[Close(quota=name)])))
    with pytest.raises(WrongState):
        await writer.post(taking(name, 1))


def test_a_guess_goes_with_its_batch() -> None:
    state = State()
    batch = Batch(state, 1, {"one", "other"})
    assert state.quotas.keys() == {"one", "other"}
    batch.quotas["one"] = state.quotas["one"]
    batch.drop_guesses()
    assert state.quotas.keys() == {"one"}
    batch.undo()
    assert not state.quotas
