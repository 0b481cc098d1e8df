"""What no row of a beat may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from typing import Any, Final

from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that the table takes: one stands in it for ever, and a case changes what its constraint looks at there.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "chain_pulse": {
        "one": True,
        "holder": "worker-1",
        "beat_at": "2026-01-01 00:00:01+00",
        "reason": "late",
        "since": "2026-01-01 00:00:00+00",
        "head": 1,
        "clock_off_ms": -5,
        "block_off_ms": -5,
        "left_out": 1,
        "faults": "node 1 is silent",
    },
}

CASES: Final[dict[str, str]] = {
    "chain_pulse_pkey": "INSERT INTO chain_pulse SELECT * FROM chain_pulse",
    "chain_pulse_one_check": "UPDATE chain_pulse SET one = false",
    "chain_pulse_holder_check": "UPDATE chain_pulse SET holder = ''",
    "chain_pulse_holder_check/too long": "UPDATE chain_pulse SET holder = repeat('x', 65)",
    "chain_pulse_reason_check": "UPDATE chain_pulse SET reason = 'why', since = now()",
    "chain_pulse_since": "UPDATE chain_pulse SET reason = 'late'",
    "chain_pulse_since/without a reason": "UPDATE chain_pulse SET since = now()",
    "chain_pulse_head_check": "UPDATE chain_pulse SET head = -1",
    "chain_pulse_left_out_check": "UPDATE chain_pulse SET left_out = -1",
    "chain_pulse_faults_check": "UPDATE chain_pulse SET faults = repeat('x', 4001)",
}
