"""The second door of a house that runs: the first takes plain calls."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from kalos.app.kept import free_port
from kalos.app.settings import PROJECT
from support.group import OwnApi, RunningGroup


@contextmanager
def sealed_door(group: RunningGroup) -> Iterator[tuple[OwnApi, str]]:
    """A further API process of the house that takes sealed calls alone, and the address of a `kalos proxy` to it."""
    own, port = OwnApi(group, WIRE_MODES="sealed"), free_port()
    own.start()
    proxy = subprocess.Popen(
        [sys.executable, "-m", "kalos.app.cli", "proxy", str(port)],
        env=own.environment,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        cwd=PROJECT,
    )
    try:
        yield own, f"http://127.0.0.1:{port}"
    finally:
        proxy.kill()
        proxy.wait(10)
        own.kill()
