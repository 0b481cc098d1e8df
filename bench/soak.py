"""`make soak`: whatever chance decides, in its whole counts, what is timed alone; writes bench/SOAK.md."""

import json
import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

SERVER: Final = Path(__file__).parents[1] / "server"
REPORT: Final = Path(__file__).with_name("SOAK.md")
LIMIT_SECONDS: Final = 90 * 60
ROOMS: Final = ("ledger", "faults", "deposits", "games")
TIMED: Final = (
    "e2e/lab/speed",
    "tests/bench/test_midnight.py",
    "tests/entry/test_equal_answers.py",
    "tests/faults/test_backup.py",
    "tests/faults/test_two_apis_logins.py",
    "tests/faults/test_two_apis_shedding.py",
    "tests/faults/test_two_apis_tries.py",
    "tests/faults/test_two_apis.py",
    "tests/app/test_connections.py",
    "tests/app/test_metrics.py",
    "tests/wire/test_peers.py",
    "tests/ledger/test_lease.py",
    "tests/ledger/test_memory.py",
    "tests/ledger/test_watch_load.py",
    "tests/ledger/test_crash.py",
)
"""What measures seconds or memory, in this order: nothing runs beside it. The longest is the last."""
LONGEST: Final = (
    "tests/simulation/test_money.py",
    "tests/signer/test_crashes.py",
    "tests/signer/test_limits.py",
    "e2e/access",
    "tests/contract/test_every_call.py",
    "tests/fuzz/test_fuzzing.py",
    "tests/ledger/test_machine.py",
    "tests/faults/test_two_apis_withdrawals.py",
)
"""Of the rest they come first, so that no lane is left alone with one of them at the end."""

# A test of many minutes is no test that hangs; the limit of the whole ends that.
_PYTEST: Final = ("-m", "pytest", "-q", "-o", f"faulthandler_timeout={LIMIT_SECONDS}")
_SUMMARY: Final = re.compile(r"^(?=.*\b(?:passed|failed|error)).* in [\d.]+s")
# Every screen in every theme, language and size, and with every answer; five loads of the first ones.
PAGES: Final = ("access", "answers", "languages", "layout", "states", "lab/speed")
LANES: Final = 3
"""Who looks at pages or waits for blocks leaves a core idle: three parts keep two busy."""
_NODE: Final = ("node", "--test", "--test-reporter=tap", "--test-timeout=1800000")


_running: set[subprocess.Popen[str]] = set()


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    words: tuple[str, ...]
    program: str = sys.executable
    lanes: int = 1
    """How many of the lanes it fills."""


MUTATIONS: Final = Part("mutations", ("-m", "support.mutate", "--all", "--record", "--at-once", "2"), lanes=2)


@dataclass(frozen=True, slots=True)
class Ended:
    name: str
    seconds: float
    code: int
    summary: str
    failures: tuple[str, ...]

    @property
    def result(self) -> str:
        return "passed" if self.code == 0 else "FAILED"


def parts(seed: int) -> tuple[list[Part], list[Part]]:
    """Each test file that has counts; those of the ledger's rooms and of constraints that have none; the mutations.

    First those that run alone, then those of which several run beside each other.
    """
    texts = {file: file.read_text() for file in sorted(SERVER.glob("tests/*/test_*.py"))}
    counted = [file for file, text in texts.items() if "support.budget" in text]
    plain = [
        file
        for file, text in texts.items()
        if file not in counted and (file.parent.name in ROOMS or "support.constraints" in text)
    ]
    pytest = (*_PYTEST, f"--hypothesis-seed={seed}")
    found = [Part(name, (*pytest, name)) for name in map(_name, counted)]
    found += [Part(f"e2e/{name}", (*_NODE[1:], f"../e2e/{name}.test.ts"), _NODE[0]) for name in PAGES]
    by_name = {one.name: one for one in found}
    without = Part("without counts", (*pytest, *map(_name, plain)))
    first = [by_name[name] for name in LONGEST]
    rest = [one for one in found if one.name not in (*TIMED, *LONGEST)]
    return [by_name[name] for name in TIMED], [MUTATIONS, *first, without, *rest]


def _name(file: Path) -> str:
    return str(file.relative_to(SERVER))


def run(part: Part, environment: dict[str, str], limit: float) -> Ended:
    """Run one part and show what it prints; it is ended with all of its processes when its time is over."""
    print(f"\n== {part.name} ==", flush=True)
    begun, summary, failures = time.monotonic(), "", []
    child = subprocess.Popen(
        [part.program, *part.words],
        cwd=SERVER,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    _running.add(child)
    timer = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
    timer.start()
    threading.Thread(target=_clear, args=(child,)).start()
    try:
        assert child.stdout is not None
        for line in child.stdout:
            print(line, end="", flush=True)
            if _SUMMARY.match(line) or (line.strip() and part is MUTATIONS):
                summary = line.strip().strip("= ")
            if part.program != sys.executable and line.startswith(("# pass", "# fail")):
                summary = f"{summary}, {line[2:].strip()}".lstrip(", ")
            if line.startswith(("FAILED ", "ERROR ", "SURVIVED", "not ok ")):
                failures.append(line.strip())
        code = child.wait()
    finally:
        timer.cancel()
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        _running.discard(child)
    return Ended(part.name, time.monotonic() - begun, code, summary, tuple(failures))


@contextmanager
def _ending_all() -> Iterator[None]:
    """Where this process is interrupted, so is what runs beside: else it would be waited for."""
    try:
        yield
    except BaseException:
        for child in list(_running):
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        raise


def _clear(child: subprocess.Popen[str]) -> None:
    """End what a part left behind: it would keep the pipe open, and its work would disturb the next part."""
    child.wait()
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def report(of: str, begun: datetime, seconds: float, ended: list[Ended], measured: list[dict[str, Any]]) -> str:
    """The table that goes to the terminal and to bench/SOAK.md."""
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    lines = [
        "# Proof by force",
        "",
        f"`make soak` of {begun:%Y-%m-%d %H:%M} UTC: {of}, {seconds / 60:.0f} minutes, {machine}.",
        "`KALOS_SOAK=1` and `KALOS_SEED` with this seed before a test's command repeat it.",
        "",
        "| part | seconds | result | summary |",
        "| --- | --- | --- | --- |",
        *(f"| {one.name} | {one.seconds:.0f} | {one.result} | {one.summary or '–'} |" for one in ended),
        "",
        *(f"- {failure}" for one in ended for failure in one.failures),
        "",
        "| measured | |",
        "| --- | --- |",
    ]
    for one in measured:
        values = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in one.items() if name != "name")
        lines.append(f"| {one['name'].replace('_', ' ')} | {values} |")
    counts = _flat("", tomllib.loads((SERVER / "tests/budget.toml").read_text()))
    lines += ["", "| count | whole |", "| --- | --- |"]
    lines += [f"| `{name}` | {value:,} |" for name, value in sorted(counts.items())]
    return "\n".join(lines) + "\n"


def _flat(prefix: str, table: dict[str, Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, value in table.items():
        name = f"{prefix}.{key}" if prefix else key
        found |= _flat(name, value) if isinstance(value, dict) else {name: value}
    return found


def _commit() -> str:
    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=SERVER, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" with changes" if git("status", "-s", ".") else "")


def _has_browser() -> bool:
    """Whether the tests' browser is here: one part in the middle of an hour is too late to hear that it isn't."""
    launch = "import('../e2e/support/launch.ts').then(({ LAUNCH }) => console.log(LAUNCH.executablePath))"
    done = subprocess.run([_NODE[0], "-e", launch], cwd=SERVER, capture_output=True, text=True, check=True)
    return shutil.which(done.stdout.strip()) is not None


def main() -> int:
    if not _has_browser():
        print("please install: sudo apt-get install chromium-headless-shell", file=sys.stderr)
        return 1
    seed = int(os.environ.get("KALOS_SEED") or random.SystemRandom().randrange(2**32))
    begun, start = datetime.now(UTC), time.monotonic()
    of = f"commit {_commit()}, seed {seed}"  # before the mutations that are proven are written down
    ended: list[Ended] = []
    with tempfile.NamedTemporaryFile("r") as figures:
        environment = os.environ | {"KALOS_SOAK": "1", "KALOS_SEED": str(seed), "KALOS_FIGURES": figures.name}
        environment["PYTHONPATH"] = str(SERVER / "tests")

        def carry_out(part: Part) -> Ended:
            return run(part, environment, max(1.0, LIMIT_SECONDS - (time.monotonic() - start)))

        free = threading.Semaphore(LANES)

        def carry_out_beside(part: Part) -> Ended:
            try:
                return carry_out(part)
            finally:
                free.release(part.lanes)

        alone, beside = parts(seed)
        ended += map(carry_out, alone)
        with ThreadPoolExecutor(LANES) as lanes, _ending_all():
            begun_beside = []
            for part in beside:  # in this order, whoever waits for how many lanes
                for _ in range(part.lanes):
                    free.acquire()
                begun_beside.append(lanes.submit(carry_out_beside, part))
            ended += [one.result() for one in begun_beside]
        measured = [json.loads(line) for line in figures]
    text = report(of, begun, time.monotonic() - start, ended, measured)
    REPORT.write_text(text)
    print(f"\n{text}")
    return int(any(one.code for one in ended))


if __name__ == "__main__":
    sys.exit(main())
