"""Both outboxes: each fact's effect is stored once or repeated at worst, a cursor never skips, what is read goes."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from kalos.core import outbox as domain_outbox
from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.errors import Outage
from kalos.core.outbox import DomainFact, domain_outbox_lag, pause_ms, tell
from kalos.ledger.outbox import FactsGone, StoredFact, consume, deliver, keep_outbox, outbox_lag
from kalos.ledger.postings import Fact, Stamp
from kalos.ledger.writer import Writer
from support.ledger import posting

DAY = 86_400_000


@pytest.fixture(scope="module", autouse=True)
async def effects(owner: asyncpg.Connection) -> None:
    """A table of effects that the app writes."""
    await owner.execute(
        "CREATE TABLE test_effects (number bigint, word text); GRANT SELECT, INSERT ON test_effects TO kalos_app"
    )


@pytest.fixture
async def fresh(owner: asyncpg.Connection, writer: Writer) -> None:
    """No fact, no cursor and no effect of another test."""
    await owner.execute("DELETE FROM outbox; DELETE FROM outbox_cursors; DELETE FROM domain_outbox")
    await owner.execute("DELETE FROM test_effects")


async def tell_of(writer: Writer, *words: str, topic: str = "test.word") -> None:
    for word in words:
        await writer.post(posting(facts=[Fact(topic, {"word": word, "id": Stamp.ID})]))


async def store(db: Connection, facts: Sequence[StoredFact] | Sequence[DomainFact]) -> None:
    await db.executemany("INSERT INTO test_effects VALUES ($1, $2)", [(one.id, one.body["word"]) for one in facts])


async def stored(db: Database) -> list[str]:
    return [row["word"] for row in await db.rows("SELECT word FROM test_effects ORDER BY number")]


async def read(db: Database, consumer: str = "test", topics: Sequence[str] = ("test.word",), **fields: Any) -> int:
    return await consume(db, consumer, topics, store, **({"wall": Clock.wall()} | fields))


@pytest.mark.usefixtures("fresh")
async def test_a_consumer_gets_each_fact_once_and_in_order(db: Database, writer: Writer) -> None:
    await tell_of(writer, "a", "b")
    assert await read(db, most=1) == 1
    await tell_of(writer, "other", topic="test.other")
    await tell_of(writer, "c")
    assert [await read(db), await read(db)] == [3, 0]
    assert await stored(db) == ["a", "b", "c"]
    assert await read(db, "test.second", ["test.other"]) == 4
    assert await stored(db) == ["a", "b", "other", "c"]


@pytest.mark.usefixtures("fresh")
async def test_one_that_has_read_all_asks_once_and_writes_nothing(
    db: Database, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: Sequence[StoredFact]) -> None:
        raise AssertionError("there is nothing")

    def counted(self: Database) -> AbstractAsyncContextManager[Connection]:
        taken.append(self)
        return connection(self)

    await tell_of(writer, "a")
    assert await read(db) == 1
    taken, connection = list[Database](), Database.connection
    monkeypatch.setattr(Database, "connection", counted)
    assert await read(db) == 0
    assert await deliver(db, "test", ["test.word"], never, wall=Clock.wall()) == 0
    assert len(taken) == 2
    a_day_later = Clock.wall() + DAY
    assert await read(db, wall=a_day_later) == 0
    assert await db.value("SELECT seen_at FROM outbox_cursors") == a_day_later


@pytest.mark.usefixtures("fresh")
async def test_a_fact_carries_its_posting_and_time(db: Database, writer: Writer) -> None:
    got: list[StoredFact] = []

    async def keep(facts: Sequence[StoredFact]) -> None:
        got.extend(facts)

    posted = await writer.post(posting(facts=[Fact("test.word", {"id": Stamp.ID})]))
    assert await deliver(db, "test", ["test.word"], keep, wall=1) == 1
    assert [(one.posting, one.topic, one.body, one.at) for one in got] == [
        (posted.id, "test.word", {"id": posted.id}, posted.at)
    ]


@pytest.mark.usefixtures("fresh")
async def test_an_effect_that_fails_leaves_the_cursor(db: Database, writer: Writer) -> None:
    await tell_of(writer, "a", "b")

    async def fail(step: Connection, facts: Sequence[StoredFact]) -> None:
        await store(step, facts)
        raise Outage("the effect's")

    async def fail_outside(facts: Sequence[StoredFact]) -> None:
        raise Outage("the effect's")

    with pytest.raises(Outage, match="the effect's"):
        await consume(db, "test", ["test.word"], fail, wall=1)
    with pytest.raises(Outage, match="the effect's"):
        await deliver(db, "test", ["test.word"], fail_outside, wall=1)
    assert await stored(db) == []
    assert await read(db) == 2
    assert await stored(db) == ["a", "b"]


@pytest.mark.usefixtures("fresh")
async def test_of_many_workers_each_fact_reaches_one(db: Database, writer: Writer) -> None:
    await tell_of(writer, *map(str, range(40)))
    passed = 0
    while passed < 40:
        passed += sum(await asyncio.gather(*(read(db, most=7) for _ in range(5))))
    assert await stored(db) == list(map(str, range(40)))


@pytest.mark.usefixtures("fresh")
async def test_two_who_deliver_at_once_move_the_cursor_once(db: Database, writer: Writer) -> None:
    await tell_of(writer, "a", "b")
    both, got = asyncio.Barrier(2), []

    async def slow(facts: Sequence[StoredFact]) -> None:
        await both.wait()
        got.append([one.body["word"] for one in facts])

    moved = await asyncio.gather(*(deliver(db, "test", ["test.word"], slow, wall=1) for _ in range(2)))
    assert sorted(moved) == [0, 2]
    assert got == [["a", "b"]] * 2
    assert await read(db) == 0


@pytest.mark.usefixtures("fresh")
async def test_facts_are_pruned_when_all_have_read_them_and_they_are_old(
    db: Database, writer: Writer, owner: asyncpg.Connection
) -> None:
    await tell_of(writer, "a", "b", "c")
    await read(db, "test.fast")
    await read(db, "test.slow", most=2)
    assert await keep_outbox(db) == 0
    await owner.execute("UPDATE outbox SET at = at - 8 * 86400000::bigint")
    await tell_of(writer, "d")
    assert await keep_outbox(db) == 2
    await read(db, "test.slow")
    assert await keep_outbox(db) == 1
    assert await db.value("SELECT count(*) FROM outbox") == 1
    assert await read(db, "test.late") == 1
    assert await stored(db) == ["a", "a", "b", "b", "c", "c", "d", "d"]


@pytest.mark.usefixtures("fresh")
async def test_a_consumer_that_is_never_run_is_told_of_and_then_left_behind(
    db: Database, writer: Writer, owner: asyncpg.Connection
) -> None:
    await read(db, "test.never")
    await tell_of(writer, "a", "b")
    await owner.execute("UPDATE outbox SET at = at - 8 * 86400000::bigint")
    await owner.execute("UPDATE outbox_cursors SET seen_at = seen_at - 29 * 86400000::bigint")
    with capture_logs() as logs:
        assert await keep_outbox(db) == 0
    assert [line["event"] for line in logs] == ["a consumer of the outbox doesn't get on"]
    facts, seconds = (await outbox_lag(db))["test.never"]
    assert facts == 2
    assert 8 * 86_400 <= seconds < 8 * 86_400 + 60
    await owner.execute("UPDATE outbox_cursors SET seen_at = seen_at - 2 * 86400000::bigint")
    assert await keep_outbox(db) == 2
    with pytest.raises(FactsGone, match=r"test\.never has read up to"):
        await read(db, "test.never")
    assert 31 * 86_400 <= (await outbox_lag(db))["test.never"][1] < 31 * 86_400 + 60


@pytest.mark.usefixtures("fresh")
async def test_an_idle_consumer_says_that_it_lives(db: Database, writer: Writer) -> None:
    await tell_of(writer, "a")
    wall = Clock.wall()
    for at, seen in ((wall, wall), (wall + 3_599_999, wall), (wall + 3_600_000, wall + 3_600_000)):
        await read(db, wall=at)
        assert await db.value("SELECT seen_at FROM outbox_cursors WHERE consumer = 'test'") == seen
    assert (await outbox_lag(db))["test"] == (0, 0)


@pytest.mark.usefixtures("fresh")
async def test_a_cursor_never_goes_back_and_facts_are_deleted_by_pruning_alone(db: Database, writer: Writer) -> None:
    await tell_of(writer, "a")
    await read(db)
    with pytest.raises(asyncpg.RaiseError, match="never goes back"):
        await db.execute("UPDATE outbox_cursors SET last_fact = 0")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("DELETE FROM outbox_cursors")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("DELETE FROM outbox")


async def tell_and_fail(db: Database) -> None:
    async with db.transaction() as step:
        await tell(step, "test.word", {"word": "a"}, wall=1)
        await step.execute("SELECT 1 / 0")


async def domain_facts(db: Database, *words: str, wall: int | None = None) -> None:
    for word in words:
        async with db.transaction() as step:
            await tell(step, "test.word", {"word": word, "secret": "s"}, wall=wall or Clock.wall())


@pytest.mark.usefixtures("fresh")
async def test_a_fact_is_told_with_its_cause_or_not_at_all(db: Database) -> None:
    with pytest.raises(asyncpg.DivisionByZeroError):
        await tell_and_fail(db)
    assert await domain_outbox.consume(db, "test.word", store, wall=Clock.wall()) == 0


@pytest.mark.usefixtures("fresh")
async def test_of_many_workers_each_domain_fact_reaches_one(db: Database) -> None:
    await domain_facts(db, *map(str, range(30)))
    steps = (domain_outbox.consume(db, "test.word", store, wall=Clock.wall(), most=7) for _ in range(5))
    assert sum(await asyncio.gather(*steps)) == 30
    assert sorted(await stored(db), key=int) == list(map(str, range(30)))
    assert await domain_outbox_lag(db) == {}


@pytest.mark.usefixtures("fresh")
async def test_a_domain_fact_whose_effect_fails_is_given_again(db: Database) -> None:
    await domain_facts(db, "a")

    async def fail(step: Connection, facts: Sequence[DomainFact]) -> None:
        await store(step, facts)
        raise Outage

    with pytest.raises(Outage):
        await domain_outbox.consume(db, "test.word", fail, wall=Clock.wall())
    assert await domain_outbox.consume(db, "test.word", store, wall=Clock.wall()) == 1
    assert await stored(db) == ["a"]


@pytest.mark.usefixtures("fresh")
async def test_an_outside_effect_that_fails_waits_longer_each_time(db: Database) -> None:
    wall, away, done = Clock.wall(), True, []
    await domain_facts(db, "a", wall=wall)

    async def send(fact: DomainFact) -> None:
        if away:
            raise Outage
        done.append((fact.body["word"], fact.tries))

    async def step() -> int:
        return await domain_outbox.deliver(db, "test.word", send, wall=lambda: wall, forget=["secret"])

    for pause in (2_000, 4_000, 8_000):
        assert await step() == 0
        wall += pause - 1
        assert await db.value("SELECT due_at FROM domain_outbox") == wall + 1
        wall += 1
    away = False
    assert [await step(), await step()] == [1, 0]
    assert done == [("a", 3)]
    assert await db.value("SELECT body::text FROM domain_outbox WHERE done_at = $1", wall) == '{"word": "a"}'
    assert pause_ms(40) == 3_600_000


@pytest.mark.usefixtures("fresh")
async def test_a_fact_of_a_killed_worker_is_delivered_again_after_its_lease(db: Database) -> None:
    wall = Clock.wall()
    await domain_facts(db, "a")
    seen: list[str] = []

    async def die(fact: DomainFact) -> None:
        raise asyncio.CancelledError

    async def send(fact: DomainFact) -> None:
        seen.append(fact.body["word"])

    with pytest.raises(asyncio.CancelledError):
        await domain_outbox.deliver(db, "test.word", die, wall=lambda: wall)
    assert await domain_outbox.deliver(db, "test.word", send, wall=lambda: wall + 59_999) == 0
    assert await domain_outbox.deliver(db, "test.word", send, wall=lambda: wall + 60_000) == 1
    assert seen == ["a"]


@pytest.mark.usefixtures("fresh")
async def test_a_bug_counts_as_a_try_and_is_raised_once_the_others_are_done(db: Database) -> None:
    wall, done = Clock.wall(), []
    await domain_facts(db, "a", "b", "c", wall=wall)
    failed = asyncio.Event()

    async def send(fact: DomainFact) -> None:
        if fact.body["word"] == "a":
            failed.set()
            raise ZeroDivisionError("what a mail said")
        await failed.wait()
        await db.value("SELECT 1")
        done.append(fact.body["word"])

    with capture_logs() as logs, pytest.raises(ZeroDivisionError):
        await domain_outbox.deliver(db, "test.word", send, wall=lambda: wall)
    assert sorted(done) == ["b", "c"]
    rows = await db.rows("SELECT tries, due_at - $1 AS pause FROM domain_outbox WHERE done_at IS NULL", wall)
    assert [tuple(row) for row in rows] == [(1, 2_000)]
    assert [(log["event"], log["tries"], log["reason"]) for log in logs] == [("a fact waits", 1, "ZeroDivisionError")]


@pytest.mark.usefixtures("fresh")
async def test_an_effect_ends_before_somebody_else_may_have_its_fact(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert domain_outbox._PATIENCE_SECONDS * 1000 < domain_outbox._LEASE_MS
    monkeypatch.setattr(domain_outbox, "_PATIENCE_SECONDS", 0.05)
    wall, cut_off = Clock.wall(), []
    await domain_facts(db, "a", wall=wall)

    async def hang(fact: DomainFact) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cut_off.append(fact.body["word"])
            raise

    assert await asyncio.wait_for(domain_outbox.deliver(db, "test.word", hang, wall=lambda: wall), 60) == 0
    assert cut_off == ["a"]
    assert await db.value("SELECT tries FROM domain_outbox WHERE done_at IS NULL") == 1


@pytest.mark.usefixtures("fresh")
async def test_domain_facts_go_a_day_after_their_effect_and_never_before(db: Database) -> None:
    wall = Clock.wall()
    await domain_facts(db, "a", wall=wall - 90 * DAY)
    assert await domain_outbox.consume(db, "test.word", store, wall=wall) == 1
    await domain_facts(db, "b", wall=wall - 90 * DAY)
    assert await domain_outbox.prune(db, wall=wall + DAY) == 0
    assert await domain_outbox.prune(db, wall=wall + DAY + 1) == 1
    facts, seconds = (await domain_outbox_lag(db))["test.word"]
    assert facts == 1
    assert 90 * 86_400 <= seconds < 90 * 86_400 + 60
