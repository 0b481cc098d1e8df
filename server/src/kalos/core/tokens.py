"""Random secrets that are handed out once, and the hashes that are stored instead of them."""

import hashlib
import secrets
from typing import Final

_ACCOUNTS: Final = range(10_000_000, 100_000_000)
_CLEAR_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_INVITE_LENGTH: Final = 8


def new_token() -> str:
    """256 random bits as 43 letters that an address may hold."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """128 random bits as 22 letters: the id of something that only its holder should find."""
    return secrets.token_urlsafe(16)


def new_nonce() -> str:
    """128 random bits as 32 letters and digits."""
    return secrets.token_hex(16)


def new_code() -> str:
    """Six random digits."""
    return f"{secrets.randbelow(10**6):06}"


def new_account() -> str:
    """Eight random digits, the first not 0."""
    return str(secrets.choice(_ACCOUNTS))


def new_invite_code() -> str:
    """Eight letters and digits that can't be taken for each other, the first a letter: in an address it is read by some
    as a number where it can be, and 2E345678 doesn't come back from one.
    """
    rest = (secrets.choice(_CLEAR_LETTERS) for _ in range(_INVITE_LENGTH - 1))
    return secrets.choice(_CLEAR_LETTERS.rstrip("23456789")) + "".join(rest)


def new_recovery_code() -> str:
    """Twelve letters and digits that can't be taken for each other, in three groups."""
    return "-".join("".join(secrets.choice(_CLEAR_LETTERS) for _ in range(4)) for _ in range(3))


def digest(*parts: str) -> bytes:
    """SHA-256 of the parts: how a token is stored and looked up."""
    return hashlib.sha256("\x00".join(parts).encode()).digest()
