"""However many members there are, the writer's copies take less than a gigabyte."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from kalos.ledger.state import Hold, Quota, State
from support.budget import SOAK, figures

MOST_BYTES: Final = 10**9
SCRIPT: Final = Path(__file__).with_name("full_writer.py")


def test_all_that_a_writer_keeps_takes_less_than_a_gigabyte() -> None:
    part = 1 if SOAK else 10
    printed = subprocess.run([sys.executable, SCRIPT, str(part)], check=True, capture_output=True, text=True).stdout
    before, largest = map(int, printed.split())
    whole = before + (largest - before) * part
    figures("memory of the writer", part=1 / part, megabytes=whole / 10**6)
    assert whole < MOST_BYTES


def test_each_sort_has_its_bound() -> None:
    full = State()
    for number in range(130):
        full.accounts[number] = (0, 1)
        full.holds[number] = Hold(1, 1, 1, 1)
        full.quotas[str(number)] = Quota(1, 1, 1, True)
    full.shrink(100, (), (), ())
    assert (len(full.accounts), len(full.holds), len(full.quotas)) == (90, 90, 45)
