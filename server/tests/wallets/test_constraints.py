"""What no row of a wallet or of the book of addresses may say, PostgreSQL itself refuses: each constraint, by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

_ADDRESS: Final = "0x" + "aB" * 20
_OTHER: Final = "0x" + "cD" * 20
_LIVING: Final = {"removed_at": None, "removal_id": None, "removal_hash": None}

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "wallet_nonces": {
        "nonce": "ab" * 16,
        "address": _ADDRESS,
        "member": 1000,
        "text": "Sign this to log in.",
        "until_at": 1,
    },
    "login_wallets": {
        "id": 1,
        "member": 1000,
        "address": _ADDRESS,
        "bound_block": 1,
        "bound_at": 1,
        "removed_at": None,
    },
    "withdrawal_addresses": {
        "id": 1,
        "member": 1000,
        "chain": 1,
        "address": _ADDRESS,
        "label": "My wallet",
        "is_listed": False,
        "created_at": 1,
        "usable_at": 2,
        "request_id": "made" * 4,
        "request_hash": "h" * 32,
        "removed_at": 3,
        "removal_id": "gone" * 4,
        "removal_hash": "h" * 32,
        "written_at": 1,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "wallet_nonces_pkey": twice("wallet_nonces", address=_OTHER),
    "wallet_nonces_nonce_check": row("wallet_nonces", nonce="ab"),
    "wallet_nonces_address_check": row("wallet_nonces", address="0x1"),
    "wallet_nonces_text_check": row("wallet_nonces", text="x" * 1001),
    "wallet_nonces_text_said": row("wallet_nonces", text=""),
    "login_wallets_pkey": twice("login_wallets", address=_OTHER),
    "login_wallets_address": twice("login_wallets", id=2, member=1001),
    "login_wallets_address_check": row("login_wallets", address="0x1"),
    "login_wallets_bound_block_check": row("login_wallets", bound_block=-1),
    "login_wallets_check": row("login_wallets", removed_at=0),
    "withdrawal_addresses_pkey": twice("withdrawal_addresses", request_id="m" * 16, removal_id="g" * 16),
    "withdrawal_addresses_member_request_id_key": twice("withdrawal_addresses", id=2, removal_id="g" * 16),
    "withdrawal_addresses_member_removal_id_key": twice("withdrawal_addresses", id=2, request_id="m" * 16),
    "withdrawal_addresses_living": row("withdrawal_addresses", id=2, request_id="m" * 16, **_LIVING)
    + "; "
    + row("withdrawal_addresses", **_LIVING),
    "withdrawal_addresses_chain_check": row("withdrawal_addresses", chain=0),
    "withdrawal_addresses_address_check": row("withdrawal_addresses", address="0x1"),
    "withdrawal_addresses_label_check": row("withdrawal_addresses", label=""),
    "withdrawal_addresses_label_check/too long": row("withdrawal_addresses", label="x" * 33),
    "withdrawal_addresses_check": row("withdrawal_addresses", usable_at=0),
    "withdrawal_addresses_check1": row("withdrawal_addresses", removed_at=0),
    "withdrawal_addresses_request": row("withdrawal_addresses", request_hash=None),
    "withdrawal_addresses_request/without an id": row("withdrawal_addresses", request_id=None),
    "withdrawal_addresses_request_id_check": row("withdrawal_addresses", request_id="m" * 15),
    "withdrawal_addresses_request_id_check/too long": row("withdrawal_addresses", request_id="m" * 65),
    "withdrawal_addresses_request_hash_check": row("withdrawal_addresses", request_hash="h"),
    "withdrawal_addresses_removal": row("withdrawal_addresses", removal_id=None),
    "withdrawal_addresses_removal/without a hash": row("withdrawal_addresses", removal_hash=None),
    "withdrawal_addresses_removal/id of none": row("withdrawal_addresses", removed_at=None, removal_hash=None),
    "withdrawal_addresses_removal/hash of none": row("withdrawal_addresses", removed_at=None, removal_id=None),
    "withdrawal_addresses_removal_id_check": row("withdrawal_addresses", removal_id="g" * 15),
    "withdrawal_addresses_removal_id_check/too long": row("withdrawal_addresses", removal_id="g" * 65),
    "withdrawal_addresses_removal_hash_check": row("withdrawal_addresses", removal_hash="h"),
}
