"""Sign-in messages of wallets: written as EIP-4361 says, signed as EIP-191 says."""

import re
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from coincurve import PublicKey

from kalos.adapters.chain.hexes import checksum
from kalos.adapters.chain.keccak import keccak
from kalos.core.errors import ForOperator
from kalos.core.ports import SignIn

_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_SIGNATURE: Final = re.compile(r"0x(?P<r>[0-9a-fA-F]{64})(?P<s>[0-9a-fA-F]{64})(?P<v>1[bBcC])", re.ASCII)
_HALF_ORDER: Final = 0x7FFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFF_5D576E73_57A4501D_DFE92F46_681B20A0
_FIRST_V: Final = 27
_DOMAIN: Final = re.compile(r"[A-Za-z0-9._~-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?", re.ASCII)
_STATEMENT: Final = re.compile(r"[A-Za-z0-9 ._~:/?#@!$&'()*+,;=\[\]-]+", re.ASCII)
_NONCE: Final = re.compile(r"[A-Za-z0-9]{8,}", re.ASCII)
_MS: Final = 1000


class BadSite(ForOperator, ValueError):
    """The page's address has no host that EIP-4361 can write."""


class SignInMessages:
    """`SignedMessages` of the page at `page_url` and the chain `chain_id`.

    Nobody sends us a message: the signature that comes back must be of the very text that was given out, so whatever
    differs in it (site, account, nonce, time, chain) is another signer. What the grammar forbids is therefore never
    read, only never written. Contracts that sign (EIP-1271) have no key to recover and can't log in.
    Raises: BadSite.
    """

    def __init__(self, page_url: str, chain_id: int) -> None:
        self._page_url = page_url
        self._domain = urlsplit(page_url).netloc
        if not _DOMAIN.fullmatch(self._domain):
            raise BadSite(f"{page_url}: a sign-in message can't name this site; write its host in ASCII (xn--…)")
        self._chain_id = chain_id

    def address(self, text: str) -> str | None:
        """Source: EIP-55. Small letters alone carry no checksum."""
        if not _ADDRESS.fullmatch(text):
            return None
        right = checksum(bytes.fromhex(text[2:]))
        return right if text in (right, right.lower()) else None

    def text(self, asked: SignIn) -> str:
        """Source: EIP-4361, "Message Format"."""
        assert self.address(asked.address) == asked.address, asked.address
        assert _STATEMENT.fullmatch(asked.statement), asked.statement
        assert _NONCE.fullmatch(asked.nonce), asked.nonce
        return (
            f"{self._domain} wants you to sign in with your Ethereum account:\n"
            f"{asked.address}\n\n"
            f"{asked.statement}\n\n"
            f"URI: {self._page_url}/login\n"
            "Version: 1\n"
            f"Chain ID: {self._chain_id}\n"
            f"Nonce: {asked.nonce}\n"
            f"Issued At: {_time(asked.issued_at)}\n"
            f"Expiration Time: {_time(asked.expires_at)}"
        )

    def signer(self, text: str, signature: str) -> str | None:
        """Source: EIP-191, version 0x45; the lower of the two s alone, as wallets write it (EIP-2)."""
        parts = _SIGNATURE.fullmatch(signature)
        if parts is None or int(parts["s"], 16) > _HALF_ORDER:
            return None
        message = text.encode()
        digest = keccak(b"\x19Ethereum Signed Message:\n" + str(len(message)).encode() + message)
        compact = bytes.fromhex(parts["r"] + parts["s"]) + bytes([int(parts["v"], 16) - _FIRST_V])
        try:
            point = PublicKey.from_signature_and_message(compact, digest, hasher=None)
        except ValueError:
            return None
        return checksum(keccak(point.format(compressed=False)[1:])[-20:])


def _time(at_ms: int) -> str:
    """Whole seconds in UTC. Source: RFC 3339."""
    return f"{datetime.fromtimestamp(at_ms // _MS, UTC):%Y-%m-%dT%H:%M:%SZ}"
