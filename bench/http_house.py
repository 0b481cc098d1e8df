"""The house that is called over HTTP: members with sessions and coins, an open round, the peer's tables, the books."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg

from http_load import account_of, token_of
from kalos.app.probe import answers
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.tokens import digest
from kalos.domains.games.rules import DIGITS, GAMES
from kalos.domains.games.tables import quota_of_height
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.explained import Explained
from kalos.ledger.postings import Ledger, Move, Posted, Posting
from kalos.ledger.purse import Purpose

GAME: Final = "odd_even"
SECONDS: Final = 180  # of the scene's rounds: the longest, so that one serves many slices
START: Final = 10**9  # units that each member has
_SPARE_MS: Final = 3_000
_PATIENCE_SECONDS: Final = 150.0
_SESSION_MS: Final = 86_400_000
_CHAIN: Final = purse.outside(Purpose.CHAIN, USDT)

_TABLES: Final = """
    CREATE SCHEMA orm;
    CREATE TABLE orm.accounts (LIKE accounts INCLUDING ALL);
    CREATE TABLE orm.journal (LIKE journal INCLUDING ALL);
    CREATE TABLE orm.keys (LIKE keys INCLUDING ALL);
    CREATE TABLE orm.holds (LIKE holds INCLUDING ALL);
    CREATE TABLE orm.quotas (LIKE quotas INCLUDING ALL);
    CREATE TABLE orm.placed (LIKE bets INCLUDING ALL);
    CREATE SEQUENCE orm.ids;
    ALTER TABLE orm.quotas ALTER state SET DEFAULT 'open';
"""
_MEMBERS: Final = """
    INSERT INTO members (account, email, password_hash, invite_code, registered_at)
    SELECT a, a || '@bench.example', '$argon2id$none', 'B' || a, $2 FROM unnest($1::text[]) AS a RETURNING id, account
"""
_OPEN: Final = """
    SELECT r.closes_at FROM rounds r JOIN heights h USING (closes_at)
    WHERE (r.game, r.seconds, h.state) = ($1, $2, 'open') AND r.closes_at > $3 ORDER BY r.number LIMIT 1
"""
# Rounds with bets that close before a time: while they are drawn and settled, the worker and the writer are busy.
_MOVING: Final = """
    SELECT count(*) FROM heights h WHERE h.settled_at IS NULL AND h.closes_at <= $1
        AND EXISTS (SELECT FROM bets b WHERE b.closes_at = h.closes_at AND b.status = 'awaiting_draw')
"""
_WRONG: Final = """
    SELECT count(*) FROM orm.accounts a LEFT JOIN (
        SELECT id, sum(units) AS units, count(*) AS moves FROM (
            SELECT from_id AS id, -amount AS units FROM orm.journal
            UNION ALL SELECT to_id, amount FROM orm.journal
        ) AS sides GROUP BY id
    ) AS s USING (id)
    CROSS JOIN LATERAL (SELECT (a.id & 255 = 1)::int AS begun) AS first
    WHERE a.balance <> begun * $1::bigint + coalesce(s.units, 0) OR a.version <> begun + coalesce(s.moves, 0)
"""
# By height and digit: what its quota has left beside the limit less what each bet may cost.
_ROOM: Final = f"""
    SELECT count(*) FROM height_limits l JOIN orm.quotas q ON q.id = 'game.height:' || l.closes_at || ':' || l.asset
    CROSS JOIN generate_series(0, {DIGITS - 1}) AS d (digit)
    LEFT JOIN LATERAL (
        SELECT sum(CASE WHEN (p.option = 'odd') = (digit % 2 = 1) THEN trunc(p.units * p.multiple::numeric) ELSE 0 END
            - p.units) AS cost
        FROM orm.placed p WHERE (p.closes_at, p.asset) = (l.closes_at, l.asset)
    ) AS c ON true
    WHERE q.left_units[d.digit + 1] <> l.units - coalesce(c.cost, 0)
"""


async def _nothing() -> None: ...


@dataclass
class Here:
    """A house that runs, as its owner sees it.

    `turn` brings its rounds further where no worker does. `pids` are its processes by the names in the results.
    """

    owner: asyncpg.Connection
    owner_url: str
    app_url: str
    ledger: Ledger
    clock: Clock
    explained: Sequence[Explained]
    turn: Callable[[], Awaitable[None]] = _nothing
    pids: Callable[[], Mapping[str, Sequence[int]]] = dict
    members: list[int] = field(default_factory=list)

    async def prepare(self, count: int) -> None:
        """Members with sessions that last, and with the coins that they bet; the same for the peer."""
        names = [account_of(number) for number in range(count)]
        wall = Clock.wall()
        rows = {row["account"]: row["id"] for row in await self.owner.fetch(_MEMBERS, names, wall)}
        self.members = [rows[name] for name in names]
        sessions = [
            (digest(token_of(number)), member, "", "", wall, _SESSION_MS, wall + _SESSION_MS)
            for number, member in enumerate(self.members)
        ]
        await self.owner.copy_records_to_table("sessions", records=sessions)
        moves = [Move("test.fund", _CHAIN, purse.available(member, USDT), START) for member in self.members]
        for answer in await self.ledger.post_many([Posting(os.urandom(32), [move]) for move in moves]):
            assert isinstance(answer, Posted), f"refused: {answer!r}"
        await self.owner.execute(_TABLES)
        accounts = [(purse.available(member, USDT), START, 1) for member in self.members]
        columns = ["id", "balance", "version"]
        await self.owner.copy_records_to_table("accounts", schema_name="orm", columns=columns, records=accounts)
        await self.owner.execute("ANALYZE members, sessions, accounts, orm.accounts")

    async def open_round(self, seconds: float) -> dict[str, str]:
        """Wait until a round takes bets for so long and none before it is being settled. Returns a bet's fields."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            await self.turn()
            wanted = self.clock.now() + int(1_000 * seconds) + _SPARE_MS
            closes_at = await self.owner.fetchval(_OPEN, GAME, SECONDS, wanted)
            if closes_at is not None and not await self.owner.fetchval(_MOVING, wanted):
                break
            assert time.monotonic() < until, "no round takes bets"
            await asyncio.sleep(0.2)
        await self.owner.execute(
            """
            INSERT INTO orm.quotas (id, left_units, version) SELECT $1, array_fill(units, ARRAY[$2::int]), 1
            FROM height_limits WHERE closes_at = $3 AND asset = $4 ON CONFLICT DO NOTHING
            """,
            quota_of_height(closes_at, USDT),
            DIGITS,
            closes_at,
            USDT.code,
        )
        scene = f"{GAMES[GAME].name}-{SECONDS}"
        stake = {"amount": "1", "balance_type": USDT.code}
        return {"scene_id": scene, "round": f"{scene}-{closes_at // 1_000}", **stake}

    async def check(self, ours: tuple[int, int], peer: tuple[int, int]) -> None:
        """Assert that the ledger is sound and that stored is what was acknowledged: count and sum of the bets' ids."""
        kept = await self.owner.fetchrow(_COUNTED.format("bets"), self.members)
        assert tuple(kept or ()) == ours, f"stored are {kept}, acknowledged were {ours}"
        books = Database(self.app_url, size=2)
        problems = await audit(books, self.explained)
        await books.close()
        assert problems == [], problems
        await self._check_peer(peer)

    async def _check_peer(self, acknowledged: tuple[int, int]) -> None:
        kept = await self.owner.fetchrow(_COUNTED.format("orm.placed"), self.members)
        assert tuple(kept or ()) == acknowledged, f"the peer stored {kept}, acknowledged were {acknowledged}"
        for table, column in (("journal", "amount"), ("holds", "left_units"), ("keys", "1"), ("placed", "units")):
            found = await self.owner.fetchrow(f"SELECT count(*), coalesce(sum({column}), 0) FROM orm.{table}")
            units = acknowledged[0] * (1 if table == "keys" else 10**USDT.scale)
            assert tuple(found or ()) == (acknowledged[0], units), f"the peer's {table}: {found}"
        wrong = await self.owner.fetchval(_WRONG, START) + await self.owner.fetchval(_ROOM)
        assert wrong == 0, f"{wrong} rows of the peer differ from their history"


_COUNTED: Final = "SELECT count(*), coalesce(sum(id), 0)::bigint FROM {} WHERE member = ANY($1::bigint[])"


@asynccontextmanager
async def server(port: int, *words: str | Path, **environment: str) -> AsyncIterator[int]:
    """A server of its own as a process, once it answers. Yields its process id."""
    process = await asyncio.create_subprocess_exec(*map(str, words), env=os.environ | environment)
    try:
        async with asyncio.timeout(30):
            while not await answers(port):
                assert process.returncode is None, f"{words[-1]} ended at once"
                await asyncio.sleep(0.05)
        yield process.pid
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), 10)
            except TimeoutError:
                process.kill()
                await process.wait()
