"""What a use case is given: who calls, when, and the doors it may use."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.errors import Busy, Refusal, RequestConflict, RequestRunning, TooMany
from kalos.core.money import Amount
from kalos.core.ports import (
    AddressScreening,
    CaptchaDrawer,
    ChainClient,
    ChainTerms,
    Feature,
    FileStore,
    PictureCleaner,
    PriceSource,
    Pulse,
    SignedMessages,
    SlideDrawer,
)
from kalos.core.terms import Terms
from kalos.ledger.postings import Insert, Ledger, Posted, Posting, Set, key_of
from kalos.wire.incoming import Incoming


@dataclass(frozen=True, slots=True)
class Member:
    """Who calls: `id` is the owner of ledger accounts, `account` the eight digits that people see."""

    id: int
    account: str


class MayMember(Protocol):
    """The gate that a product asks before all else: switches, notices, identity, breaks, the member's own limits."""

    async def admit(
        self, member: int, feature: Feature, stake: Amount | None = None, *, network: str = ""
    ) -> list[Insert | Set]:
        """Returns the riders that the posting of `stake` must carry: with them no two stakes pass a limit together.

        Raises: StaffAccount, FeatureOff, SelfExcluded, DisclosureRequired, KycRequired, AgeRequired, PlayerLimit,
          PriceUnavailable, SessionEnded.
        """

    async def needs_identity(self, member: int, *, network: str = "") -> bool:
        """Whether the gates of identity are up where a member is, and nobody has approved who that is."""


Coming = Callable[[Connection, int], Awaitable[bool]]
"""Whether something is on its way to a member that the ledger doesn't know of yet: asked before an account closes."""

Forget = Callable[[Connection, int], Awaitable[None]]
"""Erase what products know of a member besides money: in the commit that closes the account."""


class Target(Protocol):
    """An entry of a member's book of withdrawal addresses."""

    @property
    def address(self) -> str: ...
    @property
    def label(self) -> str: ...


Book = Callable[[Database, int, int], Awaitable[Target | None]]
"""The entry of this number in the book of this member, None where it isn't there."""


class Own(Protocol):
    """The house's own addresses on the chain, to which no withdrawal goes."""

    async def holds(self, address: str) -> bool:
        """Whether it is one of them; `address` has its checksum. Raises: Outage."""


Uses = Callable[[Database, Sequence[int]], Awaitable[Mapping[int, int]]]
"""When a withdrawal to each of these entries of the book was last asked for; nothing for those that never were used."""


@dataclass(frozen=True, slots=True)
class House:
    """The doors, wired once a process: reads, ledger, clock, business numbers, ports.

    The first of `factor_keys` seals authenticators' secrets, all of them open. `is_demo`: registering needs no country,
    birth date and terms. `link_key` signs the addresses of files; `page_url` is what members type to reach the page,
    without a slash at the end; mails to the operator go to `operator_address`.
    """

    db: Database
    ledger: Ledger
    clock: Clock
    terms: Terms
    chain: ChainClient
    messages: SignedMessages
    screening: AddressScreening
    prices: PriceSource
    pulse: Pulse
    captchas: CaptchaDrawer
    tones: CaptchaDrawer
    slides: SlideDrawer
    files: FileStore
    pictures: PictureCleaner
    may: MayMember
    is_coming: Coming
    forget: Forget
    book: Book
    uses: Uses
    own: Own
    link_key: bytes
    factor_keys: tuple[bytes, ...]
    is_demo: bool = False
    page_url: str = ""
    operator_address: str = ""

    @property
    def chain_terms(self) -> ChainTerms:
        return self.chain.network


class Context(msgspec.Struct, frozen=True):
    """One call. `network` is the caller's address or /64 (empty where it isn't counted); `session` the hash of the
    token (empty for visitors); `file` what came along, not read yet."""

    house: House
    member: Member | None = None
    path: str = ""
    lang: str = "en"
    network: str = ""
    device: str = ""
    session: bytes = b""
    fingerprint: bytes = b""
    file: Incoming | None = None

    @property
    def db(self) -> Database:
        return self.house.db

    @property
    def ledger(self) -> Ledger:
        return self.house.ledger

    @property
    def terms(self) -> Terms:
        return self.house.terms

    @property
    def now(self) -> int:
        """Business time in milliseconds."""
        return self.house.clock.now()

    @property
    def wall(self) -> int:
        return self.house.clock.wall()

    @property
    def caller(self) -> Member:
        """The member of a protected call."""
        assert self.member is not None
        return self.member

    async def may(self, feature: Feature, stake: Amount | None = None) -> list[Insert | Set]:
        """Ask the gate for the caller: see `MayMember.admit`."""
        return await self.house.may.admit(self.caller.id, feature, stake, network=self.network)

    def key(self, request_id: str) -> bytes:
        """The ledger key of a member's own request. Source: wire.md, "Calls that move money"."""
        return key_of(str(self.caller.id), self.path, request_id)

    async def find_posted(self, request_id: str) -> Posted | None:
        """What was posted for a member's request that was sent before; one under way is waited for. None: nothing.

        Asked with a posting of the same key that comes too late to be accepted: so the writer itself says it.
        Raises: RequestConflict (another body), RequestRunning, Busy, TooMany, Outage.
        """
        too_late = Posting(self.key(request_id), fingerprint=self.fingerprint, member=self.caller.id, not_after=0)
        try:
            return await self.ledger.post(too_late)
        except (RequestConflict, RequestRunning, Busy, TooMany):
            raise
        except Refusal:
            return None
