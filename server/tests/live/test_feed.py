"""What feeds the hub: every commit that moved a member's money reaches that member, also over a lost connection."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import asyncpg
import pytest
from picows import WSCloseCode, WSError, ws_connect

from conftest import MakeMember
from kalos.app import live
from kalos.app.live import feed, make_hub, publish
from kalos.app.migrate import role_url
from kalos.app.settings import load_settings
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House, Member
from kalos.domains.identity.queries import insert_auth_token, insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.ledger.feed import APPLICATION, News, follow
from kalos.live.hub import Hub
from kalos.live.state import FEED_UP
from live.test_hub import Client, subscribe, until
from support import clusters
from support.members import fund

ORIGIN = "http://localhost:8000"


@pytest.fixture
async def hub(house: House, database_url: str) -> AsyncIterator[Hub]:
    made = make_hub(house, load_settings({}))
    await made.start("127.0.0.1", 0)
    FEED_UP.set(0)
    feeding = asyncio.create_task(feed(made, house.db, role_url(database_url, "kalos_app", clusters.SECRET)))
    await until(lambda: FEED_UP._value.get() == 1)
    yield made
    feeding.cancel()
    await made.stop()
    with suppress(asyncio.CancelledError):
        await feeding  # says what it ended with, were it anything else


async def listen(hub: Hub, house: House, member: Member) -> Client:
    """A socket of the member that has its account's snapshot."""
    session, token, wall = digest(new_token()), new_token(), house.clock.wall()
    async with house.db.transaction() as db:
        await insert_session(db, SessionRow(session, member.id, "", "", wall, 60_000, wall + 60_000))
    await insert_auth_token(house.db, token_hash=digest(token), session=session, until_at=wall + 60_000, wall=wall)
    address = f"ws://127.0.0.1:{hub.port}/ws?token={token}"
    transport, client = await ws_connect(Client, address, extra_headers={"Origin": ORIGIN})
    assert isinstance(client, Client)
    subscribe(transport, "account")
    await client.next()
    assert (await client.next())["action"] == "snapshot"
    return client


async def until_usdt(client: Client, available: str) -> list[str]:
    """The actions of the messages up to the one that says so."""
    actions = []
    while True:
        message: dict[str, Any] = await client.next()
        actions.append(message["action"])
        if {"asset": "USDT", "available": available, "held": "0.000000"} in message["data"]:
            return actions


async def cut_feed(database_url: str) -> None:
    """End the feed's connection, and see that it has ended."""
    owner = await asyncpg.connect(database_url)
    while not await owner.fetchval(
        "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
        "WHERE datname = current_database() AND application_name = $1",
        APPLICATION,
    ):
        await asyncio.sleep(0.01)
    await owner.close()


async def test_the_first_news_is_that_the_feed_stands(house: House, database_url: str, member: MakeMember) -> None:
    someone = await member(usdt="1")
    news = follow(role_url(database_url, "kalos_app", clusters.SECRET))
    assert await anext(news) == News([], set())
    await fund(house.ledger, someone, usdt="2")
    assert someone.id in (await anext(news)).owners
    await news.aclose()  # type: ignore[attr-defined]


async def test_many_commits_are_one_look(house: House, database_url: str, member: MakeMember) -> None:
    someone, last = await member(usdt="1"), await member(usdt="1")
    news = follow(role_url(database_url, "kalos_app", clusters.SECRET))
    await anext(news)

    async def commit() -> None:
        for _ in range(40):
            await fund(house.ledger, someone, usdt="1")
        await fund(house.ledger, last, usdt="1")

    begun, looks_before = time.monotonic(), 0
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(commit())
        while last.id not in (await anext(news)).owners:
            looks_before += 1
    assert looks_before <= (time.monotonic() - begun) / 0.02
    await news.aclose()  # type: ignore[attr-defined]


async def test_a_member_sees_a_balance_change_and_nobody_elses(hub: Hub, house: House, member: MakeMember) -> None:
    ann, bob = await member(usdt="10"), await member(usdt="20")
    client = await listen(hub, house, ann)
    await fund(house.ledger, bob, usdt="1")
    await fund(house.ledger, ann, usdt="5")
    assert "update" in await until_usdt(client, "15.000000")


async def test_what_was_committed_while_the_feed_was_away_comes_as_a_snapshot(
    hub: Hub, house: House, member: MakeMember, database_url: str
) -> None:
    ann = await member(usdt="10")
    client = await listen(hub, house, ann)
    await cut_feed(database_url)
    await fund(house.ledger, ann, usdt="5")
    assert "snapshot" in await until_usdt(client, "15.000000")


async def test_a_hub_that_hears_nothing_for_long_keeps_nobody_until_it_hears_again(
    hub: Hub, house: House, member: MakeMember, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else pages would take what they show for fresh, and ask seldom."""
    ann, away = await member(usdt="10"), True

    def follow_later(url: str) -> AsyncIterator[News]:
        if away:
            raise Outage("no connection is left")
        return follow(url)

    monkeypatch.setattr(live, "follow", follow_later)
    client = await listen(hub, house, ann)
    await cut_feed(database_url)
    await until(lambda: FEED_UP._value.get() == 0)
    assert not client.closed.is_set()  # a moment is nothing
    monkeypatch.setattr(live, "_SILENT_SECONDS", 0.0)
    with suppress(TimeoutError):
        await client.gone()
    assert client.code == WSCloseCode.TRY_AGAIN_LATER
    with pytest.raises(WSError):
        await listen(hub, house, ann)
    away, again = False, None
    await until(lambda: FEED_UP._value.get() == 1)
    with suppress(WSError):
        again = await listen(hub, house, ann)
    assert again is not None
    await fund(house.ledger, ann, usdt="5")
    await until_usdt(again, "15.000000")


@pytest.mark.parametrize("problem", [asyncpg.InternalClientError(), asyncpg.InterfaceError("gone")], ids=repr)
async def test_whatever_the_driver_says_of_a_lost_connection_the_feed_goes_on(
    hub: Hub, house: House, member: MakeMember, database_url: str, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    """A connection that ends in the middle of a result is the driver's own error, and none of PostgreSQL."""
    problems = [problem]

    def follow_later(url: str) -> AsyncIterator[News]:
        if problems:
            raise problems.pop()
        return follow(url)

    monkeypatch.setattr("kalos.app.live.follow", follow_later)
    ann = await member(usdt="10")
    client = await listen(hub, house, ann)
    await cut_feed(database_url)
    with suppress(TimeoutError):
        await until(lambda: not problems and FEED_UP._value.get() == 1)
    assert FEED_UP._value.get() == 1
    await fund(house.ledger, ann, usdt="5")
    await until_usdt(client, "15.000000")


async def test_accounts_that_cannot_be_read_begin_anew_and_the_feed_goes_on(
    hub: Hub, house: House, member: MakeMember
) -> None:
    ann, bob = await member(usdt="10"), await member(usdt="20")
    of_ann, of_bob = await listen(hub, house, ann), await listen(hub, house, bob)
    away = Database(house.db.url, 1)
    await away.close()
    await publish(hub, away, News([], {ann.id}))
    for someone in (ann, bob):
        await fund(house.ledger, someone, usdt="5")
    assert "snapshot" in await until_usdt(of_ann, "15.000000")
    assert "snapshot" not in await until_usdt(of_bob, "25.000000")
    assert FEED_UP._value.get() == 1


async def test_all_who_come_at_once_have_their_accounts_read_together(
    house: House, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [await member(usdt=str(1 + number)) for number in range(3)]
    read, statements = Database.rows, 0

    async def counted(db: Database, query: str, *values: Any) -> list[Any]:
        nonlocal statements
        statements += 1
        return await read(db, query, *values)

    monkeypatch.setattr(Database, "rows", counted)
    look = make_hub(house, load_settings({})).channels["account"].snapshot
    found = await asyncio.gather(*(look(people[turn % 3].id) for turn in range(300)))
    for turn, rows in enumerate(found):
        assert {"asset": "USDT", "available": f"{1 + turn % 3}.000000", "held": "0.000000"} in rows
    assert statements == 2


@pytest.mark.parametrize(("allowed", "sockets"), [(20_200, 20_000), (65_536, 20_000), (1_024, 824), (100, 1)])
async def test_no_more_sockets_are_let_in_than_there_are_files_for(
    allowed: int, sockets: int, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def allow(wanted: int) -> int:
        asked.append(wanted)
        return allowed

    monkeypatch.setattr(live, "allow_files", allow)
    assert make_hub(house, load_settings({}))._limits.sockets == sockets
    assert asked == [20_200]
