"""Those who read the writer's outbox: each has a cursor, stored with the effect. Effects may repeat, never vanish."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import structlog

from kalos.core.clock import HOUR_MS
from kalos.core.database import Connection, Database, Record
from kalos.core.failpoints import reach

BATCH: Final = 500
STALLED_SECONDS: Final = 24 * 3600
"""A consumer whose oldest unread fact is older than this is told of; after 30 days without a step it is left behind."""

_SEEN_MS: Final = HOUR_MS  # how often an idle consumer writes that it lives
_PRUNED_AT_ONCE: Final = 5_000
_PRUNES_A_STEP: Final = 20
_log: Final = structlog.get_logger("outbox")

_BEGIN: Final = """
    INSERT INTO outbox_cursors (consumer, last_fact, seen_at)
    SELECT $1, coalesce((SELECT min(id) - 1 FROM outbox), (SELECT last_fact FROM ledger_tail)), $2
    ON CONFLICT DO NOTHING
"""
_SPAN: Final = """
    SELECT c.last_fact AS after, greatest(c.last_fact, least(t.last_fact, c.last_fact + $2)) AS last, c.seen_at,
        coalesce((SELECT min(id) FROM outbox), t.last_fact + 1) AS oldest
    FROM outbox_cursors c CROSS JOIN ledger_tail t WHERE c.consumer = $1
"""
_FACTS: Final = """
    SELECT id, posting_id, topic, body, at FROM outbox
    WHERE id > $1 AND id <= $2 AND topic = ANY($3::text[]) ORDER BY id
"""
_MOVE: Final = "UPDATE outbox_cursors SET last_fact = $3, seen_at = $4 WHERE consumer = $1 AND last_fact = $2"
_LAG: Final = """
    SELECT consumer, facts, CASE WHEN facts = 0 THEN 0 ELSE greatest(0, wall - since) END AS late_ms FROM (
        SELECT c.consumer, t.last_fact - c.last_fact AS facts,
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS wall,
            coalesce((SELECT at - k.offset_ms FROM outbox WHERE id = c.last_fact + 1), c.seen_at) AS since
        FROM outbox_cursors c CROSS JOIN ledger_tail t CROSS JOIN clock k
    ) AS each_one
"""


class FactsGone(Exception):
    """The consumer was away so long that facts which it hasn't read were pruned. A person must decide."""


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact as it was committed: `id` is dense, `at` business time."""

    id: int
    posting: int
    topic: str
    body: dict[str, Any]
    at: int


async def consume(
    db: Database,
    consumer: str,
    topics: Sequence[str],
    effect: Callable[[Connection, Sequence[StoredFact]], Awaitable[None]],
    *,
    wall: int,
    most: int = BATCH,
) -> int:
    """Give the next facts to `effect`, in the transaction that moves the consumer's cursor behind them.

    What `effect` writes over its connection is stored exactly once; any number of workers may ask, one gets the facts.
    Returns how many facts the cursor passed, other topics' too; 0: there is nothing, or another worker is at it.
    Raises: FactsGone.
    """
    if _is_idle(await _find_span(db, consumer, most, wall), wall):
        return 0
    async with db.transaction() as step:
        row = await step.fetchrow(f"{_SPAN} FOR UPDATE OF c SKIP LOCKED", consumer, most)
        if row is None:
            return 0
        facts = await _read(step, consumer, row, topics)
        if facts:
            await effect(step, facts)
        moved = await _move(step, consumer, row, wall)
        assert moved, "the row is locked"
    return int(row["last"] - row["after"])


async def deliver(
    db: Database,
    consumer: str,
    topics: Sequence[str],
    effect: Callable[[Sequence[StoredFact]], Awaitable[None]],
    *,
    wall: int,
    most: int = BATCH,
) -> int:
    """Give the next facts to an `effect` outside this transaction, such as postings with keys; then move the cursor.

    It may get facts again, after a crash or beside another worker, and never misses one.
    Returns how many facts the cursor passed. Raises: FactsGone, and what `effect` raises: then the cursor stays.
    """
    row = await _find_span(db, consumer, most, wall)
    if _is_idle(row, wall):
        return 0
    async with db.connection() as look:
        facts = await _read(look, consumer, row, topics)
    if facts:
        await effect(facts)
    async with db.connection() as step:
        moved = await _move(step, consumer, row, wall)
    return int(row["last"] - row["after"]) if moved else 0


async def keep_outbox(db: Database) -> int:
    """Delete what every living consumer has read and nobody needs any more; tell of those who don't get on.

    Returns how many facts went.
    """
    gone = 0
    for _ in range(_PRUNES_A_STEP):
        pruned: int = await db.value("SELECT prune_outbox($1)", _PRUNED_AT_ONCE)
        gone += pruned
        if pruned < _PRUNED_AT_ONCE:
            break
    for consumer, (facts, seconds) in (await outbox_lag(db)).items():
        if seconds > STALLED_SECONDS:
            _log.error("a consumer of the outbox doesn't get on", consumer=consumer, facts=facts, seconds=seconds)
    return gone


async def outbox_lag(db: Database) -> dict[str, tuple[int, float]]:
    """By consumer: how many facts it hasn't passed, and the age of the oldest of them in seconds."""
    return {row["consumer"]: (row["facts"], row["late_ms"] / 1000) for row in await db.rows(_LAG)}


async def _find_span(db: Database, consumer: str, most: int, wall: int) -> Record:
    """What the consumer has to read next; a new one begins with the oldest fact that is kept."""
    span = await db.row(_SPAN, consumer, most)
    if span is None:
        await db.execute(_BEGIN, consumer, wall)
        span = await db.row(_SPAN, consumer, most)
    assert span is not None, consumer
    return span


def _is_idle(span: Record, wall: int) -> bool:
    """Whether there is nothing to read, and nothing to write: one statement of an idle consumer is enough."""
    return bool(span["last"] == span["after"] and wall - span["seen_at"] < _SEEN_MS)


async def _read(db: Connection, consumer: str, span: Record, topics: Sequence[str]) -> list[StoredFact]:
    """What stands in a span. The writer commits facts in their order: none can come into it later."""
    if span["oldest"] > span["after"] + 1:
        raise FactsGone(f"{consumer} has read up to {span['after']}, the oldest fact that is kept is {span['oldest']}")
    rows = await db.fetch(_FACTS, span["after"], span["last"], list(topics))
    if rows:
        reach("outbox_read")
    return [
        StoredFact(number, posting, topic, msgspec.json.decode(body), at) for number, posting, topic, body, at in rows
    ]


async def _move(db: Connection, consumer: str, span: Record, wall: int) -> bool:
    """Move the cursor to the span's end where it still stands at its beginning."""
    if _is_idle(span, wall):
        return True
    reach("outbox_done")
    tag: str = await db.execute(_MOVE, consumer, span["after"], span["last"], max(wall, span["seen_at"]))
    return tag == "UPDATE 1"
