"""What our processes write: a JSON line for each event, ours and libraries', with places and without values."""

import json
import subprocess
import sys
from typing import Any

import pytest

from kalos.app.process import shown
from kalos.ledger.grants_release import NotReleased
from kalos.ledger.payables_settle import NotSettled

HEAD = """
import asyncio, logging, sys, warnings
import structlog
from kalos.app.process import configure, run_until_signal
from kalos.app.settings import Settings
from kalos.core.errors import Outage
configure(Settings(log_level="debug"), "trial")
log = structlog.get_logger()
password = "hunter2"
def fail(token="hunter2"):
    raise ValueError(f"hunter2 {password}")
"""


def lines_of(body: str) -> list[dict[str, Any]]:
    """What a process with the logs of production writes, both of its outputs together."""
    done = subprocess.run(
        [sys.executable, "-c", HEAD + body], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60
    )
    assert "hunter2" not in done.stdout
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_line_is_json_with_process_level_and_time() -> None:
    (line,) = lines_of('log.info("begun", port=5)')
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "begun", "port": 5, "level": "info", "process": "trial"}


def test_exception_shows_its_places_and_those_behind_it() -> None:
    (line,) = lines_of(
        """
try:
    try:
        fail()
    except ValueError as problem:
        raise Outage("the house is away") from problem
except Outage:
    log.exception("bug")
"""
    )
    first, behind = line["exception"]
    assert (first["type"], first["said"]) == ("kalos.core.errors.Outage", "the house is away")
    assert behind["type"] == "builtins.ValueError"
    assert [frame.rpartition(":")[2] for frame in behind["frames"]] == ["<module>", "fail"]
    assert behind.keys() == {"type", "frames"}


@pytest.mark.parametrize("kind", [NotReleased, NotSettled])
def test_what_somebody_must_look_at_is_told(kind: type[Exception]) -> None:
    problem = kind("3 of them, first 7: WrongState")
    assert shown((kind, problem, None))[0]["said"] == "3 of them, first 7: WrongState"


def test_group_of_exceptions_shows_each() -> None:
    (line,) = lines_of(
        """
try:
    raise ExceptionGroup("hunter2", [KeyError("hunter2"), OSError(98, "hunter2")])
except ExceptionGroup:
    log.exception("bug")
"""
    )
    kinds = [each["type"] for each in line["exception"]]
    assert kinds == ["builtins.ExceptionGroup", "builtins.KeyError", "builtins.OSError"]
    assert line["exception"][2]["said"] == "Address already in use"


UNCAUGHT = {
    "at the top": ("fail()", "ended by a bug"),
    "in main": ("async def main(): fail()\nrun_until_signal(main())", "ended by a bug"),
    "in a callback": (
        """
async def main():
    asyncio.get_running_loop().call_soon(fail, "hunter2")
    await asyncio.sleep(0.01)
run_until_signal(main())
""",
        "Exception in callback",
    ),
    "in a task": (
        """
async def work(token): fail()
async def main():
    asyncio.ensure_future(work("hunter2"))
    await asyncio.sleep(0.01)
run_until_signal(main())
""",
        "Task exception was never retrieved",
    ),
    "in a library": (
        """
try: fail()
except ValueError: logging.getLogger("library").exception("odd %s", password)
""",
        "odd %s",
    ),
}


@pytest.mark.parametrize("place", UNCAUGHT)
def test_what_nobody_caught_is_a_line_without_its_values(place: str) -> None:
    body, event = UNCAUGHT[place]
    (line,) = lines_of(body)
    assert (line["event"], line["process"]) == (event, "trial")
    assert line["level"] == ("critical" if event == "ended by a bug" else "error")
    assert [each["type"] for each in line["exception"]] == ["builtins.ValueError"]


def test_warning_tells_its_place_alone() -> None:
    (line,) = lines_of("warnings.warn(password)")
    assert (line["event"], line["kind"], line["process"]) == ("a warning", "UserWarning", "trial")
    assert line["place"].startswith("<string>:")


@pytest.mark.parametrize(("wanted", "allowed"), [(200, 300), (350, 350), (10_000, 400)])
def test_as_many_files_as_the_machine_allows(wanted: int, allowed: int) -> None:
    """The soft limit is raised, the hard one stands; what is allowed already stays."""
    program = f"""
import resource
from kalos.app.process import allow_files
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 400))
print(allow_files({wanted}), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, timeout=60, check=True)
    assert done.stdout.split() == [str(allowed), str(allowed), "400"]
