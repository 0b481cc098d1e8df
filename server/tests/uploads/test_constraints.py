"""What no row of an upload may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

_HASH: Final = r"\x" + "ab" * 32
_SHORT: Final = r"\x" + "ab" * 31
_LONG: Final = r"\x" + "ab" * 33
_OTHER: Final = {"id": "y" * 22, "name": "cd" * 16, "grant_hash": r"\x" + "cd" * 32}
_NOT_KEPT: Final = dict.fromkeys(("kept_bytes", "kept_sha256", "width", "height", "kept_at"))
_USED: Final = {"state": "used", "used_at": 1, "used_by": "bulletin welcome"}

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "uploads": {
        "id": "x" * 22,
        "owner": 1000,
        "purpose": "picture",
        "kind": "image/png",
        "state": "kept",
        "sent_bytes": 1,
        "sent_sha256": _HASH,
        "grant_hash": _HASH,
        "until_at": 1,
        "name": "ab" * 16,
        "kept_bytes": 1,
        "kept_sha256": _HASH,
        "width": 12,
        "height": 8,
        "created_at": 1,
        "kept_at": 1,
        "used_at": None,
        "used_by": None,
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "uploads_pkey": twice("uploads", **_OTHER | {"id": "x" * 22}),
    "uploads_name_key": twice("uploads", **_OTHER | {"name": "ab" * 16}),
    "uploads_grant_hash_key": twice("uploads", **_OTHER | {"grant_hash": _HASH}),
    "uploads_id_check": row("uploads", id="x" * 21),
    "uploads_id_check/long": row("uploads", id="x" * 23),
    "uploads_purpose_check": row("uploads", purpose="face"),
    "uploads_kind_check": row("uploads", kind="image/gif"),
    "uploads_state_check": row("uploads", state="lost"),
    "uploads_sent_bytes_check": row("uploads", sent_bytes=0),
    "uploads_sent_bytes_check/many": row("uploads", sent_bytes=10_000_001),
    "uploads_sent_sha256_check": row("uploads", sent_sha256=_SHORT),
    "uploads_sent_sha256_check/long": row("uploads", sent_sha256=_LONG),
    "uploads_grant_hash_check": row("uploads", grant_hash=_SHORT),
    "uploads_grant_hash_check/long": row("uploads", grant_hash=_LONG),
    "uploads_name_check": row("uploads", name="AB" * 16),
    "uploads_name_check/short": row("uploads", name="a" * 31),
    "uploads_name_check/long": row("uploads", name="a" * 33),
    "uploads_kept_bytes_check": row("uploads", kept_bytes=0),
    "uploads_kept_bytes_check/many": row("uploads", kept_bytes=20_000_001),
    "uploads_kept_sha256_check": row("uploads", kept_sha256=_SHORT),
    "uploads_kept_sha256_check/long": row("uploads", kept_sha256=_LONG),
    "uploads_width_check": row("uploads", width=0),
    "uploads_height_check": row("uploads", height=0),
    "uploads_used_by_check": row("uploads", **_USED | {"used_by": ""}),
    "uploads_used_by_check/long": row("uploads", **_USED | {"used_by": "x" * 101}),
    "uploads_grant": row("uploads", until_at=None),
    "uploads_grant/no path": row("uploads", grant_hash=None),
    "uploads_grant/granted": row("uploads", **_NOT_KEPT, state="granted", grant_hash=None, until_at=None),
    "uploads_kept": row("uploads", **_NOT_KEPT),
    "uploads_kept/used": row("uploads", **_NOT_KEPT, **_USED),
    "uploads_kept/granted": row("uploads", state="granted"),
    "uploads_kept/receiving": row("uploads", state="receiving"),
    "uploads_kept/refused": row("uploads", state="refused"),
    "uploads_kept/no bytes": row("uploads", state="ended", kept_bytes=None),
    "uploads_kept/no hash": row("uploads", state="ended", kept_sha256=None),
    "uploads_kept/no width": row("uploads", state="ended", width=None),
    "uploads_kept/no height": row("uploads", state="ended", height=None),
    "uploads_kept/no time": row("uploads", state="ended", kept_at=None),
    "uploads_used": row("uploads", state="used"),
    "uploads_used/no time": row("uploads", **_USED | {"used_at": None}),
    "uploads_used/by nothing": row("uploads", **_USED | {"used_by": None}),
    "uploads_used/too soon": row("uploads", **_USED | {"state": "kept"}),
    "uploads_used/time too soon": row("uploads", used_at=1),
    "uploads_used/name too soon": row("uploads", used_by="bulletin welcome"),
}
