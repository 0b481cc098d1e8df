"""What no row of the house's own may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "alembic_version": {"version_num": "0000_nothing"},
    "job_runs": {
        "name": "midnight",
        "every_ms": 1,
        "started_at": 1,
        "ended_at": 2,
        "result": "done",
        "error": None,
    },
    "installation": {"name": "test", "value": "made"},
    "clock": {"id": 1, "offset_ms": 0},
    "domain_outbox": {
        "id": 1,
        "topic": "deposits.listed",
        "body": "{}",
        "at": 1,
        "done_at": None,
        "tries": 0,
        "due_at": 0,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "alembic_version_pkc": twice("alembic_version"),
    "job_runs_pkey": twice("job_runs", every_ms=2),
    "job_runs_name_check": row("job_runs", name=""),
    "job_runs_name_check/long": row("job_runs", name="x" * 61),
    "job_runs_every_ms_check": row("job_runs", every_ms=0),
    "job_runs_result_check": row("job_runs", result="lost", error="why"),
    "job_runs_error_check": row("job_runs", result="failed", error=""),
    "job_runs_error_check/long": row("job_runs", result="failed", error="x" * 301),
    "job_runs_ended": row("job_runs", ended_at=None),
    "job_runs_ended/no result": row("job_runs", result=None),
    "job_runs_explained": row("job_runs", result="failed"),
    "job_runs_explained/waits": row("job_runs", result="waits"),
    "job_runs_explained/done": row("job_runs", error="why"),
    "job_runs_explained/not ended": row("job_runs", ended_at=None, result=None, error="why"),
    "installation_pkey": twice("installation", value="again"),
    "installation_name_check": row("installation", name="Test"),
    "installation_name_check/empty": row("installation", name=""),
    "installation_name_check/long": row("installation", name="x" * 41),
    "installation_value_check": row("installation", value="x" * 1001),
    "clock_pkey": row("clock"),
    "clock_id_check": row("clock", id=2),
    "clock_offset_ms_check": "UPDATE clock SET offset_ms = -1",
    "domain_outbox_pkey": twice("domain_outbox", topic="console"),
    "domain_outbox_topic_check": row("domain_outbox", topic="Console"),
    "domain_outbox_topic_check/empty": row("domain_outbox", topic=""),
    "domain_outbox_topic_check/long": row("domain_outbox", topic="x" * 41),
    "domain_outbox_tries_check": row("domain_outbox", tries=-1),
    "domain_outbox_body_check": row("domain_outbox", body="[]"),
    "domain_outbox_due_at_check": row("domain_outbox", due_at=-1),
}
