"""Writes openapi.json: the OpenAPI document of every built call. Run: make openapi

With --check it writes nothing and fails where the document isn't of the present calls.
"""

import json
import sys
from pathlib import Path

from kalos.app.calls import every_call
from kalos.wire.openapi import document

PLACE = Path(__file__).with_name("openapi.json")


def text() -> str:
    return json.dumps(document(every_call(demo=True)), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PLACE.write_text(text())
    elif PLACE.read_text() != text():
        sys.exit(f"contract/{PLACE.name} is not of the present calls, run make openapi")
