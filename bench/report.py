"""Figures of a run: each round's ratio, their median and quartiles, as JSON and as a table."""

import argparse
import json
import os
import platform
import statistics
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass
class Benchmark:
    """Rounds of (ours, peer). `goal` is for the median of ours/peer: at least, or with `lower` at most."""

    id: str
    about: str
    unit: str
    goal: float | None = None
    lower: bool = False
    ours: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    cpu_us: list[float] = field(default_factory=list)

    def add(self, ours: float, peer: float, cpu_us: float | None = None) -> None:
        self.ours.append(ours)
        self.peer.append(peer)
        if cpu_us is not None:
            self.cpu_us.append(cpu_us)

    def result(self) -> dict[str, Any]:
        ratios = sorted(ours / peer for ours, peer in zip(self.ours, self.peer, strict=True))
        ratio = statistics.median(ratios)
        quartiles = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else [ratio] * 3
        met = None if self.goal is None else (ratio <= self.goal if self.lower else ratio >= self.goal)
        return {
            "about": self.about,
            "unit": self.unit,
            "ours": round(statistics.median(self.ours), 3),
            "peer": round(statistics.median(self.peer), 3),
            "ratio": round(ratio, 4),
            "quartiles": [round(quartiles[0], 4), round(quartiles[2], 4)],
            "cpu_us": round(statistics.median(self.cpu_us), 1) if self.cpu_us else None,
            "goal": self.goal,
            "met": met,
        }


def machine() -> str:
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if "model name" in line
    ]
    model = names[0] if names else platform.machine()
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores ({model}), Python {platform.python_version()}, load {load:.1f} at the end"


def write(found: list[Benchmark], folder: Path, arguments: argparse.Namespace) -> None:
    """Print the table, and keep it as results.json and RESULTS.md."""
    results = {benchmark.id: benchmark.result() for benchmark in found}
    lines = [
        "# Measured",
        "",
        f"`make bench` on {datetime.now(UTC):%Y-%m-%d}: {machine()};",
        "PostgreSQL 18, fsync and synchronous_commit on.",
        f"{arguments.rounds} rounds of {arguments.seconds:g} s a slice, ours and the peer in turn; the ratio is the",
        "median of the rounds' ratios. L1 to L4 write the rows of a real bet (one move, one rider, two takes, one",
        "outbox row) through the client and the writer's own process; the peer locks rows and commits each posting",
        "(asyncpg, SELECT FOR UPDATE).",
        "",
        "| id | what | ours | peer | ratio | quartiles | µs a posting (client, writer) | goal | met |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for benchmark in found:
        result = results[benchmark.id]
        low, high = result["quartiles"]
        goal = "–" if benchmark.goal is None else f"{'≤' if benchmark.lower else '≥'} {benchmark.goal:g} ×"
        met = {None: "–", True: "yes", False: "no"}[result["met"]]
        lines.append(
            f"| {benchmark.id} | {benchmark.about} | {result['ours']:,} {benchmark.unit} | {result['peer']:,} | "
            f"{result['ratio']:g} × | {low:g}–{high:g} | {result['cpu_us'] or '–'} | {goal} | {met} |"
        )
    text = "\n".join(lines) + "\n"
    print(text)  # noqa: T201 - a command
    (folder / "RESULTS.md").write_text(text)
    (folder / "results.json").write_text(json.dumps(results, indent=2) + "\n")
