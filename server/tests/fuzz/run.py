"""Fuzzes one target with atheris from its kept inputs on: `python -m fuzz.run NAME SECONDS [--keep]`, in tests/.

The exit code is 0 where nothing was found. `--keep` writes what reaches new code into the target's file.
"""

import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import atheris

_LONGEST: Final = 4_096
_SLOW_SECONDS: Final = 10
_MEGABYTES: Final = 2_048


def fuzz(name: str, command: list[str]) -> None:
    """Become libFuzzer; never returns. A name of the form module:function is a target of one's own."""
    atheris.enabled_hooks.add("str")
    with atheris.instrument_imports(include=["kalos", "json", "fuzz"]):
        from fuzz.targets import TARGETS

        module, _, function = name.partition(":")
        target = getattr(importlib.import_module(module), function) if function else TARGETS[name]
    atheris.Setup(command, target)
    atheris.Fuzz()


def main(name: str, seconds: str, *, keep: bool) -> int:
    """Run the fuzzer as a process of its own: it ends by leaving."""
    from fuzz import corpus

    with tempfile.TemporaryDirectory() as place:
        found, smallest, bad = (Path(place) / part for part in ("found", "smallest", "bad"))
        for folder in (found, smallest, bad):
            folder.mkdir()
        for number, one in enumerate(corpus.read(name)):
            (found / str(number)).write_bytes(one)
        limits = [f"-max_len={_LONGEST}", f"-timeout={_SLOW_SECONDS}", f"-rss_limit_mb={_MEGABYTES}"]
        seed = [f"-seed={os.environ['KALOS_SEED']}"] if os.environ.get("KALOS_SEED") else []
        options = [*limits, *seed, f"-max_total_time={seconds}", f"-artifact_prefix={bad}/", "-print_final_stats=1"]
        own = _own_command(name, Path(place))
        code = _run(own, *options, str(found))
        for finding in bad.iterdir():
            print(f"{finding.name}: {finding.read_bytes()!r}")  # noqa: T201
        if keep and code == 0:
            code = _run(own, "-merge=1", f"-max_len={corpus.LONGEST}", str(smallest), str(found))
            corpus.write(name, (one.read_bytes() for one in smallest.iterdir()))
    return code


def _own_command(name: str, place: Path) -> Path:
    """A command that is libFuzzer on that target: it starts itself again where it merges."""
    command = place / "libfuzzer"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fuzz.run --inside {name} "$0" "$@"\n')
    command.chmod(0o700)
    return command


def _run(command: Path, *options: str) -> int:
    words = [str(command), *options]
    return subprocess.run(words, cwd=Path(__file__).parents[1], stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        fuzz(sys.argv[2], sys.argv[3:])
    sys.exit(main(sys.argv[1], sys.argv[2], keep="--keep" in sys.argv))
