"""Edges of the house: what domains ask of the outside. The app wires an adapter to each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final, Literal, Protocol

from kalos.core.assets import Asset

Feature = Literal[
    "games", "racer_quiz", "nft", "referral", "mining", "pledge", "divvy", "consumer_dividend", "otc", "spot",
    "house_exchange", "lending", "insurance", "cards",
]  # fmt: skip
"""A part of the product with a switch. Source: principles.md."""


@dataclass(frozen=True, slots=True)
class Price:
    """USDT for one whole coin, as read at `at_ms` from `source`."""

    asset: Asset
    rate: Fraction
    at_ms: int
    source: str


class PriceSource(Protocol):
    """What a coin is worth. Whoever stores a value or a fee stores the price's rate, time and source with it."""

    async def price(self, asset: Asset) -> Price:
        """What may be traded at now. Raises: PriceUnavailable where there is none, or where it is stale."""

    async def last(self, asset: Asset) -> Price:
        """The last valid price however old: for withdrawals' fees, turnover, limits and overviews.

        Raises: PriceUnavailable where there never was one.
        """


@dataclass(frozen=True, slots=True)
class Block:
    """A block as the quorum of nodes gives it; hashes are lower-case hex with 0x, time is in seconds."""

    number: int
    hash: str
    parent: str
    time: int


@dataclass(frozen=True, slots=True)
class TokenTransfer:
    """One Transfer log of a token contract; addresses are checksummed, `units` are the token's."""

    contract: str
    sender: str
    recipient: str
    units: int
    transaction: str
    log_index: int
    block: int
    block_hash: str


@dataclass(frozen=True, slots=True)
class ChainTerms:
    """What the operator states of a chain: blocks until final, usual seconds between two, prefix of an explorer."""

    chain_id: int
    confirmations: int
    block_seconds: int
    explorer: str | None


@dataclass(frozen=True, slots=True)
class Contract:
    """A coin's token contract; `decimals` are the asset's scale, `code_hash` is keccak-256 of the code at `address`."""

    asset: Asset
    address: str
    decimals: int
    code_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Network(ChainTerms):
    """A chain that the house takes coins on: the operator's terms and the coins' contracts.

    A block has as many confirmations as blocks stand on top of it; reading starts at `first_block`.
    """

    name: str
    protocol: str
    contracts: tuple[Contract, ...]
    first_block: int = 0

    def contract(self, asset: Asset) -> Contract:
        return next(contract for contract in self.contracts if contract.asset == asset)


class ChainClient(Protocol):
    """Raises Outage where no quorum of nodes answers."""

    @property
    def network(self) -> Network: ...

    def deposit_address(self, owner: int) -> str:
        """The checksummed address of a ledger owner (a member, the house), from the extended public key."""

    async def survey(self) -> dict[int, str]:
        """What is wrong with which node, by its place in the settings: who isn't there is well."""

    async def head(self) -> int:
        """The newest block's number, as those say that answer now: one node may do."""

    async def block(self, number: int) -> Block | None: ...
    async def newest(self) -> Block | None:
        """The block at the head, as anybody may be shown it: it may be a second old."""

    async def transfers(self, *, contracts: Sequence[str], blocks: Sequence[Block]) -> list[TokenTransfer]:
        """The transfers in exactly these blocks, asked for by hash; an Outage where one of them is no longer there."""

    async def transfers_to(self, recipients: Sequence[str], *, first: int, last: int) -> list[TokenTransfer]:
        """The ERC-20 transfers of any token to these addresses, asked for by number: of blocks that each node has had
        for long. Raises: NotTold where most nodes won't say so much at once, Outage."""

    async def transaction_transfers(self, transaction: str) -> list[TokenTransfer] | None:
        """The token transfers of one mined transaction; None where no block holds it; empty if it was reverted."""

    async def reverted_transfer(self, transaction: str) -> TokenTransfer | None:
        """What a mined transaction would have transferred had it not been reverted; None for any other transaction."""

    async def token_balances(self, *, contract: str, owners: Sequence[str], block: Block) -> list[int]:
        """What each owner has of a token after exactly this block, in their order; an Outage where it isn't there."""

    async def native_balance(self, *, owner: str, block: Block) -> int:
        """What an owner has of the chain's own coin after exactly this block, in its smallest unit (wei)."""


Closed = Literal["chain", "clock"]
"""Why games take no bets: the chain's nodes are late or disagree, or clocks do."""


class Pulse(Protocol):
    """Whether chain and clocks agree well enough that games may take bets."""

    def closed(self) -> Closed | None:
        """Why they may not; None: they may."""


@dataclass(frozen=True, slots=True)
class Mail:
    recipient: str
    subject: str
    text: str
    html: str


class Mailer(Protocol):
    """Raises Outage where the mail server doesn't take it now, Undeliverable where it never will."""

    async def send(self, mail: Mail) -> None: ...


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A drawn captcha: the picture or the sound as a data URL, and its answer."""

    url: str
    answer: str


class CaptchaDrawer(Protocol):
    def draw(self) -> Puzzle: ...


SLIDE_WIDTH: Final = 320
SLIDE_HEIGHT: Final = 160
SLIDE_PIECE: Final = 56
"""The edges of a slide's picture and of the square that its piece stands in, in points of the picture."""


@dataclass(frozen=True, slots=True)
class SlidePuzzle:
    """A picture with a hole and the piece that was cut out, as data URLs; the piece's upper left corner, of which `x`
    is the answer."""

    background: str
    piece: str
    x: int
    y: int


class SlideDrawer(Protocol):
    def draw(self) -> SlidePuzzle: ...


@dataclass(frozen=True, slots=True)
class SignIn:
    """What a wallet is asked to sign: `address` with its checksum, `statement` one line of ASCII, times in Unix ms."""

    address: str
    statement: str
    nonce: str
    issued_at: int
    expires_at: int


class SignedMessages(Protocol):
    """Addresses and sign-in messages of the chain's wallets."""

    def address(self, text: str) -> str | None:
        """The address with its checksum. None: it is none, or its checksum is wrong; one without any is taken."""

    def text(self, asked: SignIn) -> str:
        """The text to sign: it names the house's own page and chain."""

    def signer(self, text: str, signature: str) -> str | None:
        """Whose wallet signed exactly this text; None where the signature is none."""


class AddressScreening(Protocol):
    async def is_listed(self, address: str) -> bool:
        """Whether the operator's list of sanctions has it."""

    def fault(self) -> str | None:
        """Why that list, as it lies there now, can't be read: the last good one stands."""


class NetworkCountries(Protocol):
    def country(self, network: str) -> str | None:
        """The two capital letters of the country that a caller's network is in; None where that isn't known."""


class FileStore(Protocol):
    """Keeps files under names that we made; a file is there whole or not at all. Raises Outage."""

    async def put(self, name: str, content: bytes) -> None: ...
    async def get(self, name: str) -> bytes | None: ...
    async def delete(self, names: Collection[str]) -> None:
        """Also what a `put` that was cut off left behind; a name that isn't there is none to miss."""


class BadPicture(ValueError):
    """The content is no picture of its type: `reason` is one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that we wrote ourselves, pixel by pixel: nothing else that was in the file came along."""

    content: bytes
    width: int
    height: int


class PictureCleaner(Protocol):
    async def clean(self, content: bytes, *, kind: str, most_pixels: int, most_bytes: int) -> Picture:
        """Decode and write anew in the same type (image/jpeg, image/png, image/webp). Raises: BadPicture."""


@dataclass(frozen=True, slots=True)
class ApprovedIdentity:
    """Who a member is, as papers have shown it."""

    country: str
    birth_date: date


class IdentitySource(Protocol):
    """The identities that were looked at and approved."""

    async def approved(self, member: int) -> ApprovedIdentity | None: ...
