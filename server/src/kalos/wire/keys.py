"""The wire's own keys: those pages open channels with and those that tickets are sealed under.

Both are rows that all API processes share, new each day and gone after two, sealed under the installation's secret.
"""

import asyncio
import os
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, TypedDict, TypeVar

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Meta

from kalos.core.clock import DAY_MS, Clock
from kalos.core.database import Connection, Database
from kalos.core.fields import UnixSeconds
from kalos.core.sealing import seal, unseal
from kalos.wire.channel import TICKET_KID_BYTES

ROTATE_MS: Final = DAY_MS
KEEP_MS: Final = 2 * DAY_MS
_REFRESH_GAP_MS: Final = 1_000
_KNOWN_MS: Final = 2 * _REFRESH_GAP_MS
"""So old a key is, at the most, before each process finds it where it looks."""
_LOCK: Final = 7_401_003

Dated = TypeVar("Dated", "WireKey", "TicketKey")
Kid = Annotated[str, Meta(max_length=32, examples=["h0R3vJ8kQm2T"])]


class PublicKey(TypedDict):
    """`kem`, `kdf` and `aead` by their numbers in RFC 9180, `pk` the point in base64."""

    kid: Kid
    kem: Literal[16]
    kdf: Literal[1]
    aead: Literal[2]
    pk: Annotated[str, Meta(examples=[b64encode(b"\x04" + bytes(64)).decode()])]
    nbf: Annotated[UnixSeconds, Meta(examples=[1795046400])]
    exp: Annotated[UnixSeconds, Meta(examples=[1795219200])]


class WireKeys(TypedDict):
    """Newest first; one of this moment last, for another process may not have seen it yet."""

    keys: list[PublicKey]
    server_time: UnixSeconds


@dataclass(frozen=True, slots=True)
class WireKey:
    """An HPKE key; `public` is the uncompressed point, times are milliseconds."""

    kid: str
    private: ec.EllipticCurvePrivateKey
    public: bytes
    from_at: int
    until_at: int


@dataclass(frozen=True, slots=True)
class TicketKey:
    kid: bytes
    key: bytes = field(repr=False)
    from_at: int


@dataclass(slots=True)
class Keys:
    """The keys that are valid now, newest first; `refresh` makes, reads and destroys them.

    `secret` is 32 bytes that follow from the installation's.
    """

    db: Database
    clock: Clock
    secret: bytes = field(repr=False)
    wire: list[WireKey] = field(default_factory=list)
    tickets: list[TicketKey] = field(default_factory=list)
    _read_at: int = 0
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def refresh(self) -> None:
        """Delete what ended, add today's keys where they are missing, and read all."""
        now = self.clock.wall()
        async with self.db.transaction() as db:
            await db.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            await db.execute("DELETE FROM wire_keys WHERE until_at <= $1", now)
            await db.execute("DELETE FROM wire_ticket_keys WHERE until_at <= $1", now)
            wire, tickets = await self._read(db, now)
            if not any(key.from_at > now - ROTATE_MS for key in wire):
                await self._add_wire_key(db, now)
            if not any(key.from_at > now - ROTATE_MS for key in tickets):
                await self._add_ticket_key(db, now)
            found = await self._read(db, now)
        self._take(found, now)  # not before the commit: what was sealed under a key that is nowhere opens nowhere else

    async def wire_key(self, kid: str) -> WireKey | None:
        found = self._wire_key(kid)
        if found is None:
            await self._reread()
            found = self._wire_key(kid)
        return found

    async def ticket_key(self, kid: bytes) -> bytes | None:
        found = self._ticket_key(kid)
        if found is None:
            await self._reread()
            found = self._ticket_key(kid)
        return found

    def ticket(self) -> TicketKey:
        """What new channels are sealed under."""
        return _known_first(self.tickets, self.clock.wall())[0]

    def document(self) -> WireKeys:
        """`GET /.well-known/wire-keys`."""
        now = self.clock.wall()
        return {
            "keys": [
                {
                    "kid": key.kid,
                    "kem": 16,
                    "kdf": 1,
                    "aead": 2,
                    "pk": b64encode(key.public).decode(),
                    "nbf": key.from_at // 1000,
                    "exp": key.until_at // 1000,
                }
                for key in _known_first(self.wire, now)
            ],
            "server_time": now // 1000,
        }

    def _wire_key(self, kid: str) -> WireKey | None:
        now = self.clock.wall()
        return next((key for key in self.wire if key.kid == kid and key.until_at > now), None)

    def _ticket_key(self, kid: bytes) -> bytes | None:
        return next((key.key for key in self.tickets if key.kid == kid), None)

    async def _reread(self) -> None:
        """Another process may have added the key a moment ago; unknown ones make one read a second."""
        async with self._reading:
            now = self.clock.wall()
            if now - self._read_at >= _REFRESH_GAP_MS:
                async with self.db.connection() as db:
                    found = await self._read(db, now)
                if all(found):
                    self._take(found, now)
                else:  # a crash of the database took them, and nobody has made new ones yet
                    await self.refresh()

    def _take(self, found: tuple[list[WireKey], list[TicketKey]], now: int) -> None:
        self.wire, self.tickets = found
        self._read_at = now

    async def _read(self, db: Connection, now: int) -> tuple[list[WireKey], list[TicketKey]]:
        """Read and unseal; those that don't open are of another secret and count as absent."""
        wire = await db.fetch("SELECT * FROM wire_keys WHERE until_at > $1 ORDER BY from_at DESC, kid", now)
        tickets = await db.fetch("SELECT * FROM wire_ticket_keys WHERE until_at > $1 ORDER BY from_at DESC, kid", now)
        wire_keys, ticket_keys = list[WireKey](), list[TicketKey]()
        for row in wire:
            scalar = unseal([self.secret], row["sealed_key"], row["kid"].encode())
            if scalar is not None:
                private = ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())
                wire_keys.append(WireKey(row["kid"], private, row["public_key"], row["from_at"], row["until_at"]))
        for row in tickets:
            key = unseal([self.secret], row["sealed_key"], row["kid"])
            if key is not None:
                ticket_keys.append(TicketKey(row["kid"], key, row["from_at"]))
        return wire_keys, ticket_keys

    async def _add_wire_key(self, db: Connection, now: int) -> None:
        kid = urlsafe_b64encode(os.urandom(9)).decode()
        private = ec.generate_private_key(ec.SECP256R1())
        public = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        scalar = private.private_numbers().private_value.to_bytes(32, "big")
        await db.execute(
            "INSERT INTO wire_keys (kid, public_key, sealed_key, from_at, until_at) VALUES ($1, $2, $3, $4, $5)",
            kid,
            public,
            seal(self.secret, scalar, kid.encode()),
            now,
            now + KEEP_MS,
        )

    async def _add_ticket_key(self, db: Connection, now: int) -> None:
        kid = os.urandom(TICKET_KID_BYTES)
        await db.execute(
            "INSERT INTO wire_ticket_keys (kid, sealed_key, from_at, until_at) VALUES ($1, $2, $3, $4)",
            kid,
            seal(self.secret, os.urandom(32), kid),
            now,
            now + KEEP_MS,
        )


def _known_first(keys: Sequence[Dated], now: int) -> list[Dated]:
    """Newest first, but those last that not every process has seen."""
    return sorted(keys, key=lambda key: (now - key.from_at < _KNOWN_MS, -key.from_at))
