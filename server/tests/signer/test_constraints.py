"""What no row of the signer may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import (
    pytest_generate_tests,
    test_each_constraint_of_these_tables_has_its_case,
    test_the_database_itself_refuses,
    test_the_row_that_the_cases_change_is_a_good_one,
)

__all__ = [
    "pytest_generate_tests",
    "test_each_constraint_of_these_tables_has_its_case",
    "test_the_database_itself_refuses",
    "test_the_row_that_the_cases_change_is_a_good_one",
]

_HASH: Final = "0x" + "ab" * 32
_ADDRESS: Final = "0x" + "aB" * 20
_OTHER: Final = "0x" + "cD" * 20
_OPEN: Final = {"ended_at": None, "outcome": None, "transaction": None}
_FOUND: Final = {"purpose": "found", "withdrawal": None, "hold": None}
_SWEEP: Final = _OPEN | {"purpose": "sweep", "withdrawal": None, "hold": None, "owner": 1000}

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "signer_state": {
        "one": True,
        "paused": True,
        "reason": "by hand",
        "by": "anna",
        "at": 1,
        "waiting": "the hot wallet is short",
        "hot": _ADDRESS,
        "native_units": 10**18,
        "gas_low": False,
        "looked_at": 1,
        "beat_at": 1,
        "head": 1,
        "limits": "{}",
        "limits_order": 1,
        "limits_refused": "not signed by two",
    },
    "signer_nonces": {
        "sender": _ADDRESS,
        "nonce": 1,
        "purpose": "withdrawal",
        "withdrawal": 1,
        "hold": 8,
        "owner": None,
        "asset": "KLS",
        "recipient": _OTHER,
        "units": 5,
        "value_units": 1,
        "gas": 65_000,
        "taken_at": 1,
        "taken_block": 1,
        "ended_at": 2,
        "outcome": "approved",
        "transaction": _HASH,
        "seen_hash": _HASH,
        "seen_block": 2,
        "price_numerator": 1,
        "price_denominator": 4,
        "price_at": 1,
        "price_source": "list",
    },
    "broadcasts": {
        "sender": _ADDRESS,
        "nonce": 1,
        "attempt": 1,
        "withdrawal": 1,
        "raw": "x" * 110,
        "hash": _HASH,
        "max_fee": 30,
        "tip": 2,
        "made_at": 1,
        "made_block": 1,
        "sent_at": 2,
    },
    "signer_alarms": {"at": 1, "reason": "the chain counts more payments"},
    "sweep_news": {"chain_id": 1, "id": 1, "owner": 1000, "asset": "USDT", "units": -5},
    "sweep_sums": {"owner": 1000, "asset": "USDT", "units": -5},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "signer_state_pkey": "INSERT INTO signer_state SELECT * FROM signer_state",
    "signer_state_one_check": "UPDATE signer_state SET one = false",
    "signer_state_explained": "UPDATE signer_state SET paused = true",
    "signer_state_reason_check": "UPDATE signer_state SET reason = ''",
    "signer_state_reason_check/too long": "UPDATE signer_state SET reason = repeat('x', 2001)",
    "signer_state_by_check": "UPDATE signer_state SET by = ''",
    "signer_state_by_check/too long": "UPDATE signer_state SET by = repeat('x', 101)",
    "signer_state_waiting_check": "UPDATE signer_state SET waiting = repeat('x', 201)",
    "signer_state_native_units_check": "UPDATE signer_state SET native_units = -1",
    "signer_state_head_check": "UPDATE signer_state SET head = -1",
    "signer_state_limits_order_check": "UPDATE signer_state SET limits_order = -1",
    "signer_state_limits_refused_check": "UPDATE signer_state SET limits_refused = ''",
    "signer_state_limits_refused_check/too long": "UPDATE signer_state SET limits_refused = repeat('x', 201)",
    "signer_nonces_pkey": twice("signer_nonces", withdrawal=2, hold=16),
    "signer_nonces_withdrawal_key": twice("signer_nonces", nonce=2, hold=16),
    "signer_nonces_hold_key": twice("signer_nonces", nonce=2, withdrawal=2),
    "signer_nonces_sender_nonce_withdrawal_key": "ALTER TABLE signer_nonces DROP CONSTRAINT signer_nonces_pkey CASCADE,"
    " DROP CONSTRAINT signer_nonces_withdrawal_key;" + twice("signer_nonces", hold=16),
    "signer_nonces_one_sweep": row("signer_nonces", **_SWEEP) + "; " + row("signer_nonces", nonce=2, **_SWEEP),
    "signer_nonces_one_sweep/gas": row("signer_nonces", **_SWEEP | {"purpose": "gas", "asset": None})
    + "; "
    + row("signer_nonces", nonce=2, **_SWEEP | {"purpose": "gas", "asset": None}),
    "signer_nonces_sender_check": row("signer_nonces", sender="0x1"),
    "signer_nonces_nonce_check": row("signer_nonces", nonce=-1),
    "signer_nonces_purpose_check": row("signer_nonces", **_FOUND | {"purpose": "lost"}),
    "signer_nonces_withdrawal": row("signer_nonces", withdrawal=None, hold=None),
    "signer_nonces_withdrawal/found": row("signer_nonces", purpose="found"),
    "signer_nonces_hold": row("signer_nonces", hold=None),
    "signer_nonces_hold/of none": row("signer_nonces", **_FOUND | {"hold": 8}),
    "signer_nonces_owner": row("signer_nonces", owner=1000),
    "signer_nonces_owner/sweep": row("signer_nonces", **_SWEEP | {"owner": None}),
    "signer_nonces_owner/gas": row("signer_nonces", **_SWEEP | {"purpose": "gas", "owner": None}),
    "signer_nonces_units_check": row("signer_nonces", units=-1),
    "signer_nonces_value_units_check": row("signer_nonces", value_units=-1),
    "signer_nonces_gas_check": row("signer_nonces", gas=-1),
    "signer_nonces_taken_block_check": row("signer_nonces", taken_block=-1),
    "signer_nonces_check": row("signer_nonces", ended_at=0),
    "signer_nonces_outcome_check": row("signer_nonces", outcome="lost"),
    "signer_nonces_transaction_check": row("signer_nonces", transaction="0x"),
    "signer_nonces_ended": row("signer_nonces", ended_at=None),
    "signer_nonces_ended/without an outcome": row("signer_nonces", outcome=None),
    "signer_nonces_ended/without a transaction": row("signer_nonces", transaction=None),
    "signer_nonces_ended/found": row("signer_nonces", **_FOUND | _OPEN),
    "signer_nonces_seen": row("signer_nonces", seen_hash=None),
    "signer_nonces_seen/without a block": row("signer_nonces", seen_block=None),
    "signer_nonces_seen_hash_check": row("signer_nonces", seen_hash="0x"),
    "signer_nonces_seen_block_check": row("signer_nonces", seen_block=-1),
    "signer_nonces_price": row("signer_nonces", price_numerator=None),
    "signer_nonces_price/without a denominator": row("signer_nonces", price_denominator=None),
    "signer_nonces_price/without a time": row("signer_nonces", price_at=None),
    "signer_nonces_price/without a source": row("signer_nonces", price_source=None),
    "signer_nonces_price_numerator_check": row("signer_nonces", price_numerator=0),
    "signer_nonces_price_denominator_check": row("signer_nonces", price_denominator=0),
    "signer_nonces_price_source_check": row("signer_nonces", price_source=""),
    "signer_nonces_price_source_check/too long": row("signer_nonces", price_source="x" * 41),
    "broadcasts_pkey": twice("broadcasts", hash="0x" + "cd" * 32),
    "broadcasts_hash_key": twice("broadcasts", attempt=2),
    "broadcasts_attempt_check": row("broadcasts", attempt=0),
    "broadcasts_attempt_check/too many": row("broadcasts", attempt=101),
    "broadcasts_raw_check": row("broadcasts", raw="x" * 79),
    "broadcasts_raw_check/too long": row("broadcasts", raw="x" * 1001),
    "broadcasts_hash_check": row("broadcasts", hash="0x"),
    "broadcasts_max_fee_check": "ALTER TABLE broadcasts DROP CONSTRAINT broadcasts_check; "
    + row("broadcasts", max_fee=0),
    "broadcasts_check": row("broadcasts", tip=31),
    "broadcasts_check/none": row("broadcasts", tip=0),
    "broadcasts_check1": row("broadcasts", sent_at=0),
    "broadcasts_made_block_check": row("broadcasts", made_block=-1),
    "signer_alarms_pkey": twice("signer_alarms", reason="again"),
    "signer_alarms_reason_check": row("signer_alarms", reason="x" * 2001),
    "sweep_news_pkey": twice("sweep_news", units=6),
    "sweep_sums_pkey": twice("sweep_sums", units=6),
}
