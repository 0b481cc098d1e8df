"""A nonce counts once, however many ask in one statement and whichever process asks."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import pytest

from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.tokens import random_bytes
from kalos.wire.errors import Replay
from kalos.wire.replay import Nonces

SID: Final = "a channel"


@pytest.fixture
async def pair(db: Database, database_url: str) -> AsyncIterator[tuple[Nonces, Nonces]]:
    """Of two processes."""
    other, clock = Database(database_url), Clock()
    yield Nonces(db, clock, 180), Nonces(other, clock, 180)
    await other.close()


def fresh(count: int) -> list[str]:
    return [random_bytes(16).hex() for _ in range(count)]


async def used(nonces: Nonces, names: list[str]) -> list[bool]:
    """Which of them were new, all asked for in one turn."""
    found = await asyncio.gather(*(nonces.use(SID, name) for name in names), return_exceptions=True)
    assert all(one is None or isinstance(one, Replay) for one in found), found
    return [one is None for one in found]


async def test_a_used_one_refuses_itself_and_none_beside_it(pair: tuple[Nonces, Nonces]) -> None:
    one, other = pair
    first, second, third, twice = fresh(4)
    assert await used(other, [second]) == [True]
    assert await used(one, [first, second, third, twice, twice]) == [True, False, True, True, False]
    assert await used(other, [first, second, third, twice]) == [False] * 4


async def test_of_two_processes_that_have_all_in_common_each_nonce_is_ones(pair: tuple[Nonces, Nonces]) -> None:
    for _ in range(20):
        names = fresh(50)
        mine, theirs = await asyncio.gather(used(pair[0], names), used(pair[1], names[::-1]))
        assert [a + b for a, b in zip(mine, reversed(theirs), strict=True)] == [1] * 50


async def test_new_ones_are_stored_in_the_order_of_their_marks(pair: tuple[Nonces, Nonces], db: Database) -> None:
    """Else two processes could wait for each other, a second long."""
    await db.execute("DELETE FROM wire_nonces")
    assert await used(pair[0], fresh(20)) == [True] * 20
    stored = await db.rows("SELECT nonce FROM wire_nonces ORDER BY ctid")
    assert [row["nonce"] for row in stored] == sorted(row["nonce"] for row in stored)
