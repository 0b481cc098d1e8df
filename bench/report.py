"""Figures of a run: each round's ratio, their median and quartiles, merged into results.json, told in RESULTS.md."""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from kalos.app.embedded.postgres import programs
from slices import Slice

_INTRODUCTION: Final = """\
# Measured

`make bench` runs everything; `make bench-ledger`, `-wire`, `-large`, `-live` and `-web` are its parts. What a run
leaves out keeps its earlier line. Slices of ours and of the peers are interleaved and their order is rotated; a round's
ratio compares slices of the same round, *ratio* is the rounds' median, beside it their quartiles. fsync and
synchronous_commit are on. L1 to L6 and L10 post a real bet (one move, one rider, two takes, one outbox row) through the
client that domains use to the writer's own process; "bare" is one move alone. Each run ends with the ledger's audit,
with bets stored = bets acknowledged and with the peers' sums, or it does not count. Processor time is in µs for each
operation.

L6 begins with both sets in memory, as where a house has run for a day; the writer has one slice to warm up.

T1 is from a settled stake's commit until the first member of the tree has it in the sum of the team, the worker, the
writer and the database beside it; T2 reads that member's page meanwhile, in turn with one at the end of a chain.

- **row lock**: a row lock and a commit for each posting, asyncpg with prepared statements, the same rows
- **ORM**: the same in SQLAlchemy's ORM, a session for each posting
- **two tables**: `bench/peers/two_tables.toml`, one statement for a transfer; the bare move alone
- **uvicorn**: a bare ASGI application on uvicorn and websockets, with the same tokens, operations and messages, and a
  bounded queue for each socket, as one slow reader must not hold up the others; "loop" does without and lets it

W1 to W4 take the hub's own process, fed through the writer and the database by postings with a fact each. A message
counts from before its posting is sent; a slice counts where every socket got every message in order. To a crowd of this
size the hub writes two messages at once where it can and holds the first for up to 125 ms; W2 counts the wait.

E1, E2, H1 and H2 are calls over HTTP from a process of their own (`client`) on 64 kept connections, to a house as
`make run` starts it; `server` is what is called, `rest` what the house does besides. H3 asks the database directly.
API and writer ask the system for batch scheduling and read a body no further than it was stated (decision 0059); the
peers run as they come.

- **FastAPI**: the same calls under uvicorn (uvloop, httptools); the bet through SQLAlchemy's ORM, the same rows
- **bare ASGI**: an application that only knows the answer, on the same server as ours
- **asyncpg pool**: `asyncpg.create_pool` as it comes, the same rows by the same key

F1 is the page as it is built. F2 is Lighthouse's phone on a slow 4G line, both simulated, in Chromium without
windows, a new one for each load, on the build as `make run` serves it; a busy machine lengthens what it makes of the
processor's part, the peer's too. "own" is the blocking time (tbt) by the processor time of the page's tasks: without
what browser, drawing and the house took of two cores.

- **bare React**: React and the router with one route (F1); a heading rendered by React, compressed (F2)
"""


@dataclass
class Benchmark:
    """Rounds of (ours, peer).

    `goal` is for the median of ours/peer: at least, or with `lower` at most. With `absolute` it is for ours itself.
    """

    id: str
    about: str
    unit: str
    goal: float | None = None
    lower: bool = False
    absolute: bool = False
    against: str = "row lock"
    ours: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    cpu_us: list[Mapping[str, float]] = field(default_factory=list)
    peer_cpu_us: list[Mapping[str, float]] = field(default_factory=list)
    spread: dict[str, list[float]] = field(default_factory=dict)
    skipped: str = ""

    def add(self, ours: float, peer: float) -> None:
        self.ours.append(ours)
        self.peer.append(peer)

    def of_slices(self, ours: Sequence[Slice], peer: Sequence[Slice], figure: str) -> "Benchmark":
        """Take one figure (`rate`, `p50`, `p99`) of the rounds' slices."""
        for one, other in zip(ours, peer, strict=True):
            self.add(getattr(one, figure), getattr(other, figure))
        self.cpu_us += [one.cpu_us for one in ours]
        self.peer_cpu_us += [one.cpu_us for one in peer]
        if figure == "p99":
            for name, slices in (("ours", ours), (self.against, peer)):
                self.spread[name] = [
                    statistics.median(points) for points in zip(*(s.spread for s in slices), strict=True)
                ]
        return self

    def result(self) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "about": self.about,
            "unit": self.unit,
            "against": self.against,
            "goal": self.goal,
            "bound": "at most" if self.lower else "at least",
            "absolute": self.absolute,
            "measured": f"{datetime.now(UTC):%Y-%m-%d}",
        }
        if self.skipped:
            return entry | {"skipped": self.skipped, "met": None}
        # An empty page blocks and shifts nothing: beside nothing there is no ratio.
        ratios = sorted(ours / peer if peer else 1.0 for ours, peer in zip(self.ours, self.peer, strict=True))
        ratio, ours = statistics.median(ratios), statistics.median(self.ours)
        quartiles = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else [ratio] * 3
        judged = ours if self.absolute else ratio
        entry |= {
            "ours": _rounded(ours),
            "peer": _rounded(statistics.median(self.peer)),
            "ratio": _rounded(ratio),
            "quartiles": [_rounded(quartiles[0]), _rounded(quartiles[2])],
            "met": None if self.goal is None else (judged <= self.goal if self.lower else judged >= self.goal),
            "cpu_us": {"ours": _medians(self.cpu_us), "peer": _medians(self.peer_cpu_us)},
            "rounds": {"ours": [*map(_rounded, self.ours)], "peer": [*map(_rounded, self.peer)]},
            "machine": machine(),
        }
        if self.spread:
            entry["spread"] = {name: [*map(_rounded, points)] for name, points in self.spread.items()}
        return entry


def machine() -> str:
    names = re.findall(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({names[0] if names else platform.machine()}), {gigabytes:.0f} GiB, "
        f"Linux {platform.release()}, Python {platform.python_version()}, PostgreSQL {_postgres()}"
    )


def _postgres() -> str:
    said = subprocess.run([programs() / "postgres", "-V"], capture_output=True, text=True, check=True).stdout
    return said.split()[-1]


def write(found: Sequence[Benchmark], folder: Path, arguments: argparse.Namespace | None = None) -> None:
    """Merge what was found into results.json, write RESULTS.md and the charts from it, and print this run's lines."""
    from charts import draw

    results = merge(found, folder, arguments)
    fresh = {benchmark.id for benchmark in found}
    print(table({name: entry for name, entry in results.items() if name in fresh}))
    draw(results, folder / "charts")


def merge(
    found: Sequence[Benchmark], folder: Path, arguments: argparse.Namespace | None = None
) -> dict[str, dict[str, Any]]:
    """What a run left out keeps its earlier entry, and so does what could not be measured."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "results.json"
    results: dict[str, dict[str, Any]] = json.loads(place.read_text()) if place.exists() else {}
    for benchmark in found:
        entry = benchmark.result()
        if arguments is not None and benchmark.cpu_us:  # it was measured in slices
            entry["how"] = f"{arguments.rounds} rounds of {arguments.seconds:g} s"
        if not benchmark.skipped or "ours" not in results.get(benchmark.id, {}):
            results[benchmark.id] = entry
    results = dict(sorted(results.items(), key=lambda item: _place(item[0])))
    place.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    (folder / "RESULTS.md").write_text(paper(results))
    return results


def paper(results: Mapping[str, Mapping[str, Any]]) -> str:
    machines: dict[str, list[str]] = {}
    for name, entry in results.items():
        if "machine" in entry:
            run = f"{entry['measured']}, {entry['how']}" if "how" in entry else entry["measured"]
            machines.setdefault(f"{run}, {entry['machine']}", []).append(name)
    lines = [_INTRODUCTION, table(results), ""]
    lines += [f"- {', '.join(names)}: {one}" for one, names in machines.items()]
    lines += ["", "![Postings a second, each round](charts/throughput.png)", ""]
    lines += ["![Latency of a bet, 64 in flight](charts/latency.png)", "", "![Ratio to goal](charts/goals.png)", ""]
    return "\n".join(lines)


def table(results: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "| id | what | ours | beside it | ratio | quartiles | processor, ours | processor, beside it | goal | met |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, entry in results.items():
        if "skipped" in entry:
            blank = " – |" * 5
            lines.append(f"| {name} | {entry['about']} | not measured: {entry['skipped']} |{blank}{_judged(entry)}")
            continue
        low, high = map(_shown, entry["quartiles"])
        beside = f"{_shown(entry['ratio'])} × | {low}–{high}" if entry["peer"] else "– | –"
        lines.append(
            f"| {name} | {entry['about']} | {_shown(entry['ours'])} {entry['unit']} "
            f"| {_shown(entry['peer'])} ({entry['against']}) | {beside} "
            f"| {_processor(entry, 'ours')} | {_processor(entry, 'peer')} |{_judged(entry)}"
        )
    return "\n".join(lines)


def _judged(entry: Mapping[str, Any]) -> str:
    if entry["goal"] is None:
        return " – | – |"
    sign, unit = "≤" if entry["bound"] == "at most" else "≥", entry["unit"] if entry["absolute"] else "×"
    met = {None: "–", True: "yes", False: "**no**"}[entry["met"]]
    return f" {sign} {_shown(entry['goal'])} {unit} | {met} |"


def _processor(entry: Mapping[str, Any], side: str) -> str:
    return ", ".join(f"{name} {value:,.0f}" for name, value in entry["cpu_us"][side].items()) or "–"


def _medians(rounds: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for one in rounds for name in one)
    return {name: round(statistics.median(one.get(name, 0.0) for one in rounds), 1) for name in names}


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _place(name: str) -> tuple[str, int, str]:
    """L2 before L10, `L1` before `L1 bare`."""
    found = re.match(r"([A-Z]+)(\d+)(.*)", name)
    return (found[1], int(found[2]), found[3]) if found else (name, 0, "")
