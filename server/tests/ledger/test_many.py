"""Slices of a midnight or a settlement: many moves and many rows in one posting, all of them or none."""

import asyncpg
import pytest

from kalos.core.assets import USDT
from kalos.core.clock import business_day
from kalos.core.errors import InsufficientBalance, StateChanged
from kalos.ledger import purse
from kalos.ledger.postings import Insert, Move, MoveMany, Posted, Set, SetMany, Stamp
from kalos.ledger.writer import Writer
from support.ledger import CHAIN, FEES, funded, new_owner, posting, results


async def made_rows(writer: Writer, rows: str, count: int) -> list[int]:
    ended = await writer.post_many(
        [posting(riders=[Insert(rows, {"id": Stamp.ID, "state": "open"})]) for _ in range(count)]
    )
    return [one.id for one in ended if isinstance(one, Posted)]


async def test_a_slice_moves_and_changes_all_its_rows(writer: Writer, owner: asyncpg.Connection, rows: str) -> None:
    source = await funded(writer, 10_000)
    targets = [purse.available(new_owner(), USDT) for _ in range(100)]
    ids = await made_rows(writer, rows, 100)
    units = list(range(1, 101))
    many = MoveMany("test.release", [source] * 100, targets, units, [0] * 99 + [7])
    change = SetMany(rows, {"id": ids}, {"state": ["open"] * 100}, {"member": units, "at": Stamp.AT, "hold": Stamp.ID})
    (posted,) = await writer.post_many([posting(many=[many], riders=[change])])
    assert isinstance(posted, Posted)
    assert posted.balances[source] == 10_000 - 5_050
    balances = await owner.fetch("SELECT balance FROM accounts WHERE id = ANY($1) ORDER BY id", targets)
    assert [row["balance"] for row in balances] == units
    changed = await owner.fetch(f"SELECT member, at, hold FROM {rows} WHERE id = ANY($1) ORDER BY id", ids)
    assert [tuple(row) for row in changed] == [(unit, posted.at, posted.id) for unit in units]
    references = await owner.fetch("SELECT reference FROM journal WHERE posting_id = $1 ORDER BY id", posted.id)
    assert [row["reference"] for row in references] == [posted.id] * 99 + [7]


async def test_one_row_that_has_changed_fails_the_slice_and_nothing_else(
    writer: Writer, owner: asyncpg.Connection, rows: str
) -> None:
    source = await funded(writer, 1_000)
    ids = await made_rows(writer, rows, 20)
    await writer.post(posting(riders=[Set(rows, {"id": ids[13]}, {"state": "open"}, {"state": "sealed"})]))
    slices = [
        posting(
            many=[MoveMany("test.release", [source] * 10, [FEES] * 10, [1] * 10, [0] * 10)],
            riders=[SetMany(rows, {"id": part}, {"state": ["open"] * 10}, {"state": ["paid"] * 10})],
        )
        for part in (ids[:10], ids[10:])
    ]
    ended = await writer.post_many(slices)
    assert [type(one) for one in ended] == [Posted, StateChanged]
    assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", source) == 990
    paid = await owner.fetch(f"SELECT id FROM {rows} WHERE state = 'paid' AND id = ANY($1)", ids)
    assert {row["id"] for row in paid} == set(ids[:10])


async def test_a_source_that_runs_dry_refuses_the_slice_whole(writer: Writer, owner: asyncpg.Connection) -> None:
    source, target = await funded(writer, 5), purse.available(new_owner(), USDT)
    with pytest.raises(InsufficientBalance):
        await writer.post(posting(many=[MoveMany("test.release", [source] * 6, [target] * 6, [1] * 6, [0] * 6)]))
    assert await owner.fetchval("SELECT balance FROM accounts WHERE id = $1", source) == 5
    assert await owner.fetchval("SELECT 1 FROM accounts WHERE id = $1", target) is None


async def test_the_sums_of_the_day_are_those_of_the_journal(writer: Writer, owner: asyncpg.Connection) -> None:
    source = await funded(writer, 1_000)
    posted = await writer.post(posting(Move("test.sum_a", source, FEES, 7), Move("test.sum_a", source, FEES, 8)))
    await results(*(writer.post(posting(Move("test.sum_a", source, FEES, 1))) for _ in range(20)))
    with pytest.raises(InsufficientBalance):
        await writer.post(posting(Move("test.sum_a", source, FEES, 966)))
    found = await owner.fetchrow(
        "SELECT s.day, units, moves FROM daily_sums s JOIN kinds k ON k.id = s.kind WHERE k.name = 'test.sum_a'"
    )
    assert found is not None
    assert tuple(found) == (business_day(posted.at), 35, 22)


async def test_sums_are_exact_beyond_64_bits(writer: Writer, owner: asyncpg.Connection) -> None:
    source, target = await funded(writer, 2**62), purse.available(new_owner(), USDT)
    for _ in range(2):
        await writer.post(posting(Move("test.sum_b", source, target, 2**62), Move("test.sum_b", target, source, 2**62)))
    await writer.post(posting(Move("test.back", source, CHAIN, 2**62)))
    found = await owner.fetchval(
        "SELECT units FROM daily_sums s JOIN kinds k ON k.id = s.kind WHERE k.name = 'test.sum_b'"
    )
    assert found == 2**64
