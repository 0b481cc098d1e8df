"""The worker's timetable: each job that the papers promise, at its pace, and no other."""

import re
from pathlib import Path
from typing import Final

from kalos.adapters.mail.smtp import SmtpMailer
from kalos.app.runs import TELL_SECONDS
from kalos.app.settings import Settings
from kalos.app.worker import timetable
from kalos.domains.context import House
from support.papers import first_words, rows

OPERATIONS: Final = "operations.md", "What the worker does"


async def test_the_worker_does_what_the_papers_say_as_often_as_they_say(house: House, tmp_path: Path) -> None:
    mailer = SmtpMailer(host="localhost", port=1, sender="house@kalos.test")
    jobs = timetable(house, Settings(data_dir=tmp_path), mailer)
    paces = {job.name: job.seconds for job in jobs} | {"job runs": TELL_SECONDS}
    assert paces == {job: float(every.removesuffix(" s")) for job, every in told()}
    assert len(paces) == len(jobs) + 1


def told() -> list[tuple[str, str]]:
    return [(row["job"].strip("`"), row["every"]) for row in rows(*OPERATIONS)]


def test_what_ends_a_row_is_a_job_a_call_or_an_order() -> None:
    """Of retention.md's last column."""
    jobs = first_words(*OPERATIONS) | names_in("api.py") | {"signer"}
    others = {"user/close", "staff end"}
    ended = {word for row in rows("retention.md") for word in re.findall(r"`([^`]+)`", row["ended by"])}
    assert ended - others <= jobs
    assert others <= ended


def names_in(file: str) -> set[str]:
    """The jobs of another process: those are for its own memory and a few tables."""
    source = Path(__file__).parents[2] / "src" / "kalos" / "app" / file
    return set(re.findall(r'repeat\("([^"]+)"', source.read_text()))
