"""What the signer reads and writes."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from kalos.core.payments import Fees

Outcome = Literal["approved", "failed"]
Purpose = Literal["withdrawal", "sweep", "gas"]
ReturnReason = Literal[
    "account_frozen",
    "security_hold",
    "house_address",
    "not_reviewed",
    "address_removed",
    "restored",
    "young_address",
    "listed_since",
]
ON_CHAIN: Final = "on_chain_processing"
RESTORE: Final = "restore"
"""By whom the signer is paused where the database went back in time."""


@dataclass(frozen=True, slots=True)
class Book:
    """The entry of the withdrawal book that a withdrawal names; `written_at` is the table's own stamp."""

    member: int
    chain: int
    address: str
    is_listed: bool
    written_at: int
    is_removed: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """An open hold: `account` is a ledger account, `kind` the posting's word."""

    account: int
    units: int
    kind: str


@dataclass(frozen=True, slots=True)
class Brakes:
    """What keeps a member's coins here though nothing is wrong with the withdrawal: `held_until` is None without one.

    `is_deposit`: it would go to an address for top-ups; `is_listed_since`: to one that was listed after it was let go.
    """

    is_frozen: bool
    held_until: int | None
    is_deposit: bool
    is_listed_since: bool = False


@dataclass(frozen=True, slots=True)
class Returned:
    """Why a withdrawal isn't signed: people look at it again. `needed`: how many must sign, where too few have.

    `until_at`: until when it can't be, of a hold in business time, of a young address by the wall's clock.
    """

    reason: ReturnReason
    until_at: int | None = None
    needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A withdrawal that was reviewed and has no nonce yet, with all that is checked of it.

    `round` is how often it was given back, as the signer itself wrote down.
    """

    id: int
    revision: int
    member: int
    asset: str
    units: int
    chain_id: int
    address: str
    value_units: int
    needed: int
    round: int
    hold_id: int
    hold: Hold | None
    book: Book | None
    signatures: tuple[bytes, ...]
    brakes: Brakes


@dataclass(frozen=True, slots=True)
class SignedOrder:
    """What the console says that two people have signed: nothing of it is believed."""

    message: str
    signatures: tuple[bytes, ...]


class MadeWith(NamedTuple):
    """The price that a value was made with: USDT for one whole coin, of which time and from where."""

    numerator: int
    denominator: int
    at: int
    source: str


FLOOR: Final = "least_price"
"""Where a price is from that is the signer's own limit."""


@dataclass(frozen=True, slots=True)
class Unpaid:
    """A withdrawal that the chain may have paid without our records; `price` made its value."""

    id: int
    hold: int
    status: str
    value_units: int
    price: MadeWith


@dataclass(frozen=True, slots=True)
class Attempt:
    """One signed set of bytes."""

    number: int
    raw: bytes
    hash: str
    fees: Fees
    made_block: int
    is_sent: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """The block in which a transaction was found, which may still be replaced."""

    transaction: str
    block: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A payment that isn't final; `attempts` begin with the first and are never none. `seen`: as was last noted."""

    sender: str
    nonce: int
    purpose: Purpose
    withdrawal: int | None
    owner: int | None
    asset: str | None
    recipient: str
    units: int
    gas: int
    taken_block: int
    attempts: tuple[Attempt, ...]
    seen: Seen | None


@dataclass(frozen=True, slots=True)
class Full:
    """A deposit address that should hold enough of an asset to be emptied; its owner is a ledger owner."""

    owner: int
    address: str
    asset: str


@dataclass(frozen=True, slots=True)
class State:
    paused: bool
    reason: str | None
    by: str | None
    at: int
    waiting: str | None
    native_units: int | None
    gas_low: bool
    beat_at: int | None
