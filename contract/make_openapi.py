"""Writes openapi.json: the OpenAPI document of every built call. Run: python contract/make_openapi.py"""

import json
import sys
from pathlib import Path

from kalos.app.calls import all_calls
from kalos.wire.openapi import document

PLACE = Path(__file__).with_name("openapi.json")


def text() -> str:
    return json.dumps(document(all_calls(demo=True)), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text())
    sys.stdout.write(f"{PLACE.name}: {len(all_calls(demo=True))} calls\n")
