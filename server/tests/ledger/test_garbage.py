"""The writer's process looks for no garbage by itself: what it has done leaves none."""

import gc

import pytest

from kalos.core.errors import InsufficientBalance, StateChanged
from kalos.ledger import engine, garbage
from kalos.ledger.postings import Insert, Move, Posted, Posting, Stamp
from kalos.ledger.writer import Writer
from support.ledger import FEES, funded, posting, results

ROUNDS = 50


async def test_what_is_done_leaves_nothing_to_collect(writer: Writer, rows: str, by_hand: None) -> None:
    """Whatever became of it: one piece in fifty rounds is somebody else's, one in each would be ours."""
    source = await funded(writer, 10_000)
    taken = (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID})]))).id
    good = posting(Move("test.a", source, FEES, 1))
    ways: dict[str, tuple[Posting, type]] = {
        "posted": (good, Posted),
        "refused": (posting(Move("test.a", source, FEES, 10**9)), InsufficientBalance),
        "failing its batch": (posting(riders=[Insert(rows, {"id": taken})]), StateChanged),
    }
    for way, (asked, ends) in ways.items():
        gc.collect()
        for _ in range(ROUNDS):
            again = [Posting(key=posting().key, moves=one.moves, riders=one.riders) for one in (asked, good, good)]
            ended = await results(*(writer.post(one) for one in again))
            assert type(ended[0]) is ends
            del ended
        assert gc.collect() < ROUNDS, way


async def test_a_writer_that_is_never_idle_collects_beside_its_commits(
    writer: Writer, by_hand: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "_BUSY_SECONDS", 0.0)
    monkeypatch.setattr(engine.Engine, "_idle", lambda self: self.line.wait())
    gc.collect()
    before = gc.get_stats()[1]["collections"]
    for _ in range(3):
        await writer.post(posting())
    assert gc.get_stats()[1]["collections"] >= before + 3
