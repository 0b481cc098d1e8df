"""A1: the whole audit of a ledger of a million moves and more, and a step of the running audit beside it.

`python bench/audit.py [--moves 1000000] [--accounts 100000] [--rounds 3]` builds the ledger as the schema's owner, in
one statement a table, and prints rows a second; the goal is 200,000 on a quiet machine of two cores.
"""

import argparse
import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "server" / "src"), str(HERE.parent / "server" / "tests")]

import asyncpg  # noqa: E402
import uvloop  # noqa: E402

from kalos.app.embedded.postgres import Cluster, RunningCluster  # noqa: E402
from kalos.app.migrate import migrate, role_url  # noqa: E402
from kalos.core.assets import USDT  # noqa: E402
from kalos.core.clock import Clock  # noqa: E402
from kalos.core.database import Database  # noqa: E402
from kalos.ledger import purse  # noqa: E402
from kalos.ledger.audit import audit  # noqa: E402
from kalos.ledger.purse import Purpose  # noqa: E402
from kalos.ledger.watch import Step, watch  # noqa: E402
from support.clusters import SECRET  # noqa: E402

GOAL: Final = 200_000
CHAIN: Final = purse.outside(Purpose.CHAIN, USDT)
BANKROLL: Final = purse.house(Purpose.BANKROLL, USDT)
FUND: Final = 1_000_000
STAKE: Final = 5
FIRST_AT: Final = 1_790_000_000_000
AT: Final = f"{FIRST_AT} + id / 10"
DAY: Final = f"DATE '1970-01-01' + (({AT} + 28800000) / 86400000)::int"
COLUMNS: Final = (
    "id, posting_id, from_id, to_id, amount, from_version, to_version, from_balance, to_balance"
    ", reference, kind, at, day"
)


@dataclass(frozen=True)
class Figures:
    """`rates` in rows a second of each whole audit; `steps` in seconds of the running audit's steps."""

    moves: int
    rates: list[float]
    steps: list[float]

    @property
    def met(self) -> bool:
        return statistics.median(self.rates) >= GOAL

    def text(self) -> str:
        rates = ", ".join(f"{rate:,.0f}" for rate in sorted(self.rates))
        steps = ", ".join(f"{1_000 * step:.0f}" for step in sorted(self.steps))
        return (
            f"whole audit of {self.moves:,} moves: {statistics.median(self.rates):,.0f} rows/s ({rates}), "
            f"goal {GOAL:,}: {'met' if self.met else 'missed'}\n"
            f"step of the running audit, nothing new: {1_000 * statistics.median(self.steps):.0f} ms ({steps})"
        )


async def build(owner: asyncpg.Connection, *, moves: int, accounts: int) -> None:
    """Each member is funded; then they pay the bankroll in turn, and get it back in the next round of turns."""
    kinds = "INSERT INTO kinds (name) VALUES ('bench.fund'), ('bench.stake'), ('bench.back') RETURNING id"
    fund, stake, back = [row["id"] for row in await owner.fetch(kinds)]
    await owner.execute(
        f"""
        INSERT INTO journal ({COLUMNS})
        SELECT id, id, {CHAIN}, (9999 + id << 16) + 257, {FUND}, id, 1, -{FUND} * id, {FUND}, id, {fund}, {AT}, {DAY}
        FROM generate_series(1::bigint, {accounts}) AS id
        """
    )
    await owner.execute(
        f"""
        INSERT INTO journal ({COLUMNS})
        SELECT id, id, CASE WHEN pays THEN member ELSE {BANKROLL} END, CASE WHEN pays THEN {BANKROLL} ELSE member END,
            {STAKE}, CASE WHEN pays THEN turn + 2 ELSE n END, CASE WHEN pays THEN n ELSE turn + 2 END,
            CASE WHEN pays THEN {FUND - STAKE} ELSE {STAKE} * ({accounts} - place) END,
            CASE WHEN pays THEN {STAKE} * place ELSE {FUND} END, id, CASE WHEN pays THEN {stake} ELSE {back} END,
            {AT}, {DAY}
        FROM (
            SELECT n, {accounts} + n AS id, (n - 1) / {accounts} AS turn, (n - 1) % {accounts} + 1 AS place,
                (n - 1) / {accounts} % 2 = 0 AS pays, (9999 + (n - 1) % {accounts} + 1 << 16) + 257 AS member
            FROM generate_series(1::bigint, {moves - accounts}) AS n
        ) AS played
        """
    )
    await owner.execute(
        f"""
        INSERT INTO accounts (id, balance, version)
        SELECT DISTINCT ON (id) id, balance, version FROM (
            SELECT from_id AS id, from_version AS version, from_balance AS balance FROM journal
            UNION ALL SELECT to_id, to_version, to_balance FROM journal
        ) AS sides ORDER BY id, version DESC;
        INSERT INTO daily_sums (day, asset, kind, units, moves)
        SELECT day, from_id >> 8 & 255, kind, sum(amount), count(*) FROM journal GROUP BY 1, 2, 3;
        INSERT INTO keys (id, at, key, fingerprint)
        SELECT id, {AT}, md5(id::text)::uuid, id FROM generate_series(1::bigint, {moves}) AS id;
        UPDATE ledger_tail SET last_posting = {moves}, last_move = {moves}, last_at = {FIRST_AT} + {moves} / 10
        """
    )
    await owner.execute("VACUUM ANALYZE")


async def run(url: str, _folder: Path, arguments: argparse.Namespace) -> Figures:
    """Build the ledger in the database of `url`, and time the audits."""
    await migrate(url, SECRET)
    owner = await asyncpg.connect(url)
    if not await owner.fetchval("SELECT last_move FROM ledger_tail"):
        await build(owner, moves=arguments.moves, accounts=arguments.accounts)
    moves = await owner.fetchval("SELECT last_move FROM ledger_tail")
    await owner.close()
    books = Database(role_url(url, "kalos_app", SECRET), size=2)
    rates, steps = [], []
    for _ in range(arguments.rounds):
        begun = time.perf_counter()
        problems = await audit(books)
        rates.append(moves / (time.perf_counter() - begun))
        assert problems == [], problems
    assert await watch(books, Clock.wall()) == Step()
    for _ in range(10):
        begun = time.perf_counter()
        assert await watch(books, Clock.wall()) == Step()
        steps.append(time.perf_counter() - begun)
    await books.close()
    return Figures(moves, rates, steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--accounts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kalos-bench-"))
    extra = {"max_wal_size": "1GB", "checkpoint_timeout": "15min", "shared_buffers": "256MB"}
    cluster = RunningCluster(Cluster(folder, password="bench", extra=extra))
    try:
        cluster.start()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            print(runner.run(run(cluster.cluster.url("bench"), folder, arguments)).text())
    finally:
        cluster.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
