"""Rows of this domain's tables, whose fields are the columns, and what is read of several."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

MEMBERS: Final = "members"
SESSIONS: Final = "sessions"
AUTH_TOKENS: Final = "auth_tokens"
SECURITY_EVENTS: Final = "security_events"
FREEZE_TOKENS: Final = "freeze_tokens"


@dataclass(frozen=True, slots=True)
class MemberRow:
    """`id` is the owner of ledger accounts, `inviter` an older member's id (None: the root); every mail shows the word
    `anti_phishing`. `lang` is the language that their page had last; None until it was open.
    What is `frozen_by_house` only the house opens."""

    id: int
    account: str
    email: str
    password_hash: str
    invite_code: str
    inviter: int | None
    country: str | None
    birth_date: date | None
    terms_version: str | None
    registered_at: int
    is_staff: bool
    anti_phishing: str | None
    frozen_at: int | None
    closed_at: int | None
    lang: str | None
    frozen_by_house: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """Where a member's mails go, the word that they show, and the language, where known."""

    email: str
    word: str | None
    lang: str | None
    is_closed: bool


@dataclass(frozen=True, slots=True)
class SessionRow:
    """`keep_ms` is how far each use moves `until_at`."""

    token_hash: bytes
    member: int
    network: str
    device: str
    created_at: int
    keep_ms: int
    until_at: int


@dataclass(frozen=True, slots=True)
class AuthTokenRow:
    """Stands for its session once."""

    token_hash: bytes
    session: bytes
    until_at: int


@dataclass(frozen=True, slots=True)
class SecurityEventRow:
    """What happened in business time, from where; withdrawals are held until `held_until` because of it."""

    id: int
    member: int
    event: str
    network: str
    device: str
    at: int
    held_until: int | None


@dataclass(frozen=True, slots=True)
class FreezeTokenRow:
    """Freezes its member's account once."""

    token_hash: bytes
    member: int
    until_at: int


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A living session as its member sees it; `last_at` is told to the hour. `key`: its start, a part of its hash."""

    key: int
    token_hash: bytes
    device: str
    network: str
    created_at: int
    last_at: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A member's row with the inviter's account."""

    row: MemberRow
    superior: str | None


ROWS: Final[dict[str, type[Any]]] = {
    MEMBERS: MemberRow,
    SESSIONS: SessionRow,
    AUTH_TOKENS: AuthTokenRow,
    SECURITY_EVENTS: SecurityEventRow,
    FREEZE_TOKENS: FreezeTokenRow,
}
