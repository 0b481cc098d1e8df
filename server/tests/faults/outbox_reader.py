"""A worker that reads both outboxes in all four ways until it has read them; the failpoint test kills it."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Final

from kalos.app.migrate import role_url
from kalos.core import outbox as domain_outbox
from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.outbox import DomainFact
from kalos.ledger import outbox
from kalos.ledger.outbox import StoredFact
from support.clusters import SECRET

READERS: Final = ("consume", "deliver", "consume domain", "deliver domain")
_STORE: Final = "INSERT INTO test_effects (reader, topic, number) VALUES ($1, $2, $3)"


async def read(url: str, topic: str, facts: int) -> None:
    """Take small steps in all ways, one after the other, until each has an effect for so many facts."""
    db = Database(role_url(url, "kalos_app", SECRET), size=3)

    async def store(step: Connection, found: Sequence[StoredFact]) -> None:
        await step.executemany(_STORE, [("consume", topic, one.body["number"]) for one in found])

    async def send(found: Sequence[StoredFact]) -> None:
        for one in found:
            await db.execute(_STORE, "deliver", topic, one.body["number"])

    async def store_domain(step: Connection, found: Sequence[DomainFact]) -> None:
        await step.executemany(_STORE, [("consume domain", topic, one.body["number"]) for one in found])

    async def send_domain(one: DomainFact) -> None:
        await db.execute(_STORE, "deliver domain", topic, one.body["number"])

    missing = "SELECT count(*) < $2 FROM (SELECT DISTINCT reader, number FROM test_effects WHERE topic = $1) AS seen"
    while await db.value(missing, topic, facts * len(READERS)):
        await outbox.consume(db, f"{topic}.consume", [topic], store, wall=Clock.wall(), most=7)
        await outbox.deliver(db, f"{topic}.deliver", [topic], send, wall=Clock.wall(), most=7)
        await domain_outbox.consume(db, f"{topic}.consume", store_domain, wall=Clock.wall(), most=7)
        await domain_outbox.deliver(db, f"{topic}.deliver", send_domain, wall=Clock.wall, most=7)
    await db.close()


if __name__ == "__main__":
    asyncio.run(read(sys.argv[1], sys.argv[2], int(sys.argv[3])))
