"""How long retention.md says that rows are kept is how long the code keeps them."""

import re
from types import ModuleType
from typing import Final

import pytest

from kalos.core import outbox
from kalos.core.clock import DAY_MS, HOUR_MS
from kalos.domains.challenges import queries as challenges
from kalos.domains.entry import rules as entry
from kalos.domains.identity import queries as identity
from kalos.domains.support import rules as support
from kalos.domains.teams import rules as teams
from kalos.domains.wallets import queries as wallets
from kalos.domains.withdrawals import queries as withdrawals
from kalos.ledger import audit
from kalos.wire import keys
from support.papers import rows

KEPT: Final = {re.search(r"`([^`]+)`", row["table"])[1]: row for row in rows("retention.md")}  # type: ignore[index]
SWEPT: Final[dict[str, ModuleType]] = {
    "sessions": identity,
    "challenges": challenges,
    "wallets": wallets,
    "withdrawal proofs": withdrawals,
}
"""By the job that takes them a day after their end."""
SOON: Final = "until a minute after their end, and never in the archive"
PERIODS: Final = {
    "domain_outbox": ("a day after its effect", outbox.KEPT_MS == DAY_MS),
    "wire_keys": ("48 hours, and never in the archive", keys.KEEP_MS == 48 * HOUR_MS),
    "keys": ("at least 400 days", audit._KEYS_KEPT_MS == 400 * DAY_MS),
    "devices": ("a year from their last login", entry.DEVICE_MS == 365 * DAY_MS),
    "staff_devices": ("last 20", entry.MOST_DEVICES == 20),
    "tickets": ("two years after their last message", support.KEPT_MS == 2 * 365 * DAY_MS),
    "turnover_days": ("31 days", teams.VOLUME_DAYS + 1 == 31),
}
"""What a table's line says, and whether the code keeps it so."""


@pytest.mark.parametrize("table", PERIODS)
def test_a_period_of_the_papers_is_the_codes(table: str) -> None:
    said, kept = PERIODS[table]
    assert said in KEPT[table]["kept"]
    assert kept


@pytest.mark.parametrize("job", SWEPT)
def test_what_goes_a_day_after_its_end_is_what_the_job_takes(job: str) -> None:
    lines = [row for row in KEPT.values() if row["ended by"] == f"`{job}`"]
    assert tables(lines, "until a day after their end") == set(getattr(SWEPT[job], "ENDING", ()))
    assert tables(lines, SOON) == set(getattr(SWEPT[job], "DRAWN", ()))


def tables(lines: list[dict[str, str]], kept: str) -> set[str]:
    return {table for row in lines if row["kept"] == kept for table in re.findall(r"`([^`]+)`", row["table"])}
