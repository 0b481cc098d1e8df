"""Large sets: built once with set-based SQL as the schema's owner, audited once, and kept for later runs."""

import json
import os
import shutil
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import asyncpg

from kalos.app.embedded.postgres import Cluster
from kalos.app.migrate import newest
from kalos.core.assets import USDT
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Move, Posting
from kalos.ledger.render import ACCOUNT_PADDING, quota_padding
from ours import BANKROLL, CHAIN, PRIZE, ROOM, STAKE, members_of, post_all
from size import TWO_ENTRIES
from stand import check_books, cluster, kept_folder, prepare, running_writer

DEEP: Final = purse.available(9_000, USDT)
"""The account with the long history."""
FUND: Final = 10**9
_HOUSE: Final = 10**15

# $1 first member's account, $2 how many, $3 what each gets; an account's id grows by 65,536 from member to member
_FUND: Final = f"""
    INSERT INTO journal (id, posting_id, from_id, to_id, amount, from_version, to_version, from_balance, to_balance,
        reference, at, day, kind)
    SELECT t.last_move + n, t.last_posting + n, a.id, $1 + (n - 1) * 65536, $3, a.version + n, 1, a.balance - n * $3,
        $3, t.last_posting + n, t.last_at, j.day, k.id
    FROM generate_series(1, $2::bigint) AS n, ledger_tail t, accounts a, kinds k, journal j
    WHERE a.id = {CHAIN} AND k.name = 'bench.fund' AND j.id = t.last_move
"""
_MEMBERS: Final = f"""
    INSERT INTO accounts (id, balance, version, padding)
    SELECT $1 + (n - 1) * 65536, $3, 1, {ACCOUNT_PADDING} FROM generate_series(1, $2::bigint) AS n
"""
_QUOTAS: Final = f"""
    INSERT INTO quotas (id, left_units, version, state, padding)
    SELECT 'height 1 ' || $1 + (n - 1) * 65536, $3::bigint[], 1, 'open', {quota_padding(len(ROOM))}
    FROM generate_series(1, $2::bigint) AS n
"""
# Stakes and prizes in turn, five units each.
_DEEP: Final = f"""
    INSERT INTO journal (id, posting_id, from_id, to_id, amount, from_version, to_version, from_balance, to_balance,
        reference, at, day, kind)
    SELECT t.last_move + n, t.last_posting + n, one.id, other.id, 5, one.version + n, other.version + n,
        one.balance - CASE WHEN stakes THEN 5 ELSE 0 END, other.balance + CASE WHEN stakes THEN 5 ELSE 0 END,
        t.last_posting + n, t.last_at, j.day, k.id
    FROM generate_series(1, $1::bigint) AS n CROSS JOIN LATERAL (SELECT n % 2 = 1 AS stakes) AS turn, ledger_tail t,
        accounts one, accounts other, kinds k, journal j
    WHERE one.id = CASE WHEN stakes THEN {DEEP} ELSE {BANKROLL} END AND j.id = t.last_move
        AND other.id = CASE WHEN stakes THEN {BANKROLL} ELSE {DEEP} END
        AND k.name = CASE WHEN stakes THEN '{STAKE}' ELSE '{PRIZE}' END
"""
_KEYS: Final = """
    INSERT INTO keys (id, at, key, fingerprint)
    SELECT t.last_posting + n, t.last_at, gen_random_uuid(), 0
    FROM generate_series(1, $1::bigint) AS n, ledger_tail t
"""
_TAIL: Final = "UPDATE ledger_tail SET last_posting = last_posting + $1, last_move = last_move + $1"
_SUMS: Final = """
    INSERT INTO daily_sums (day, asset, kind, units, moves)
    SELECT day, from_id >> 8 & 255, kind, sum(amount), count(*) FROM journal WHERE id > $1 GROUP BY 1, 2, 3
    ON CONFLICT (day, asset, kind) DO UPDATE SET units = daily_sums.units + excluded.units,
        moves = daily_sums.moves + excluded.moves
"""
_TRANSACTIONS: Final = """
    INSERT INTO two_entries.transactions (id, key, kind, created_at) OVERRIDING SYSTEM VALUE
    SELECT j.posting_id, gen_random_uuid(), k.name, to_timestamp(j.at / 1000.0)
    FROM journal j JOIN kinds k ON k.id = j.kind WHERE $1 IN (j.from_id, j.to_id) ORDER BY j.id
"""
_ENTRIES: Final = """
    INSERT INTO two_entries.entries (transaction_id, account_id, amount, balance, created_at)
    SELECT j.posting_id, side.id, side.units / 1000000.0, side.balance / 1000000.0, to_timestamp(j.at / 1000.0)
    FROM journal j
    CROSS JOIN LATERAL (
        VALUES (from_id, -amount, from_balance), (to_id, amount, to_balance)
    ) AS side(id, units, balance)
    WHERE $1 IN (j.from_id, j.to_id) ORDER BY j.id
"""


@contextmanager
def large_cluster() -> Iterator[Cluster]:
    """The cluster whose sets are kept; of an older schema it is made anew."""
    folder = kept_folder() / "large"
    if _marked(folder) != newest():
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(newest()))
    with cluster(folder / "postgres", keep=True) as running:
        yield running


def _marked(folder: Path) -> str | None:
    try:
        marked: str = json.loads((folder / "schema.json").read_text())
    except (OSError, ValueError):
        return None
    return marked


async def have_set(cluster: Cluster, *, accounts: int, depth: int = 0) -> str:
    """The address of a database with so many members, and one account with `depth` moves; built where it is missing."""
    about = f"{accounts:,} accounts and a history of {depth:,} moves"
    return await have(cluster, f"bench_{accounts}_{depth}", about, partial(build, accounts=accounts, depth=depth))


async def have(cluster: Cluster, name: str, about: str, build: Callable[[str], Awaitable[None]]) -> str:
    """The address of a database that is built where it is missing; one that was built in part is not met again."""
    owner = await asyncpg.connect(cluster.url("postgres"))
    if not await owner.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name):
        print(f"Building {about}, once ...", flush=True)
        await owner.execute(f"DROP DATABASE IF EXISTS {name}_new")
        await build(cluster.url(f"{name}_new"))
        await owner.execute(f"ALTER DATABASE {name}_new RENAME TO {name}")
    await owner.close()
    return cluster.url(name)


async def build(url: str, *, accounts: int, depth: int) -> None:
    """A new database with what the writer itself would have left behind. The audit says whether it is so."""
    await prepare(url)
    await _begin(url)
    owner = await asyncpg.connect(url)
    begun = await owner.fetchval("SELECT last_move FROM ledger_tail")
    first = members_of(1)[0]
    async with owner.transaction():
        await owner.execute(_FUND, first, accounts, FUND)
        await owner.execute(_MEMBERS, first, accounts, FUND)
        await owner.execute(_QUOTAS, first, accounts, ROOM)
        await _grow(owner, CHAIN, -FUND * accounts, accounts)
        await owner.execute(_KEYS, accounts)
        await owner.execute(_TAIL, accounts)
        await owner.execute(_DEEP, depth)
        await _grow(owner, DEEP, -5 * (depth % 2), depth)
        await _grow(owner, BANKROLL, 5 * (depth % 2), depth)
        await owner.execute(_KEYS, depth)
        await owner.execute(_TAIL, depth)
        await owner.execute(_SUMS, begun)
    if depth:
        await owner.execute(TWO_ENTRIES)
        await owner.execute(_TRANSACTIONS, DEEP)
        await owner.execute(_ENTRIES, DEEP)
    await owner.execute("VACUUM ANALYZE")
    await owner.close()
    await check_books(url)


async def _begin(url: str) -> None:
    """The writer's own first postings: accounts, kinds and times from which the set goes on."""
    async with running_writer(url) as process:
        client = LedgerClient(process.socket)
        moves = [
            Move("bench.fund", CHAIN, BANKROLL, _HOUSE),
            Move("bench.fund", CHAIN, DEEP, _HOUSE),
            Move(STAKE, DEEP, BANKROLL, 5),
            Move(PRIZE, BANKROLL, DEEP, 5),
        ]
        await post_all(client, [Posting(os.urandom(32), [move]) for move in moves])
        await client.close()
        await process.end()


async def _grow(owner: asyncpg.Connection, account: int, units: int, moves: int) -> None:
    await owner.execute(
        "UPDATE accounts SET balance = balance + $2, version = version + $3 WHERE id = $1", account, units, moves
    )
