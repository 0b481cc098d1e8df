"""The writer where a commit may take as long as a test holds it up, and a standby waits as long for a holder's beat."""

import runpy

from kalos.ledger import commit, lease

if __name__ == "__main__":
    commit._LONGEST_SECONDS = 60.0  # type: ignore[misc]
    lease._TAKE = lease._TAKE.replace(lease._DEAD_AFTER, "1 minute")  # type: ignore[misc]
    runpy.run_module("kalos.app.cli", run_name="__main__")
