"""Takes one guard at a time out of a copy of server, deploy and page, and runs the test that must fail without it.

`python -m support.mutate` with `--all`, `--changed` (whose code or test is not as it was when last proven) or
names of entries. `--record` writes what was proven, `--seconds` begins no further entry after so many, `--at-once` says
how many run side by side. Exits with 1 if a mutation survives: nothing would notice if that guard were gone.
"""

import argparse
import asyncio
import compileall
import hashlib
import os
import py_compile
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kalos.app.embedded.postgres import RunningCluster
from support import clusters

SERVER: Final = Path(__file__).parents[2]
LIST: Final = SERVER / "tests" / "mutations.toml"
PROVEN: Final = SERVER / "tests" / "mutations.proven"
_ALSO_CHANGED: Final = ("deploy", "web")
"""Folders beside the server's that have guards, too."""
_INSTALLED: Final = ("node_modules", "dist")
"""What stands in them and is made of other things: the copy has links to it."""
_OF_CLUSTER: Final = ("migrations/", "src/kalos/app/")
"""What makes a cluster and its template: a mutation of it needs a cluster of its own."""
_PAGE: Final = "../web/"
"""How a file of the page begins; its tests are vitest's: `../web/src/FILE::a test's own name`."""
_AT_ONCE: Final = 2
_LEAST_SECONDS: Final = 2.0
"""Nothing is taken out and tried in less."""
_LONGEST_SECONDS: Final = 120.0
_SECONDS_MORE: Final = 3.0
"""For each further test of a run."""
# All that is installed takes longer to load than most of these tests take.
_FEW_PLUGINS: Final = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_asyncio.plugin"}
# An assertion, or an answer of the house that the test didn't expect. What the mutation itself broke is neither.
_NOTICED: Final = re.compile(
    r"AssertionError|assert |Failed: DID NOT RAISE|kalos\.[a-z_.]+\.[A-Z]|TestingLibraryElementError"
)
_KILLED, _SURVIVED = "killed", "SURVIVED"


@dataclass(frozen=True, slots=True)
class Mutation:
    """In `file`, `take` (which stands there once) becomes `put`; then `test` must fail. `guard` is its sort."""

    name: str
    guard: str
    file: str
    take: str
    put: str
    test: str

    @property
    def test_file(self) -> str:
        return self.test.partition("::")[0]

    @property
    def is_of_page(self) -> bool:
        return self.test.startswith(_PAGE)

    def proof(self) -> str:
        """What stays the same as long as neither the entry nor its code nor its test changes."""
        digest = hashlib.sha256(repr((self.take, self.put, self.test)).encode())
        for file in (self.file, self.test_file):
            digest.update(hashlib.sha256((SERVER / file).read_bytes()).digest())
        return digest.hexdigest()[:16]


def read_list() -> dict[str, Mutation]:
    """The entries of mutations.toml: what they don't say themselves, their group says."""
    found: dict[str, Mutation] = {}
    for group in tomllib.loads(LIST.read_text())["group"]:
        shared = {"put": ""} | {key: value for key, value in group.items() if key != "entries"}
        for name, entry in group["entries"].items():
            fields = shared | entry
            assert name not in found, f"two entries are called {name}"
            found[name] = Mutation(name, **fields | {"test": fields["test"].format(name=name)})
    return found


def place_of(test: str) -> tuple[str, int, str]:
    """Where a test stands among all: in the order of its file, as pytest would run it."""
    file, _, name = test.partition("::")
    return file, (SERVER / file).read_text().find(f"def {name.partition('[')[0]}("), name


def read_proven() -> dict[str, str]:
    return dict(line.split() for line in PROVEN.read_text().splitlines()) if PROVEN.exists() else {}


def changed(proofs: Mapping[str, str]) -> list[str]:
    """Those that are not proven as they stand: in an order that any change of them turns, so that each has its turn."""
    proven, turn = read_proven(), "".join(proofs.values())
    waiting = [name for name, proof in proofs.items() if proven.get(name) != proof]
    return sorted(waiting, key=lambda name: hashlib.sha256((turn + name).encode()).digest())


class Copy:
    """A copy of the server beside links to what its tests read of the rest of the project.

    Its runs use the cluster in the folder `shared`, where what they try has no part in making one.
    """

    def __init__(self, folder: Path, shared: Path) -> None:
        self.server = folder / "server"
        self._shared = {clusters.SHARED: str(shared)}
        shutil.copytree(SERVER, self.server, ignore=shutil.ignore_patterns(".*", "__pycache__", "*.lock"))
        for beside in SERVER.parent.iterdir():
            if beside.name in _ALSO_CHANGED:
                shutil.copytree(beside, folder / beside.name, ignore=shutil.ignore_patterns(*_INSTALLED))
                for installed in filter(Path.exists, (beside / name for name in _INSTALLED)):
                    (folder / beside.name / installed.name).symlink_to(installed)
            elif beside.name != "server" and not beside.name.startswith("."):
                (folder / beside.name).symlink_to(beside)
        # By content, not by time: a file is changed and changed back within a second.
        compileall.compile_dir(
            self.server / "src", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
        )
        self._report, self.printed = folder / "report.xml", folder / "printed.txt"

    async def without(self, mutation: Mutation) -> str:
        """Run the mutation's test without its guard. Returns `killed`, or what happened instead."""
        file = self.server / mutation.file
        text = file.read_text()
        assert text.count(mutation.take) == 1, f"{mutation.name}: the text stands {text.count(mutation.take)} times"
        file.write_text(text.replace(mutation.take, mutation.put))
        try:
            code = await self.run([mutation.test], own_cluster=mutation.file.startswith(_OF_CLUSTER))
        finally:
            file.write_text(text)
        return self._verdict(code)

    def _verdict(self, code: int | None) -> str:
        if code == 0:
            return _SURVIVED
        if code != 1:
            return "SURVIVED: it hangs" if code is None else f"SURVIVED: pytest ends with {code}"
        found = ET.parse(self._report).iter("failure")
        failures = [f"{failure.get('type', '')} {failure.get('message', '')}".strip() for failure in found]
        if any(map(_NOTICED.match, failures)):
            return _KILLED
        # An error on the way to the test says that the mutation broke more than its guard.
        return f"SURVIVED: no assertion failed, but {(failures or ['an error outside of the test'])[0][:200]}"

    async def run(self, tests: Iterable[str], *, own_cluster: bool = False) -> int | None:
        """Run tests in the copy. Returns their exit code, None where they had to be ended."""
        shared = {} if own_cluster else self._shared
        self._report.unlink(missing_ok=True)
        page = [test.removeprefix(_PAGE) for test in tests if test.startswith(_PAGE)]
        own = [test for test in tests if not test.startswith(_PAGE)]
        seconds = _LONGEST_SECONDS + _SECONDS_MORE * (len(own) + len(page) - 1)
        code = await self._run(self.server, shared, seconds, *_pytest(own, self._report)) if own else 0
        if not page or code != 0:
            return code
        return await self._run(self.server.parent / "web", {}, seconds, *_vitest(page, self._report))

    async def _run(self, folder: Path, environment: Mapping[str, str], seconds: float, *command: str) -> int | None:
        path = os.pathsep.join((str(self.server / "src"), str(self.server / "tests")))
        with self.printed.open("wb") as printed:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **_FEW_PLUGINS, **environment},
                stdout=printed,
                stderr=printed,
                start_new_session=True,
            )
        try:
            return await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            return None
        finally:
            await end(process)


def _pytest(tests: Iterable[str], report: Path) -> list[str]:
    return [*(sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"), *tests]


def _vitest(tests: Iterable[str], report: Path) -> list[str]:
    """Vitest takes files and a pattern of names apart; of those that aren't meant some may run, too."""
    files, names = zip(*(test.split("::", 1) for test in tests), strict=True)
    pattern = "|".join(re.escape(name) for name in names)
    how = ("--testNamePattern", pattern, "--reporter=junit", f"--outputFile={report}")
    return ["node_modules/.bin/vitest", "run", *sorted(set(files)), *how]


async def end(process: asyncio.subprocess.Process) -> None:
    """End a run with all that it started: politely, so that it takes its cluster down, then at once."""
    for number in (signal.SIGINT, signal.SIGKILL):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 30)


@contextmanager
def _cluster() -> Iterator[Path]:
    """The folder of a fast cluster that runs."""
    folder = clusters.new_folder(in_memory=True)
    running = RunningCluster(clusters.cluster_in(folder, durable=False))
    try:
        running.start()
        yield folder
    finally:
        running.kill()
        shutil.rmtree(folder, ignore_errors=True)


async def prove(mutations: list[Mutation], seconds: float, at_once: int) -> tuple[list[str], list[str]]:
    """Run each, and say what became of it. Returns the names that were killed and those that wait."""
    begun = time.monotonic()
    fit = int(min(len(mutations), at_once * seconds / _LEAST_SECONDS))
    left, later, killed = mutations[:fit], mutations[fit:], []
    with tempfile.TemporaryDirectory(prefix="kalos-mutations-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o711)  # as a checkout of root's is that others can read
        shared = stack.enter_context(_cluster())
        await clusters.make_template(clusters.cluster_in(shared, durable=False).url())

        async def work(copy: Copy) -> None:
            while left and time.monotonic() - begun < seconds:
                mutation, since = left.pop(0), time.monotonic()
                verdict = await copy.without(mutation)
                say(f"{mutation.name:<40} {mutation.test:<100} {verdict} {time.monotonic() - since:.1f} s")
                if verdict == _KILLED:
                    killed.append(mutation.name)

        copies = []
        for number in range(min(at_once, fit)):
            place = Path(folder) / str(number)
            place.mkdir()
            copies.append(Copy(place, shared))
        if copies and (code := await copies[0].run(sorted({one.test for one in left}, key=place_of))) != 0:
            became = "don't end in time" if code is None else "fail"
            raise SystemExit(f"{copies[0].printed.read_text()}\nThese tests {became} without any mutation.")
        await asyncio.gather(*map(work, copies))
    return killed, [one.name for one in (*left, *later)]


def record(proofs: Mapping[str, str], killed: Iterable[str]) -> None:
    """Write down what was proven, and drop what is no longer in the list."""
    proven = {name: proof for name, proof in read_proven().items() if name in proofs}
    proven |= {name: proofs[name] for name in killed}
    PROVEN.write_text("".join(f"{name} {proof}\n" for name, proof in sorted(proven.items())))


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--at-once", type=int, default=_AT_ONCE)
    asked = parser.parse_args()
    mutations = read_list()
    proofs = {name: one.proof() for name, one in mutations.items()}
    chosen = list(mutations) if asked.all else changed(proofs) if asked.changed else asked.names
    killed, waiting = asyncio.run(prove([mutations[name] for name in chosen], asked.seconds, asked.at_once))
    if asked.record:
        record(proofs, killed)
    survived = len(chosen) - len(killed) - len(waiting)
    say(f"{len(mutations)} mutations, {len(chosen)} to prove: {len(killed)} killed, {survived} survived")
    if waiting:
        say(f"{len(waiting)} wait for their turn, the time is over: {', '.join(sorted(waiting))}")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
