"""Password hashing: the parameters, the decoy, and the bound on what waits."""

import asyncio
from collections import Counter

import pytest

from kalos.core import passwords
from kalos.core.errors import Busy

PARAMETERS = "$argon2id$v=19$m=19456,t=2,p=1$"


async def test_hash_is_argon2id_with_19_mib_and_its_own_salt() -> None:
    first, second = await asyncio.gather(passwords.hash_password("same1234"), passwords.hash_password("same1234"))
    assert first.startswith(PARAMETERS)
    assert second.startswith(PARAMETERS)
    assert first != second
    assert await passwords.password_matches(first, "same1234")
    assert not await passwords.password_matches(first, "Same1234")


async def test_whoever_is_not_there_costs_the_same_hash() -> None:
    assert passwords._DECOY.startswith(PARAMETERS)
    assert len(passwords._DECOY) == len(await passwords.hash_password("same1234"))
    made = passwords.hashes_made()
    assert not await passwords.password_matches(None, "same1234")
    assert passwords.hashes_made() == made + 1


async def test_more_than_the_bound_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords._pool, "most", 3)
    made = passwords.hashes_made()
    results = await asyncio.gather(*(passwords.hash_password("same1234") for _ in range(8)), return_exceptions=True)
    assert Counter(map(type, results)) == {str: 3, Busy: 5}
    assert passwords.hashes_made() == made + 3
    assert await passwords.hash_password("same1234")


async def test_hashing_does_not_hold_up_the_loop() -> None:
    """While one hash is made the loop turns hundreds of times; on the loop itself it would be made in one turn."""
    hashing, turns = asyncio.gather(*(passwords.hash_password("same1234") for _ in range(10))), 0
    while not hashing.done():
        await asyncio.sleep(0)
        turns += 1
    await hashing
    assert turns > 100
