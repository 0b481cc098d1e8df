"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

OUT_PASSWORDS: Final = "out_passwords"
AUTHENTICATORS: Final = "authenticators"
RECOVERY_CODES: Final = "recovery_codes"


@dataclass(frozen=True, slots=True)
class OutPasswordRow:
    """`wrong_at` is when it was wrong within the last day; `locked_at` is there when that was too often."""

    member: int
    password_hash: str
    wrong_at: list[int]
    locked_at: int | None
    set_at: int


@dataclass(frozen=True, slots=True)
class AuthenticatorRow:
    """A secret that waits until `until_at` to be bound, or is bound since `bound_at`; no step up to `last_step` counts
    any more."""

    member: int
    sealed_secret: bytes
    bound_at: int | None
    last_step: int
    until_at: int | None


@dataclass(frozen=True, slots=True)
class RecoveryCodeRow:
    """Goes with its use."""

    member: int
    code_hash: bytes


ROWS: Final[dict[str, type[Any]]] = {
    OUT_PASSWORDS: OutPasswordRow,
    AUTHENTICATORS: AuthenticatorRow,
    RECOVERY_CODES: RecoveryCodeRow,
}
