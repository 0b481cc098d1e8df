"""L1-L5, L7, L10: the ledger beside its peers, in one run.

`python bench/ledger.py [--rounds 5] [--seconds 3] [--peer FILE.toml] [--only L5,L7]` prints the figures and merges them
into results.json, RESULTS.md and charts/ of the folder `--out`.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import bets
import size
import slowdisk
from foreign import BadPeer, read_peer
from report import Benchmark, write
from stand import HERE, check_durability, cluster, complete, temporary

_BETS: Final = {"L1", "L2", "L3", "L4", "L10"}
_ALL: Final = frozenset({*_BETS, "L5", "L7"})


async def _fast(url: str, size_url: str, arguments: argparse.Namespace) -> list[Benchmark]:
    await check_durability(url)
    found: list[Benchmark] = []
    if arguments.only & _BETS:
        found += await bets.run(
            url,
            rounds=arguments.rounds,
            seconds=arguments.seconds,
            accounts=arguments.accounts,
            files=arguments.peer,
        )
    if "L7" in arguments.only:
        found += await size.run(size_url, postings=arguments.postings, accounts=arguments.accounts)
    return found


async def _slow(url: str, arguments: argparse.Namespace) -> Benchmark:
    await check_durability(url)
    lone = await bets.lone_commit_ms(url)
    assert lone >= bets.DELAY_MS, f"a lone commit takes {lone:.1f} ms: the slow fsync was not met"
    print(f"L5: a lone commit takes {lone:.1f} ms.")
    return await bets.run_delayed(url, rounds=arguments.rounds, seconds=arguments.seconds, accounts=arguments.accounts)


def _delayed(arguments: argparse.Namespace) -> Benchmark:
    with temporary("slow") as folder, ExitStack() as stack:
        library = slowdisk.build(folder)
        if library is None:
            print("L5 is not measured: there is no C compiler (cc) for the slow fsync.")
            benchmark = bets.delayed()
            benchmark.skipped = "no C compiler"
            return benchmark
        with slowdisk.preloaded(library, bets.DELAY_MS):
            running = stack.enter_context(cluster(folder / "postgres"))
        return complete(_slow(running.url("bench"), arguments))


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each slice")
    parser.add_argument("--accounts", type=int, default=10_000)
    parser.add_argument("--postings", type=int, default=200_000, help="of each kind, for L7")
    parser.add_argument("--peer", type=Path, action="append", help="default: bench/peers/two_tables.toml")
    parser.add_argument("--only", type=lambda text: frozenset(text.split(",")), default=_ALL, help="such as L5,L7")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of RESULTS.md, results.json and charts/")
    arguments = parser.parse_args(words)
    if not arguments.only <= _ALL:
        parser.error(f"--only takes some of {', '.join(sorted(_ALL))}")
    arguments.peer = [read_peer(path) for path in arguments.peer or [HERE / "peers" / "two_tables.toml"]]
    return arguments


def main(words: Sequence[str] | None = None) -> None:
    arguments = _parsed(words)
    found: list[Benchmark] = []
    if arguments.only - {"L5"}:
        with temporary("fast") as folder, cluster(folder / "postgres") as running:
            found += complete(_fast(running.url("bench"), running.url("bench_size"), arguments))
    if "L5" in arguments.only:
        found.append(_delayed(arguments))
    write(found, arguments.out, arguments)


if __name__ == "__main__":
    try:
        main()
    except BadPeer as problem:
        sys.exit(str(problem))
