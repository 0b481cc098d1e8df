"""L7: bytes on disk for a posting of one move, beside two entries in NUMERIC as most ledgers have them."""

import os
import random
import uuid
from decimal import Decimal
from typing import Any, Final

import asyncpg

from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Move, Posting
from ours import BANKROLL, STAKE, Ours, members_of, post_all
from report import Benchmark
from stand import check_books, prepare, running_writer

TWO_ENTRIES: Final = """
    CREATE SCHEMA two_entries;
    CREATE TABLE two_entries.transactions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        key uuid NOT NULL UNIQUE,
        kind text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE two_entries.entries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transaction_id bigint NOT NULL REFERENCES two_entries.transactions,
        account_id bigint NOT NULL,
        amount numeric(20, 6) NOT NULL,
        balance numeric(20, 6) NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX ON two_entries.entries (transaction_id);
    CREATE INDEX ON two_entries.entries (account_id, id);
"""
_OURS: Final = ("journal", "keys")
_THEIRS: Final = ("two_entries.transactions", "two_entries.entries")
_WRITE: Final = """
    WITH made AS (
        INSERT INTO two_entries.transactions (key, kind) SELECT unnest($1::uuid[]), $2 RETURNING id, key
    )
    INSERT INTO two_entries.entries (transaction_id, account_id, amount, balance)
    SELECT made.id, u.account, u.amount, u.balance
    FROM unnest($3::uuid[], $4::bigint[], $5::numeric[], $6::numeric[]) WITH ORDINALITY
        AS u(key, account, amount, balance, place)
    JOIN made USING (key) ORDER BY u.place
"""
_BATCH: Final = 500
_RARE: Final = "bench.rare"


class Pairs:
    """Who pays whom: a member and the house, seven of ten times in, or two members (`uniform`)."""

    def __init__(self, accounts: int, *, uniform: bool) -> None:
        self._members, self._random, self._uniform = members_of(accounts), random.Random(3), uniform

    def next(self) -> tuple[int, int]:
        if self._uniform:
            source, target = self._random.sample(self._members, 2)
            return source, target
        member = self._random.choice(self._members)
        return (member, BANKROLL) if self._random.random() < 0.7 else (BANKROLL, member)


async def run(url: str, *, postings: int, accounts: int) -> list[Benchmark]:
    """Grow both by `postings` and look at the files' sizes, vacuumed before and after."""
    await prepare(url)
    owner = await asyncpg.connect(url)
    await owner.execute(TWO_ENTRIES)
    benchmarks = []
    async with running_writer(url) as process:
        client, ours = LedgerClient(process.socket), Ours(process.socket)
        await ours.prepare(owner, accounts)
        theirs = Entries(accounts)
        await theirs.write(owner, accounts, Pairs(accounts, uniform=True))
        for uniform, kind, benchmark in (
            (False, STAKE, Benchmark("L7", "bytes of a bet's move", "bytes", 340, True, True, "two entries, NUMERIC")),
            (True, STAKE, Benchmark("L7 uniform", "between two members", "bytes", against="two entries, NUMERIC")),
            (
                True,
                _RARE,
                Benchmark("L7 rare kind", "of a kind with an index", "bytes", against="two entries, NUMERIC"),
            ),
        ):
            before = [await _bytes(owner, tables) for tables in (_OURS, _THEIRS)]
            await _post(client, kind, postings, Pairs(accounts, uniform=uniform))
            await theirs.write(owner, postings, Pairs(accounts, uniform=uniform))
            grown = [await _bytes(owner, tables) for tables in (_OURS, _THEIRS)]
            benchmark.add(*[(after - was) / postings for after, was in zip(grown, before, strict=True)])
            benchmarks.append(benchmark)
        await client.close()
        await ours.close()
        await process.end()
    await check_books(url)
    await theirs.check(owner, accounts + 3 * postings)
    await owner.close()
    return benchmarks


async def _post(client: LedgerClient, kind: str, postings: int, pairs: Pairs) -> None:
    chance = random.Random(3)
    for start in range(0, postings, 10_000):
        postings_now = []
        for _ in range(min(10_000, postings - start)):
            source, target = pairs.next()
            postings_now.append(Posting(os.urandom(32), [Move(kind, source, target, 1 + chance.randrange(10**8))]))
        await post_all(client, postings_now)


async def _bytes(owner: asyncpg.Connection, tables: tuple[str, ...]) -> int:
    """Of the tables and their indexes, after a VACUUM."""
    for table in tables:
        await owner.execute(f"VACUUM {table}")
    sizes = [await owner.fetchval("SELECT pg_total_relation_size($1::text::regclass)", table) for table in tables]
    return sum(sizes)


class Entries:
    """A ledger of two signed entries for each transaction, with the balance that each leaves."""

    def __init__(self, accounts: int) -> None:
        self._balances = dict.fromkeys([*members_of(accounts), BANKROLL], Decimal(10**7))
        self._random = random.Random(3)

    async def write(self, owner: asyncpg.Connection, transactions: int, pairs: Pairs) -> None:
        """The order in which rows meet their indexes is that of single commits; only the commits are fewer."""
        for start in range(0, transactions, _BATCH):
            rows: list[tuple[Any, ...]] = []
            for _ in range(min(_BATCH, transactions - start)):
                key, amount = uuid.uuid4(), Decimal(1 + self._random.randrange(10**8)).scaleb(-6)
                source, target = pairs.next()
                for account, units in ((source, -amount), (target, amount)):
                    self._balances[account] += units
                    rows.append((key, account, units, self._balances[account]))
            columns = [list(column) for column in zip(*rows, strict=True)]
            await owner.execute(_WRITE, columns[0][::2], STAKE, *columns)

    async def check(self, owner: asyncpg.Connection, transactions: int) -> None:
        assert await owner.fetchval("SELECT count(*) FROM two_entries.entries") == 2 * transactions
        assert await owner.fetchval("SELECT sum(amount) FROM two_entries.entries") == 0
