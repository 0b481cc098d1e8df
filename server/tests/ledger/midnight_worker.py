"""A worker that turns the midnights of a database until it is killed: run by the midnight test."""

import asyncio
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, cast

from kalos.app import midnight
from kalos.app.migrate import role_url
from kalos.app.repeat import repeat
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.terms import load_terms
from kalos.domains.context import House
from kalos.ledger import grants_release, payables_settle
from kalos.ledger.client import LedgerClient
from support.clusters import SECRET

TERMS: Final = Path(__file__).parents[2] / "terms.toml"
NO_DOORS: Final = dict.fromkeys((field.name for field in fields(House)), cast(Any, None))


async def work(url: str, socket: str, rows: int) -> None:
    """Slices of `rows`, so that there are many to be killed in."""
    grants_release.SLICE = payables_settle.SLICE = rows  # type: ignore[misc]
    db, clock = Database(role_url(url, "kalos_app", SECRET)), Clock()
    doors = {"db": db, "ledger": LedgerClient(socket), "clock": clock, "terms": load_terms(TERMS)}
    house = House(**NO_DOORS | doors)

    async def turn() -> None:
        clock.offset_ms = await db.value("SELECT offset_ms FROM clock")
        await midnight.turn(house)

    await repeat("midnight", 0.02, turn)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], int(sys.argv[3])))
