"""Facts of tables that aren't the ledger's: written with their cause, marked with their effect, never lost."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import structlog

from kalos.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from kalos.core.database import Connection, Database
from kalos.core.errors import Outage, Undeliverable
from kalos.core.failpoints import reach

KEPT_MS: Final = DAY_MS
"""How long a fact is kept after its effect."""

_BATCH: Final = 100
_LEASE_MS: Final = MINUTE_MS
_PATIENCE_SECONDS: Final = 45.0  # with an effect; what is left of the lease is for its mark
_FIRST_PAUSE_MS: Final = 2_000
_LONGEST_PAUSE_MS: Final = HOUR_MS
_PRUNED_AT_ONCE: Final = 5_000

_DUE: Final = """
    SELECT id, topic, body, at, tries FROM domain_outbox
    WHERE topic = $1 AND done_at IS NULL AND due_at <= $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
"""
_LEASE: Final = f"""
    WITH due AS ({_DUE})
    UPDATE domain_outbox o SET due_at = $2 + {_LEASE_MS} FROM due WHERE o.id = due.id
    RETURNING o.id, o.topic, o.body, o.at, o.tries
"""
# A fact that was given up keeps the mark for as long as it is kept: it is counted by it.
_GIVE_UP: Final = """
    UPDATE domain_outbox SET done_at = $2, body = (body - $3::text[]) || '{"refused": true}' WHERE id = $1
"""
_REFUSED: Final = """
    SELECT topic, count(*) FILTER (WHERE body ? 'refused') AS facts FROM domain_outbox WHERE done_at > $1 GROUP BY topic
"""
_MARK: Final = "UPDATE domain_outbox SET done_at = $2, body = body - $3::text[] WHERE id = ANY($1::bigint[])"
_PRUNE: Final = """
    DELETE FROM domain_outbox WHERE id = ANY(ARRAY(
        SELECT id FROM domain_outbox WHERE done_at < $1 ORDER BY done_at LIMIT $2
    ))
"""
_log = structlog.get_logger("outbox")
_LAG: Final = """
    SELECT topic, count(*) AS facts, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - min(at) AS late_ms
    FROM domain_outbox WHERE done_at IS NULL GROUP BY topic
"""


@dataclass(frozen=True, slots=True)
class DomainFact:
    """What was told: `at` is the wall's time, `tries` how often it was delivered in vain."""

    id: int
    topic: str
    body: dict[str, Any]
    at: int
    tries: int


async def tell(db: Connection, topic: str, body: Mapping[str, Any], *, wall: int) -> None:
    """Store a fact in the caller's transaction: it is told if, and only if, that commits."""
    text = msgspec.json.encode(body).decode()
    await db.execute("INSERT INTO domain_outbox (topic, body, at) VALUES ($1, $2, $3)", topic, text, wall)


async def consume(
    db: Database,
    topic: str,
    effect: Callable[[Connection, Sequence[DomainFact]], Awaitable[None]],
    *,
    wall: int,
    most: int = _BATCH,
) -> int:
    """Give the oldest facts to `effect`, in the transaction that marks them: stored exactly once.

    Any number of workers may ask: each gets others. Returns how many facts it were.
    """
    async with db.transaction() as step:
        facts = [_fact(row) for row in await step.fetch(_DUE, topic, wall, most)]
        if facts:
            reach("outbox_read")
            await effect(step, facts)
            reach("outbox_done")
            await step.execute(_MARK, [fact.id for fact in facts], wall, [])
    return len(facts)


async def deliver(
    db: Database,
    topic: str,
    effect: Callable[[DomainFact], Awaitable[None]],
    *,
    wall: Callable[[], int],
    most: int = 10,
    forget: Sequence[str] = (),
) -> int:
    """Give the oldest facts that are due to an `effect` outside the database, each by itself; then mark it.

    Nobody else gets them for a minute, within which an effect must end. Killed in between, a fact is delivered again;
    whatever else fails, it waits, longer each time, and is never dropped. One that is Undeliverable is done with and
    counted. The log tells of both. `forget` are keys of the body that go with the mark. Returns how many were taken.

    Raises: the first bug, once all others are done.
    """
    rows = await db.rows(_LEASE, topic, wall(), most)
    facts = sorted(map(_fact, rows), key=lambda fact: fact.id)
    if facts:
        reach("outbox_read")

    async def one(fact: DomainFact) -> int:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await effect(fact)
        except Undeliverable as refusal:
            _log.warning("a fact is given up", topic=topic, fact=fact.id, reason=str(refusal))
            await db.execute(_GIVE_UP, fact.id, wall(), list(forget))
            return 0
        except Exception as problem:
            reason = str(problem) if isinstance(problem, Outage) else type(problem).__name__
            _log.warning("a fact waits", topic=topic, fact=fact.id, tries=fact.tries + 1, reason=reason)
            due_at = wall() + pause_ms(fact.tries + 1)
            await db.execute("UPDATE domain_outbox SET tries = tries + 1, due_at = $2 WHERE id = $1", fact.id, due_at)
            if isinstance(problem, Outage | TimeoutError):
                return 0
            raise
        reach("outbox_done")
        await db.execute(_MARK, [fact.id], wall(), list(forget))
        return 1

    ends = await asyncio.gather(*map(one, facts), return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return sum(end for end in ends if isinstance(end, int))


def pause_ms(tries: int) -> int:
    """How long a fact waits after it was delivered in vain for the `tries`th time."""
    assert tries >= 1
    return int(min(_FIRST_PAUSE_MS * 2 ** (min(tries, 20) - 1), _LONGEST_PAUSE_MS))


async def prune(db: Database, *, wall: int) -> int:
    """Delete facts whose effect is a day old, in one bounded step; those without an effect stay, whatever their age."""
    tag = await db.execute(_PRUNE, wall - KEPT_MS, _PRUNED_AT_ONCE)
    return int(tag.split()[1])


async def domain_outbox_lag(db: Database) -> dict[str, tuple[int, float]]:
    """By topic: how many facts wait for their effect, and the age of the oldest of them in seconds."""
    return {row["topic"]: (row["facts"], max(row["late_ms"], 0) / 1000) for row in await db.rows(_LAG)}


async def list_refused(db: Database, *, wall: int) -> dict[str, int]:
    """By topic: how many facts of the last day were given up, as whoever should take them refused them for good."""
    return {row["topic"]: row["facts"] for row in await db.rows(_REFUSED, wall - KEPT_MS)}


def _fact(row: Any) -> DomainFact:
    return DomainFact(row["id"], row["topic"], msgspec.json.decode(row["body"]), row["at"], row["tries"])
