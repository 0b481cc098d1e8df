"""Rows of the console's tables; the fields are the columns, or what a query adds to them."""

from dataclasses import dataclass
from typing import Any, Final, Literal

STAFF: Final = "staff"
SESSIONS: Final = "staff_sessions"
AUDIT: Final = "operator_audit"
COMMANDS: Final = "commands"
REQUESTS: Final = "staff_requests"
CORRECTIONS: Final = "corrections"
KEYS: Final = "staff_keys"
SECRETS: Final = "staff_secrets"
DEVICES: Final = "staff_devices"
REFUSALS: Final = "staff_refusals"

Act = Literal[
    "bulletin.publish",
    "bulletin.retract",
    "command.submit",
    "command.sign",
    "command.refuse",
    "command.carried_out",
    "command.refused",
    "command.expire",
    "deposit.credit",
    "deposit.refuse",
    "login",
    "login.refused",
    "logout",
    "machine.order",
    "member.freeze",
    "member.open",
    "restore",
    "staff.account",
    "staff.add",
    "staff.authenticator",
    "staff.authenticator_shown",
    "staff.back",
    "staff.end",
    "staff.key",
    "staff.password",
    "staff.renewal_refused",
    "stray.left",
    "stray.returned",
    "ticket.answer",
    "ticket.close",
    "withdrawal.no",
    "withdrawal.yes",
]
"""What the log can say that was done. Its rows stay, so one may come here, and none may go."""


@dataclass(frozen=True, slots=True)
class StaffRow:
    """`totp_secret` is sealed; `last_step` the last step whose code was used; `member` their own account as one."""

    id: int
    name: str
    password_hash: str
    totp_secret: bytes
    last_step: int
    roles: list[str]
    public_key: bytes | None
    is_active: bool
    made_at: int
    member: int | None


@dataclass(frozen=True, slots=True)
class SessionRow:
    """It ends at `until_at`, or at `idle_until` where it isn't used before; `device_hash` is of where it was opened."""

    token_hash: bytes
    staff: int
    network: str
    device: str
    made_at: int
    idle_until: int
    until_at: int
    device_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device that somebody of staff has logged in with; its token is the same for all who do."""

    token_hash: bytes
    staff: int
    last_at: int
    until_at: int


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """What was refused within a minute from one network, to one of staff or (null) to names that nobody has.

    `wrong` was judged, `turned_away` wasn't; `on_known` of both came from a device that they have logged in with.
    """

    minute: int
    act: Act
    staff: int | None
    network: str
    wrong: int
    turned_away: int
    on_known: int


@dataclass(frozen=True, slots=True)
class RefusedMinute:
    """The refusals of a minute from all networks: of which those with the most are named."""

    minute: int
    act: Act
    name: str | None
    wrong: int
    turned_away: int
    on_known: int
    networks: list[str]
    more_networks: int


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
    act: Act
    object: str
    before: dict[str, Any]
    after: dict[str, Any]
    previous: bytes
    hash: bytes = b""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """What a maker ordered; `checker_name` is who signed or refused it, `outcome` why it was refused.

    `version` is the state that was shown when it was made: another one can't be signed. `message` is the text that both
    have signed with their keys, where the kind asks for that.
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
    message: str | None = None


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
    DEVICES: DeviceRow,
    REFUSALS: RefusalRow,
}
