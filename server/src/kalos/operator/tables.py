"""Rows of the console's tables; the fields are the columns, or what a query adds to them."""

from dataclasses import dataclass
from typing import Any, Final

STAFF: Final = "staff"
SESSIONS: Final = "staff_sessions"
AUDIT: Final = "operator_audit"
COMMANDS: Final = "commands"
REQUESTS: Final = "staff_requests"
CORRECTIONS: Final = "corrections"
KEYS: Final = "staff_keys"
SECRETS: Final = "staff_secrets"


@dataclass(frozen=True, slots=True)
class StaffRow:
    """`totp_secret` is sealed; `last_step` the last step whose code was used."""

    id: int
    name: str
    password_hash: str
    totp_secret: bytes
    last_step: int
    roles: list[str]
    public_key: bytes | None
    is_active: bool
    made_at: int


@dataclass(frozen=True, slots=True)
class SessionRow:
    """It ends at `until_at`, or at `idle_until` where it isn't used before."""

    token_hash: bytes
    staff: int
    network: str
    device: str
    made_at: int
    idle_until: int
    until_at: int


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key that signatures of `staff` count by, from `since` until the next one: it is never another's."""

    public_key: bytes
    staff: int
    since: int


@dataclass(frozen=True, slots=True)
class SecretRow:
    """An authenticator's secret that was shown and not confirmed yet, sealed for the name."""

    staff: int
    sealed_secret: bytes
    until_at: int


@dataclass(frozen=True, slots=True)
class AuditRow:
    """What somebody did to `object`. `staff` is null for who works on the machine itself; `name` is whose login it was.

    `hash` is SHA-256 of `previous`, the row's before, and the row's canonical JSON.
    """

    id: int
    at: int
    staff: int | None
    name: str
    act: str
    object: str
    before: dict[str, Any]
    after: dict[str, Any]
    previous: bytes
    hash: bytes = b""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """What a maker ordered; `checker_name` is who signed or refused it, `outcome` why it was refused.

    `version` is the state that was shown when it was made: another one can't be signed.
    """

    id: int
    kind: str
    object: str
    state: str
    body: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]
    version: str
    reason: str
    signers: int
    maker: int
    maker_name: str
    made_at: int
    expires_at: int
    checker: int | None
    checker_name: str | None
    outcome: str | None
    decided_at: int | None


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """What became of a signed correction, by a rider of its posting; `source` and `target` are ledger accounts."""

    id: int
    command: int
    outcome: str
    asset: str
    units: int
    source: int
    target: int
    maker: str
    checker: str
    reason: str
    at: int


ROWS: Final[dict[str, type[Any]]] = {
    STAFF: StaffRow,
    SESSIONS: SessionRow,
    AUDIT: AuditRow,
    CORRECTIONS: CorrectionRow,
    KEYS: KeyRow,
    SECRETS: SecretRow,
}
