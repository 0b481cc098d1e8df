"""The peer: row locks and a commit for each posting, asyncpg with prepared statements, the same rows written."""

import asyncio
import time
import uuid
from datetime import date
from typing import Any, Final

import asyncpg

from kalos.core.clock import business_day
from ours import BANKROLL, CHAIN, PLENTY, PRIZE, ROOM, STAKE, Draws, members_of
from slices import Work

CONNECTIONS: Final = 64

SCHEMA: Final = """
    CREATE SCHEMA {0};
    CREATE TABLE {0}.accounts (LIKE accounts INCLUDING ALL);
    CREATE TABLE {0}.journal (LIKE journal INCLUDING ALL);
    CREATE TABLE {0}.keys (LIKE keys INCLUDING ALL);
    CREATE TABLE {0}.quotas (LIKE quotas INCLUDING ALL);
    CREATE TABLE {0}.outbox (LIKE outbox INCLUDING ALL);
    CREATE TABLE {0}.bets (LIKE bench_bets INCLUDING ALL);
    CREATE SEQUENCE {0}.ids;
"""
LOCK: Final = "SELECT id, balance, version FROM peer.accounts WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE"
QUOTA: Final = "SELECT id, left_units FROM peer.quotas WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE"
CHANGE: Final = "UPDATE peer.accounts SET balance = balance + $2, version = version + 1 WHERE id = $1"
TAKE: Final = "UPDATE peer.quotas SET left_units = $2, version = version + 1 WHERE id = $1"
KEY: Final = "INSERT INTO peer.keys (id, at, key, fingerprint) VALUES (nextval('peer.ids'), $1, $2, $3) RETURNING id"
JOURNAL: Final = """
    INSERT INTO peer.journal (id, posting_id, from_id, to_id, amount, from_version, to_version, from_balance,
        to_balance, reference, at, day, kind) VALUES ($1, $1, $2, $3, $4, $5, $6, $7, $8, $1, $9, $10, $11)
"""
BET: Final = "INSERT INTO peer.bets VALUES ($1, $2, 1, $3, $4, $5, $6, 'awaiting_draw')"
FACT: Final = "INSERT INTO peer.outbox (id, posting_id, topic, body, at) VALUES ($1, $1, 'bets', $2, $3)"


async def make_tables(owner: asyncpg.Connection, schema: str, accounts: int) -> list[int]:
    """The ledger's own tables once more, with funded members and their quotas. Returns the members' accounts."""
    await owner.execute(SCHEMA.format(schema))
    members = members_of(accounts)
    rows = [(account, PLENTY, 1) for account in [BANKROLL, *members]]
    rows.append((CHAIN, -PLENTY * len(rows), 1))
    await owner.copy_records_to_table(
        "accounts", schema_name=schema, columns=["id", "balance", "version"], records=rows
    )
    names = ["height 1", *(f"height 1 {member}" for member in members)]
    quotas = [(name, ROOM, 1, "open") for name in names]
    columns = ["id", "left_units", "version", "state"]
    await owner.copy_records_to_table("quotas", schema_name=schema, columns=columns, records=quotas)
    await owner.execute(f"ANALYZE {schema}.accounts, {schema}.quotas")
    return members


async def kind_numbers(owner: asyncpg.Connection) -> dict[str, int]:
    """The numbers that the ledger itself gives to the kinds of a bet: they decide which indexes a row is in."""
    rows = await owner.fetch("SELECT name, id FROM kinds WHERE name IN ($1, $2)", STAKE, PRIZE)
    return {STAKE: 1, PRIZE: 2} | {row["name"]: row["id"] for row in rows}


async def check_sums(owner: asyncpg.Connection, schema: str, bets: int, moves: int) -> None:
    """The peer's own books: nothing was made or lost, every move and every bet that was acknowledged is there."""
    assert await owner.fetchval(f"SELECT sum(balance) FROM {schema}.accounts") == 0
    wrong = await owner.fetchval(
        f"""
        SELECT count(*) FROM {schema}.accounts a JOIN (
            SELECT id, sum(units) AS units, count(*) AS moves FROM (
                SELECT from_id AS id, -amount AS units FROM {schema}.journal
                UNION ALL SELECT to_id, amount FROM {schema}.journal
            ) AS sides GROUP BY id
        ) AS s USING (id)
        WHERE a.balance <> $1 + s.units OR a.version <> 1 + s.moves
        """,
        PLENTY,
    )
    assert wrong == 0, f"{wrong} accounts of {schema} differ from their history"
    for table, count in (("bets", bets), ("journal", moves)):
        stored = await owner.fetchval(f"SELECT count(*) FROM {schema}.{table}")
        assert stored == count, f"{schema}.{table} has {stored} rows, {count} were acknowledged"


class Bets:
    """What every peer that writes the same rows is asked for; `schema` has its tables."""

    schema = ""

    def __init__(self) -> None:
        self._draws = Draws([BANKROLL])
        self._kinds: dict[str, int] = {}
        self.bets = self.moves = 0

    async def prepare(self, owner: asyncpg.Connection, accounts: int) -> None:
        self._draws = Draws(await make_tables(owner, self.schema, accounts))
        self._kinds = await kind_numbers(owner)

    def work(self, name: str) -> Work | None:
        return {"hot": self._bet, "alone": self._bet, "uniform": self._between, "bare": self._bare}.get(name)

    async def check(self, owner: asyncpg.Connection) -> None:
        await check_sums(owner, self.schema, self.bets, self.moves)

    async def _bet(self, number: int) -> None:
        member = self._draws.member()
        quotas = "height 1", f"height 1 {member}"
        if number % 10 < 7:
            await self._post(STAKE, member, BANKROLL, 5, number, quotas)
        else:
            await self._post(PRIZE, BANKROLL, member, 9, number, quotas)

    async def _between(self, number: int) -> None:
        source, target = self._draws.two()
        await self._post(STAKE, source, target, 1, number, (f"height 1 {source}", f"height 1 {target}"))

    async def _bare(self, number: int) -> None:
        await self._post(STAKE, self._draws.member(), BANKROLL, 1, number)

    async def _post(
        self, kind: str, source: int, target: int, units: int, number: int, quotas: tuple[str, ...] = ()
    ) -> None:
        """Write one move and, where it has quotas, the rows of its bet."""
        raise NotImplementedError


class RowLock(Bets):
    """One connection for each posting in flight."""

    name, schema = "row lock", "peer"

    def __init__(self, url: str, connections: int = CONNECTIONS) -> None:
        super().__init__()
        self._url = url
        self._connections = connections
        self._free: asyncio.LifoQueue[asyncpg.Connection] = asyncio.LifoQueue()

    async def prepare(self, owner: asyncpg.Connection, accounts: int) -> None:
        await super().prepare(owner, accounts)
        for _ in range(self._connections):
            self._free.put_nowait(await asyncpg.connect(self._url))

    async def close(self) -> None:
        while not self._free.empty():
            await self._free.get_nowait().close()

    async def _post(
        self, kind: str, source: int, target: int, units: int, number: int, quotas: tuple[str, ...] = ()
    ) -> None:
        db = await self._free.get()
        try:
            async with db.transaction():
                posting, at, day = await self._claim_key(db)
                if quotas:
                    member = source if source != BANKROLL else target
                    await self._write_bet(db, posting, member, units, number, quotas, at, day)
                await self._move(db, posting, kind, source, target, units, at, day)
        finally:
            self._free.put_nowait(db)
        self.bets += bool(quotas)
        self.moves += 1

    @staticmethod
    async def _claim_key(db: asyncpg.Connection) -> tuple[int, int, date]:
        """First the key: a request that came twice ends here. Locks come late, the hottest last."""
        at = time.time_ns() // 1_000_000
        return await db.fetchval(KEY, at, uuid.uuid4(), 0), at, business_day(at)

    @staticmethod
    async def _write_bet(
        db: asyncpg.Connection,
        posting: int,
        member: int,
        units: int,
        number: int,
        quotas: tuple[str, ...],
        at: int,
        day: date,
    ) -> None:
        await db.execute(BET, posting, member, "odd" if number & 1 else "even", units, at, day)
        await db.execute(FACT, posting, '{"round": "1"}', at)
        vector = (1, -1) if number & 1 else (-1, 1)
        left = {row["id"]: row["left_units"] for row in await db.fetch(QUOTA, quotas)}
        for name in quotas:
            await db.execute(TAKE, name, [have - vector[index & 1] for index, have in enumerate(left[name])])

    async def _move(
        self, db: asyncpg.Connection, posting: int, kind: str, source: int, target: int, units: int, at: int, day: date
    ) -> None:
        locked: dict[int, Any] = {row["id"]: row for row in await db.fetch(LOCK, [source, target])}
        one, other = locked[source], locked[target]
        assert one["balance"] >= units
        await db.execute(CHANGE, source, -units)
        await db.execute(CHANGE, target, units)
        versions = one["version"] + 1, other["version"] + 1
        balances = one["balance"] - units, other["balance"] + units
        await db.execute(JOURNAL, posting, source, target, units, *versions, *balances, at, day, self._kinds[kind])
