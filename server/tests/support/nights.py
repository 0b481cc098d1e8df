"""Grants and midnights in tests: open grants, let business days pass, look at what was released, kill who releases."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final

from kalos.core.assets import USDT
from kalos.core.clock import Clock, business_day, day_start_ms
from kalos.core.database import Database
from kalos.ledger import purse
from kalos.ledger.grants import Plan, open_grant
from kalos.ledger.postings import Ledger, Posted
from kalos.ledger.purse import Purpose
from support.ledger import new_owner, posting

ISSUANCE: Final = purse.outside(Purpose.ISSUANCE, USDT)
KIND: Final = "test.release"
DAY: Final = timedelta(days=1)
_WORKER: Final = Path(__file__).parents[1] / "ledger" / "midnight_worker.py"


def pass_days(clock: Clock, count: int = 1) -> date:
    """Move business time to noon, so many days on. Returns the day that it is then."""
    today = business_day(clock.now()) + count * DAY
    clock.offset_ms = day_start_ms(today) + 12 * 3_600_000 - clock.wall()
    return today


async def opened(ledger: Ledger, plan: Plan, *, source: int = ISSUANCE, kind: str = KIND) -> int:
    """Open a grant of a member whom no other test has. Returns the account that it releases to."""
    target = purse.available(new_owner(), USDT)
    await ledger.post(posting(riders=[open_grant(plan, kind=kind, source=source, target=target)]))
    return target


async def opened_many(ledger: Ledger, plans: Sequence[Plan], *, source: int = ISSUANCE) -> dict[int, Plan]:
    """Open one grant each. Returns the plan of each account."""
    targets = {purse.available(new_owner(), USDT): plan for plan in plans}
    grants = [open_grant(plan, kind=KIND, source=source, target=target) for target, plan in targets.items()]
    results = await ledger.post_many([posting(riders=[grant]) for grant in grants])
    assert {type(result) for result in results} <= {Posted}, results
    return targets


async def received(db: Database, targets: Sequence[int]) -> dict[int, int]:
    """What these accounts have, those without a move too."""
    rows = await db.rows("SELECT id, balance FROM accounts WHERE id = ANY($1::bigint[])", list(targets))
    return dict.fromkeys(targets, 0) | {row["id"]: row["balance"] for row in rows}


class Workers:
    """Worker processes of one installation, which release `rows` grants at once; one that was killed is replaced."""

    def __init__(self, url: str, socket: Path, *, rows: int = 20) -> None:
        self._command = (sys.executable, str(_WORKER), url, str(socket), str(rows))
        self._all: list[asyncio.subprocess.Process] = []

    async def keep(self, number: int) -> None:
        self._all = [one for one in self._all if one.returncode is None]
        while len(self._all) < number:
            await self.begin()

    async def begin(self, **environment: str) -> asyncio.subprocess.Process:
        inherited = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        one = await asyncio.create_subprocess_exec(*self._command, env=inherited | environment)
        self._all.append(one)
        return one

    async def kill(self, chance: Random) -> None:
        one = chance.choice(self._all)
        assert one.returncode is None, "a worker ended by itself"
        one.send_signal(signal.SIGKILL)
        await one.wait()

    async def close(self) -> None:
        for one in self._all:
            if one.returncode is None:
                one.send_signal(signal.SIGKILL)
                await one.wait()
