"""What a process imports decides how soon it is there: each takes only what it works with."""

import subprocess
import sys

import pytest

HEAVY = (
    "alembic",
    "sqlalchemy",
    "web3",
    "pytest",
    "hypothesis",
    "granian",
    "PIL",
    "aiosmtpd",
    "rich.text",
    "kalos.live.state",
)
OWN = {
    "api": {"granian", "PIL"},
    "worker": {"PIL"},
    "live": {"PIL", "kalos.live.state"},
    "inbox": {"aiosmtpd"},
    "tick": {"PIL"},
}


@pytest.mark.parametrize("name", ["api", "writer", "worker", "live", "inbox", "tick", "signer", "supervise"])
def test_process_imports_only_its_own_libraries(name: str) -> None:
    program = (
        "import contextlib, runpy, sys\n"
        "with contextlib.suppress(SystemExit):\n"
        "    runpy.run_module('kalos.app.cli', run_name='__main__')\n"
        f"import kalos.app.process, kalos.app.{name}\n"
        f"print(*(module for module in {HEAVY} if module in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= OWN.get(name, set())
