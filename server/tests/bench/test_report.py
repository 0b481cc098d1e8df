"""What a run leaves behind: results merged by id, judged by their goals; a slow disk that is slow."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import charts
import pytest
import slowdisk
import web
from report import Benchmark, merge
from slices import PERCENTS, measure


def rounds(benchmark: Benchmark, *pairs: tuple[float, float]) -> Benchmark:
    for pair in pairs:
        benchmark.add(*pair)
    return benchmark


def test_ratio_is_the_median_of_the_rounds_own_ratios() -> None:
    entry = rounds(Benchmark("L1", "bets", "postings/s", 40), (40, 1), (90, 2), (10, 1)).result()
    assert (entry["ours"], entry["peer"], entry["ratio"], entry["quartiles"]) == (40, 1, 40, [25, 42.5])
    assert entry["met"] is True


@pytest.mark.parametrize(
    ("benchmark", "met"),
    [
        (Benchmark("A", "", "", 40), False),
        (Benchmark("B", "", "", 39.9), True),
        (Benchmark("C", "", "", 39.8, lower=True), False),
        (Benchmark("D", "", "", 40, lower=True), True),
        (Benchmark("E", "", "", 399, absolute=True), True),
        (Benchmark("F", "", "", 398, lower=True, absolute=True), False),
        (Benchmark("G", "", ""), None),
    ],
)
def test_goal_bounds_the_ratio_or_ours_from_below_or_above(benchmark: Benchmark, met: bool | None) -> None:
    entry = rounds(benchmark, (399, 10)).result()
    assert entry["met"] is met


def test_what_stands_beside_nothing_is_judged_by_itself() -> None:
    entry = rounds(Benchmark("F2", "shift", "", 0.02, lower=True, absolute=True), (0.01, 0), (0.03, 0), (0, 0)).result()
    assert (entry["ours"], entry["ratio"], entry["met"]) == (0.01, 1, True)


@pytest.mark.parametrize(
    ("measured", "lower", "factor"),
    [(0.01, True, 2), (0, True, 1_000), (0.04, True, 0.5), (0, False, 0), (0.04, False, 2)],
)
def test_a_chart_shows_how_far_a_goal_is_met_also_by_nothing(measured: float, lower: bool, factor: float) -> None:
    entry = rounds(Benchmark("F2", "shift", "", 0.02, lower=lower, absolute=True), (measured, 1)).result()
    assert charts.factor_of(entry) == factor


def test_pages_are_judged_by_what_node_prints() -> None:
    said = "ok    117.3 of 130 kB  entry\nok      1.4 of 25 kB  MePage\nOVER   25.4 of 25 kB  RoomPage\n"
    said += "ok    120.9 of 190 kB  HomePage usable\nok      3.0 of 25 kB  texts vi-1.js\n"
    entry, route, language = (one.result() for one in web.sizes(said, 93_000))
    assert (entry["ours"], entry["peer"], entry["met"]) == (117.3, 93, True)
    assert (route["ours"], route["met"], language["ours"]) == (25.4, False, 3)
    login = {"score": 94, "lcp": 2000, "tbt": 151, "own": 150, "cls": 0.0, "access": 100}
    loads = web.loads([{"login": login, "home": login, "peer": login}])
    assert [one.result()["met"] for one in loads[:6]] == [False, True, False, True, True, True]


def test_what_a_run_leaves_out_keeps_its_earlier_line(tmp_path: Path) -> None:
    merge([rounds(Benchmark("L10", "late", "x", 1), (1, 1)), rounds(Benchmark("L5", "slow", "x", 1), (2, 1))], tmp_path)
    merge([rounds(Benchmark("L10", "late", "x", 1), (3, 1)), Benchmark("L5", "slow", "x", skipped="no cc")], tmp_path)
    results = json.loads((tmp_path / "results.json").read_text())
    assert {name: entry["ratio"] for name, entry in results.items()} == {"L5": 2, "L10": 3}
    assert [*results] == ["L5", "L10"]
    assert "| L10 | late | 3 x | 1 (row lock) | 3 × |" in (tmp_path / "RESULTS.md").read_text()


def test_what_was_never_measured_says_so(tmp_path: Path) -> None:
    merge([Benchmark("L5", "slow", "postings/s", 45, skipped="no C compiler")], tmp_path)
    assert "| L5 | slow | not measured: no C compiler |" in (tmp_path / "RESULTS.md").read_text()


async def test_what_is_not_counted_stays_out_of_the_rate() -> None:
    counted = []

    async def work(number: int) -> bool:
        if number % 2 == 0:
            counted.append(number)
        return number % 2 == 0

    seconds = iter([{"client": 1.0, "writer": 5.0}, {"client": 1.5, "writer": 5.0}])

    async def meter() -> dict[str, float]:
        return next(seconds)

    one = await measure(work, 1, 0.5, meter)
    assert one.cpu_us == {"client": 500_000 / len(counted)}
    assert one.rate <= len(counted) / 0.5
    assert len(one.spread) == len(PERCENTS)


def test_slow_fsync_is_met_by_both_calls(tmp_path: Path) -> None:
    library = slowdisk.build(tmp_path)
    if library is None:
        assert shutil.which("cc") is None
        return
    program = (
        "import os, sys, time\n"
        "file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)\n"
        "for call in (os.fsync, os.fdatasync):\n"
        "    begun = time.perf_counter(); call(file); print(time.perf_counter() - begun)\n"
    )
    command = [sys.executable, "-S", "-c", program, str(tmp_path / "file")]
    with slowdisk.preloaded(library, 50):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert all(float(seconds) >= 0.05 for seconds in done.stdout.split())
    assert "LD_PRELOAD" not in os.environ
