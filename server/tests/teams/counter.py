"""A worker that counts turnover in small steps until it has counted all; the test of kills ends it on the way."""

import asyncio
import sys
from pathlib import Path
from typing import Final

from kalos.app.migrate import role_url
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.terms import load_terms
from kalos.domains.teams import jobs
from kalos.ledger.client import LedgerClient
from support.clusters import SECRET
from support.doors import house_of

_TERMS: Final = Path(__file__).parents[2] / "terms.toml"
_BEHIND: Final = "SELECT t.last_move > c.last_move FROM ledger_tail t CROSS JOIN teams_cursor c"


async def count(url: str) -> None:
    db = Database(role_url(url, "kalos_app", SECRET), size=1)
    house = house_of(db, LedgerClient(Path("no ledger")), Clock(), load_terms(_TERMS))
    while await db.value(_BEHIND):
        await jobs.follow(house, most=3)
    await db.close()


if __name__ == "__main__":
    asyncio.run(count(sys.argv[1]))
