"""Password hashing: argon2id on a bounded pool of its own threads, never on the event loop."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import VerifyMismatchError

from kalos.core.errors import Busy

Result = TypeVar("Result")
_MOST_WAITING: Final = 256
_BUSY_SECONDS: Final = 1
# The hash of a random text that nobody knows: whoever isn't there costs what a wrong password costs.
_DECOY: Final = "$argon2id$v=19$m=19456,t=2,p=1$lZwzIvh3g1VgJDqxBs/4Tg$BATJO+zVhLDTEsMWIKqipqpohOpQcjazrTe3bbP8V+w"
_hasher: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)


class _Work:
    """What waits or runs now, and how many hashes this process has made."""

    waiting = 0
    made = 0


async def hash_password(password: str) -> str:
    """Raises: Busy where too many hashes wait already."""
    return await _on_pool(_hasher.hash, password)


async def password_matches(stored: str | None, password: str) -> bool:
    """Compare in the time of one hash, also where nothing is stored (None: never equal).

    Raises: Busy where too many hashes wait already.
    """
    equal = await _on_pool(_verify, stored or _DECOY, password)
    return equal and stored is not None


def hashes_made() -> int:
    """How many hashes this process has made since it started."""
    return _Work.made


def _verify(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except VerifyMismatchError:
        return False


async def _on_pool(work: Callable[..., Result], *values: str) -> Result:
    if _Work.waiting >= _MOST_WAITING:
        raise Busy(retry_after=_BUSY_SECONDS)
    _Work.waiting += 1
    _Work.made += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_pool(), work, *values)
    finally:
        _Work.waiting -= 1


@cache
def _pool() -> ThreadPoolExecutor:
    """One core is left to the event loop."""
    return ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 1), "passwords")
