"""Rows of this domain's tables; the fields are the columns. Deposits are written through postings alone."""

from dataclasses import dataclass
from typing import Final

from kalos.domains.deposits.rules import Reason, Status, StrayState, Verdict

ADDRESSES: Final = "deposit_addresses"
DEPOSITS: Final = "deposits"
CURSORS: Final = "deposit_cursors"
BLOCKS: Final = "deposit_blocks"
DECISIONS: Final = "deposit_decisions"
STRAYS: Final = "strays"
PASSES: Final = "stray_passes"

TOPIC: Final = "deposits.listed"
"""Of facts that a top-up came from a listed sender."""


@dataclass(frozen=True, slots=True)
class AddressRow:
    """`owner` is a member's id or the house's."""

    owner: int
    address: str
    made_at: int


@dataclass(frozen=True, slots=True)
class Deposit:
    """One Transfer log to one of our addresses; `required` are the confirmations that it needs."""

    id: int
    revision: int
    chain_id: int
    transaction: str
    log_index: int
    block: int
    block_hash: str
    asset: str
    sender: str
    recipient: str
    owner: int
    units: int
    required: int
    status: Status
    reason: Reason | None
    seen_at: int
    changed_at: int
    credited_at: int | None


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last block of a chain that was read."""

    chain_id: int
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A block that was read and may still be replaced."""

    chain_id: int
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """What one of the house's people decided on a deposit that waited for it, and why."""

    deposit: int
    staff: int
    verdict: Verdict
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class Stray:
    """A Transfer log of a token that the house doesn't know to one of our addresses; `units` are its contract's own.

    `staff` decided it for `reason`; `payment` is the transaction by which it was sent back by hand.
    """

    id: int
    chain_id: int
    transaction: str
    log_index: int
    block: int
    contract: str
    sender: str
    recipient: str
    owner: int
    units: int
    seen_at: int
    state: StrayState
    staff: int | None
    reason: str | None
    payment: str | None
    decided_at: int | None


@dataclass(frozen=True, slots=True)
class StrayPass:
    """Which blocks are being looked through for strays, those after `number` up to `upto`, and up to which owner they
    have been."""

    chain_id: int
    number: int
    upto: int
    owner: int


ROWS: Final = {
    ADDRESSES: AddressRow,
    DEPOSITS: Deposit,
    CURSORS: Cursor,
    BLOCKS: BlockRow,
    DECISIONS: DecisionRow,
    STRAYS: Stray,
    PASSES: StrayPass,
}
