"""Password hashing: argon2id on a bounded pool of its own threads, never on the event loop."""

import os
from typing import Final

from argon2 import PasswordHasher, Type
from argon2.exceptions import VerifyMismatchError

from kalos.core.pool import Pool

# The hash of a random text that nobody knows: whoever isn't there costs what a wrong password costs.
_DECOY: Final = "$argon2id$v=19$m=19456,t=2,p=1$lZwzIvh3g1VgJDqxBs/4Tg$BATJO+zVhLDTEsMWIKqipqpohOpQcjazrTe3bbP8V+w"
_hasher: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)
# One core is left to the event loop.
_pool: Final = Pool("passwords", threads=max(1, (os.cpu_count() or 2) - 1), most=256)


async def hash_password(password: str) -> str:
    """Raises: Busy where too many hashes wait already."""
    return await _pool.run(_hasher.hash, password)


async def password_matches(stored: str | None, password: str) -> bool:
    """Compare in the time of one hash, also where nothing is stored (None: never equal).

    Raises: Busy where too many hashes wait already.
    """
    equal = await _pool.run(_verify, stored or _DECOY, password)
    return equal and stored is not None


def hashes_made() -> int:
    """How many hashes this process has made since it started."""
    return _pool.begun


def _verify(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except VerifyMismatchError:
        return False
