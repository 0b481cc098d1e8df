"""A key counts once, whoever sends it, however often, before and after a restart."""

import asyncio

import pytest

from kalos.app.migrate import role_url
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import InsufficientBalance, RequestConflict
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.postings import Move, Posted
from kalos.ledger.statements import balances
from kalos.ledger.writer import Writer
from support.clusters import SECRET
from support.ledger import FEES, funded, new_key, posting, results

BODY, OTHER = b"1" * 32, b"2" * 32


async def left(db: Database, account: int) -> int:
    return (await balances(db, [purse.owner_of(account)]))[account]


async def test_a_key_sent_again_moves_nothing(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    asked = posting(Move("test.a", source, FEES, 60), fingerprint=BODY)
    first = await writer.post(asked)
    again = await writer.post(asked)
    assert (again.id, again.at, again.replayed) == (first.id, first.at, True)
    assert await left(db, source) == 40


def forget_keys(writer: Writer) -> None:
    """As if half a million postings had come since, in peace."""
    assert writer._engine is not None
    writer._engine.state.keys.clear()
    writer._engine._wary_until = 0.0


async def test_a_key_of_late_is_known_without_asking(writer: Writer) -> None:
    source = await funded(writer, 1_000)
    used = [posting(Move("test.a", source, FEES, 1), fingerprint=BODY) for _ in range(20)]
    first = await asyncio.gather(*(writer.post(one) for one in used))
    assert writer._engine is not None
    writer._engine._wary_until = 0.0
    before = writer.figures.halvings
    fresh = [posting(Move("test.a", source, FEES, 1)) for _ in range(20)]
    again = await asyncio.gather(*(writer.post(one) for one in [*used, *fresh]))
    assert [one.id for one in again[:20]] == [one.id for one in first]
    assert [one.replayed for one in again] == [True] * 20 + [False] * 20
    assert writer.figures.halvings == before


async def test_an_old_key_costs_one_failed_batch_and_the_next_ones_none(writer: Writer, db: Database) -> None:
    source = await funded(writer, 1_000)
    used = [posting(Move("test.a", source, FEES, 1), fingerprint=BODY) for _ in range(2)]
    first = await asyncio.gather(*(writer.post(one) for one in used))
    forget_keys(writer)
    for place, one in enumerate(used):
        before = writer.figures.halvings
        fresh = [posting(Move("test.a", source, FEES, 1)) for _ in range(30)]
        again = await asyncio.gather(*(writer.post(each) for each in [*fresh[:15], one, *fresh[15:]]))
        assert (again[15].id, again[15].replayed) == (first[place].id, True)
        assert writer.figures.halvings - before == (1 if place == 0 else 0)
        assert writer._engine is not None
        writer._engine.state.keys.clear()
    assert await left(db, source) == 1_000 - 62


async def test_an_old_key_is_found_where_nothing_of_its_posting_is_known_any_more(writer: Writer, db: Database) -> None:
    source = await funded(writer, 200)
    asked = posting(Move("test.a", source, FEES, 60), fingerprint=BODY)
    first = await writer.post(asked)
    for spent in (20, 110):  # at first it would be accepted again, then refused
        await writer.post(posting(Move("test.a", source, FEES, spent)))
        forget_keys(writer)
        assert writer._engine is not None
        del writer._engine.state.accounts[source]
        fresh = posting(Move("test.b", FEES, source, 20))
        again, _ = await asyncio.gather(writer.post(asked), writer.post(fresh))
        assert (again.id, again.replayed) == (first.id, True)
    assert await left(db, source) == 50


async def test_an_old_key_gets_its_first_answer_where_now_it_would_be_refused(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    asked = posting(Move("test.a", source, FEES, 100), fingerprint=BODY)
    first = await writer.post(asked)
    other = posting(Move("test.a", source, FEES, 1), key=asked.key, fingerprint=OTHER)
    for beside in (0, 20):
        forget_keys(writer)
        fresh = [posting() for _ in range(beside)]
        ended = await results(*(writer.post(one) for one in [asked, *fresh]))
        assert isinstance(ended[0], Posted)
        assert (ended[0].id, ended[0].replayed) == (first.id, True)
        forget_keys(writer)
        with pytest.raises(RequestConflict):
            await writer.post(other)
    assert await left(db, source) == 0


async def test_sixty_four_at_once_join_the_first(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    asked = posting(Move("test.a", source, FEES, 60), fingerprint=BODY, member=purse.owner_of(source))
    answers = await asyncio.gather(*(writer.post(asked) for _ in range(64)))
    assert len({answer.id for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1
    assert await left(db, source) == 40


async def test_another_body_under_a_key_is_a_conflict(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    key = new_key()
    move = Move("test.a", source, FEES, 10)
    at_once = await results(*(writer.post(posting(move, key=key, fingerprint=body)) for body in (BODY, OTHER)))
    assert isinstance(at_once[0], Posted)
    assert isinstance(at_once[1], RequestConflict)
    with pytest.raises(RequestConflict):
        await writer.post(posting(move, key=key, fingerprint=OTHER))
    assert await left(db, source) == 90


async def test_an_honest_repeat_is_answered_also_while_another_body_waits(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    key = new_key()
    honest, other = (posting(Move("test.a", source, FEES, 10), key=key, fingerprint=body) for body in (BODY, OTHER))
    first = await writer.post(honest)
    answers = await results(*(writer.post(one) for one in (other, honest, other, honest)))
    assert [type(answer) for answer in answers] == [RequestConflict, Posted, RequestConflict, Posted]
    assert [answer.id for answer in answers if isinstance(answer, Posted)] == [first.id, first.id]
    assert await left(db, source) == 90


async def test_a_joined_refusal_reaches_all(writer: Writer, db: Database) -> None:
    source = await funded(writer, 10)
    asked = posting(Move("test.a", source, FEES, 60), fingerprint=BODY)
    answers = await results(*(writer.post(asked) for _ in range(5)))
    assert all(isinstance(answer, InsufficientBalance) for answer in answers)
    assert await left(db, source) == 10


async def test_a_caller_that_gives_up_harms_nobody(writer: Writer, db: Database) -> None:
    source = await funded(writer, 100)
    asked = posting(Move("test.a", source, FEES, 60))
    tasks = [asyncio.create_task(writer.post(asked)) for _ in range(2)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    assert isinstance(await tasks[1], Posted)
    assert await left(db, source) == 40


async def test_a_restart_knows_every_key(durable_url: str) -> None:
    url = role_url(durable_url, "kalos_writer", SECRET)
    first = Writer(url, Clock())
    await first.start()
    source = await funded(first, 100)
    asked = posting(Move("test.a", source, FEES, 60), fingerprint=BODY)
    posted = await first.post(asked)
    await first.stop()
    second = Writer(url, Clock())
    await second.start()
    again = await second.post(asked)
    assert (again.id, again.at, again.replayed) == (posted.id, posted.at, True)
    with pytest.raises(InsufficientBalance):
        await second.post(posting(Move("test.a", source, FEES, 60)))
    assert (await second.post(posting(Move("test.a", source, FEES, 40)))).id == posted.id + 1
    await second.stop()
    db = Database(role_url(durable_url, "kalos_app", SECRET), size=2)
    assert await audit(db) == []
    await db.close()
