"""What the signer asks of the chain and of its key: payments, signed bytes, receipts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kalos.core.ports import Block, Network, TokenTransfer

NOBODYS: Final = "0x" + "0" * 40
"""The address whose key nobody has: what is sent there is lost."""


class Declined(Exception):
    """The nodes answered that they don't take these bytes; the text is theirs."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Of one unit of gas, in the native coin's smallest unit: the most that is paid, and the miner's part of it."""

    max_fee: int
    tip: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """A transfer that isn't signed yet: of a token (`contract`), or of the native coin (None)."""

    chain_id: int
    nonce: int
    contract: str | None
    recipient: str
    units: int
    gas: int


@dataclass(frozen=True, slots=True)
class Signed:
    """The bytes that a node takes, and the hash under which the chain knows them."""

    raw: bytes
    hash: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """A mined transaction; `ok` is whether it did what it says."""

    transaction: str
    block: int
    block_hash: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mined transaction of one of our addresses. A token's transfer is read; of any other call `units` is 0."""

    transaction: str
    nonce: int
    contract: str | None
    recipient: str
    units: int
    block: int


class PaymentKey(Protocol):
    """One private key; it never leaves the object."""

    @property
    def address(self) -> str: ...

    def sign(self, payment: Payment, fees: Fees) -> Signed:
        """The same payment and fees give the same bytes."""


class PaymentChain(Protocol):
    """Raises Outage where no quorum of nodes answers."""

    @property
    def network(self) -> Network: ...

    async def head(self) -> int: ...
    async def block(self, number: int) -> Block | None: ...

    async def next_nonce(self, address: str, *, waiting: bool) -> int:
        """How many transactions of `address` the chain has; `waiting`: with those that wait for a block."""

    async def receipt(self, transaction: str) -> Receipt | None:
        """None where no block holds it."""

    async def fees(self) -> Fees: ...

    async def native(self, address: str) -> int: ...
    async def tokens(self, contract: str, address: str) -> int: ...

    async def send(self, raw: bytes) -> None:
        """Hand the bytes to every node; one that has them already counts as taking them.

        Raises: Declined where all that answer say no, Outage where none answers.
        """

    async def transaction_transfers(self, transaction: str) -> list[TokenTransfer] | None: ...

    async def outgoing(self, address: str, *, blocks: Sequence[int]) -> list[Outgoing]:
        """The transactions of `address` in these blocks, in the chain's order."""
