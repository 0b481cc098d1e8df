"""F1, F2: bytes of the built page, and how soon its first screens stand on a phone with a slow line.

`python bench/web.py [--rounds 5] [--out FOLDER]` prints the figures and merges them into results.json and RESULTS.md.
Lighthouse loads a house that runs as `make run` starts it; the empty page is loaded in each round, the order rotated.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from report import Benchmark, write

ROOT: Final = Path(__file__).parents[1]
_SIZE: Final = re.compile(r"^\S+ +([\d.]+) of ([\d.]+) kB  (.+)$", re.MULTILINE)
_KB: Final = 1000

# What Lighthouse measures: unit, goal, whether less is better.
_FIGURES: Final[dict[str, tuple[str, float, bool]]] = {
    "score": ("of 100", 95, False),
    "lcp": ("ms", 2000, True),
    "tbt": ("ms", 150, True),
    "own": ("ms", 150, True),
    "cls": ("shift", 0.02, True),
    "access": ("of 100", 100, False),
}


def sizes(said: str, bare: float) -> list[Benchmark]:
    """F1 out of what sizes.ts prints: the entry beside the bare page, the largest route and language."""
    rows = [(name, float(size), float(most)) for size, most, name in _SIZE.findall(said)]
    [(_, entry, goal)] = [row for row in rows if row[0] == "entry"]
    found = [Benchmark("F1", "entry JavaScript, gzip", "kB", goal, lower=True, absolute=True, against="bare React")]
    found[0].add(entry, bare / _KB)
    for part, starts in (("route", r"\w+Page$"), ("language", "texts ")):
        name, size, most = max((row for row in rows if re.match(starts, row[0])), key=lambda row: row[1])
        about = f"the largest {part}, gzip: {name}"
        found.append(Benchmark(f"F1 {part}", about, "kB", most, lower=True, absolute=True, against="its budget"))
        found[-1].add(size, most)
    return found


def loads(rounds: list[dict[str, dict[str, float]]]) -> list[Benchmark]:
    """F2: each figure of each page beside the empty page's of the same round."""
    found = []
    for page in ("login", "home"):
        for figure, (unit, goal, lower) in _FIGURES.items():
            one = Benchmark(
                f"F2 {page} {figure}", f"/{page}, {figure}", unit, goal, lower, absolute=True, against="bare React"
            )
            for round_ in rounds:
                one.add(round_[page][figure], round_["peer"][figure])
            found.append(one)
    return found


def _said(*words: str) -> str:
    done = subprocess.run(["node", *words], cwd=ROOT / "web", stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    arguments = parser.parse_args()
    measured: dict[str, Any] = json.loads(_said("../e2e/support/measure.ts", str(arguments.rounds)))
    found = sizes(_said("sizes.ts"), measured["bare"]) + loads(measured["rounds"])
    write(found, arguments.out)
    return int(any(one.result()["met"] is False for one in found))


if __name__ == "__main__":
    sys.exit(main())
