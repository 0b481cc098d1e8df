"""One page's secure channel: opened with HPKE, carried by a sealed ticket, sealing each call. Pure.

Source: wire.md, "Signing and encryption", steps 2 and 4. The browser's half is web/src/lib/wire/channel.ts.
"""

import hashlib
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kalos.core.tokens import random_bytes
from kalos.wire.signing import SigningKey

SEED_BYTES: Final = 32
SALT_BYTES: Final = 32
TICKET_KID_BYTES: Final = 8
_IV_BYTES: Final = 12
_TICKET_BYTES: Final = SEED_BYTES + SALT_BYTES + 8
SUITE: Final = Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
_TICKET_DATA: Final = b"wire1|ticket"


class Unreadable(Exception):
    """A sealed text doesn't open: damaged, forged, or for another key or place."""


@dataclass(frozen=True, slots=True)
class Channel:
    """The keys of one `sid`; it ends at `until_at` (milliseconds)."""

    sid: str
    signing_key: SigningKey
    to_server: AESGCM
    to_client: AESGCM
    until_at: int

    def open_request(self, sealed: str | bytes, *, method: str, path: str) -> bytes:
        """The inner JSON of a request; `sealed` is base64 as everywhere here. Raises: Unreadable."""
        return _open(self.to_server, _from_base64(sealed), f"wire1|c2s|{method}|{path}|{self.sid}".encode())

    def seal_answer(self, data: bytes, *, nonce: str, code: int, msg: str) -> bytes:
        """Bind `data` to its request's nonce, its code and its sentence: it fits no other answer."""
        return b64encode(_seal(self.to_client, data, self._answer_data(nonce, code, msg)))

    def seal_request(self, inner: bytes, *, method: str, path: str) -> str:
        """The client's side."""
        return b64encode(_seal(self.to_server, inner, f"wire1|c2s|{method}|{path}|{self.sid}".encode())).decode()

    def open_answer(self, sealed: str | bytes, *, nonce: str, code: int, msg: str) -> bytes:
        """The client's side. Raises: Unreadable."""
        return _open(self.to_client, _from_base64(sealed), self._answer_data(nonce, code, msg))

    def _answer_data(self, nonce: str, code: int, msg: str) -> bytes:
        return f"wire1|s2c|{self.sid}|{nonce}|{code}|{_print_of(msg)}".encode()


def open_hello(key: ec.EllipticCurvePrivateKey, hello: str, *, kid: str, origin: str) -> bytes:
    """The page's seed. Raises: Unreadable."""
    try:
        seed = SUITE.decrypt(_from_base64(hello), key, info=hello_info(kid, origin))
    except (InvalidTag, ValueError) as problem:
        raise Unreadable from problem
    if len(seed) != SEED_BYTES:
        raise Unreadable
    return seed


def seal_hello(key: ec.EllipticCurvePublicKey, seed: bytes, *, kid: str, origin: str) -> str:
    """What a client sends to open a channel."""
    return b64encode(SUITE.encrypt(seed, key, info=hello_info(kid, origin))).decode()


def hello_info(kid: str, origin: str) -> bytes:
    return b"wire1\0" + kid.encode() + b"\0" + origin.encode()


def derive(seed: bytes, salt: bytes, sid: str, until_at: int) -> Channel:
    """The three keys that both sides derive."""
    keys = HKDF(SHA256(), length=96, salt=salt, info=b"wire1\0" + sid.encode()).derive(seed)
    return Channel(sid, SigningKey(keys[:32]), AESGCM(keys[32:64]), AESGCM(keys[64:]), until_at)


def seal_ticket(kid: bytes, key: bytes, *, seed: bytes, salt: bytes, until_at: int) -> str:
    """The `sid`: everything that any process needs to derive the channel's keys, sealed."""
    assert len(kid) == TICKET_KID_BYTES
    assert len(seed) == SEED_BYTES
    assert len(salt) == SALT_BYTES
    sealed = _seal(AESGCM(key), seed + salt + until_at.to_bytes(8, "big"), _TICKET_DATA + kid)
    return urlsafe_b64encode(kid + sealed).rstrip(b"=").decode()


def ticket_kid(sid: str) -> bytes:
    """Which ticket key a `sid` is sealed under. Raises: Unreadable."""
    return _ticket(sid)[:TICKET_KID_BYTES]


def open_ticket(sid: str, key: bytes) -> Channel:
    """Raises: Unreadable."""
    raw = _ticket(sid)
    opened = _open(AESGCM(key), raw[TICKET_KID_BYTES:], _TICKET_DATA + raw[:TICKET_KID_BYTES])
    if len(opened) != _TICKET_BYTES:
        raise Unreadable
    until_at = int.from_bytes(opened[SEED_BYTES + SALT_BYTES :], "big")
    return derive(opened[:SEED_BYTES], opened[SEED_BYTES : SEED_BYTES + SALT_BYTES], sid, until_at)


def _ticket(sid: str) -> bytes:
    try:
        raw = urlsafe_b64decode(sid + "=" * (-len(sid) % 4))
    except ValueError as problem:
        raise Unreadable from problem
    # one spelling only: a sid stands in signatures and in the key of a replayed nonce
    if len(raw) <= TICKET_KID_BYTES or urlsafe_b64encode(raw).rstrip(b"=").decode() != sid:
        raise Unreadable
    return raw


@lru_cache(maxsize=1_000)
def _print_of(msg: str) -> str:
    """Of a sentence, which many answers share."""
    return hashlib.sha256(msg.encode()).hexdigest()


def _seal(key: AESGCM, data: bytes, bound: bytes) -> bytes:
    iv = random_bytes(_IV_BYTES)
    return iv + key.encrypt(iv, data, bound)


def _open(key: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    try:
        return key.decrypt(sealed[:_IV_BYTES], sealed[_IV_BYTES:], bound)
    except (InvalidTag, ValueError) as problem:
        raise Unreadable from problem


def _from_base64(text: str | bytes) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as problem:
        raise Unreadable from problem
