"""What no row of a slide, a code or a try may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

_HASH: Final = r"\x" + "ab" * 32
_SHORT: Final = r"\x" + "ab" * 31
_LONG: Final = r"\x" + "ab" * 33

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "captchas": {"id": "x" * 22, "answer": "ABCD", "until_at": 1, "served_for": _HASH},
    "slides": {"id": "x" * 22, "x": 0, "until_at": 1, "code": None},
    "slide_proofs": {"token_hash": _HASH, "until_at": 1, "served_for": _HASH},
    "email_codes": {
        "email": "one@test.example",
        "scene": "register",
        "asker": "member 1",
        "code_hash": _HASH,
        "tries": 0,
        "until_at": 1,
        "used_at": None,
    },
    "tries": {"subject": "code-day:one@test.example", "times": "{1,2}", "until_at": 3},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "captchas_pkey": twice("captchas", answer="EFGH"),
    "captchas_id_check": row("captchas", id="x" * 21),
    "captchas_id_check/long": row("captchas", id="x" * 23),
    "captchas_served_for_check": row("captchas", served_for=_SHORT),
    "captchas_served_for_check/long": row("captchas", served_for=_LONG),
    "slides_pkey": twice("slides", x=1),
    "slides_id_check": row("slides", id="x" * 21),
    "slides_id_check/long": row("slides", id="x" * 23),
    "slides_x_check": row("slides", x=-1),
    "slides_code_check": row("slides", x=None, code="3170"),
    "slides_code_check/long": row("slides", x=None, code="31423"),
    "slides_answered_once": row("slides", x=None),
    "slides_answered_once/both": row("slides", code="3142"),
    "slide_proofs_pkey": twice("slide_proofs", until_at=2),
    "slide_proofs_token_hash_check": row("slide_proofs", token_hash=_SHORT),
    "slide_proofs_token_hash_check/long": row("slide_proofs", token_hash=_LONG),
    "slide_proofs_served_for_check": row("slide_proofs", served_for=_SHORT),
    "slide_proofs_served_for_check/long": row("slide_proofs", served_for=_LONG),
    "email_codes_pkey": twice("email_codes", tries=1),
    "email_codes_scene_check": row("email_codes", scene="login"),
    "email_codes_asker_check": row("email_codes", asker="member"),
    "email_codes_asker_check/inside": row("email_codes", asker="a member 1"),
    "email_codes_asker_check/behind": row("email_codes", asker="member 1 2"),
    "email_codes_code_hash_check": row("email_codes", code_hash=_SHORT),
    "email_codes_code_hash_check/long": row("email_codes", code_hash=_LONG),
    "email_codes_tries_check": row("email_codes", tries=-1),
    "tries_pkey": twice("tries", times="{3}"),
    "tries_subject_check": row("tries", subject=""),
    "tries_subject_check/long": row("tries", subject="x" * 301),
    "tries_times_check": row("tries", times="{" + "1," * 1000 + "1}"),
}
