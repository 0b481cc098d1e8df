"""The peer: row locks and a commit for each posting, asyncpg with prepared statements, the same rows written."""

import asyncio
import random
import time
import uuid
from typing import Any, Final

import asyncpg
from slices import Work

from kalos.core.assets import USDT
from kalos.core.clock import business_day
from kalos.ledger import purse
from kalos.ledger.purse import Purpose

CONNECTIONS: Final = 64
HOUSE: Final = purse.house(Purpose.BANKROLL, USDT)
OUTSIDE: Final = purse.outside(Purpose.CHAIN, USDT)
ROOM: Final = [10**15] * 10

LOCK: Final = "SELECT id, balance, version FROM peer.accounts WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE"
QUOTA: Final = "SELECT id, left_units FROM peer.quotas WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE"
CHANGE: Final = "UPDATE peer.accounts SET balance = balance + $2, version = version + 1 WHERE id = $1"
TAKE: Final = "UPDATE peer.quotas SET left_units = $2, version = version + 1 WHERE id = $1"
KEY: Final = "INSERT INTO peer.keys (id, at, key, fingerprint) VALUES (nextval('peer.ids'), $1, $2, $3) RETURNING id"
JOURNAL: Final = """
    INSERT INTO peer.journal (id, posting_id, from_id, to_id, amount, from_version, to_version, from_balance,
        to_balance, reference, at, day, kind) VALUES ($1, $1, $2, $3, $4, $5, $6, $7, $8, $1, $9, $10, 1)
"""
BET: Final = "INSERT INTO peer.bets VALUES ($1, $2, 1, $3, $4, $5, $6, 'awaiting_draw')"
FACT: Final = "INSERT INTO peer.outbox (id, posting_id, topic, body, at) VALUES ($1, $1, 'bets', $2, $3)"


class RowLock:
    """64 connections of its own, one for each posting in flight."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._free: asyncio.LifoQueue[asyncpg.Connection] = asyncio.LifoQueue()
        self._members: list[int] = []
        self._random = random.Random(7)

    async def prepare(self, owner: asyncpg.Connection, accounts: int) -> None:
        self._members = [purse.available(10_000 + number, USDT) for number in range(accounts)]
        rows = [(account, 10**13, 1) for account in [HOUSE, *self._members]]
        rows.append((OUTSIDE, -(10**13) * len(rows), 1))
        await owner.copy_records_to_table("accounts", schema_name="peer", records=rows)
        names = ["height 1", *(f"height 1 {member}" for member in self._members)]
        quotas = [(name, ROOM, 1, "open") for name in names]
        await owner.copy_records_to_table("quotas", schema_name="peer", records=quotas)
        await owner.execute("ANALYZE peer.accounts, peer.quotas")
        for _ in range(CONNECTIONS):
            self._free.put_nowait(await asyncpg.connect(self._url))

    @staticmethod
    def cpu() -> float:
        return time.process_time()

    def works(self, name: str) -> Work:
        return {"hot": self._bet, "alone": self._bet, "uniform": self._between, "bare": self._bare}[name]

    async def close(self) -> None:
        while not self._free.empty():
            await self._free.get_nowait().close()

    async def _bet(self, number: int) -> None:
        member = self._random.choice(self._members)
        if number % 10 < 7:
            await self._post(member, HOUSE, 5, number)
        else:
            await self._post(HOUSE, member, 9, number)

    async def _between(self, number: int) -> None:
        source, target = self._random.sample(self._members, 2)
        await self._post(source, target, 1, number)

    async def _bare(self, number: int) -> None:
        await self._post(self._random.choice(self._members), HOUSE, 1, number, rows=False)

    async def _post(self, source: int, target: int, units: int, number: int, *, rows: bool = True) -> None:
        db = await self._free.get()
        try:
            async with db.transaction():
                await self._write(db, source, target, units, number, rows=rows)
        finally:
            self._free.put_nowait(db)

    async def _write(
        self, db: asyncpg.Connection, source: int, target: int, units: int, number: int, *, rows: bool
    ) -> None:
        at = time.time_ns() // 1_000_000
        locked: dict[int, Any] = {row["id"]: row for row in await db.fetch(LOCK, [source, target])}
        assert locked[source]["balance"] >= units
        posting = await db.fetchval(KEY, at, uuid.uuid4(), uuid.UUID(int=0))
        await db.execute(CHANGE, source, -units)
        await db.execute(CHANGE, target, units)
        one, other = locked[source], locked[target]
        await db.execute(
            JOURNAL,
            posting,
            source,
            target,
            units,
            one["version"] + 1,
            other["version"] + 1,
            one["balance"] - units,
            other["balance"] + units,
            at,
            business_day(at),
        )
        if rows:
            await self._write_bet(db, posting, min(source, target, key=lambda one: one == HOUSE), units, number, at)

    async def _write_bet(
        self, db: asyncpg.Connection, posting: int, member: int, units: int, number: int, at: int
    ) -> None:
        vector = (1, -1) if number & 1 else (-1, 1)
        names = ["height 1", f"height 1 {member}"]
        left = {row["id"]: row["left_units"] for row in await db.fetch(QUOTA, names)}
        for name in names:
            await db.execute(TAKE, name, [have - vector[index & 1] for index, have in enumerate(left[name])])
        await db.execute(BET, posting, member, "odd" if number & 1 else "even", units, at, business_day(at))
        await db.execute(FACT, posting, '{"round": "1"}', at)
