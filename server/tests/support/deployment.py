"""deploy/ as its tests read it."""

import re
from configparser import ConfigParser
from pathlib import Path
from typing import Any, Final

import yaml

from kalos.app.parts import PROCESSES
from kalos.app.settings import PROJECT, table_of_settings

DEPLOY: Final = PROJECT / "deploy"
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
NAMES: Final = {name for name, _, _, _ in table_of_settings()}
ALL: Final = {*PROCESSES, "signer"}
OPERATIONS: Final = (PROJECT / "docs" / "operations.md").read_text()
SOCKET: Final = "socket:/var/run/postgresql"
COMMAND: Final = "/opt/kalos/.venv/bin/python -m kalos.app.cli "


def read_unit(place: Path) -> ConfigParser:
    """A unit; of a name that stands twice the last one counts here."""
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(place.read_text())
    return parser


def units() -> dict[str, ConfigParser]:
    return {place.stem.rstrip("@"): read_unit(place) for place in sorted((DEPLOY / "systemd").glob("*.service"))}


def read_unit_lines(place: Path) -> dict[str, list[str]]:
    """All words of each name, also of one that stands twice."""
    found: dict[str, list[str]] = {}
    for name, words in re.findall(r"^(\w+)=(.+)$", place.read_text(), re.MULTILINE):
        found.setdefault(name, []).extend(words.split())
    return found


def own_settings(unit: ConfigParser) -> dict[str, str]:
    """What a unit sets itself, for its first process."""
    words = unit["Service"].get("Environment", "").replace("%i", "1").split()
    return dict(word.split("=", 1) for word in words)
