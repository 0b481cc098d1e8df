"""Follows what the writer committed: facts of the outbox and the owners whose balances moved."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import asyncpg
import msgspec

from kalos.ledger.purse import owner_of

CHANNEL: Final = "kalos_ledger"
APPLICATION: Final = "kalos feed"
_BATCH: Final = 2_000
_POLL_SECONDS: Final = 1.0
_APART_SECONDS: Final = 0.02  # from one look to the next: the writer may commit far more often


@dataclass(frozen=True, slots=True)
class News:
    """One look: `facts` in their order as (topic, body), `owners` whose accounts were touched."""

    facts: list[tuple[str, dict[str, Any]]]
    owners: set[int]


async def follow(url: str) -> AsyncIterator[News]:
    """Yield what is committed from now on; woken by the writer's NOTIFY, at the latest each second.

    The first commit after a pause is told at once, many of them together.

    The first news is empty and says that the feed stands: what is read after it misses nothing.

    Raises: what asyncpg raises when the connection is lost; the caller starts again and its readers get snapshots.
    """
    db = await asyncpg.connect(url, timeout=5, command_timeout=10, server_settings={"application_name": APPLICATION})
    try:
        woken = asyncio.Event()
        await db.add_listener(CHANNEL, lambda *_: woken.set())
        fact = await db.fetchval("SELECT coalesce(max(id), 0) FROM outbox")
        move = await db.fetchval("SELECT coalesce(max(id), 0) FROM journal")
        yield News([], set())
        loop, looked = asyncio.get_running_loop(), 0.0
        while True:
            await asyncio.sleep(max(0.0, looked + _APART_SECONDS - loop.time()))
            looked = loop.time()
            woken.clear()
            facts = await db.fetch(
                "SELECT id, topic, body FROM outbox WHERE id > $1 ORDER BY id LIMIT $2", fact, _BATCH
            )
            moves = await db.fetch(
                "SELECT id, from_id, to_id FROM journal WHERE id > $1 ORDER BY id LIMIT $2", move, _BATCH
            )
            if facts or moves:
                fact = facts[-1]["id"] if facts else fact
                move = moves[-1]["id"] if moves else move
                yield News(
                    facts=[(row["topic"], msgspec.json.decode(row["body"])) for row in facts],
                    owners={owner_of(row[side]) for row in moves for side in ("from_id", "to_id")},
                )
            if len(facts) < _BATCH and len(moves) < _BATCH:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await woken.wait()
    finally:
        await db.close(timeout=2)
