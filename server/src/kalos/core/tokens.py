"""Random secrets that are handed out once, and the hashes that are stored instead of them."""

import hashlib
import os
import secrets
from collections import deque
from typing import Final

_ACCOUNTS: Final = range(10_000_000, 100_000_000)
_CLEAR_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_INVITE_LENGTH: Final = 8
_MOST_RANDOM: Final = 16
_AHEAD: Final = 256


def new_token() -> str:
    """256 random bits as 43 letters that an address may hold."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """128 random bits as 22 letters: the id of something that only its holder should find."""
    return secrets.token_urlsafe(16)


def new_nonce() -> str:
    """128 random bits as 32 letters and digits."""
    return random_bytes(16).hex()


def random_bytes(count: int) -> bytes:
    """So many bytes of the system's random source, at most 16, each handed out once.

    They are read ahead for many: a reading lets another thread of the process go first, which takes longer than all
    else of it. `pop` gives no piece to two threads, and a fork begins with none.
    """
    assert count <= _MOST_RANDOM
    try:
        return _ahead.pop()[:count]
    except IndexError:
        many = os.urandom(_AHEAD * _MOST_RANDOM)
        _ahead.extend(many[at : at + _MOST_RANDOM] for at in range(0, len(many), _MOST_RANDOM))
        return random_bytes(count)


_ahead: Final[deque[bytes]] = deque()
os.register_at_fork(after_in_child=_ahead.clear)


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
