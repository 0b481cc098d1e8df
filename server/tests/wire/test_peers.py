"""Nobody who serves beside another holds itself alone."""

import asyncio
import time

import pytest

from kalos.app.migrate import role_url
from kalos.core.database import Database
from kalos.wire import peers
from kalos.wire.peers import APPLICATION, Peers
from support.budget import least
from support.clusters import SECRET

_CONNECTED = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()"


@pytest.fixture
def url(database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(peers, "_LOOK_SECONDS", 0.02)
    return role_url(database_url, "kalos_app", SECRET)


async def until(peer: Peers, others: int | None) -> None:
    async with asyncio.timeout(15):
        while peer.others() != others:
            await asyncio.sleep(0.005)


async def test_the_first_serves_at_once_and_the_second_when_the_first_has_seen_it(url: str, db: Database) -> None:
    first, second = Peers(url), Peers(url)
    assert first.others() is None

    async def joined() -> float:
        first.leave()
        while await db.value(_CONNECTED, APPLICATION):
            await asyncio.sleep(0.01)
        begun = time.monotonic()
        await first.join()
        return time.monotonic() - begun

    assert await least(joined, below=2) < 2
    following = [asyncio.create_task(first.follow())]
    await until(first, 0)
    begun = time.monotonic()
    await second.join()
    assert time.monotonic() - begun >= 2.5
    following.append(asyncio.create_task(second.follow()))
    assert 0 not in (first.others(), second.others())
    for peer in (first, second):
        await until(peer, 1)
    following.pop().cancel()
    second.leave()
    await until(first, 0)
    following.pop().cancel()
    first.leave()


async def test_of_two_that_begin_at_once_neither_serves_alone_beside_the_other(url: str) -> None:
    both = [Peers(url), Peers(url)]
    following: list[asyncio.Task[None]] = []

    async def begin(peer: Peers) -> None:
        await peer.join()
        following.append(asyncio.create_task(peer.follow()))

    await asyncio.gather(*map(begin, both))
    assert 0 not in [peer.others() for peer in both]
    for peer in both:
        await until(peer, 1)
    for task in following:
        task.cancel()
    for peer in both:
        peer.leave()


async def test_who_can_not_look_does_not_believe_to_be_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_VALID_SECONDS", 1.0)
    peer = Peers(url)
    await peer.join()
    assert not peer.others()  # not known any more, where the machine stood still for a second
    await until(peer, None)
    peer.leave()


async def test_a_lost_connection_is_opened_again(url: str, db: Database) -> None:
    peer = Peers(url)
    await peer.join()
    following = asyncio.create_task(peer.follow())
    ended = """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name = $1 AND datname = current_database()
    """
    assert await db.value(ended, APPLICATION) >= 1
    await until(peer, None)
    await until(peer, 0)
    following.cancel()
    peer.leave()
