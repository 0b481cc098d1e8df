"""Rows of domains are written with their posting or not at all; one that fails fails its posting alone."""

import asyncio
from contextlib import suppress
from datetime import date
from typing import Any

import asyncpg
import pytest

from kalos.core.clock import business_day
from kalos.core.errors import Busy, InsufficientBalance, StateChanged
from kalos.ledger import engine, load
from kalos.ledger.checks import BadPosting
from kalos.ledger.commit import Committer
from kalos.ledger.pace import Pace
from kalos.ledger.postings import Insert, Move, Open, Posted, Set, Stamp
from kalos.ledger.render import Statement
from kalos.ledger.writer import Writer
from support.ledger import FEES, funded, posting, results


async def row(owner: asyncpg.Connection, table: str, number: int) -> asyncpg.Record:
    found = await owner.fetchrow(f"SELECT * FROM {table} WHERE id = $1", number)
    assert found is not None
    return found


async def inserted(writer: Writer, rows: str, **values: object) -> int:
    return (await writer.post(posting(riders=[Insert(rows, {"id": Stamp.ID} | values)]))).id


async def test_an_insert_carries_the_writers_stamps(writer: Writer, owner: asyncpg.Connection, rows: str) -> None:
    source = await funded(writer, 100)
    values = {
        "id": Stamp.ID,
        "at": Stamp.AT,
        "day": Stamp.DAY,
        "hold": Stamp.HOLD,
        "member": 2**62 + 1,
        "state": "öpen 'x' \\u0000",
        "note": {"a": [1, None, "é"]},
        "secret": b"\x00\xff\\",
    }
    posted = await writer.post(posting(opens=[Open("test.stake", source, 7)], riders=[Insert(rows, values)]))
    found = await row(owner, rows, posted.id)
    assert (found["at"], found["day"], found["hold"]) == (posted.at, business_day(posted.at), posted.id * 8)
    assert (found["member"], found["state"]) == (2**62 + 1, "öpen 'x' \\u0000")
    assert (found["note"], found["secret"], found["unique_word"]) == ('{"a": [1, null, "é"]}', b"\x00\xff\\", None)


async def test_a_set_changes_what_is_as_expected(writer: Writer, owner: asyncpg.Connection, rows: str) -> None:
    number = await inserted(writer, rows, state="open", day=date(2026, 1, 2))
    seal = Set(rows, {"id": number}, {"state": "open", "day": date(2026, 1, 2), "hold": None}, {"state": "sealed"})
    posted = await writer.post(posting(riders=[seal, Insert(rows, {"id": Stamp.ID})]))
    assert (await row(owner, rows, number))["state"] == "sealed"
    with pytest.raises(StateChanged):
        await writer.post(posting(riders=[seal]))
    stamped = Set(rows, {"id": posted.id}, {}, {"at": Stamp.AT, "hold": Stamp.ID})
    later = await writer.post(posting(riders=[stamped]))
    assert (await row(owner, rows, posted.id))["hold"] == later.id


async def test_one_violating_rider_fails_its_posting_alone(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    source = await funded(writer, 1_000)
    taken = await inserted(writer, rows, unique_word=f"taken {source}")
    guilty = {
        7: Insert(rows, {"id": taken}),
        31: Set(rows, {"id": taken}, {"state": "never"}, {"state": "x"}),
        50: Insert(rows, {"id": Stamp.ID, "unique_word": f"taken {source}"}),
    }
    asked = [
        posting(
            Move("test.a", source, FEES, 1),
            riders=[guilty.get(index, Insert(rows, {"id": Stamp.ID, "member": source}))],
        )
        for index in range(64)
    ]
    ended = await results(*(writer.post(one) for one in asked))
    assert {index for index, one in enumerate(ended) if isinstance(one, StateChanged)} == guilty.keys()
    assert sum(isinstance(one, Posted) for one in ended) == 61
    numbers = [one.id for one in ended if isinstance(one, Posted)]
    assert numbers == list(range(numbers[0], numbers[0] + 61))
    assert await owner.fetchval(f"SELECT count(*) FROM {rows} WHERE member = $1", source) == 61
    assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", source) == 939


async def test_a_row_that_the_table_forbids_is_a_bug_of_its_posting(writer: Writer, rows: str) -> None:
    source = await funded(writer, 10)
    bad = posting(Move("test.a", source, FEES, 1), riders=[Insert(rows, {"id": Stamp.ID, "state": "forbidden"})])
    good = posting(Move("test.a", source, FEES, 1))
    ended = await results(
        writer.post(bad), writer.post(good), writer.post(posting(riders=[Insert("no_such", {"a": 1})]))
    )
    assert [type(one) for one in ended] == [BadPosting, Posted, BadPosting]


class Writing(asyncio.Event):
    """Set while a batch is written; `patience_seconds`: how long the next one waits for another's look."""

    patience_seconds = 0.3


@pytest.fixture
def writing(monkeypatch: pytest.MonkeyPatch) -> Writing:
    """Each batch is written only once the next one's rows were looked at, if it has any.

    The writer takes commits for quick ones, as they are on most machines: else it would take all at once, and none
    would be decided while another is written.
    """
    commit, look, looked, began = Committer.run, load.find_stale, asyncio.Event(), Writing()

    async def late(committer: Committer, statement: Statement) -> float:
        looked.clear()
        began.set()
        patience_seconds, began.patience_seconds = began.patience_seconds, Writing.patience_seconds
        with suppress(TimeoutError):
            await asyncio.wait_for(looked.wait(), patience_seconds)
        return await commit(committer, statement)

    async def find_stale(*asked: Any) -> set[bytes]:
        found = await look(*asked)
        looked.set()
        return found

    monkeypatch.setattr(Pace, "_slow", lambda *_: False)
    monkeypatch.setattr(Committer, "run", late)
    monkeypatch.setattr(engine, "find_stale", find_stale)
    return began


async def test_one_row_is_changed_once_a_batch(
    writer: Writer, owner: asyncpg.Connection, rows: str, writing: Writing
) -> None:
    number = await inserted(writer, rows, member=0)
    assert writing.is_set()
    steps = [Set(rows, {"id": number}, {"member": step}, {"member": step + 1}) for step in range(10)]
    ended = await results(*(writer.post(posting(riders=[step])) for step in steps))
    assert all(isinstance(one, Posted) for one in ended)
    assert (await row(owner, rows, number))["member"] == 10


async def test_a_change_behind_one_that_is_being_written_waits_and_fails_nobodys_batch(
    writer: Writer, owner: asyncpg.Connection, rows: str, writing: Writing
) -> None:
    number = await inserted(writer, rows, member=0)
    writing.clear()
    writing.patience_seconds = 20
    halvings = writer.figures.halvings
    step = Set(rows, {"id": number}, {"member": 0}, {"member": 1})
    first = asyncio.create_task(writer.post(posting(riders=[step])))
    await writing.wait()
    ended = await results(writer.post(posting(riders=[step])), *(writer.post(posting()) for _ in range(3)))
    assert [type(one) for one in ended] == [StateChanged, Posted, Posted, Posted]
    assert isinstance(await first, Posted)
    assert writer.figures.halvings == halvings


async def test_of_two_that_expect_the_same_one_wins(writer: Writer, owner: asyncpg.Connection, rows: str) -> None:
    number = await inserted(writer, rows, state="open")
    ended = await results(
        *(
            writer.post(posting(riders=[Set(rows, {"id": number}, {"state": "open"}, {"state": f"by {index}"})]))
            for index in range(20)
        )
    )
    winners = [index for index, one in enumerate(ended) if isinstance(one, Posted)]
    assert len(winners) == 1
    assert all(isinstance(one, StateChanged) for index, one in enumerate(ended) if index not in winners)
    assert (await row(owner, rows, number))["state"] == f"by {winners[0]}"


async def test_a_row_that_another_session_holds_is_busy_and_stops_nobody_for_long(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    number = await inserted(writer, rows, state="open")
    async with owner.transaction():
        await owner.execute(f"UPDATE {rows} SET state = 'mine' WHERE id = $1", number)
        change = posting(riders=[Set(rows, {"id": number}, {}, {"state": "theirs"})])
        ended = await results(writer.post(change), writer.post(posting()), writer.post(posting()))
        assert [type(one) for one in ended] == [Busy, Posted, Posted]
    assert isinstance(await writer.post(change), Posted)


async def test_a_table_that_is_locked_stops_only_those_who_change_it(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    number = await inserted(writer, rows, state="open")
    async with owner.transaction():
        await owner.execute(f"LOCK TABLE {rows} IN ACCESS EXCLUSIVE MODE")
        change = posting(riders=[Set(rows, {"id": number}, {"state": "open"}, {"state": "shut"})])
        ended = await results(writer.post(change), writer.post(posting()), writer.post(posting()))
        assert [type(one) for one in ended] == [Busy, Posted, Posted]


async def test_two_tables_and_many_shapes_fit_one_batch(writer: Writer, owner: asyncpg.Connection, rows: str) -> None:
    await owner.execute(f'CREATE TABLE "select" (LIKE {rows} INCLUDING ALL)')
    await owner.execute('GRANT SELECT, INSERT ON "select" TO kalos_writer')
    riders = [
        Insert(rows if index % 2 else "select", {"id": Stamp.ID} | ({"member": 5} if index % 3 else {}))
        for index in range(30)
    ]
    posted = await asyncio.gather(*(writer.post(posting(riders=[rider])) for rider in riders))
    ids = [one.id for one in posted]
    found = await owner.fetch(f'SELECT id FROM "select" UNION ALL SELECT id FROM {rows} WHERE id = ANY($1)', ids)
    assert {row["id"] for row in found} == set(ids)


async def test_what_was_decided_on_top_of_a_failing_batch_is_decided_again(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    """More wait than one batch takes: the next is decided while the first, which fails, is being committed."""
    source = await funded(writer, 1_400)
    taken = await inserted(writer, rows)
    guilty = {3, 700, 999, 1_000, 1_400}
    before = writer.figures.halvings
    ended = await results(
        *(
            writer.post(
                posting(
                    Move("test.a", source, FEES, 1),
                    riders=[Insert(rows, {"id": taken if index in guilty else Stamp.ID, "member": source})],
                )
            )
            for index in range(1_500)
        )
    )
    assert writer.figures.halvings - before >= len(guilty)
    assert {index for index, one in enumerate(ended) if isinstance(one, StateChanged)} == guilty
    posted = [one for one in ended if isinstance(one, Posted)]
    assert [one.balances[source] for one in posted] == list(range(1_399, -1, -1))
    assert all(isinstance(one, InsufficientBalance) for one in ended[1_405:])
    assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", source) == 0
    assert await owner.fetchval(f"SELECT count(*) FROM {rows} WHERE member = $1", source) == 1_400
