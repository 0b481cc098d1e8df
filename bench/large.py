"""L6, L8, J1, the audit's rate (A1), T1 and T2: what needs sets of a million rows, built once and kept.

`python bench/large.py [--rounds 5] [--seconds 3] [--only L6,L8]` merges its figures into results.json. The sets stay in
$KALOS_BENCH_DIR, or in `bench` of DATA_DIR.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import asyncpg

import audit
import deep
import many
import midnight
import tree
from kalos.app.embedded.postgres import Cluster
from report import Benchmark, write
from sets import have, have_set, large_cluster
from stand import HERE, check_durability, complete, prepare

_ACCOUNTS: Final = 1_000_000
_FEW: Final = 10_000
_DEPTH: Final = 1_000_000
_ALL: Final = frozenset({"L6", "L8", "J1", "A1", "T1"})
_STAKED_SECONDS: Final = 20
_WATCH_MS: Final = 10_000  # from one step of the running audit to the next


async def _measure(running: Cluster, arguments: argparse.Namespace) -> list[Benchmark]:
    """In an order in which none changes what the next one reads: J1 works on a copy, the audit on a set of its own."""
    found: list[Benchmark] = []
    if arguments.only - {"A1", "T1"}:
        large = await have_set(running, accounts=arguments.accounts, depth=arguments.depth)
        await check_durability(large)
        if "L8" in arguments.only:
            found += await deep.run(
                large, depth=arguments.depth, rounds=arguments.rounds, seconds=arguments.seconds / 2
            )
        if "L6" in arguments.only:
            found.append(await _many(running, large, arguments))
        if "J1" in arguments.only:
            found += await midnight.run(large, grants=arguments.accounts)
    if "A1" in arguments.only:
        found += await _audit(running, arguments)
    if "T1" in arguments.only:
        found += await _teams(running, arguments)
    return found


async def _many(running: Cluster, large: str, arguments: argparse.Namespace) -> Benchmark:
    few = min(_FEW, arguments.accounts)
    small = await have_set(running, accounts=few)
    counts = (arguments.accounts, few)
    return await many.run(large, small, counts=counts, rounds=arguments.rounds, seconds=arguments.seconds)


async def _audit(running: Cluster, arguments: argparse.Namespace) -> list[Benchmark]:
    moves, accounts = arguments.accounts, arguments.accounts // 10
    build = partial(_build_audited, moves=moves, accounts=accounts)
    url = await have(running, f"bench_audit_{moves}", f"{moves:,} moves to audit", build)
    figures = await audit.run(url, HERE, argparse.Namespace(moves=moves, accounts=accounts, rounds=arguments.rounds))
    whole = Benchmark("A1", f"whole audit of {moves:,} moves", "rows/s", audit.GOAL, absolute=True, against="its goal")
    step = Benchmark("A1 step", "a step of the running audit", "ms", against="its 10 s")
    for rate in figures.rates:
        whole.add(rate, audit.GOAL)
    for seconds in figures.steps:
        step.add(1_000 * seconds, _WATCH_MS)
    return [whole, step]


async def _teams(running: Cluster, arguments: argparse.Namespace) -> list[Benchmark]:
    count = arguments.accounts
    url = await have(running, f"bench_teams_{count}", f"a tree of {count:,}", partial(tree.build_set, members=count))
    return await tree.run(url, members=count, seconds=_STAKED_SECONDS)


async def _build_audited(url: str, *, moves: int, accounts: int) -> None:
    await prepare(url)
    owner = await asyncpg.connect(url)
    await audit.build(owner, moves=moves, accounts=accounts)
    await owner.close()


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each slice")
    parser.add_argument("--accounts", type=int, default=_ACCOUNTS, help="also grants of J1, moves of A1, members of T1")
    parser.add_argument("--depth", type=int, default=_DEPTH, help="moves in the long history")
    parser.add_argument("--only", type=lambda text: frozenset(text.split(",")), default=_ALL, help="such as L8")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of RESULTS.md, results.json and charts/")
    arguments = parser.parse_args(words)
    if not arguments.only <= _ALL:
        parser.error(f"--only takes some of {', '.join(sorted(_ALL))}")
    with large_cluster() as running:
        found = complete(_measure(running, arguments))
    write(found, arguments.out, arguments)


if __name__ == "__main__":
    main()
