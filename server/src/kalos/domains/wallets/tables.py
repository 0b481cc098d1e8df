"""Rows of this domain's tables; the fields are the columns."""

from dataclasses import dataclass
from typing import Any, Final

WALLET_NONCES: Final = "wallet_nonces"
LOGIN_WALLETS: Final = "login_wallets"
ADDRESSES: Final = "withdrawal_addresses"


@dataclass(frozen=True, slots=True)
class NonceRow:
    """`text` waits for the signature of `address`: to bind it to `member`, or (None) to log in."""

    nonce: str
    address: str
    member: int | None
    text: str
    until_at: int


@dataclass(frozen=True, slots=True)
class LoginWalletRow:
    """Proves what happens in blocks after `bound_block`, until `removed_at`."""

    id: int
    member: int
    address: str
    bound_block: int
    bound_at: int
    removed_at: int | None


@dataclass(frozen=True, slots=True)
class AddressRow:
    """An entry of the book, with the requests that made and removed it and what their bodies said.

    `is_listed`: the operator's list had the address when it was written down, or had it since, while a withdrawal
    to it was open; so none to it is automatic.
    `written_at` is the table's own stamp, by the wall's clock.
    """

    id: int
    member: int
    chain: int
    address: str
    label: str
    is_listed: bool
    created_at: int
    usable_at: int
    request_id: str | None
    request_hash: bytes | None
    removed_at: int | None
    removal_id: str | None
    removal_hash: bytes | None
    written_at: int


ROWS: Final[dict[str, type[Any]]] = {
    WALLET_NONCES: NonceRow,
    LOGIN_WALLETS: LoginWalletRow,
    ADDRESSES: AddressRow,
}
