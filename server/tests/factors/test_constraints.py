"""What no row of a second factor may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "out_passwords": {
        "member": 1000,
        "password_hash": "$argon2id$x",
        "wrong_at": "{1,2}",
        "locked_at": None,
        "set_at": 1,
    },
    "authenticators": {
        "member": 1000,
        "sealed_secret": r"\x" + "ab" * 48,
        "bound_at": 1,
        "last_step": 0,
        "until_at": None,
    },
    "recovery_codes": {"member": 1000, "code_hash": r"\x" + "ab" * 32},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "out_passwords_pkey": twice("out_passwords", set_at=2),
    "out_passwords_password_hash_check": row("out_passwords", password_hash="$argon2i$x"),
    "out_passwords_password_hash_check/inside": row("out_passwords", password_hash="x$argon2id$x"),
    "out_passwords_wrong_at_check": row("out_passwords", wrong_at="{" + "1," * 100 + "1}"),
    "authenticators_pkey": twice("authenticators", bound_at=2),
    "authenticators_sealed_secret_check": row("authenticators", sealed_secret=r"\x" + "ab" * 47),
    "authenticators_sealed_secret_check/long": row("authenticators", sealed_secret=r"\x" + "ab" * 49),
    "authenticators_last_step_check": row("authenticators", last_step=-1),
    "authenticators_state": row("authenticators", bound_at=None),
    "authenticators_state/both": row("authenticators", until_at=2),
    "recovery_codes_pkey": twice("recovery_codes"),
    "recovery_codes_code_hash_check": row("recovery_codes", code_hash=r"\x" + "ab" * 31),
    "recovery_codes_code_hash_check/long": row("recovery_codes", code_hash=r"\x" + "ab" * 33),
}
