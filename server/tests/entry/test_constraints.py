"""What no row of a member or a session may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

_HASH: Final = r"\x" + "ab" * 32
_SHORT: Final = r"\x" + "ab" * 31
_LONG: Final = r"\x" + "ab" * 33
_OTHER: Final = {"id": 1001, "account": "10000002", "email": "two@test.example", "invite_code": "ROOT02"}

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "devices": {"token_hash": _HASH, "member": 1000, "last_at": 1, "until_at": 2},
    "members": {
        "id": 1000,
        "account": "10000001",
        "email": "one@test.example",
        "password_hash": "$argon2id$x",
        "invite_code": "ROOT01",
        "inviter": None,
        "country": "VN",
        "birth_date": "1990-01-01",
        "terms_version": "1",
        "registered_at": 1,
        "is_staff": False,
        "anti_phishing": "blue",
        "frozen_at": None,
        "closed_at": None,
        "lang": "en",
        "frozen_by_house": False,
    },
    "sessions": {
        "token_hash": _HASH,
        "member": 1000,
        "network": "192.0.2.1",
        "device": "Firefox",
        "created_at": 1,
        "keep_ms": 1,
        "until_at": 2,
    },
    "auth_tokens": {"token_hash": _HASH, "session": _HASH, "until_at": 1},
    "security_events": {
        "id": 1,
        "member": 1000,
        "event": "password_changed",
        "network": "192.0.2.1",
        "device": "Firefox",
        "at": 1,
        "held_until": 2,
    },
    "freeze_tokens": {"token_hash": _HASH, "member": 1000, "until_at": 1},
    "demo_mails": {"id": 1, "recipient": "one@test.example", "subject": "Welcome", "text": "Hello.", "at": 1},
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "devices_pkey": twice("devices", until_at=3),
    "devices_token_hash_check": row("devices", token_hash=_SHORT),
    "devices_token_hash_check/long": row("devices", token_hash=_LONG),
    "devices_check": row("devices", until_at=1),
    "members_pkey": twice("members", **_OTHER | {"id": 1000}),
    "members_account_key": twice("members", **_OTHER | {"account": "10000001"}),
    "members_email_key": twice("members", **_OTHER | {"email": "one@test.example"}),
    "members_invite_code_key": twice("members", **_OTHER | {"invite_code": "ROOT01"}),
    "members_id_check": row("members", id=999),
    "members_check": row("members", inviter=1000),
    "members_account_check": row("members", account="1000000x"),
    "members_account_check/zero": row("members", account="01000000"),
    "members_account_check/short": row("members", account="1000000"),
    "members_account_check/long": row("members", account="100000000"),
    "members_email_check": row("members", email="test.example"),
    "members_email_check/no name": row("members", email="@test.example"),
    "members_email_check/space": row("members", email="o ne@test.example"),
    "members_email_check/capital": row("members", email="one@Test.example"),
    "members_email_check/short": row("members", email="o@t.e"),
    "members_email_check/long": row("members", email="x" * 242 + "@test.example"),
    "members_password_hash_check": row("members", password_hash="$argon2i$x"),
    "members_password_hash_check/inside": row("members", password_hash="x$argon2id$x"),
    "members_invite_code_check": row("members", invite_code="root01"),
    "members_invite_code_check/short": row("members", invite_code="ROOT1"),
    "members_invite_code_check/long": row("members", invite_code="ROOT000000001"),
    "members_country_check": row("members", country="vn"),
    "members_country_check/short": row("members", country="V"),
    "members_country_check/long": row("members", country="VNM"),
    "members_terms_version_check": row("members", terms_version=""),
    "members_terms_version_check/long": row("members", terms_version="1" * 21),
    "members_anti_phishing_check": row("members", anti_phishing=""),
    "members_anti_phishing_check/long": row("members", anti_phishing="x" * 21),
    "members_lang_check": row("members", lang="e"),
    "members_lang_check/long": row("members", lang="e" * 11),
    "members_frozen": row("members", frozen_by_house=True),
    "sessions_pkey": twice("sessions", created_at=0),
    "sessions_token_hash_check": row("sessions", token_hash=_SHORT),
    "sessions_token_hash_check/long": row("sessions", token_hash=_LONG),
    "sessions_network_check": row("sessions", network="x" * 65),
    "sessions_device_check": row("sessions", device="x" * 201),
    "sessions_keep_ms_check": row("sessions", keep_ms=0),
    "sessions_check": row("sessions", until_at=1),
    "auth_tokens_pkey": twice("auth_tokens", until_at=2),
    "auth_tokens_token_hash_check": row("auth_tokens", token_hash=_SHORT),
    "auth_tokens_token_hash_check/long": row("auth_tokens", token_hash=_LONG),
    "security_events_pkey": twice("security_events", event="login"),
    "security_events_event_check": row("security_events", event="Login"),
    "security_events_event_check/short": row("security_events", event="x"),
    "security_events_event_check/long": row("security_events", event="x" * 41),
    "security_events_network_check": row("security_events", network="x" * 65),
    "security_events_device_check": row("security_events", device="x" * 201),
    "security_events_check": row("security_events", held_until=1),
    "freeze_tokens_pkey": twice("freeze_tokens", until_at=2),
    "freeze_tokens_token_hash_check": row("freeze_tokens", token_hash=_SHORT),
    "freeze_tokens_token_hash_check/long": row("freeze_tokens", token_hash=_LONG),
    "demo_mails_pkey": twice("demo_mails", subject="Again"),
    "demo_mails_recipient_check": row("demo_mails", recipient="x" * 321),
}
