"""The writer with room for few copies and keys, and never wary: nearly all that a posting names was forgotten before.

So random lives meet what a house of a million members meets: rows that are read again, keys and quotas that are taken
for new and aren't, batches that fail by them.
"""

import runpy

from kalos.ledger import engine, state

COPIES = 10
KEYS = 30

if __name__ == "__main__":
    engine.MOST_COPIES = COPIES  # type: ignore[misc]
    engine._WARY_SECONDS = 0.0  # type: ignore[misc]
    state.MOST_KEYS = KEYS  # type: ignore[misc]
    runpy.run_module("kalos.app.cli", run_name="__main__")
