"""Secrets that lie in the database sealed (AES-256-GCM), so that a stolen dump opens nothing."""

import os
from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kalos.core.errors import Outage

_NONCE_BYTES: Final = 12


def seal(key: bytes, secret: bytes, about: bytes) -> bytes:
    """`about` says whose it is: sealed for one row, it opens in no other."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, secret, about)


def unseal(keys: Sequence[bytes], sealed: bytes, about: bytes) -> bytes | None:
    """What was sealed with one of these keys, else None."""
    for key in keys:
        try:
            return AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], about)
        except InvalidTag:
            continue
    return None


def unseal_own(keys: Sequence[bytes], sealed: bytes, about: bytes) -> bytes:
    """The same of what this house has sealed itself.

    Raises: Outage where it was under a secret that isn't given any more.
    """
    found = unseal(keys, sealed, about)
    if found is None:
        raise Outage("something is sealed under a secret that neither INSTALLATION_SECRET nor FORMER_SECRETS has")
    return found
