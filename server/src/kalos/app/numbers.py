"""Business numbers that an operator changes while the platform runs: every process follows within a second."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import structlog

from kalos.core.database import Database
from kalos.core.terms import Changeable, Terms, load_changeable
from kalos.domains.protection import queries
from kalos.domains.protection.rules import Numbers

SECONDS: Final = 0.5
_log = structlog.get_logger("numbers")


class FollowedNumbers:
    """Keeps `terms` as they were last ordered; what was never ordered is as in the file."""

    def __init__(self, db: Database, terms: Terms, file: Path) -> None:
        self._db = db
        self._terms = terms
        self._changeable = load_changeable(file)
        self._ordered: Numbers | None = None

    async def look(self) -> None:
        """Take over what is ordered now; while the database is away the last ones stand. Raises: Outage."""
        ordered = await queries.read_numbers(self._db)
        if ordered != self._ordered:
            numbers = numbers_of(ordered, self._changeable)
            self._terms.take_over({name: (self._changeable[name], value) for name, value in numbers.items()})
            self._ordered = ordered


def numbers_of(ordered: Numbers, changeable: Mapping[str, Changeable]) -> dict[str, int]:
    """What counts everywhere. An order whose bounds have become narrower since counts no longer."""
    numbers = {}
    for name, number in changeable.items():
        value = ordered.get((name, ""), number.default)
        if not number.takes(value):
            _log.error("an order is out of bounds and does not count", name=name, value=value)
            value = number.default
        numbers[name] = value
    return numbers
