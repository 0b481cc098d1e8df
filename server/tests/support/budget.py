"""How often the tests that chance decides run: the whole counts in `make soak`, a tenth of them in `make test`."""

import json
import os
import random
import tomllib
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

SOAK: Final = bool(os.environ.get("KALOS_SOAK"))
TRIES: Final = 1 if SOAK else 3
"""How often what is promised in time may be measured: a machine that stands still for a moment spoils one measurement,
what is wrong with the product spoils each."""
_BUDGET: Final = Path(__file__).parents[1] / "budget.toml"


def count(name: str, *, least: int = 3) -> int:
    """The whole count of `name` in budget.toml with KALOS_SOAK=1, else its tenth and never under `least`.

    Raises: KeyError, where budget.toml doesn't have it.
    """
    whole = _counts()[name]
    return whole if SOAK else max(least, whole // 10)


async def least(measure: Callable[[], Awaitable[float]], *, below: float) -> float:
    """The least of up to TRIES whole measurements; the first that is `below` is the last."""
    found = await measure()
    for _ in range(TRIES - 1):
        if found < below:
            break
        found = min(found, await measure())
    return found


@cache
def seed() -> int:
    """The run's seed: KALOS_SEED repeats a run, without it chance picks one. A test that fails prints it."""
    return int(os.environ.get("KALOS_SEED") or random.SystemRandom().randrange(2**32))


def figures(name: str, **values: float) -> None:
    """Print what a test measured; `make soak` gathers these lines for bench/SOAK.md."""
    line = json.dumps({"name": name} | {key: round(value, 3) for key, value in values.items()})
    print(line)  # noqa: T201 - shown with a failure
    if kept := os.environ.get("KALOS_FIGURES"):
        with Path(kept).open("a") as file:
            file.write(f"{line}\n")


@cache
def _counts() -> dict[str, int]:
    found: dict[str, int] = {}

    def walk(prefix: str, table: dict[str, Any]) -> None:
        for key, value in table.items():
            name = f"{prefix}.{key}" if prefix else key
            if isinstance(value, dict):
                walk(name, value)
            else:
                assert type(value) is int, f"{name} is no count"
                assert value > 0, f"{name} is no count"
                found[name] = value

    walk("", tomllib.loads(_BUDGET.read_text()))
    return found
