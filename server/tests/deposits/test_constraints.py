"""What no row of a deposit may say, PostgreSQL itself refuses: each constraint, written to by hand."""

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

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "deposits": {
        "id": 1,
        "revision": 1,
        "chain_id": 1,
        "transaction": _HASH,
        "log_index": 0,
        "block": 1,
        "block_hash": _HASH,
        "asset": "USDT",
        "sender": "0x1",
        "recipient": "0x2",
        "owner": 1000,
        "units": 5,
        "required": 1,
        "status": "on_chain_processing",
        "reason": None,
        "seen_at": 1,
        "changed_at": 1,
        "credited_at": None,
    },
    "deposit_addresses": {"owner": 1000, "address": _ADDRESS, "made_at": 1},
    "deposit_cursors": {"chain_id": 1, "number": 1, "hash": _HASH},
    "deposit_blocks": {"chain_id": 1, "number": 1, "hash": _HASH},
    "deposit_decisions": {"deposit": 1, "verdict": "credit", "reason": "asked for", "staff": 1, "at": 1},
    "strays": {
        "id": 1,
        "chain_id": 1,
        "transaction": _HASH,
        "log_index": 0,
        "block": 1,
        "contract": _ADDRESS,
        "sender": _ADDRESS,
        "recipient": _ADDRESS,
        "owner": 1000,
        "units": 2**256 - 1,
        "seen_at": 1,
        "state": "returned",
        "staff": 1,
        "reason": "asked for",
        "payment": _HASH,
        "decided_at": 1,
    },
    "stray_passes": {"chain_id": 1, "number": 1, "upto": 1, "owner": 0},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "deposits_pkey": twice("deposits", log_index=1),
    "deposits_once": twice("deposits", id=2),
    "deposits_revision_check": row("deposits", revision=0),
    "deposits_transaction_check": row("deposits", transaction="0xAB"),
    "deposits_log_index_check": row("deposits", log_index=-1),
    "deposits_block_check": row("deposits", block=-1),
    "deposits_block_hash_check": row("deposits", block_hash="0x"),
    "deposits_asset_check": row("deposits", asset="usdt"),
    "deposits_units_check": row("deposits", units=0),
    "deposits_required_check": row("deposits", required=0),
    "deposits_status_check": row("deposits", status="lost"),
    "deposits_reason_check": row("deposits", status="refused", reason="why"),
    "deposits_credited": row("deposits", status="approved"),
    "deposits_credited/too soon": row("deposits", credited_at=1),
    "deposits_explained": row("deposits", reason="house"),
    "deposits_explained/waiting": row("deposits", status="pending_review"),
    "deposits_explained/failed": row("deposits", status="failed", reason="house"),
    "deposit_addresses_pkey": twice("deposit_addresses", address="0x" + "cD" * 20),
    "deposit_addresses_address_key": twice("deposit_addresses", owner=1001),
    "deposit_addresses_address_check": row("deposit_addresses", address="0x1"),
    "deposit_addresses_owner_check": row("deposit_addresses", owner=999),
    "deposit_cursors_pkey": twice("deposit_cursors", number=2),
    "deposit_cursors_number_check": row("deposit_cursors", number=-1),
    "deposit_blocks_pkey": twice("deposit_blocks", hash="0x" + "cd" * 32),
    "deposit_blocks_number_check": row("deposit_blocks", number=-1),
    "deposit_decisions_pkey": twice("deposit_decisions", verdict="refuse"),
    "deposit_decisions_verdict_check": row("deposit_decisions", verdict="perhaps"),
    "deposit_decisions_reason_check": row("deposit_decisions", reason=""),
    "deposit_decisions_at_check": row("deposit_decisions", at=-1),
    "strays_pkey": twice("strays", log_index=1),
    "strays_once": twice("strays", id=2),
    "strays_transaction_check": row("strays", transaction="0xAB"),
    "strays_log_index_check": row("strays", log_index=-1),
    "strays_block_check": row("strays", block=-1),
    "strays_contract_check": row("strays", contract="USDC"),
    "strays_sender_check": row("strays", sender="0x1"),
    "strays_units_check": row("strays", units=0),
    "strays_seen_at_check": row("strays", seen_at=-1),
    "strays_state_check": row("strays", state="credited", payment=None),
    "strays_reason_check": row("strays", reason=""),
    "strays_payment_check": row("strays", payment="0x"),
    "strays_decided_at_check": row("strays", decided_at=-1),
    "strays_decided": row("strays", staff=None),
    "strays_decided/too soon": row("strays", state="open", payment=None),
    "strays_returned": row("strays", payment=None),
    "strays_returned/left": row("strays", state="left"),
    "stray_passes_pkey": twice("stray_passes", number=0),
    "stray_passes_number_check": row("stray_passes", number=-1),
    "stray_passes_owner_check": row("stray_passes", owner=-1),
    "stray_passes_range": row("stray_passes", upto=0),
}
