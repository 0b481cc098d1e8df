"""The writer over real PostgreSQL: what it accepts is stored whole, what it refuses leaves nothing."""

import asyncio
from typing import Any

import asyncpg
import pytest

from kalos.core.assets import USDT
from kalos.core.clock import Clock, business_day
from kalos.core.database import Database
from kalos.core.errors import InsufficientBalance, Outage, Refusal, TooMany, WrongState
from kalos.ledger import line, purse
from kalos.ledger.commit import Committer
from kalos.ledger.pace import Pace
from kalos.ledger.postings import Close, Fact, Move, Open, Posted, Posting, Resolve, Take
from kalos.ledger.render import Statement
from kalos.ledger.statements import balances, quotas_left
from kalos.ledger.writer import Writer
from support.ledger import BANKROLL, CHAIN, FEES, funded, new_key, new_owner, posting, results


class Sold(Refusal):
    code, name = 422, "sold_out"


TABLES = ("accounts", "journal", "keys", "holds", "quotas", "outbox", "ledger_tail")


async def picture(owner: asyncpg.Connection) -> list[Any]:
    return [await owner.fetch(f"SELECT * FROM {table} ORDER BY 1") for table in TABLES]


async def test_a_move_is_stored_with_both_sides(writer: Writer, owner: asyncpg.Connection, clock: Clock) -> None:
    source, target = await funded(writer, 1_000), purse.available(new_owner(), USDT)
    posted = await writer.post(posting(Move("test.move", source, target, 400, reference=77)))
    row = await owner.fetchrow(
        "SELECT j.*, k.name FROM journal j JOIN kinds k ON k.id = j.kind WHERE posting_id = $1", posted.id
    )
    assert row is not None
    assert (row["from_id"], row["to_id"], row["amount"], row["name"], row["reference"]) == (
        source,
        target,
        400,
        "test.move",
        77,
    )
    assert (row["from_version"], row["to_version"], row["from_balance"], row["to_balance"]) == (2, 1, 600, 400)
    assert row["at"] == posted.at
    assert row["day"] == business_day(posted.at)
    assert abs(posted.at - clock.now()) < 30_000
    assert posted.balances == {source: 600, target: 400}
    assert not posted.replayed


async def test_a_posting_of_many_moves_is_whole(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    other = purse.available(new_owner(), USDT)
    with pytest.raises(InsufficientBalance) as refusal:
        await writer.post(posting(Move("test.a", source, other, 60), Move("test.b", source, FEES, 60)))
    assert refusal.value.fields == {"asset": "USDT"}
    assert await balances(db, [purse.owner_of(source), purse.owner_of(other)]) == {source: 100}


async def test_a_refused_posting_changes_nothing_and_leaves_no_key(writer: Writer, owner: asyncpg.Connection) -> None:
    source = await funded(writer, 10)
    key = new_key()
    move = Move("test.move", source, FEES, 11)
    before = await picture(owner)
    with pytest.raises(InsufficientBalance):
        await writer.post(posting(move, key=key, takes=[Take("refused", (1,), first=(5,))], facts=[Fact("a", {})]))
    assert await picture(owner) == before
    await writer.post(posting(Move("test.fund", CHAIN, source, 1)))
    assert not (await writer.post(posting(move, key=key))).replayed


async def test_the_callers_own_refusal_is_raised_with_what_is_left(writer: Writer) -> None:
    source = await funded(writer, 10)
    with pytest.raises(Sold) as short:
        await writer.post(posting(Move("test.a", source, FEES, 11, short=Sold)))
    assert short.value.fields == {"left": 10}
    quota = f"stock {source}"
    with pytest.raises(Sold) as taken:
        await writer.post(posting(takes=[Take(quota, (3, -1), first=(2, 2), short=Sold)]))
    assert taken.value.fields == {"left": (2, 2)}
    with pytest.raises(WrongState):
        await writer.post(posting(takes=[Take("never made", (1,))]))


async def test_a_hold_is_opened_resolved_in_part_and_ended(writer: Writer, owner: asyncpg.Connection) -> None:
    source = await funded(writer, 500)
    opened = await writer.post(posting(opens=[Open("test.stake", source, 300)]))
    hold = opened.id * 8
    held = source + 1
    assert opened.balances == {source: 200, held: 300}
    await writer.post(posting(resolves=[Resolve("test.lost", hold, BANKROLL, 100)]))
    row = await owner.fetchrow("SELECT account_id, left_units, reference, state FROM holds WHERE id = $1", hold)
    assert row is not None
    assert tuple(row) == (held, 200, opened.id, "open")
    await writer.post(posting(resolves=[Resolve("test.back", hold, source)]))
    assert await owner.fetchval("SELECT state FROM holds WHERE id = $1 AND left_units = 0", hold) == "ended"
    with pytest.raises(InsufficientBalance):
        await writer.post(posting(resolves=[Resolve("test.back", hold, source)]))
    references = await owner.fetch("SELECT DISTINCT reference FROM journal WHERE from_id = $1", held)
    assert [row["reference"] for row in references] == [opened.id]


async def test_a_hold_that_never_was_is_refused(writer: Writer) -> None:
    with pytest.raises(InsufficientBalance):
        await writer.post(posting(resolves=[Resolve("test.lost", 2**62, BANKROLL)]))


async def test_a_hold_is_resolved_once_however_many_try(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    hold = (await writer.post(posting(opens=[Open("test.stake", source, 100)]))).id * 8
    ends = [posting(resolves=[Resolve("test.back", hold, source, short=Sold)]) for _ in range(30)]
    ended = await results(*(writer.post(one) for one in ends))
    assert sum(isinstance(one, Posted) for one in ended) == 1
    assert sum(isinstance(one, Sold) for one in ended) == 29
    assert (await balances(db, [purse.owner_of(source)]))[source] == 100


async def test_a_quota_stands_in_one_order_with_its_end(writer: Writer, db: Database) -> None:
    quota = f"height {new_owner()}"
    takes = [posting(takes=[Take(quota, (1,), first=(100,), closed=Sold)]) for _ in range(20)]
    end = posting(closes=[Close(quota)])
    asked = [*takes[:12], end, *takes[12:]]
    ended = await results(*(writer.post(one) for one in asked))
    assert [isinstance(one, Posted) for one in ended] == [True] * 13 + [False] * 8
    assert all(isinstance(one, Sold) and one.fields == {"left": (88,)} for one in ended[13:])
    numbers = [one.id for one in ended[:13] if isinstance(one, Posted)]
    assert numbers == list(range(numbers[0], numbers[0] + 13))
    assert await quotas_left(db, [quota]) == {}


async def test_a_quota_gives_no_more_than_it_has(writer: Writer, db: Database) -> None:
    quota = f"stock {new_owner()}"
    ended = await results(
        *(
            writer.post(posting(takes=[Take(quota, (1, -1), first=(10, 0), short=Sold, returning=True)]))
            for _ in range(40)
        )
    )
    lefts = [one.left[quota] for one in ended if isinstance(one, Posted)]
    assert sorted(lefts, reverse=True) == [(left, 10 - left) for left in range(9, -1, -1)]
    assert sum(isinstance(one, Sold) for one in ended) == 30
    assert await quotas_left(db, [quota]) == {quota: (0, 10)}


async def test_a_quota_closed_before_it_was_taken_stays_closed(writer: Writer) -> None:
    quota = f"height {new_owner()}"
    await writer.post(posting(closes=[Close(quota)]))
    await writer.post(posting(closes=[Close(quota)]))
    with pytest.raises(Sold):
        await writer.post(posting(takes=[Take(quota, (1,), first=(5,), closed=Sold)]))


async def test_a_late_posting_is_refused_in_business_time(writer: Writer, clock: Clock) -> None:
    source = await funded(writer, 10)
    with pytest.raises(Sold):
        await writer.post(posting(Move("test.a", source, FEES, 1), not_after=clock.now() - 1, late=Sold))
    posted = await writer.post(posting(Move("test.a", source, FEES, 1), not_after=clock.now() + 60_000, late=Sold))
    assert posted.balances[source] == 9


async def test_what_was_decided_in_time_and_waited_beyond_it_is_late(
    writer: Writer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its stamp would say that it was in time. The one before it, which took so long, is answered all the same."""
    commit, begun, goes_on = Committer.run, asyncio.Event(), asyncio.Event()

    async def held(committer: Committer, statement: Statement) -> float:
        begun.set()
        await goes_on.wait()
        return await commit(committer, statement)

    monkeypatch.setattr(Committer, "run", held)
    monkeypatch.setattr(Pace, "_slow", lambda *_: False)  # so the second is decided while the first is written
    first = asyncio.create_task(writer.post(posting()))
    await begun.wait()
    assert writer._engine is not None
    decided = writer._engine.state.posting
    second = asyncio.create_task(writer.post(posting(not_after=clock.now() + 60_000, late=Sold)))
    async with asyncio.timeout(30):
        while writer._engine.state.posting == decided:
            await asyncio.sleep(0)
    clock.offset_ms += 61_000
    goes_on.set()
    assert not (await asyncio.wait((first, second), timeout=20))[1]
    assert (type(first.result()), type(second.exception())) == (Posted, Sold)


async def test_a_kind_draws_one_number_for_ever(writer: Writer, owner: asyncpg.Connection) -> None:
    source = await funded(writer, 10)
    drawn = "SELECT last_value FROM kinds_id_seq"
    await writer.post(posting(Move("test.kind_once", source, FEES, 1)))
    before = await owner.fetchval(drawn)
    for _ in range(3):
        assert writer._engine is not None
        writer._engine.state.kinds.clear()
        await writer.post(posting(Move("test.kind_once", source, FEES, 1)))
    assert await owner.fetchval(drawn) == before


async def test_facts_are_told_with_the_posting(writer: Writer, owner: asyncpg.Connection) -> None:
    posted = await writer.post(posting(facts=[Fact("rounds", {"round": "a"}), Fact("rounds", {"round": "b"})]))
    told = await owner.fetch("SELECT id, topic, body, at FROM outbox WHERE posting_id = $1 ORDER BY id", posted.id)
    assert [row["body"] for row in told] == ['{"round":"a"}', '{"round":"b"}']
    assert told[1]["id"] == told[0]["id"] + 1
    assert {row["at"] for row in told} == {posted.at}


async def test_one_notice_wakes_the_readers_of_a_batch(writer: Writer, owner: asyncpg.Connection) -> None:
    heard = asyncio.Event()
    await owner.add_listener("kalos_ledger", lambda *_: heard.set())
    await writer.post(posting(facts=[Fact("rounds", {})]))
    await asyncio.wait_for(heard.wait(), 15)
    await owner.reset()


async def test_a_member_has_eight_places_in_the_queue(writer: Writer) -> None:
    source = await funded(writer, 100)
    member = purse.owner_of(source)
    asked = [posting(Move("test.a", source, FEES, 1), member=member) for _ in range(12)]
    ended = await results(*(writer.post(one) for one in asked))
    assert sum(isinstance(one, Posted) for one in ended) == 8
    refused = [one for one in ended if isinstance(one, TooMany)]
    assert [one.fields for one in refused] == [{"retry_after": 1}] * 4
    assert isinstance(await writer.post(asked[-1]), Posted)


async def test_a_full_queue_is_an_outage(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    source = await funded(writer, 100)
    monkeypatch.setattr(line, "MOST", 5)
    ended = await results(*(writer.post(posting(Move("test.a", source, FEES, 1))) for _ in range(7)))
    assert sum(isinstance(one, Outage) for one in ended) == 2


async def test_bulk_answers_in_its_order_with_refusals_as_values(writer: Writer) -> None:
    source = await funded(writer, 250)
    asked = [posting(Move("test.a", source, FEES, 1, short=Sold)) for _ in range(300)]
    ended = await writer.post_many(asked)
    assert [isinstance(one, Posted) for one in ended] == [True] * 250 + [False] * 50
    assert all(isinstance(one, Sold) for one in ended[250:])


async def test_live_goes_before_bulk(writer: Writer) -> None:
    source = await funded(writer, 2_000)
    asked = [posting(Move("test.a", source, FEES, 1)) for _ in range(1_000)]
    bulk, live = await asyncio.gather(writer.post_many(asked), writer.post(posting(Move("test.b", source, FEES, 1))))
    last = bulk[-1]
    assert isinstance(last, Posted)
    assert live.id < last.id - 500


async def test_nobody_waits_for_the_ledger_with_a_transaction_open(writer: Writer, db: Database) -> None:
    async with db.transaction():
        with pytest.raises(AssertionError):
            await writer.post(Posting(new_key()))
    assert isinstance(await writer.post(Posting(new_key())), Posted)


async def test_many_at_once_are_one_commit(writer: Writer) -> None:
    sources = [await funded(writer, 5) for _ in range(100)]
    before = writer.figures.batches
    await asyncio.gather(*(writer.post(posting(Move("test.a", source, FEES, 1))) for source in sources))
    assert writer.figures.batches - before <= 3
