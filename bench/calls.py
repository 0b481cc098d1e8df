"""E1, E2, H1-H3: calls over HTTP, on a house that runs as `make run` starts it.

`python bench/calls.py [--rounds 5] [--seconds 3] [--only E1,H1]` prints the figures and merges them into results.json,
RESULTS.md and charts/ of the folder `--out`.

The house is the whole supervised group on a folder of its own (cluster, writer, API, worker, live hub, local chain);
the peers run beside it, on the same cluster. The load is one process more. So many calls a second would meet the limits
of one member: many take turns, each with a session. Before a slice of bets the worker has settled what came before. In
the end the ledger's audit finds nothing and every acknowledged bet is stored, or nothing counts.
"""

import argparse
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import asyncpg

import points
from http_house import Here, server
from http_load import Form, Job, Kind, Load
from http_trivial import LANG, PATH
from kalos.app.auditing import EXPLAINED
from kalos.app.kept import free_port
from kalos.app.settings import load_settings
from kalos.core.clock import Clock
from kalos.ledger.client import LedgerClient
from report import Benchmark, write
from slices import PERCENTS, Slice, cpu_seconds
from stand import HERE, complete, fill_log, temporary
from support.group import RunningGroup  # found because of `stand`

_ALL: Final = frozenset({"E1", "E2", "H1", "H2", "H3"})
_BETON: Final = "/api/game/beton"
_SPARE: Final = 2.5  # requests made beforehand for each that the last slice took


@dataclass
class Side:
    """A server that is called: in what form, how fast it was, and what it has acknowledged."""

    name: str
    port: int
    pids: Sequence[int] = ()
    form: Form = "plain"
    rate: float = 0.0
    count: int = 0
    ids: int = 0
    slices: list[Slice] = field(default_factory=list)


class Calls:
    """Slices over HTTP."""

    def __init__(self, here: Here, load: Load, *, in_flight: int) -> None:
        self._here = here
        self._load = load
        self._in_flight = in_flight

    async def bets(self, sides: Sequence[Side], rounds: int, seconds: float) -> None:
        """E1, E2: bets to a durable answer."""

        async def job(side: Side, seconds: float) -> Job:
            fields = await self._here.open_round(seconds + 1 + side.rate * seconds * 1e-4)  # also while they are made
            return self._job(side, seconds, _BETON, "stake", fields)

        await self._rounds(sides, rounds, seconds, job)

    async def trivial(self, sides: Sequence[Side], rounds: int, seconds: float) -> None:
        """H1, H2: the call that does nothing."""

        async def job(side: Side, seconds: float) -> Job:
            return self._job(side, seconds, PATH, "trivial", {})

        await self._rounds(sides, rounds, seconds, job)

    def _job(self, side: Side, seconds: float, path: str, kind: Kind, fields: dict[str, str]) -> Job:
        return Job(
            port=side.port,
            path=path,
            kind=kind,
            fields=fields,
            form=side.form,
            members=len(self._here.members),
            in_flight=self._in_flight,
            seconds=seconds,
            ready=int(side.rate * seconds * _SPARE) + self._in_flight,
            lang=LANG,
        )

    async def _rounds(
        self, sides: Sequence[Side], rounds: int, seconds: float, job: Callable[[Side, float], Awaitable[Job]]
    ) -> None:
        """Every side's slice in each round, in an order that turns.

        A first round isn't counted: connections to the database are opened, and prepare what they are asked.
        """
        for number in range(-1, rounds):
            turn = number % len(sides)
            for side in [*sides[turn:], *sides[:turn]]:
                one = await self._slice(side, await job(side, seconds))
                side.rate = one.rate
                if number >= 0:
                    side.slices.append(one)

    async def _slice(self, side: Side, job: Job) -> Slice:
        await self._load.prepare(job)
        before = self._used(side)
        await self._load.run()
        after = self._used(side)
        done = await self._load.done()
        assert not done.problems, f"{side.name}: {done.problems}"
        assert done.count, f"{side.name}: nothing was answered"
        if done.late > done.count // 10 and side.rate:
            print(f"{side.name}: {done.late} of {done.count} requests were made in their slice's own time.")
        side.count += done.count
        side.ids += done.ids
        spent = {"client": done.cpu} | {name: seconds - before[name] for name, seconds in after.items()}
        return Slice(
            rate=done.count / done.wall,
            p50=done.spread[PERCENTS.index(50)],
            p99=done.spread[PERCENTS.index(99)],
            cpu_us={name: 1e6 * seconds / done.count for name, seconds in spent.items() if seconds > 0},
            spread=done.spread,
        )

    def _used(self, side: Side) -> dict[str, float]:
        """Seconds of processor time so far: the server's that is called, and those of the house's processes."""
        named = {"server": side.pids} | {
            name: [pid for pid in pids if pid not in side.pids] for name, pids in self._here.pids().items()
        }
        return {name: sum(map(cpu_seconds, pids)) for name, pids in named.items()}


Door = tuple[int, int]
"""A server that is called: its port and its process."""


@dataclass(frozen=True)
class Doors:
    """The house's API, and what is started beside it; `kernel` where that has the trivial call itself."""

    api: Door
    environment: Mapping[str, str]
    kernel: Door | None = None

    async def start_trivial(self, stack: AsyncExitStack, name: str) -> Door:
        return await self._start(stack, [str(HERE / "http_trivial.py"), name])

    async def start_peer(self, stack: AsyncExitStack, url: str) -> list[Door]:
        """None without FastAPI."""
        if find_spec("fastapi") is None:
            print("There is no peer: FastAPI is not installed (make bench-wire installs it).")
            return []
        options = "--loop uvloop --http httptools --lifespan on --no-access-log --log-level warning --port PORT"
        words = ["-m", "uvicorn", "http_fastapi:app", "--app-dir", str(HERE), *options.split()]
        return [await self._start(stack, words, KALOS_BENCH_URL=url)]

    async def _start(self, stack: AsyncExitStack, words: Sequence[str], **more: str) -> Door:
        port = free_port()
        ports = {"PORT": str(port), "METRICS_PORT": str(free_port()), "LOG_LEVEL": "warning"}
        command = [sys.executable, *(word.replace("PORT", str(port)) for word in words)]
        return port, await stack.enter_async_context(server(port, *command, **{**self.environment, **ports, **more}))


async def run(
    here: Here, doors: Doors, *, only: frozenset[str], rounds: int, seconds: float, in_flight: int = 64
) -> list[Benchmark]:
    """Measure and then check the books: what is returned counts."""
    load = await Load.start()
    calls = Calls(here, load, in_flight=in_flight)
    found: list[Benchmark] = []
    plain, sealed, peers = _side("plain", doors.api), _side("sealed", doors.api, "sealed"), list[Side]()
    try:
        if only & {"E1", "E2"}:
            async with AsyncExitStack() as stack:
                peers = [_side("FastAPI", door) for door in await doors.start_peer(stack, here.owner_url)]
                await calls.bets([plain, sealed, *peers], rounds, seconds)
            found += _bets(plain, sealed, *peers)
        if only & {"H1", "H2"}:
            async with AsyncExitStack() as stack:
                kernel = _side("kernel", doors.kernel or await doors.start_trivial(stack, "kernel"))
                bare = _side("bare", await doors.start_trivial(stack, "bare"))
                others = [_side("FastAPI", door) for door in await doors.start_peer(stack, here.owner_url)]
                await calls.trivial([kernel, bare, *others], rounds, seconds)
            found += _trivial(kernel, bare, *others)
    finally:
        await load.close()
    if "H3" in only:
        found += await points.run(here, rounds=rounds, seconds=seconds, in_flight=in_flight)
    acknowledged = plain.count + sealed.count, plain.ids + sealed.ids
    await here.check(acknowledged, (sum(peer.count for peer in peers), sum(peer.ids for peer in peers)))
    return found


def _side(name: str, door: Door, form: Form = "plain") -> Side:
    return Side(name, door[0], [door[1]], form)


def _bets(plain: Side, sealed: Side, peer: Side | None = None) -> list[Benchmark]:
    about = "bet over HTTP to a durable answer, 64 connections"
    found = [
        Benchmark("E2", "E1 sealed (channel, sign, AES-GCM)", "bets/s", 0.8, against="E1 plain").of_slices(
            sealed.slices, plain.slices, "rate"
        )
    ]
    if peer is not None:
        both, against = (plain.slices, peer.slices), "FastAPI, ORM"
        found += [
            Benchmark("E1", about, "bets/s", 30, against=against).of_slices(*both, "rate"),
            Benchmark("E1 p99", "p99 of E1", "ms", 1 / 30, lower=True, against=against).of_slices(*both, "p99"),
        ]
    return found


def _trivial(kernel: Side, bare: Side, peer: Side | None = None) -> list[Benchmark]:
    about = "trivial call through the whole kernel"
    found = [Benchmark("H1", about, "calls/s", 0.8, against="bare ASGI").of_slices(kernel.slices, bare.slices, "rate")]
    if peer is not None:
        found.append(
            Benchmark("H2", about, "calls/s", 3, against="FastAPI").of_slices(kernel.slices, peer.slices, "rate")
        )
    return found


async def _measure(group: RunningGroup, arguments: argparse.Namespace) -> list[Benchmark]:
    settings = load_settings(group.environment)
    owner = await asyncpg.connect(settings.owner_url)
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        assert await owner.fetchval(f"SHOW {name}") == "on", f"{name} is off: these figures would mean nothing"
    await fill_log(owner)
    ledger = LedgerClient(settings.writer_socket)
    here = Here(
        owner=owner,
        owner_url=settings.owner_url,
        app_url=settings.app_url,
        ledger=ledger,
        clock=Clock(),
        explained=EXPLAINED,
        pids=lambda: _pids(group),
    )
    await here.prepare(arguments.members)
    doors = Doors((group.port, group.process("api")), group.environment)
    found = await run(here, doors, only=arguments.only, rounds=arguments.rounds, seconds=arguments.seconds)
    await ledger.close()
    await owner.close()
    return found


def _pids(group: RunningGroup) -> dict[str, list[int]]:
    """The group's processes: writer, PostgreSQL's, the API; the rest works in the background."""
    found: dict[str, list[int]] = {"writer": [], "PostgreSQL": [], "rest": []}
    for pid, words in group.processes().items():
        if "kalos.app.cli writer" in words:
            found["writer"].append(pid)
        elif words.startswith("postgres:") or "bin/postgres -D" in words:
            found["PostgreSQL"].append(pid)
        elif "bench" not in words:
            found["rest"].append(pid)
    return found


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each slice")
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--only", type=lambda text: frozenset(text.split(",")), default=_ALL, help="such as E1,H3")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of RESULTS.md, results.json and charts/")
    arguments = parser.parse_args(words)
    if not arguments.only <= _ALL:
        parser.error(f"--only takes some of {', '.join(sorted(_ALL))}")
    return arguments


def main(words: Sequence[str] | None = None) -> None:
    arguments = _parsed(words)
    with temporary("wire") as folder:
        group = RunningGroup(folder / "data", LOG_LEVEL="info")
        try:
            group.start()
            found = complete(_measure(group, arguments))
            group.stop()
        finally:
            group.end()
    write(found, arguments.out, arguments)


if __name__ == "__main__":
    main()
