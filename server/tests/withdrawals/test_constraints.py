"""What no row of a withdrawal may say, PostgreSQL itself refuses: each constraint, written to by hand."""

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

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "withdrawals": {
        "id": 1,
        "revision": 1,
        "member": 1000,
        "account": "10000001",
        "asset": "USDT",
        "units": 5,
        "chain_id": 1,
        "address": "0x" + "ab" * 20,
        "wallet": 1,
        "label": "",
        "fee_units": 2,
        "fee_rate": "0.005",
        "price_numerator": 1,
        "price_denominator": 1,
        "price_source": "list",
        "price_at": 1,
        "value_units": 5,
        "free_units": 5,
        "day": "2026-01-01",
        "hold": 8,
        "status": "on_chain_processing",
        "needed": 0,
        "risks": "[]",
        "reason": None,
        "lang": "en",
        "requested_at": 1,
        "changed_at": 1,
        "decided_at": 1,
        "transaction": None,
        "returned": 0,
        "day_value_units": 5,
        "day_free_units": 5,
    },
    "withdrawal_reviews": {
        "withdrawal": 1,
        "round": 0,
        "staff": 1,
        "verdict": "no",
        "reason": "",
        "signature": None,
        "at": 1,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "withdrawals_pkey": twice("withdrawals", fee_units=0),
    "withdrawals_fee_hold": f"ALTER TABLE withdrawals DROP CONSTRAINT withdrawals_hold; {twice('withdrawals', id=2)}",
    "withdrawals_revision_check": row("withdrawals", revision=0),
    "withdrawals_account_check": row("withdrawals", account="1"),
    "withdrawals_asset_check": row("withdrawals", asset="USDC"),
    "withdrawals_units_check": row("withdrawals", units=0),
    "withdrawals_chain_id_check": row("withdrawals", chain_id=0),
    "withdrawals_address_check": row("withdrawals", address="0x"),
    "withdrawals_fee_units_check": row("withdrawals", fee_units=-1),
    "withdrawals_fee_rate_check": row("withdrawals", fee_rate="1.5"),
    "withdrawals_price_numerator_check": row("withdrawals", price_numerator=0),
    "withdrawals_price_denominator_check": row("withdrawals", price_denominator=0),
    "withdrawals_value_units_check": row("withdrawals", value_units=0, free_units=0),
    "withdrawals_free": row("withdrawals", free_units=4),
    "withdrawals_hold": row("withdrawals", hold=9),
    "withdrawals_status_check": row("withdrawals", status="lost"),
    "withdrawals_needed_check": row("withdrawals", needed=3),
    "withdrawals_risks_check": row("withdrawals", needed=1, risks="{}"),
    "withdrawals_risky": row("withdrawals", risks='["listed"]'),
    "withdrawals_reason_check": row("withdrawals", status="failed", reason=""),
    "withdrawals_reviewed": row("withdrawals", status="pending_review", decided_at=None),
    "withdrawals_reviewed/refused": row("withdrawals", status="refused", reason="no"),
    "withdrawals_decided": row("withdrawals", decided_at=None),
    "withdrawals_decided/too soon": row("withdrawals", status="pending_review", needed=1),
    "withdrawals_explained": row("withdrawals", status="failed"),
    "withdrawals_explained/needless": row("withdrawals", reason="why"),
    "withdrawals_sent": row("withdrawals", status="approved"),
    "withdrawals_sent/too soon": row("withdrawals", transaction=_HASH),
    "withdrawals_transaction_check": row("withdrawals", status="approved", transaction="0x"),
    "withdrawals_times": row("withdrawals", changed_at=0),
    "withdrawals_returned_check": row("withdrawals", returned=-1),
    "withdrawals_day_value_units_check": row("withdrawals", day_value_units=-1),
    "withdrawals_day_free_units_check": row("withdrawals", day_free_units=-1),
    "withdrawal_reviews_pkey": twice("withdrawal_reviews", reason="again"),
    "withdrawal_reviews_round_check": row("withdrawal_reviews", round=-1),
    "withdrawal_reviews_verdict_check": row("withdrawal_reviews", verdict="perhaps", signature="x" * 64),
    "withdrawal_reviews_reason_check": row("withdrawal_reviews", reason="x" * 1001),
    "withdrawal_reviews_signature_check": row("withdrawal_reviews", signature="short"),
    "withdrawal_reviews_signed": row("withdrawal_reviews", verdict="yes"),
}
