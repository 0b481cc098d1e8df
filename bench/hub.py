"""W1, W2, W4: the live hub of a house that runs as `make run` starts it, beside uvicorn and websockets, in one run.

`python bench/hub.py [--rounds 5] [--seconds 3] [--sockets 5000]` prints the figures and merges them into results.json,
RESULTS.md and charts/ of the folder `--out`.

The house is the whole supervised group on a folder of its own, with its games; the peer and the readers run beside it.
"""

import argparse
import asyncio
import importlib.util
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import asyncpg

from hub_house import Hub, Readers, new_tokens, running_peer, running_readers, sign_in
from hub_readers import ORIGIN
from kalos.app.auditing import EXPLAINED
from kalos.app.settings import load_settings
from kalos.core.database import Database
from kalos.core.tokens import new_token
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Fact, Move, Posting
from kalos.live.crowd import frame_of
from ours import BANKROLL, CHAIN
from report import Benchmark, write
from slices import PERCENTS, Slice, processor
from stand import HERE, complete, fill_log, temporary
from support.group import RunningGroup  # found because of `stand`

RATE: Final = 10
BYTES: Final = 500
_FILL_MESSAGES: Final = 20
_FILL_BYTES: Final = 8_000  # before each slice: with them more than the kernel and the hub keep for who doesn't read
_FIRST: Final = 1_000_001  # all numbers are of the same length
_MOST_SECONDS: Final = 330
_SPARE_FILES: Final = 500

Found = dict[str, list[tuple[Slice, float]]]
"""What the slices of each sort gave, round by round."""


class Side(Protocol):
    """Ours or the peer: its server's process and the way in which messages come to it."""

    name: str
    server: str
    pid: int

    async def publish(self, row: dict[str, Any]) -> None: ...


class Ours:
    """Postings with a fact, through the writer's own process."""

    name, server = "ours", "hub"

    def __init__(self, pid: int, socket: Path) -> None:
        self.pid = pid
        self._client = LedgerClient(socket)
        self._posted: list[asyncio.Task[Any]] = []

    async def publish(self, row: dict[str, Any]) -> None:
        """Send the posting; whoever waits for its message sees that it was committed."""
        move = Move("bench.news", CHAIN, BANKROLL, 1)
        self._posted.append(
            asyncio.create_task(self._client.post(Posting(os.urandom(32), [move], facts=[Fact("rounds", row)])))
        )

    async def close(self, owner: asyncpg.Connection) -> None:
        """Assert that each posting was accepted and each fact stored."""
        posted = await asyncio.gather(*self._posted)
        await self._client.close()
        stored = await owner.fetchval("SELECT count(*) FROM outbox WHERE topic = 'rounds' AND body::jsonb ? 'filler'")
        assert stored == len(posted), f"{stored} facts are stored, {len(posted)} were acknowledged"


class Peer:
    """Lines over a Unix socket; with `loop` each reader has to wait for the one before."""

    name, server = "uvicorn", "server"

    def __init__(self, pid: int, lines: asyncio.StreamWriter, *, loop: bool) -> None:
        self.pid = pid
        self._lines = lines
        self._loop = loop

    async def publish(self, row: dict[str, Any]) -> None:
        self._lines.write(json.dumps({"row": row, "loop": self._loop}).encode() + b"\n")


@dataclass
class Load:
    """What is published and who reads it; the hub's sockets of the sessions `slow` can be told not to read."""

    readers: Readers
    owner: asyncpg.Connection
    writer: int
    members: Database
    slow: Sequence[bytes]
    number: int = _FIRST

    async def slice(self, side: Side, seconds: float, *, slow: bool = False) -> tuple[Slice, float]:
        """Publish so long; every reader must get every message, in order.

        Returns the figures over all that read, `rate` for a second of the server's processor, and the p99 in ms of
        those who are never slow.
        """
        meter = processor(self.owner, self.writer)
        if slow:
            await self.readers.ask("reopen", side.name, tokens=await new_tokens(self.members, self.slow))
        await self.readers.ask("begin", side.name, first=self.number, slow=slow)
        await self._publish(side, _FILL_MESSAGES, _FILL_BYTES)
        before = await meter() | self._own(side)
        moments = await self._publish(side, max(1, round(RATE * seconds)), BYTES)
        spent = {name: after - before[name] for name, after in (await meter() | self._own(side)).items()}
        found = await self.readers.ask("finish", side.name, moments=moments)
        assert found["faults"] == 0, f"{side.name}: {found['faults']} messages lost or out of order, or sockets closed"
        assert found["skipped"] == (len(self.slow) if slow else 0), f"{found['skipped']} slow readers were slow"
        spread, came = tuple(found["all"]), found["deliveries"]
        one = Slice(
            rate=came / spent[side.server],
            p50=spread[PERCENTS.index(50)],
            p99=spread[PERCENTS.index(99)],
            cpu_us={name: 1_000_000 * used / came for name, used in spent.items() if used > 0 and name != "client"},
            spread=spread,
        )
        return one, found["others"][PERCENTS.index(99)]

    async def _publish(self, side: Side, count: int, size: int) -> list[tuple[int, float]]:
        """Publish at the rate and wait until all have read all. Returns the moment of each number."""
        moments = []
        begun = time.monotonic()
        for place in range(count):
            await asyncio.sleep(max(0.0, begun + place / RATE - time.monotonic()))
            moments.append((self.number, time.monotonic()))
            await side.publish(row_of(self.number, size))
            self.number += 1
        await self.readers.ask("wait", side.name, last=self.number - 1)
        return moments

    def _own(self, side: Side) -> dict[str, float]:
        return {side.server: _seconds(side.pid), "readers": _seconds(self.readers.pid)}


def _seconds(pid: int) -> float:
    """The processor time of a process, by the clock of which clock_getcpuclockid(3) speaks."""
    return time.clock_gettime(~pid << 3 | 2)


def row_of(number: int, size: int) -> dict[str, Any]:
    """A row whose message has so many bytes."""
    row = {"number": number, "filler": ""}
    return row | {"filler": "x" * (size - len(frame_of("rounds", "update", [row])))}


async def run(
    house: Hub, *, sockets: int, slow: int, rounds: int, seconds: float, peer: bool = True
) -> list[Benchmark]:
    """Measure, then check the books; without `peer` W4 alone."""
    found: Found = {name: [] for name in ("ours", "slow", "uvicorn", "loop")}
    async with AsyncExitStack() as stack, asyncio.timeout(_MOST_SECONDS):
        owner = await asyncpg.connect(house.owner_url)
        stack.push_async_callback(owner.close)
        folder = stack.enter_context(temporary("live"))
        members = Database(house.app_url)
        stack.push_async_callback(members.close)
        sessions = await sign_in(members, sockets)
        tokens = await new_tokens(members, sessions)
        ours = Ours(house.pid, house.socket)
        readers = await stack.enter_async_context(running_readers())
        await readers.ask("open", "ours", address=f"ws://127.0.0.1:{house.port}/ws", tokens=tokens, slow=slow)
        runs: list[tuple[str, Side, bool]] = [("ours", ours, False), ("slow", ours, True)]
        if peer:
            tokens = [new_token() for _ in range(sockets)]
            pid, lines, port = await stack.enter_async_context(running_peer(folder, tokens))
            await readers.ask("open", "uvicorn", address=f"ws://127.0.0.1:{port}/ws", tokens=tokens, slow=slow)
            runs += [(name, Peer(pid, lines, loop=name == "loop"), False) for name in ("uvicorn", "loop")]
        load = Load(readers, owner, house.writer, members, sessions[:slow])
        for number in range(rounds):
            turn = number % len(runs)
            for name, side, slowly in runs[turn:] + runs[:turn]:
                found[name].append(await load.slice(side, seconds, slow=slowly))
        await ours.close(owner)
        problems = await audit(members, EXPLAINED)
        assert problems == [], problems
    return _judged(found, sockets, slow)


def _judged(found: Found, sockets: int, slow: int) -> list[Benchmark]:
    cost, late = "deliveries for a second of the server's processor", "p99 of W1, from before the commit to the reader"
    benchmarks = [
        Benchmark("W1", f"{sockets:,} sockets × {RATE}/s, {BYTES} bytes: {cost}", "deliveries/s", 4.5),
        Benchmark("W2", late, "ms", 0.2, lower=True),
        Benchmark("W1 loop", "the same beside a plain loop", "deliveries/s"),
        Benchmark("W2 loop", "the same beside a plain loop", "ms", lower=True),
    ]
    ours = [one for one, _ in found["ours"]]
    for benchmark in benchmarks:
        benchmark.against = "uvicorn, loop" if "loop" in benchmark.id else "uvicorn"
        peer = [one for one, _ in found["loop" if "loop" in benchmark.id else "uvicorn"]]
        if peer:
            benchmark.of_slices(ours, peer, "p99" if benchmark.lower else "rate")
        else:
            benchmark.skipped = "uvicorn and websockets are not installed"
    beside = Benchmark("W4", f"p99 of the others beside {slow} slow readers", "ms", 1.2, lower=True, against="without")
    for (_, with_slow), (_, without) in zip(found["slow"], found["ours"], strict=True):
        beside.add(with_slow, without)
    beside.cpu_us = [one.cpu_us for one, _ in found["slow"]]
    beside.peer_cpu_us = [one.cpu_us for one in ours]
    return [*benchmarks, beside]


def allow_files(count: int) -> None:
    """Let this process and its children have so many files open."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed >= count:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, max(count, most)))
    except (OSError, ValueError):
        sys.exit(f"{count} open files are needed, {most} are allowed here: ulimit -Hn {count}")


async def _measure(group: RunningGroup, arguments: argparse.Namespace) -> list[Benchmark]:
    settings = load_settings(group.environment)
    owner = await asyncpg.connect(settings.owner_url)
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        assert await owner.fetchval(f"SHOW {name}") == "on", f"{name} is off: these figures would mean nothing"
    await fill_log(owner)
    await owner.close()
    return await run(
        Hub(
            settings.owner_url,
            settings.app_url,
            settings.writer_socket,
            writer=group.process("writer"),
            pid=group.process("live"),
            port=settings.socket_port,
        ),
        sockets=arguments.sockets,
        slow=max(1, arguments.sockets // 100),
        rounds=arguments.rounds,
        seconds=arguments.seconds,
        peer=all(importlib.util.find_spec(name) for name in ("uvicorn", "websockets")),
    )


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each slice")
    parser.add_argument("--sockets", type=int, default=5_000, help="of each side")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of RESULTS.md, results.json and charts/")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    arguments = _parsed(words)
    allow_files(2 * arguments.sockets + _SPARE_FILES)
    with temporary("live") as folder:
        group = RunningGroup(folder / "data", LOG_LEVEL="info", PUBLIC_URL=ORIGIN)
        try:
            group.start()
            found = complete(_measure(group, arguments))
            group.stop()
        finally:
            group.end()
    write(found, arguments.out, arguments)


if __name__ == "__main__":
    main()
