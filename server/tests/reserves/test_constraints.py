"""What no row of a look at the reserves may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "reserves": {"asset": "USDT", "place": "hot", "units": 5, "block": 1, "at": 1},
    "reserve_checks": {
        "asset": "USDT",
        "owed": 9,
        "expected": 8,
        "missing": 3,
        "hot_mark": "low",
        "block": 1,
        "at": 1,
    },
    "reserve_addresses": {"address": "0x" + "aB" * 20, "asset": "USDT", "units": 5},
    "reserve_state": {
        "one": True,
        "begun_at": 1,
        "at": 1,
        "block": 1,
        "deposit": 1,
        "gas_gwei": 5,
        "is_gas_low": False,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "reserves_pkey": twice("reserves", units=6),
    "reserves_asset_check": row("reserves", asset=""),
    "reserves_place_check": row("reserves", place="bank"),
    "reserves_units_check": row("reserves", units=-1),
    "reserves_block_check": row("reserves", block=-1),
    "reserves_at_check": row("reserves", at=-1),
    "reserve_checks_pkey": twice("reserve_checks", missing=4),
    "reserve_checks_asset_check": row("reserve_checks", asset=""),
    "reserve_checks_missing_check": row("reserve_checks", missing=-1),
    "reserve_checks_hot_mark_check": row("reserve_checks", hot_mark="empty"),
    "reserve_checks_block_check": row("reserve_checks", block=-1),
    "reserve_checks_at_check": row("reserve_checks", at=-1),
    "reserve_addresses_pkey": twice("reserve_addresses", units=6),
    "reserve_addresses_address_check": row("reserve_addresses", address="0x1"),
    "reserve_addresses_asset_check": row("reserve_addresses", asset=""),
    "reserve_addresses_units_check": row("reserve_addresses", units=0),
    "reserve_state_pkey": "INSERT INTO reserve_state SELECT * FROM reserve_state",
    "reserve_state_one_check": "UPDATE reserve_state SET one = false",
    "reserve_state_begun_at_check": "UPDATE reserve_state SET begun_at = -1",
    "reserve_state_at_check": "UPDATE reserve_state SET at = -1",
    "reserve_state_block_check": "UPDATE reserve_state SET block = -2",
    "reserve_state_deposit_check": "UPDATE reserve_state SET deposit = -1",
    "reserve_state_gas_gwei_check": "UPDATE reserve_state SET gas_gwei = -1",
}
