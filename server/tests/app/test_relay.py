"""The API's own /ws over its real server: the same hub behind another door, with bounds of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from picows import WSCloseCode, WSError, WSMsgType, WSTransport, ws_connect

from conftest import MakeMember
from kalos.app import relay
from kalos.app.api import make_app, make_server, open_wire
from kalos.app.kept import free_port
from kalos.app.live import make_hub
from kalos.app.settings import Settings
from kalos.core.tokens import digest, new_token
from kalos.domains.context import House
from kalos.domains.identity.queries import insert_auth_token, insert_session
from kalos.domains.identity.tables import SessionRow
from kalos.live.hub import Hub
from kalos.live.socket import MAX_FRAME_BYTES
from live.test_hub import Client, say, subscribe, until
from support.raw import serving

MOST = 3
KEPT_MS = 60_000


class Doors:
    """A hub and an API before it; `open` opens a socket at the API."""

    def __init__(self, house: House, hub: Hub, settings: Settings) -> None:
        self.house, self.hub, self.settings = house, hub, settings

    async def open(
        self, token: str, *, origin: str = "", host: str = "localhost", path: str = "/ws", **headers: str
    ) -> tuple[WSTransport, Client]:
        address = f"ws://127.0.0.1:{self.settings.port}{path}?token={token}"
        chosen = {"Origin": origin or self.settings.page_url, "Host": host, **headers}
        transport, client = await ws_connect(Client, address, extra_headers=chosen)
        assert isinstance(client, Client)
        return transport, client

    async def token(self, member: MakeMember) -> str:
        """One for one socket of a new member."""
        session, token, wall, someone = digest(new_token()), new_token(), self.house.clock.wall(), await member()
        async with self.house.db.transaction() as db:
            await insert_session(db, SessionRow(session, someone.id, "", "", wall, KEPT_MS, wall + KEPT_MS))
        await insert_auth_token(
            self.house.db, token_hash=digest(token), session=session, until_at=wall + KEPT_MS, wall=wall
        )
        return token


@pytest.fixture
async def doors(house: House, tmp_path: Any) -> AsyncIterator[Doors]:
    settings = Settings(data_dir=tmp_path, port=free_port(), live_port=free_port(), live_relayed=MOST)
    hub = make_hub(house, settings)
    await hub.start("127.0.0.1", settings.live_port)
    async with open_wire(house, settings) as wire:
        server = make_server(make_app(wire, house, settings), settings)
        async with serving(server, settings.port):
            yield Doors(house, hub, settings)
            await hub.stop()


async def test_a_socket_of_the_api_is_one_of_the_hub(doors: Doors, member: MakeMember) -> None:
    token = await doors.token(member)
    transport, client = await doors.open(token)
    say(transport, "ping")
    assert await client.next() == "pong"
    subscribe(transport, "rounds")
    assert (await client.next())["event"] == "subscribe"
    assert (await client.next())["action"] == "snapshot"
    doors.hub.publish("rounds", [{"round": "Ünïcode"}])
    assert (await client.next())["data"] == [{"round": "Ünïcode"}]
    _, again = await doors.open(token)
    await again.gone()
    transport.disconnect()
    await until(lambda: not doors.hub.sockets)


async def test_the_hub_judges_by_the_same_origin_and_network(doors: Doors, member: MakeMember) -> None:
    _, foreign = await opened_or_refused(doors, await doors.token(member), origin="http://evil.example")
    assert foreign is None
    transport, client = await doors.open(await doors.token(member), **{"X-Forwarded-For": "192.0.2.7"})
    say(transport, "ping")
    await client.next()
    assert [socket.network for socket in doors.hub.sockets] == ["192.0.2.7"]
    assert [socket.forwarded for socket in doors.hub.sockets] == ["192.0.2.7, 127.0.0.1"]


@pytest.mark.parametrize(("host", "path"), [("evil.example", "/ws"), ("localhost", "/"), ("localhost", "/ws/")])
async def test_there_is_no_socket_elsewhere(doors: Doors, member: MakeMember, host: str, path: str) -> None:
    _, client = await opened_or_refused(doors, await doors.token(member), host=host, path=path)
    assert client is None
    assert not doors.hub.sockets


async def test_an_api_carries_so_many_sockets(doors: Doors, member: MakeMember) -> None:
    opened = [await doors.open(await doors.token(member)) for _ in range(MOST)]
    _, refused = await opened_or_refused(doors, await doors.token(member))
    assert refused is None
    opened[0][0].disconnect()
    await until(lambda: len(doors.hub.sockets) == MOST - 1)
    transport, client = await doors.open(await doors.token(member))
    say(transport, "ping")
    assert await client.next() == "pong"


async def test_who_reads_nothing_keeps_no_place(
    doors: Doors, member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while something waits to be sent to it, nor while the word does that ends it."""
    monkeypatch.setattr(relay, "_SEND_SECONDS", 0.5)
    monkeypatch.setattr(relay, "_CLOSE_SECONDS", 0.5)
    deaf = []
    for _ in range(MOST):
        transport, client = await doors.open(await doors.token(member))
        subscribe(transport, "rounds")
        await client.next()
        await client.next()
        transport.underlying_transport.pause_reading()
        deaf.append(transport)
    answer = None
    async with asyncio.timeout(30):
        while answer != "pong":
            doors.hub.publish("rounds", [{"round": "x" * 200_000}])
            await asyncio.sleep(0.05)
            with suppress(WSError):
                transport, client = await doors.open(await doors.token(member))
                say(transport, "ping")
                answer = await client.next()
    for one in deaf:
        one.underlying_transport.resume_reading()
        one.disconnect()


async def test_what_the_hub_would_not_read_ends_the_socket(doors: Doors, member: MakeMember) -> None:
    transport, client = await doors.open(await doors.token(member))
    say(transport, "x" * (MAX_FRAME_BYTES + 1))
    await client.gone()
    await until(lambda: not doors.hub.sockets)


async def test_a_message_in_pieces_that_is_too_long_ends_the_socket(doors: Doors, member: MakeMember) -> None:
    """The API's own server puts pieces together before ours sees them: the hub hears nothing of it."""
    transport, client = await doors.open(await doors.token(member))
    pieces = 3
    for number in range(pieces):
        kind = WSMsgType.CONTINUATION if number else WSMsgType.TEXT
        transport.send(kind, b"x" * (MAX_FRAME_BYTES // 2), number == pieces - 1)
    await client.gone()
    assert transport.close_handshake.recv is not None
    assert transport.close_handshake.recv.code == WSCloseCode.MESSAGE_TOO_BIG
    await until(lambda: not doors.hub.sockets)


async def test_a_message_in_pieces_is_one(doors: Doors, member: MakeMember) -> None:
    transport, client = await doors.open(await doors.token(member))
    transport.send(WSMsgType.TEXT, b"pi", False)
    transport.send(WSMsgType.CONTINUATION, b"ng", True)
    assert await client.next() == "pong"


async def test_an_ended_session_and_a_hub_that_stops_end_the_socket(doors: Doors, member: MakeMember) -> None:
    transport, ended = await doors.open(await doors.token(member))
    await until(lambda: len(doors.hub._of_session) == 1)
    (session,) = doors.hub._of_session
    doors.hub.end(session)
    await ended.gone()
    assert transport.close_handshake.recv is not None
    assert transport.close_handshake.recv.code == WSCloseCode.POLICY_VIOLATION
    _, client = await doors.open(await doors.token(member))
    await until(lambda: len(doors.hub._of_session) == 1)
    await doors.hub.stop()
    await client.gone()
    _, late = await opened_or_refused(doors, await doors.token(member))
    assert late is None


async def test_a_slow_reader_is_slow_at_the_hub(doors: Doors, member: MakeMember) -> None:
    """The API keeps no queue for it: it skips to the newest state like every other one."""
    transport, slow = await doors.open(await doors.token(member))
    subscribe(transport, "rounds")
    await slow.next()
    await slow.next()
    transport.underlying_transport.pause_reading()
    async with asyncio.timeout(30):
        while not any(socket.slow for socket in doors.hub.sockets):
            doors.hub.publish("rounds", ["x" * 200_000])
            await asyncio.sleep(0.001)
    doors.hub.publish("rounds", ["this one passes it by"])
    transport.underlying_transport.resume_reading()
    while (await slow.next())["action"] == "update":
        pass


async def opened_or_refused(doors: Doors, token: str, **how: str) -> tuple[WSTransport | None, Client | None]:
    """Refused before it was open, or closed at once: a client sees no difference."""
    try:
        transport, client = await doors.open(token, **how)
    except WSError:
        return None, None
    with suppress(TimeoutError):
        await client.gone()
    return (None, None) if client.closed.is_set() else (transport, client)


def test_in_production_an_api_carries_sockets_only_where_it_is_told_to() -> None:
    assert Settings().relayed > 0
    assert Settings(mode="production").relayed == 0
    assert Settings(mode="production", live_relayed=5).relayed == 5
