"""What no row of a key, a nonce or a limit may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

_SEALED: Final = r"\x" + "ab" * 60
_NONCE: Final = r"\x" + "ab" * 16

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "wire_keys": {
        "kid": "a_-Z09a_-Z09",
        "public_key": r"\x04" + "ab" * 64,
        "sealed_key": _SEALED,
        "from_at": 1,
        "until_at": 2,
    },
    "wire_ticket_keys": {"kid": r"\x" + "ab" * 8, "sealed_key": _SEALED, "from_at": 1, "until_at": 2},
    "wire_nonces": {"nonce": _NONCE, "until_at": 1},
    "limits": {"name": "read 1000", "slot": 1, "used": 0, "until_at": 1},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "wire_keys_pkey": twice("wire_keys", from_at=0),
    "wire_keys_kid_check": row("wire_keys", kid="a+b"),
    "wire_keys_kid_check/empty": row("wire_keys", kid=""),
    "wire_keys_kid_check/long": row("wire_keys", kid="x" * 33),
    "wire_keys_public_key_check": row("wire_keys", public_key=r"\x" + "ab" * 64),
    "wire_keys_public_key_check/long": row("wire_keys", public_key=r"\x" + "ab" * 66),
    "wire_keys_check": row("wire_keys", until_at=1),
    "wire_ticket_keys_pkey": twice("wire_ticket_keys", from_at=0),
    "wire_ticket_keys_kid_check": row("wire_ticket_keys", kid=r"\x" + "ab" * 7),
    "wire_ticket_keys_kid_check/long": row("wire_ticket_keys", kid=r"\x" + "ab" * 9),
    "wire_ticket_keys_check": row("wire_ticket_keys", until_at=1),
    "wire_nonces_pkey": twice("wire_nonces", until_at=2),
    "wire_nonces_nonce_check": row("wire_nonces", nonce=r"\x" + "ab" * 15),
    "wire_nonces_nonce_check/long": row("wire_nonces", nonce=r"\x" + "ab" * 17),
    "limits_pkey": twice("limits", used=1),
    "limits_name_check": row("limits", name="x" * 101),
    "limits_used_check": row("limits", used=-1),
}
